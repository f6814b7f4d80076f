"""Stores by their address."""

import re
import sys
from pathlib import Path

import pytest

from tests.store.turns import ANN, ran, turn
from turnout import store
from turnout.model.errors import Misconfigured
from turnout.store import MemoryStore, Policy, PostgresStore


async def test_memory_has_an_address() -> None:
    policy = Policy(retention_s=5)
    found = store.open("memory:", policy)
    assert isinstance(found, MemoryStore)
    assert found.policy == policy


@pytest.mark.parametrize("absolute", [True, False])
async def test_a_file_has_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, absolute: bool) -> None:
    monkeypatch.chdir(tmp_path)
    found = store.open(f"sqlite:///{tmp_path}/a.db" if absolute else "sqlite:///a.db")
    await found.claim("k", keep_s=1)
    await found.get(await ran(found, turn()), ANN)
    await found.aclose()
    assert (tmp_path / "a.db").is_file()


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
async def test_a_database_has_an_address(postgres_url: str, scheme: str) -> None:
    found = store.open(postgres_url.replace("postgres://", f"{scheme}://"))
    assert isinstance(found, PostgresStore)
    await found.claim("k", keep_s=1)
    await found.get(await ran(found, turn()), ANN)
    await found.aclose()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("", "expected memory:, sqlite:///PATH or postgres://HOST/DATABASE"),
        ("sqlite:///", "expected memory:"),
        ("sqlite://a.db", "expected memory:"),
        ("mysql://ann:secret@x", "expected memory:"),
        ("sqlite:///nowhere/a.db", "the folder nowhere does not exist"),
    ],
)
def test_what_is_no_address_is_told(url: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)) as caught:
        store.open(url)
    assert "secret" not in str(caught.value)


def test_a_missing_driver_is_told_with_the_extra_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(Misconfigured, match=re.escape("pip install 'turnout[postgres]'")) as caught:
        store.open("postgres://ann:secret@host/turnout")
    assert "secret" not in str(caught.value)
