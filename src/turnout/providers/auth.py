"""How a call to a provider is authenticated.

Strategy: a key is a `Secret`, whose text appears only in the header that it is sent in. A scheme says which header
that is; a hook of the application may add or replace headers instead (signatures, short-lived tokens).
"""

import importlib
import inspect
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from turnout.model import ProtocolName, Request
from turnout.model.errors import Misconfigured, ProviderError, TurnoutError, Unauthenticated

Scheme: TypeAlias = Literal["bearer", "x-api-key", "x-goog-api-key", "api-key", "none"]
SCHEMES: frozenset[str] = frozenset({"bearer", "x-api-key", "x-goog-api-key", "api-key", "none"})

DEFAULTS: dict[ProtocolName, Scheme] = {"anthropic-messages": "x-api-key", "gemini": "x-goog-api-key"}
"""How the servers of a protocol expect a key where it is not a bearer token."""

Hook: TypeAlias = Callable[
    [str, str, Mapping[str, str], bytes], Mapping[str, str] | Awaitable[Mapping[str, str]]
]
"""`(method, url, headers, body) -> headers`, sync or async; what it gives is added and wins over the rest. It is
asked for each try of a call."""

CLIENT = "client"
"""The key that stands for the caller's own credentials."""


class Secret:
    """A key; printing it shows none of it."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text.strip()

    def reveal(self) -> str:
        """The key itself."""
        return self._text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return "Secret(***)"


def read_key(reference: str, environ: Mapping[str, str] = os.environ, *, place: str = "api_key") -> Secret:
    """The key that `reference` names: `env:NAME`, `file:PATH`, or the key itself; `place` says where it stands.

    Raises:
        Misconfigured: the variable or the file is missing or empty; names it, never a value.
    """
    kind, _, rest = reference.partition(":")
    if kind == "env":
        text = environ.get(rest, "")
        if not text.strip():
            raise Misconfigured(f"{place}: the environment variable {rest} is not set")
        return Secret(text)
    if kind == "file":
        try:
            text = Path(rest).read_text("utf-8")
        except OSError as error:
            raise Misconfigured(f"{place}: the file {rest} cannot be read") from error
        if not text.strip():
            raise Misconfigured(f"{place}: the file {rest} is empty")
        return Secret(text)
    return Secret(reference)


def load_hook(reference: str) -> Hook:
    """The function that `module:function` names.

    Raises:
        Misconfigured: there is none.
    """
    module, _, name = reference.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for step in name.split("."):
            found = getattr(found, step)
    except (ImportError, AttributeError, ValueError) as error:
        raise Misconfigured(f"auth: {reference} cannot be imported") from error
    if not callable(found):
        raise Misconfigured(f"auth: {reference} is not a function")
    return cast("Hook", found)


def key_header(scheme: Scheme, key: str) -> tuple[tuple[str, str], ...]:
    """The header that carries `key`.

    Raises:
        Misconfigured: the key holds a control character or one beyond ASCII.
    """
    if not key or scheme == "none":
        return ()
    if not key.isascii() or not key.isprintable():
        raise Misconfigured("api_key: a key is printable ASCII")
    if scheme == "bearer":
        return (("authorization", f"Bearer {key}"),)
    return ((scheme, key),)


def client_header(request: Request, scheme: Scheme, *, same_protocol: bool) -> tuple[tuple[str, str], ...]:
    """The header with the caller's own credentials.

    In a protocol that takes both, a key stays in the header that it came in: what kind of key it is, that tells.

    Raises:
        Unauthenticated: the caller sent none.
        Misconfigured: they cannot be sent.
    """
    key = client_key(request)
    source = request.source
    own = DEFAULTS.get(source.protocol) if same_protocol and source is not None else None
    if own is not None and source is not None:
        scheme = own if source.headers.get(own) == key else "bearer"
    return key_header(scheme, key)


def client_key(request: Request) -> str:
    """The credentials that the caller sent, whichever header they came in.

    Raises:
        Unauthenticated: it sent none.
    """
    source = request.source
    if source is not None:
        given = source.headers.get("authorization", "")
        kind, _, token = given.partition(" ")
        if kind.lower() == "bearer" and token.strip():
            return token.strip()
        for name in ("x-api-key", "api-key", "x-goog-api-key"):
            if key := source.headers.get(name, ""):
                return key
    raise Unauthenticated("this model needs the caller's own credentials")


async def call_hook(
    hook: Hook, method: str, url: str, headers: list[tuple[str, str]], body: bytes
) -> list[tuple[str, str]]:
    """`headers` with what `hook` adds; its names win.

    Raises:
        TurnoutError: what the hook raised is one.
        ProviderError: it failed otherwise; what it raised, which may hold secrets, is only the cause.
    """
    try:
        given = hook(method, url, dict(headers), body)
        added = await given if inspect.isawaitable(given) else given
        names = {name.lower() for name in added}
        kept = [pair for pair in headers if pair[0].lower() not in names]
        return kept + [(name.lower(), value) for name, value in added.items()]
    except TurnoutError:
        raise
    except Exception as error:
        raise ProviderError("the hook for authentication failed") from error
