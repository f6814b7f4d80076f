"""The application that a configuration describes."""

import warnings
from typing import TYPE_CHECKING, Any, cast

from turnout.model import Reply, Request
from turnout.model.errors import Misconfigured, Unsupported

from .components import Components
from .modules import imported, imported_module
from .secrets import header, secret
from .tables import Config, ConfigError, quoted

if TYPE_CHECKING:
    from turnout import App
    from turnout.providers import Provider

_OPTIONS = (
    "forward_headers",
    "retries",
    "repair",
    "connect_s",
    "first_byte_s",
    "idle_s",
    "connections",
    "strict_parameters",
    "tool_id_pattern",
    "tool_name_pattern",
    "proxy",
    "ca_file",
)
"""Keys of `[providers.NAME]` that are options of `Provider` under the same name."""


def build_provider(config: Config, name: str) -> "Provider":
    """The provider that `[providers.NAME]` describes.

    Raises:
        ConfigError: a secret is missing, or preset, protocol or address are not usable.
    """
    from turnout.providers import provider

    table = config.providers[name]
    place = f"{config.path}: providers.{quoted(name)}"
    options = {key: value for key in _OPTIONS if (value := getattr(table, key)) is not None}
    if table.api_key is not None:
        options["api_key"] = (
            "client" if table.api_key == "client" else secret(table.api_key, f"{place}.api_key")
        )
    if table.auth is not None:
        options["auth"] = imported(table.auth, f"{place}.auth")
    try:
        return provider(
            table.preset or cast("str", table.protocol),
            name=name,
            base_url=table.base_url,
            headers={key: header(value, f"{place}.headers.{key}") for key, value in table.headers.items()},
            **options,
        )
    except Misconfigured as error:
        raise ConfigError(f"{place}.{error.message}") from error


_PLANNED = frozenset({"openai-responses", "anthropic-messages", "gemini"})
"""Protocols that a configuration may name before this version speaks them."""


def _provider(config: Config, name: str) -> Any:
    """The provider, or what answers for one whose protocol is still to come: a refusal that says so."""
    protocol = config.providers[name].protocol
    if protocol not in _PLANNED:
        return build_provider(config, name)

    async def refuse(request: Request) -> Reply:
        raise Unsupported(
            "model", f"the provider of this model speaks {protocol}, which is not supported yet"
        )

    warnings.warn(f"{config.path}: providers.{quoted(name)}: {protocol} is not supported yet", stacklevel=2)
    return refuse


def build(config: Config) -> "App":
    """The application: its actions, its providers and its models.

    Raises:
        ConfigError: a secret is missing, a module cannot be imported, or a provider cannot be built.
    """
    from turnout import App
    from turnout.store import ledger

    place = f"{config.path}: "
    options: dict[str, Any] = {}
    try:
        options["ledger"] = ledger(config.store.url)
    except ValueError as error:
        raise ConfigError(f"{place}store.url: {error}") from error
    modules = tuple(imported_module(name, f"{place}app.load") for name in config.app.load)
    providers = {name: _provider(config, name) for name in config.providers}
    components = Components(config, providers, modules)
    app = App(
        limits=config.limits,
        keepalive_s=config.server.keepalive_s,
        user_header=config.identity.user_header,
        agent_header=config.identity.agent_header,
        classifier=components.classifier(),
        synthesizer=components.synthesizer(),
        **options,
    )
    app.add(*modules)
    for name, model in config.models.items():
        try:
            app.model(name, providers[model.provider], model=model.model, actions=model.actions)
        except Misconfigured as error:
            raise ConfigError(f"{place}models.{quoted(name)}: {error.message}") from error
    return app
