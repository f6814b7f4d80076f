"""A provider with the settings of an official client object that the host has built, read without its SDK."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, cast
from urllib.parse import urlencode

from turnout.model import ProtocolName
from turnout.model.errors import Misconfigured

from .auth import Hook
from .remote import Provider


def from_client(
    client: Any, *, name: str = "", protocol: ProtocolName | None = None, **options: Any
) -> Provider:
    """A provider that calls what `client` would call: an `openai` client (Azure's too), an `anthropic` or a
    `google-genai` one, sync or async.

    Base URL, key, organisation, headers, query, timeout and retries are the client's; `options` of `Provider` win.
    `protocol` is another one than the client is known for: `openai-responses`.
    A client whose key is a function, or that has credentials which expire, is asked before each call.

    Raises:
        Misconfigured: the object is not such a client.
    """
    if type(client).__module__.startswith("google.genai."):
        from .google import read_genai

        settings = {**read_genai(client), **options}
        return Provider(name or "gemini", protocol or "gemini", settings.pop("base_url"), **settings)
    family = type(client).__module__.partition(".")[0]
    bases = {base.__module__.partition(".")[0] for base in type(client).__mro__}
    known = [package for package in _PACKAGES if package in bases | {family}]
    if not known:
        expected = " or ".join([*_PACKAGES, "google-genai"])
        raise Misconfigured(
            f"from_client: a client of the {expected} package is expected, not {type(client).__name__}"
        )
    own, reader = _PACKAGES[known[0]]
    spoken = protocol or own
    read: dict[str, Any] = {
        "base_url": str(client.base_url),
        "retries": int(getattr(client, "max_retries", 0) or 0),
        "headers": _headers(client),
        "query": _query(getattr(client, "_custom_query", None)),
        **_timeouts(getattr(client, "timeout", None)),
        **reader(client, spoken),
        **options,
    }
    return Provider(name or known[0], spoken, read.pop("base_url"), **read)


def _anthropic(client: Any, _protocol: ProtocolName) -> dict[str, Any]:
    """How a client authenticates: in which header depends on its release, a token source is asked each time."""
    headers = getattr(client, "auth_headers", None)
    sent = (
        {name.lower() for name in cast("Mapping[str, Any]", headers)}
        if isinstance(headers, Mapping)
        else set[str]()
    )
    api_key, token = getattr(client, "api_key", None), getattr(client, "auth_token", None)
    if api_key:
        return {"api_key": str(api_key), "auth": "x-api-key" if "x-api-key" in sent else "bearer"}
    if token:
        return {"api_key": str(token), "auth": "bearer"}
    source = getattr(client, "_token_cache", None)
    return {} if source is None else {"auth": _token_hook(source, is_async=_is_async(client))}


def _is_async(client: Any) -> bool:
    return any(base.__name__.startswith("Async") for base in type(client).__mro__)


def _token_hook(source: Any, *, is_async: bool) -> Hook:
    async def bearer(_method: str, _url: str, _headers: Mapping[str, str], _body: bytes) -> Mapping[str, str]:
        if is_async:
            token = await source.async_get_token()
        else:
            token = await asyncio.to_thread(source.get_token)
        return {"authorization": f"Bearer {token}"}

    return bearer


def _openai(client: Any, protocol: ProtocolName) -> dict[str, Any]:
    azure = hasattr(client, "_azure_deployment")
    read: dict[str, Any] = {}
    if azure:
        read.update(auth="api-key", dialect="azure")
        if protocol == "openai-chat" and getattr(client, "_azure_deployment", None) is None:
            read["path"] = "/deployments/{model}/chat/completions"
    hook = _key_function(client, azure=azure)
    if hook is not None:
        read["auth"] = hook
    elif key := getattr(client, "api_key", None):
        read["api_key"] = str(key)
    return read


def _headers(client: Any) -> dict[str, str]:
    headers: dict[str, str] = {}
    for attribute, name in (("organization", "openai-organization"), ("project", "openai-project")):
        if isinstance(value := getattr(client, attribute, None), str) and value:
            headers[name] = value
    custom = getattr(client, "_custom_headers", None)
    if isinstance(custom, Mapping):
        pairs = cast("Mapping[str, Any]", custom).items()
        headers.update({name.lower(): value for name, value in pairs if isinstance(value, str)})
    return headers


def _query(custom: Any) -> str:
    if not isinstance(custom, Mapping):
        return ""
    pairs = cast("Mapping[str, Any]", custom).items()
    return urlencode({name: str(value) for name, value in pairs})


def _timeouts(timeout: Any) -> dict[str, float]:
    """A number bounds the wait for an answer and each silence in it, as it does in the client."""
    if isinstance(timeout, int | float) and not isinstance(timeout, bool):
        return {"connect_s": float(timeout), "first_byte_s": float(timeout), "idle_s": float(timeout)}
    read = getattr(timeout, "read", None)
    connect = getattr(timeout, "connect", None)
    found: dict[str, float] = {}
    if isinstance(read, int | float):
        found.update(first_byte_s=float(read), idle_s=float(read))
    if isinstance(connect, int | float):
        found["connect_s"] = float(connect)
    return found


def _key_function(client: Any, *, azure: bool) -> Hook | None:
    attribute = "_azure_ad_token_provider" if azure else "_api_key_provider"
    function = getattr(client, attribute, None)
    fixed = getattr(client, "_azure_ad_token", None) if azure else None
    if not callable(function) and not fixed:
        return None

    async def bearer(_method: str, _url: str, _headers: Mapping[str, str], _body: bytes) -> Mapping[str, str]:
        key: Any = function() if callable(function) else fixed
        if hasattr(key, "__await__"):
            key = await key
        return {"authorization": f"Bearer {key}"}

    return bearer


_PACKAGES: dict[str, tuple[ProtocolName, Callable[[Any, ProtocolName], dict[str, Any]]]] = {
    "openai": ("openai-chat", _openai),
    "anthropic": ("anthropic-messages", _anthropic),
}
