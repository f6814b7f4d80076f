"""`docs/configuration.md` names each key of the file, no other, and the default that it has."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from turnout.config.tables import NAMED, SINGLE

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"


def _rows() -> dict[str, str]:
    """The second cell of each row by its key."""
    rows: dict[str, str] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split(" | ")]
        if line.startswith("| `"):
            key = cells[0].strip("|` ")
            assert key not in rows, f"{key} stands twice"
            rows[key] = cells[1].strip("|` ")
    return rows


def _keys() -> dict[str, Any]:
    tables = [*SINGLE.items(), *((f"{name}.NAME", shape) for name, shape in NAMED.items())]
    return {
        f"{name}.{field.encode_name}": field.default
        for name, shape in tables
        for field in msgspec.structs.fields(shape)
    }


ROWS, KEYS = _rows(), _keys()


def test_the_page_names_every_key_and_no_other() -> None:
    assert ROWS.keys() == KEYS.keys()


def _written(default: Any) -> str:
    if isinstance(default, int) and not isinstance(default, bool) and default and default % 1_024 == 0:
        whole = default // 1_024
        return f"{whole // 1_024} MiB" if whole % 1_024 == 0 else f"{whole} KiB"
    if isinstance(default, float):
        return f"{default:g}"
    return json.dumps(default)


@pytest.mark.parametrize("key", sorted(KEYS))
def test_the_page_says_the_default_of(key: str) -> None:
    default = KEYS[key]
    if default is None or default is msgspec.NODEFAULT or default == "":
        assert not ROWS[key].isdigit(), "there is no number by default"
    elif default == () or default == {}:
        assert ROWS[key] in ("[]", "{}")
    else:
        assert ROWS[key] == _written(default)
