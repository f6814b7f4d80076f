"""The application that a configuration describes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from turnout.model.errors import Misconfigured

from .components import Components
from .modules import imported, imported_module
from .secrets import header, secret
from .tables import Config, ConfigError, beside, quoted

if TYPE_CHECKING:
    from turnout import App
    from turnout.providers import Provider

_OPTIONS = (
    "dialect",
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
    "version",
    "default_max_tokens",
    "late_system",
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
            protocol=table.protocol,
            name=name,
            base_url=table.base_url,
            headers={key: header(value, f"{place}.headers.{key}") for key, value in table.headers.items()},
            **options,
        )
    except Misconfigured as error:
        raise ConfigError(f"{place}.{error.message}") from error


def build(config: Config) -> "App":
    """The application: its actions, its providers and its models.

    Raises:
        ConfigError: a secret is missing, a module cannot be imported, or a provider cannot be built.
    """
    from turnout import App, store

    place = f"{config.path}: "
    options: dict[str, Any] = {}
    try:
        if config.store is not None:
            options["store"] = store.open(
                config.store.url,
                store.Policy(
                    retention_s=config.store.retention_days * store.DAY_S,
                    run_timeout=config.store.run_timeout_s,
                ),
            )
            options["store_default"] = config.store.default
    except (ValueError, Misconfigured) as error:
        raise ConfigError(f"{place}store.url: {error}") from error
    modules = tuple(imported_module(name, f"{place}app.load") for name in config.app.load)
    providers = {name: build_provider(config, name) for name in config.providers}
    components = Components(config, providers, modules)
    app = App(
        limits=config.limits,
        keepalive_s=config.server.keepalive_s,
        open_responses=config.server.open_responses,
        user_header=config.identity.user_header,
        agent_header=config.identity.agent_header,
        classifier=components.classifier(),
        examples=beside(config, config.actions.examples),
        calibration=beside(config, config.actions.calibration),
        shadow=beside(config, config.actions.shadow),
        synthesizer=components.synthesizer(),
        transcriber=_audio(config, "transcribe", providers),
        speaker=_audio(config, "speak", providers),
        **options,
    )
    try:
        app.add(*modules)
    except Misconfigured as error:
        raise ConfigError(f"{place}app.load: {error.message}") from error
    for name, model in config.models.items():
        try:
            app.model(
                name,
                providers[model.provider],
                model=model.model,
                actions=model.actions,
                reasoning=model.reasoning,
            )
        except Misconfigured as error:
            raise ConfigError(f"{place}models.{quoted(name)}: {error.message}") from error
    return app


def _audio(config: Config, key: str, providers: "Mapping[str, Provider]") -> Any:
    """Who answers an audio endpoint; `None` where it is not served.

    Raises:
        ConfigError: the name leads nowhere, or to a provider that has no such endpoint.
    """
    named: str | None = getattr(config.audio, key)
    if named is None:
        return None
    place = f"{config.path}: audio.{key}"
    if named in providers:
        provider = providers[named]
        if not provider.protocol.startswith("openai-"):
            raise ConfigError(
                f"{place}: provider {named!r} speaks {provider.protocol}, which has no such endpoint"
            )
        return provider
    if ":" not in named:
        known = ", ".join(sorted(providers)) or "none is defined"
        raise ConfigError(f"{place}: no provider {named!r}; expected one of {known}, or module:name")
    return imported(named, place)
