"""Who asks, whether it is the same request again, and what the record of it says.

Strategy: a ledger holds rows under opaque keys. What identifies a request or a caller is only ever kept as a digest,
so that no credential and no header is written anywhere.
"""

from hashlib import blake2b
from typing import Literal, TypeAlias

from .base import Json, V
from .context import IdempotencyKey, User
from .request import Request

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
    """Which request this is; `None` when nothing tells it from any other: it has neither a key nor bytes."""
    source = request.source
    body = b"" if source is None else source.body
    said = _said(request, body)
    repeats = _repeats(request)
    given = request.context.get(IdempotencyKey)
    if given is not None:
        key = digest("key", caller(request), given.value)
        return Identity(key=f"run/{key}", fingerprint=said, keyed=True, repeats=repeats)
    if source is None or not body:
        return None
    key = digest("body", caller(request), said)
    return Identity(key=f"run/{key}", fingerprint=said, keyed=False, repeats=repeats)


def digest(*texts: str | bytes) -> str:
    """A digest of texts in order: 40 hexadecimal digits, different for every way of dividing them."""
    state = blake2b(digest_size=20)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        state.update(len(data).to_bytes(8, "big"))
        state.update(data)
    return state.hexdigest()


def _said(request: Request, body: bytes) -> str:
    if body and request.source is not None:
        return digest(request.source.path, body)
    return digest(request.model, *(f"{message.role}:{message.text}" for message in request.messages))


def _repeats(request: Request) -> bool:
    count = "" if request.source is None else request.source.headers.get(_RETRIES, "")
    return count.isascii() and count.isdigit() and int(count[:9]) > 0
