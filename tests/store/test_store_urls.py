"""Stores by their address."""

import re
from pathlib import Path

import pytest

from turnout.store import MemoryLedger, ledger


def test_memory_has_an_address() -> None:
    assert isinstance(ledger("memory:"), MemoryLedger)


@pytest.mark.parametrize("absolute", [True, False])
async def test_a_file_has_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, absolute: bool) -> None:
    monkeypatch.chdir(tmp_path)
    found = ledger(f"sqlite:///{tmp_path}/a.db" if absolute else "sqlite:///a.db")
    await found.claim("k", keep_s=1)
    await found.aclose()
    assert (tmp_path / "a.db").is_file()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("", "expected memory: or sqlite:///PATH"),
        ("sqlite:///", "expected memory:"),
        ("sqlite://a.db", "expected memory:"),
        ("postgres://x", "expected memory:"),
        ("sqlite:///nowhere/a.db", "the folder nowhere does not exist"),
    ],
)
def test_what_is_no_address_is_told(url: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        ledger(url)
