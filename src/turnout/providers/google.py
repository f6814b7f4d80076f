"""A provider with the settings of a client of google-genai, for the Gemini API or Vertex AI, read without its SDK."""

from collections.abc import Mapping
from typing import Any, cast

from turnout.model.errors import Misconfigured

from .auth import Hook
from .presets import PRESETS

_OWN = frozenset({"content-type", "user-agent", "x-goog-api-key", "x-goog-api-client"})


def read_genai(client: Any) -> dict[str, Any]:
    """The options of a provider that calls what `client` (or its `aio`) would call; `base_url` is among them.

    Raises:
        Misconfigured: its settings cannot be read.
    """
    api = getattr(client, "_api_client", None)
    options = getattr(api, "_http_options", None)
    base = getattr(options, "base_url", None)
    if not isinstance(base, str) or not base:
        raise Misconfigured("from_client: the settings of this google-genai client cannot be read")
    version = getattr(options, "api_version", None)
    url = base.rstrip("/") + (f"/{version}" if version else "")
    read: dict[str, Any] = {"headers": _headers(options), **_timeouts(getattr(options, "timeout", None))}
    if getattr(api, "vertexai", None):
        project, location = getattr(api, "project", None), getattr(api, "location", None)
        if project and location:
            url += f"/projects/{project}/locations/{location}"
        vertex = PRESETS["vertex"]
        read.update(dialect=vertex.dialect, root=vertex.root, path=vertex.path)
    read["base_url"] = url
    if key := getattr(api, "api_key", None):
        read.update(api_key=str(key), auth="x-goog-api-key")
    else:
        read["auth"] = _token_hook(api)
    return read


def _headers(options: Any) -> dict[str, str]:
    custom = getattr(options, "headers", None)
    pairs = cast("Mapping[str, Any]", custom).items() if isinstance(custom, Mapping) else ()
    return {
        name.lower(): value for name, value in pairs if isinstance(value, str) and name.lower() not in _OWN
    }


def _timeouts(milliseconds: Any) -> dict[str, float]:
    """A client's timeout bounds the wait for an answer and each silence in it."""
    if not isinstance(milliseconds, int | float) or isinstance(milliseconds, bool) or milliseconds <= 0:
        return {}
    seconds = milliseconds / 1000
    return {"connect_s": seconds, "first_byte_s": seconds, "idle_s": seconds}


def _token_hook(api: Any) -> Hook:
    async def bearer(_method: str, _url: str, _headers: Mapping[str, str], _body: bytes) -> Mapping[str, str]:
        return {"authorization": f"Bearer {await api._async_access_token()}"}

    return bearer
