"""The configuration file: its shape and how it is read.

Strategy: every table is a frozen Struct that forbids unknown keys; values are converted one table at a time, so that
a fault is named by the file, the key's whole path and what was expected.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, cast

import msgspec
from msgspec import Meta

from turnout.model import Limits
from turnout.model.errors import Misconfigured

T = TypeVar("T", bound=msgspec.Struct)
Seconds = Annotated[float, Meta(gt=0)]


class ConfigError(Misconfigured):
    """The configuration cannot be used; the message says where and why in one line."""


class Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all tables: unknown keys are faults."""


class ServerTable(Table, frozen=True, kw_only=True):
    """`[server]`: where and to whom it serves. `keepalive_s` is in seconds, 0 for never.

    `open_responses`: Responses are answered in the shape of Open Responses.
    """

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8787
    root_path: str = ""
    tokens: tuple[str, ...] = ()
    cors_origins: tuple[str, ...] = ()
    keepalive_s: Annotated[float, Meta(ge=0)] = 15
    open_responses: bool = False


class ProviderTable(Table, frozen=True, kw_only=True):
    """`[providers.NAME]`: one model provider; times are in seconds."""

    preset: str | None = None
    protocol: str | None = None
    dialect: str | None = None
    base_url: str | None = None
    api_key: str | None = None
    headers: dict[str, str] = {}
    forward_headers: tuple[str, ...] = ()
    retries: Annotated[int, Meta(ge=0)] = 0
    repair: bool = False
    connect_s: Seconds = 10
    first_byte_s: Seconds = 600
    idle_s: Seconds = 120
    connections: Annotated[int, Meta(ge=1)] = 100
    strict_parameters: bool = False
    tool_id_pattern: str | None = None
    tool_name_pattern: str | None = None
    proxy: str | None = None
    ca_file: str | None = None
    auth: str | None = None
    version: str | None = None
    default_max_tokens: int | None = None
    late_system: str | None = None


class ModelTable(Table, frozen=True, kw_only=True):
    """`[models.NAME]`: what answers to a model's name; a `*` in `model` stands for what the name's `*` matched.

    `reasoning` is the member of chat completions that shows thoughts which came in another protocol.
    """

    provider: str
    model: str | None = None
    actions: bool = True
    reasoning: str = ""


class AppTable(Table, frozen=True, kw_only=True):
    """`[app]`: modules whose marked functions are served."""

    load: tuple[str, ...] = ()


class ActionsTable(Table, frozen=True, kw_only=True):
    """`[actions]`: how actions are chosen and their results worded; `select` and `extract` are names of models.

    `examples`, `calibration` and `shadow` are files, relative to the configuration's own folder.
    """

    classifier: str | tuple[str, ...] = "rules"
    examples: str | None = None
    calibration: str | None = None
    shadow: str | None = None
    select: str | None = None
    extract: str | None = None
    structured: Literal["schema", "tool"] = "schema"
    synthesize: str = "template"


class IdentityTable(Table, frozen=True, kw_only=True):
    """`[identity]`: the headers that say who asks."""

    user_header: str | None = None
    agent_header: str | None = None


class StoreTable(Table, frozen=True, kw_only=True):
    """`[store]`: where responses are kept, and what ran; `memory:`, `sqlite:///PATH` or a `postgres://` address.

    `default`: responses of requests that do not say so are kept, too. `retention_days`: for how long they can be read
    and continued. `run_timeout_s`: for how long a run goes on whose client has left; 0 ends it with the connection.
    """

    url: str = "memory:"
    default: bool = False
    retention_days: Annotated[float, Meta(gt=0)] = 30.0
    run_timeout_s: Annotated[float, Meta(ge=0)] = 0.0


class AudioTable(Table, frozen=True, kw_only=True):
    """`[audio]`: who writes recordings down and who speaks; a provider's name, or `module:name` of one's own."""

    transcribe: str | None = None
    speak: str | None = None


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """A whole configuration file; `path` names it in messages."""

    path: str
    server: ServerTable = ServerTable()
    limits: Limits = Limits()
    providers: dict[str, ProviderTable] = {}
    models: dict[str, ModelTable] = {}
    app: AppTable = AppTable()
    actions: ActionsTable = ActionsTable()
    identity: IdentityTable = IdentityTable()
    store: StoreTable | None = None
    audio: AudioTable = AudioTable()


SINGLE: dict[str, type[Any]] = {
    "server": ServerTable,
    "limits": Limits,
    "app": AppTable,
    "actions": ActionsTable,
    "identity": IdentityTable,
    "store": StoreTable,
    "audio": AudioTable,
}
NAMED: dict[str, type[Any]] = {"providers": ProviderTable, "models": ModelTable}


def read(path: str | Path) -> Config:
    """The configuration in the TOML file at `path`.

    Raises:
        ConfigError: it cannot be read, is not TOML, or a key is unknown, of the wrong type or missing.
    """
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not TOML: {error}") from error
    return parse(data, str(path))


def parse(data: Mapping[str, Any], path: str) -> Config:
    """The configuration in a parsed TOML document; `path` names it in messages.

    Raises:
        ConfigError: a key is unknown, of the wrong type or missing.
    """
    known = {**SINGLE, **NAMED}
    tables: dict[str, Any] = {}
    for name, value in data.items():
        if name not in known:
            expected = ", ".join(sorted(known))
            raise ConfigError(f"{path}: {name}: unknown table; expected one of {expected}")
        if not isinstance(value, dict):
            raise ConfigError(f"{path}: {name}: expected a table")
        table = cast("dict[str, Any]", value)
        if name in SINGLE:
            tables[name] = _convert(table, SINGLE[name], f"{path}: {name}")
        else:
            tables[name] = {
                entry: _convert(content, NAMED[name], f"{path}: {name}.{quoted(entry)}")
                for entry, content in table.items()
            }
    config = Config(path=path, **tables)
    _check_references(config)
    return config


def beside(config: Config, file: str | None) -> Path | None:
    """The file that a configuration names, from its own folder on."""
    return None if file is None else Path(config.path).parent / file


def quoted(name: str) -> str:
    """A table's name as TOML writes it."""
    return name if name.replace("-", "").replace("_", "").isalnum() else f'"{name}"'


def _convert(value: Any, shape: type[T], place: str) -> T:
    if not isinstance(value, dict):
        raise ConfigError(f"{place}: expected a table")
    fields = {field.encode_name for field in msgspec.structs.fields(shape)}
    for key in cast("dict[str, Any]", value):
        if key not in fields:
            raise ConfigError(f"{place}.{key}: unknown key; expected one of {', '.join(sorted(fields))}")
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        text, _, where = str(error).partition(" - at `$")
        dotted = where.rstrip("`") if where else ""
        raise ConfigError(f"{place}{dotted}: {text[:1].lower()}{text[1:]}") from error


def _check_references(config: Config) -> None:
    for name, model in config.models.items():
        if model.provider not in config.providers:
            known = ", ".join(sorted(config.providers)) or "none is defined"
            raise ConfigError(
                f"{config.path}: models.{quoted(name)}.provider: no provider {model.provider!r}; "
                f"expected one of {known}"
            )
    for name, provider in config.providers.items():
        if provider.preset is None and (provider.protocol is None or provider.base_url is None):
            raise ConfigError(
                f"{config.path}: providers.{quoted(name)}: expected preset, or protocol and base_url"
            )
