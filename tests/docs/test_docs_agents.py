"""The page on agents names every field that an agent may be refused for."""

from pathlib import Path

import pytest

from turnout.agents import Emit
from turnout.serve.capabilities import ROWS

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text("utf-8")


@pytest.mark.states("L-096", "L-295")
def test_the_table_of_the_page_has_every_field_of_the_code() -> None:
    names = {"openai-chat": 2, "openai-responses": 3, "anthropic-messages": 4, "gemini": 5}
    table = [line.split("|") for line in PAGE.splitlines() if line.startswith("| ") and line.count("|") == 6]
    for row in ROWS:
        cells = " ".join(line[names[row.protocol]] for line in table)
        assert f"`{row.field}`" in cells, row


def test_the_page_names_all_that_an_agent_can_emit() -> None:
    for name in dir(Emit):
        if not name.startswith("_") and name not in ("close", "failure", "finish", "kinds"):
            assert f"emit.{name}(" in PAGE
