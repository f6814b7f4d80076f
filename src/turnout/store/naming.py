"""Whose a response is, which one it is, and what its request asked."""

import os
import secrets
import time
from typing import Final

import msgspec

from turnout.model import Context, Turn, User
from turnout.model.errors import StoreFailed
from turnout.model.ledger import CREDENTIALS, digest

_IDS: Final = 128
"""Ids for which random bytes are asked of the system at once."""


def owner(context: Context) -> str:
    """A digest of who owns what a request makes: its `User`, where one is known, else its credentials.

    The credentials are those headers of the ASGI scope by which clients say who they are; without any the owner is
    nobody, which all such callers share.
    """
    user = context.get(User)
    if user is not None and user.id:
        return digest("user", user.id)
    scope = context.scope or {}
    headers: list[tuple[bytes, bytes]] = scope.get("headers", ())
    said = [name + b":" + value for name, value in headers if name.lower() in _CREDENTIALS]
    if len(said) > 1:
        said.sort()
    query = scope.get("query_string")
    if query:
        said += [each for each in query.split(b"&") if each.startswith(b"key=")]
    return digest("credentials", *said) if said else _NOBODY


_CREDENTIALS = frozenset(name.encode() for name in CREDENTIALS)
_NOBODY = digest("nobody")


def new_id() -> str:
    """An id that nobody can guess, of the form that Responses clients know.

    It begins with the time, so that rows that are written together lie together.
    """
    return f"resp_{time.time_ns() // 1_000_000:012x}{_random.take().hex()}"


class _Random:
    """Bytes that nobody can guess, asked of the system for many ids at once; a process that forks asks anew."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left: list[bytes] = []

    def take(self) -> bytes:
        """18 bytes that were never given before."""
        try:
            return self._left.pop()  # one step, so that threads never get the same
        except IndexError:
            many = secrets.token_bytes(18 * _IDS)
            first, *self._left = [many[at : at + 18] for at in range(0, len(many), 18)]
            return first

    def forget(self) -> None:
        """Give nothing of what is left: another process has it, too."""
        self._left = []


_random = _Random()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_random.forget)


def fingerprint(turn: Turn) -> str:
    """A digest of what a turn asks: of its bytes, where there are some, else of what they would say."""
    request = turn.request
    source = request.source
    if source is not None and source.body:
        return digest("bytes", source.path, source.query, source.body)
    said = {"model": request.model, "stream": request.stream, "body": request.body}
    try:
        return digest("said", msgspec.json.encode(said))
    except UnicodeEncodeError as error:
        raise StoreFailed("turnout: the request holds what cannot be stored") from error


def may_be(response_id: str) -> bool:
    """Whether it can be the id of a response; what else a client may send, not every database takes."""
    return response_id.isascii() and response_id.isprintable()
