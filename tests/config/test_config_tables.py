"""Faults of a configuration file are named by file, key and what was expected."""

import sys
import tomllib
from typing import Any

import pytest

from turnout.config import Config, ConfigError, parse, read
from turnout.config.secrets import secret, tokens
from turnout.store import Policy

GOOD = """
[server]
port = 9000
tokens = ["env:GATEWAY_TOKEN"]
[limits]
request_bytes = 1000
[providers.main]
preset = "openrouter"
[providers.local]
protocol = "openai-chat"
base_url = "http://127.0.0.1:9000/v1"
retries = 2
[models."fast"]
provider = "main"
model = "small"
actions = false
[models."*"]
provider = "local"
[app]
load = ["shop.actions"]
[actions]
classifier = ["rules", "shop:classify"]
[identity]
user_header = "x-user-id"
"""


def parsed(text: str) -> Config:
    return parse(tomllib.loads(text), "t.toml")


def test_a_whole_file_is_read() -> None:
    config = parsed(GOOD)
    assert config.server.port == 9000
    assert config.limits.request_bytes == 1000
    assert config.limits.event_bytes == 1_048_576
    assert config.providers["local"].retries == 2
    assert config.models["fast"].model == "small"
    assert config.models["*"].actions is True
    assert config.actions.classifier == ("rules", "shop:classify")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[servers]\n", "t.toml: servers: unknown table; expected one of"),
        ("server = 1\n", "t.toml: server: expected a table"),
        ("[server]\nprot = 1\n", "t.toml: server.prot: unknown key; expected one of"),
        ('[server]\nport = "80"\n', "t.toml: server.port: expected `int`, got `str`"),
        ("[server]\ntokens = [1]\n", "t.toml: server.tokens[0]: expected `str`, got `int`"),
        ("[limits]\nrequest = 1\n", "t.toml: limits.request: unknown key"),
        ("[limits]\nrequest_bytes = 1.5\n", "t.toml: limits.request_bytes: expected `int`, got `float`"),
        ("[providers]\nmain = 3\n", "t.toml: providers.main: expected a table"),
        (
            "[providers.main]\nprotocol = 'x'\n",
            "t.toml: providers.main: expected preset, or protocol and base_url",
        ),
        ("[providers.'a b']\nretry = 1\n", 't.toml: providers."a b".retry: unknown key'),
        (
            "[models.'*']\nprovider = 'no'\n",
            "t.toml: models.\"*\".provider: no provider 'no'; expected one of none is",
        ),
        ("[server]\nport = 70000\n", "t.toml: server.port: expected `int` <= 65535"),
        ("[server]\nkeepalive_s = -1\n", "t.toml: server.keepalive_s: expected `float` >= 0.0"),
        ("[limits]\nrequest_bytes = 0\n", "t.toml: limits.request_bytes: expected `int` >= 1"),
        ("[providers.a]\nretries = -1\n", "t.toml: providers.a.retries: expected `int` >= 0"),
        ("[providers.a]\nconnections = 0\n", "t.toml: providers.a.connections: expected `int` >= 1"),
        ("[providers.a]\nidle_s = 0\n", "t.toml: providers.a.idle_s: expected `float` > 0.0"),
        ("[models.m]\n", "t.toml: models.m: object missing required field `provider`"),
    ],
)
def test_a_fault_is_named_by_file_key_and_expectation(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parsed(text)
    assert message in caught.value.message
    assert "\n" not in caught.value.message


def test_a_file_that_cannot_be_read_or_is_no_toml_is_named(tmp_path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml: cannot be read"):
        read(tmp_path / "none.toml")
    broken = tmp_path / "broken.toml"
    broken.write_text("[server")
    with pytest.raises(ConfigError, match=r"broken\.toml: not TOML"):
        read(broken)


def test_a_secret_comes_from_the_environment_a_file_or_with_a_warning_itself(tmp_path) -> None:
    file = tmp_path / "key"
    file.write_text("from-file\n")
    assert secret("env:K", "p", {"K": "from-env"}).reveal() == "from-env"
    assert secret(f"file:{file}", "p").reveal() == "from-file"
    with pytest.warns(UserWarning, match="p: a literal secret"):
        assert secret("literal", "p").reveal() == "literal"


@pytest.mark.parametrize("value", ["env:TURNOUT_SURELY_UNSET", "file:/nowhere/at/all"])
def test_a_missing_secret_is_named_by_its_place(value: str) -> None:
    with pytest.raises(ConfigError, match=r"t\.toml: providers\.main\.api_key: "):
        secret(value, "t.toml: providers.main.api_key", {})


@pytest.mark.parametrize("url", ["mysql://x", "sqlite:///nowhere/at/all.db", "postgres://x"])
def test_a_store_that_cannot_be_is_named_by_its_place(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from turnout.config.build import build

    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(ConfigError, match=r"t\.toml: store\.url: "):
        build(parsed(f"[store]\nurl = '{url}'\n"))


async def test_a_store_is_a_file(tmp_path) -> None:
    from turnout.config.build import build

    app = build(parsed(f"[store]\nurl = 'sqlite:///{tmp_path}/turnout.db'\n"))
    await app._ledger.claim("k", keep_s=1)
    await app.aclose()
    assert (tmp_path / "turnout.db").is_file()


@pytest.mark.filterwarnings("ignore:.*a literal secret")
def test_a_token_that_lets_everybody_in_is_refused() -> None:
    assert tokens(parsed("[server]\ntokens = ['a', 'b']\n")) == ("a", "b")
    with pytest.raises(ConfigError, match=r"t\.toml: server\.tokens\[1\]: a token must not be empty"):
        tokens(parsed("[server]\ntokens = ['a', '']\n"))


@pytest.mark.states("L-154", "L-156")
@pytest.mark.parametrize(
    ("text", "kept", "default"),
    [("", False, False), ("[store]\n", True, False), ("[store]\ndefault = true\n", True, True)],
)
async def test_responses_are_kept_where_a_store_is_named(text: str, kept: bool, default: bool) -> None:
    from turnout.config.build import build

    app = build(parsed(text))
    settings = app.build()._settings
    assert (settings.store is not None, settings.store_default) == (kept, default)
    await app.aclose()


async def test_a_store_keeps_for_as_long_as_its_table_says() -> None:
    from turnout.config.build import build

    app = build(parsed("[store]\nretention_days = 2\nrun_timeout_s = 30\n"))
    kept: Any = app.build()._settings.store
    policy: Policy = kept.policy
    assert (policy.retention_s, policy.run_timeout) == (2 * 86_400, 30)
    await app.aclose()


@pytest.mark.parametrize("line", ["retention_days = 0", "run_timeout_s = -1"])
def test_a_store_cannot_keep_for_no_time(line: str) -> None:
    with pytest.raises(ConfigError, match=r"t\.toml: store\."):
        parsed(f"[store]\n{line}\n")
