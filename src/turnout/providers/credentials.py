"""What a provider's calls are authenticated with, and the headers that all of them have; made once."""

from collections.abc import Mapping
from typing import Literal, cast

from turnout.model import Request
from turnout.model.errors import Misconfigured

from .auth import CLIENT, SCHEMES, Hook, Scheme, Secret, call_hook, client_header, key_header, load_hook
from .failure import Redactor

Pairs = list[tuple[str, str]]


class Credentials:
    """A provider's key and how it is sent; `static` are the headers of each call, `redactor` hides what is secret.

    Raises:
        Misconfigured: `auth` is neither a scheme nor a function, or a header or key cannot be sent.
    """

    __slots__ = ("_hook", "_per_caller", "_scheme", "names", "redactor", "static")

    def __init__(
        self, api_key: str | Secret | None, auth: Scheme | str | Hook, headers: Mapping[str, str]
    ) -> None:
        self._scheme: Scheme = "none"
        self._hook: Hook | None = None
        if callable(auth):
            self._hook = auth
        elif auth in SCHEMES:
            self._scheme = cast("Scheme", auth)
        elif ":" in auth:
            self._hook = load_hook(auth)
        else:
            raise Misconfigured(f"auth: {auth!r} is neither {', '.join(sorted(SCHEMES))} nor module:function")
        self._per_caller = api_key == CLIENT
        secret = api_key if isinstance(api_key, Secret) else Secret(api_key or "")
        key = "" if self._per_caller else secret.reveal()
        static: dict[str, str] = {"content-type": "application/json"}
        for name, value in headers.items():
            if any(letter in name + value for letter in "\r\n\0"):
                raise Misconfigured(f"headers: {name!r} holds a line break")
            static[name.lower()] = value
        static.update(key_header(self._scheme, key))
        self.static: Pairs = list(static.items())
        self.names = frozenset(static)
        self.redactor = Redactor((key, *(headers.values())))

    @property
    def signs(self) -> bool:
        """Whether each call is signed by a hook."""
        return self._hook is not None

    def of_caller(self, request: Request, *, same_protocol: bool) -> tuple[tuple[str, str], ...]:
        """The header with the caller's own credentials, where those are asked for.

        Raises:
            Unauthenticated: the caller sent none.
        """
        if not self._per_caller:
            return ()
        return client_header(request, self._scheme, same_protocol=same_protocol)

    async def signed(self, method: Literal["GET", "POST"], url: str, headers: Pairs, body: bytes) -> Pairs:
        """`headers` with what the hook adds."""
        return headers if self._hook is None else await call_hook(self._hook, method, url, headers, body)
