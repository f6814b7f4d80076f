"""The addresses of a provider's endpoints, joined once and checked before anything is sent."""

import re
from urllib.parse import SplitResult, quote, urlsplit

from turnout.model import ProtocolName
from turnout.model.errors import InvalidRequest, Misconfigured

PATHS: dict[ProtocolName, str] = {
    "anthropic-messages": "/messages",
    "gemini": "/models/{model}:{method}",
    "openai-chat": "/chat/completions",
    "openai-responses": "/responses",
}
"""Where each protocol's calls go, after the base URL."""

COUNTS: dict[ProtocolName, str] = {"anthropic-messages": "/messages/count_tokens"}
"""Where the protocols that count tokens do it; one whose path holds a method has a method for it."""

VERSIONS: dict[ProtocolName, str] = {"anthropic-messages": "v1", "gemini": "v1beta"}
"""What is added to a base URL that does not end with a version; official clients take base URLs without one."""

STREAMS: dict[ProtocolName, str] = {"gemini": "alt=sse"}
"""What the query asks for where a stream is."""

_METHOD = "{method}"
_ANSWER, _STREAM, _COUNT = "generateContent", "streamGenerateContent", "countTokens"
_VERSION = re.compile(r"v\d+[a-z0-9]*")


class Address:
    """Where a provider is. A query of the base URL is kept, before `query`.

    `path` is that of the protocol's calls and `count` that of its counting; a base URL that ends with `path` is one
    without. `{model}` in a path stands for the model's name and `{method}` for what is asked of it. `version` is
    added where the base URL does not end with a version.

    Raises:
        Misconfigured: not an http(s) address, or one that holds credentials.
    """

    __slots__ = ("_base", "_count", "_fixed", "_path", "query")

    def __init__(
        self,
        base_url: str,
        path: str,
        *,
        root: str = "",
        query: str = "",
        count: str = "",
        version: str = "",
    ) -> None:
        parts = _split(base_url.strip())
        if parts.username is not None or parts.password is not None:
            raise Misconfigured("base_url: credentials do not belong in it; use api_key or headers")
        inner = parts.path.rstrip("/")
        if path and inner.endswith(path):
            inner = inner[: -len(path)].rstrip("/")
        if root and not inner.endswith(root):
            inner = _overlapped(inner, root)
        if version and not _VERSION.fullmatch(inner.rpartition("/")[2]):
            inner = f"{inner}/{version}"
        self._base = f"{parts.scheme}://{parts.netloc}{quote(inner, safe='/%:@!$&()*+,;=~-._')}"
        self._path = path
        self._count = count
        self.query = "&".join(text for text in (parts.query, query) if text)
        self._fixed = None if "{model}" in path else self._base + path

    def call(self, model: str, stream: bool = False) -> str:
        """The address of the protocol's call, without a query.

        Raises:
            InvalidRequest: the model's name cannot be a part of the path.
        """
        if self._fixed is not None:
            return self._fixed
        return self._named(model, _STREAM if stream else _ANSWER)

    def _named(self, model: str, method: str) -> str:
        if model.strip(".") == "":
            raise InvalidRequest("not a model's name", param="model")
        return self._base + self._path.replace("{model}", quote(model, safe="")).replace(_METHOD, method)

    def count(self, model: str) -> str:
        """The address where tokens are counted, without a query.

        Raises:
            InvalidRequest: the model's name cannot be a part of the path.
        """
        return self._named(model, _COUNT) if _METHOD in self._path else self._base + self._count

    def beside(self, path: str) -> str:
        """The address of another endpoint of the same API, without a query."""
        return self._base + path

    def models(self) -> str:
        """The address of the list of models, without a query."""
        head = self._path.partition("/{model}")[0] if _METHOD in self._path else "/models"
        return self._base + head

    def __repr__(self) -> str:
        return f"Address({self._base})"


def address_of(
    protocol: ProtocolName, base_url: str, *, path: str = "", root: str = "", query: str = ""
) -> Address:
    """Where a provider that speaks `protocol` is; a `path` or `root` of its own is taken as it is.

    Raises:
        Misconfigured: not an http(s) address, or one that holds credentials.
    """
    return Address(
        base_url,
        path or PATHS[protocol],
        root=root,
        query=query,
        count=COUNTS.get(protocol, ""),
        version="" if root or path else VERSIONS.get(protocol, ""),
    )


def _split(base_url: str) -> SplitResult:
    try:
        parts = urlsplit(base_url)
        known = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError as error:
        raise Misconfigured("base_url: an http:// or https:// address is expected") from error
    if not known:
        raise Misconfigured("base_url: an http:// or https:// address is expected")
    return parts


def _overlapped(inner: str, root: str) -> str:
    """`inner` and `root` joined; what `inner` ends with and `root` begins with is there once."""
    pieces = root.strip("/").split("/")
    for count in range(len(pieces) - 1, 0, -1):
        head = "/" + "/".join(pieces[:count])
        if inner.endswith(head):
            return inner[: -len(head)] + root
    return inner + root
