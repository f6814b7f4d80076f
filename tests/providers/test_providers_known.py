"""What is known of models is the same wherever it is written."""

import pytest

from turnout.providers.known import KNOWN, known
from turnout.wire.anthropic.families import family

WHOLE = {"claude-3": "claude-3-haiku"}
"""A name that stands for a beginning of names which no model has by itself."""


@pytest.mark.parametrize("name", sorted(name for name in KNOWN if name.startswith("claude-")))
def test_the_limits_that_are_shown_are_those_that_requests_are_written_with(name: str) -> None:
    shown, row = KNOWN[name], family(WHOLE.get(name, name))
    assert (shown.max_tokens, shown.thinking) == (row.output, row.thinks != "no")


def test_the_longest_name_counts_whatever_stands_before_it() -> None:
    assert known("anthropic/claude-opus-4-6-20260101") == KNOWN["claude-opus-4-6"]
    assert known("nobody-7b") is None
