"""Who asks, whether it is the same request again, and what the record of it says.

Strategy: a ledger holds rows under opaque keys. What identifies a request or a caller is only ever kept as a digest,
so that no credential and no header is written anywhere.
"""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Literal, TypeAlias

import msgspec

from .base import Json, V
from .context import IdempotencyKey, User
from .parts import Message, Text
from .request import Request
from .utterance import Utterance

State: TypeAlias = Literal["fresh", "running", "done", "conflict", "lost"]

CREDENTIALS = ("authorization", "x-api-key", "api-key", "x-goog-api-key", "proxy-authorization")
"""The headers by which the clients of all protocols say who they are."""

_RETRIES = "x-stainless-retry-count"


class Claim(V, frozen=True, kw_only=True):
    """What a ledger says of a key.

    `fresh`: it is the caller's now, who does the work and settles it. `running`: somebody does the work. `done`: the
    work is settled, `record` is what was recorded. `conflict`: the key stands for something else. `lost`: whoever did
    the work is gone and never settled it, so nobody knows what became of it.

    `delivered`: the answer that told of it reached its end. `age_s`: seconds since it was settled, else claimed.
    """

    state: State
    record: Json = ""
    delivered: bool = False
    age_s: float = 0.0


class Identity(V, frozen=True, kw_only=True):
    """Which request this is: the `key` of its row, the `fingerprint` of what it says.

    `keyed`: the client gave the key. `repeats`: the client says that it asks again.
    """

    key: str
    fingerprint: str
    keyed: bool
    repeats: bool


def caller(request: Request) -> str:
    """A digest of who asks: the user, where one is known, else the credentials that came with the request.

    Without either it is that of nobody, which all such callers share.
    """
    user = request.context.get(User)
    if user is not None and user.id:
        return digest("user", user.id)
    source = request.source
    if source is None:
        return digest("nobody")
    said = [f"{name}:{value}" for name in CREDENTIALS for value in source.headers.get_all(name)]
    # Gemini's clients may say their key in the query.
    said += [each for each in source.query.split("&") if each.startswith("key=")]
    return digest("credentials", *said) if said else digest("nobody")


def says_again(request: Request) -> bool:
    """Whether the client says which request this is, or that it repeats one; cheap, reads no body."""
    return IdempotencyKey in request.context or _repeats(request)


def identified(request: Request) -> Identity | None:
    """Which request this is; `None` when nothing tells it from any other: it has neither a key nor bytes.

    With a key, the fingerprint is that of its bytes: the same key stands for the very same request.
    """
    source = request.source
    body = b"" if source is None else source.body
    repeats = _repeats(request)
    given = request.context.get(IdempotencyKey)
    if given is not None:
        key = digest("key", caller(request), given.value)
        fingerprint = digest(source.path, body) if source is not None and body else _talk(request)
        return Identity(key=f"run/{key}", fingerprint=fingerprint, keyed=True, repeats=repeats)
    if not body:
        return None
    said = _talk(request)
    key = digest("said", caller(request), said)
    return Identity(key=f"run/{key}", fingerprint=said, keyed=False, repeats=repeats)


def digest(*texts: str | bytes) -> str:
    """A digest of texts in order: 40 hexadecimal digits, different for every way of dividing them."""
    said = [text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text for text in texts]
    framed = b"".join([len(data).to_bytes(8, "big") + data for data in said])
    return blake2b(framed, digest_size=20).hexdigest()


def _talk(request: Request) -> str:
    """What is said in a request, in whatever form it is asked: a digest.

    A client that asks again does not always send the same bytes: it asks without streaming, with fewer features, at
    another time of day (seen in claude-code and OpenClaw). So the settings do not count, nor do instructions, and of
    the user's last turn only what the `Utterance` in the context holds, and media.
    """
    messages = [each for each in request.messages if each.role in {"user", "assistant", "tool"}]
    ends = [at for at, each in enumerate(messages) if each.role != "user"]
    turn = ends[-1] + 1 if ends else 0
    said = request.context.get(Utterance)
    words = [said.before, said.text] if said is not None else [each.text for each in messages[turn:]]
    talk = [*_parts(messages[:turn], texts=True), *words, *_parts(messages[turn:], texts=False)]
    return digest(request.body.user or "", *talk)


def _parts(messages: list[Message], *, texts: bool) -> Iterator[bytes]:
    for message in messages:
        yield message.role.encode()
        for part in message.parts:
            if not isinstance(part, Text):
                yield msgspec.json.encode(msgspec.structs.replace(part, extra=None))  # cache marks move
            elif texts:
                yield part.text.encode("utf-8", "surrogatepass")


def _repeats(request: Request) -> bool:
    count = "" if request.source is None else request.source.headers.get(_RETRIES, "")
    return count.isascii() and count.isdigit() and int(count[:9]) > 0
