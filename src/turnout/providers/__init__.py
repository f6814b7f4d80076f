"""Providers of models: what a request is passed on to.

`provider("groq")` makes one of a known provider, `provider("openai-chat", base_url=...)` one of any that speaks the
protocol, `provider.from_client(client)` one with the settings of an official client. Importing this loads neither
the network library nor any codec.
"""

import os
from typing import TYPE_CHECKING, Any

import msgspec

from turnout.model import ProtocolName
from turnout.model.errors import Misconfigured

from .address import PATHS
from .auth import CLIENT, DEFAULTS, Hook, Scheme, Secret, read_key
from .presets import PRESETS, Preset
from .transport import Response, Transport, no_answer

if TYPE_CHECKING:
    from .http import HttpTransport
    from .remote import Provider
    from .retries import Backoff


class ProviderMaker:
    """Makes providers; `turnout.provider` is one."""

    def __call__(
        self,
        preset_or_protocol: str,
        *,
        name: str = "",
        base_url: str | None = None,
        api_key: str | Secret | None = None,
        model: str = "",
        protocol: str | None = None,
        **options: Any,
    ) -> "Provider":
        """A provider by the name of a preset, or of a protocol at `base_url`.

        `protocol` is another one than the preset's own, which that provider speaks too.
        `api_key` may be `env:NAME`, `file:PATH`, `"client"` or the key itself; left out, a preset's environment
        variable is read. `options` are those of `Provider`.

        Raises:
            Misconfigured: unknown name, no base URL, a missing key.
        """
        from .remote import Provider

        preset = _speaking(_preset(preset_or_protocol), protocol)
        url = base_url or preset.base_url
        if not url:
            raise Misconfigured(f"base_url: {preset_or_protocol} needs one")
        settings: dict[str, Any] = {
            "auth": preset.auth,
            "dialect": preset.dialect,
            "root": preset.root,
            "path": preset.path,
            "query": preset.query,
            "tool_id_pattern": preset.tool_id_pattern,
            "tool_name_pattern": preset.tool_name_pattern,
            "model": model,
        }
        settings.update(options)
        needed = "auth" not in options and not (base_url and preset.base_url)
        key = _key(preset, api_key, needed=needed)
        return Provider(name or preset_or_protocol, preset.protocol, url, api_key=key, **settings)

    def from_client(
        self,
        client: Any,
        *,
        name: str = "",
        model: str = "",
        protocol: ProtocolName | None = None,
        **options: Any,
    ) -> "Provider":
        """A provider with the settings of an official client object; see `turnout.providers.clients`.

        Raises:
            Misconfigured: the object is not such a client.
        """
        from .clients import from_client

        return from_client(client, name=name, model=model, protocol=protocol, **options)


def _preset(name: str) -> Preset:
    preset = PRESETS.get(name)
    if preset is not None:
        return preset
    if name in PATHS:
        return Preset(title=name, protocol=name, auth=DEFAULTS.get(name, "bearer"))
    known = ", ".join([*sorted(PRESETS), *sorted(PATHS)])
    raise Misconfigured(f"preset: {name!r} is not one of {known}")


def _speaking(preset: Preset, protocol: str | None) -> Preset:
    """The preset with the protocol that was asked for."""
    if protocol in (None, preset.protocol):
        return preset
    for also in preset.also:
        if also == protocol:
            return msgspec.structs.replace(preset, protocol=also)
    known = ", ".join((preset.protocol, *preset.also))
    raise Misconfigured(
        f"protocol: {preset.title} is known to speak {known}; give a base_url without a preset"
    )


def _key(preset: Preset, given: str | Secret | None, *, needed: bool) -> str | Secret | None:
    """The key given, else that of the preset's variable; `needed`: the lack of it is an error."""
    if isinstance(given, Secret) or given == CLIENT:
        return given
    if given is not None:
        return read_key(given)
    if preset.key_env and (needed or os.environ.get(preset.key_env)):
        return read_key(f"env:{preset.key_env}")
    return None


provider = ProviderMaker()

_LAZY = {
    "Backoff": ".retries",
    "HttpTransport": ".http",
    "Provider": ".remote",
}


def __getattr__(name: str) -> Any:
    import importlib

    room = _LAZY.get(name)
    if room is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(room, __name__), name)


__all__ = [
    "PRESETS",
    "Backoff",
    "Hook",
    "HttpTransport",
    "Preset",
    "Provider",
    "ProviderMaker",
    "Response",
    "Scheme",
    "Secret",
    "Transport",
    "no_answer",
    "provider",
    "read_key",
]
