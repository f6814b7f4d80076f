"""The page on protocols has the code's own tables, and says only what the code does."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def script() -> ModuleType:
    """The program that writes the page's tables."""
    spec = importlib.util.spec_from_file_location("protocols_page", ROOT / ".ci" / "protocols.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_of_the_page_are_the_codes(script: ModuleType) -> None:
    page = script.PAGE.read_text("utf-8")
    assert script.written(page) == page
    assert page.count("<!-- table: ") == len(script.TABLES)


def test_a_page_that_is_behind_is_noticed(script: ModuleType) -> None:
    page = "<!-- table: tiers -->\nold\n<!-- end -->"
    assert "standard_only" in script.written(page)
