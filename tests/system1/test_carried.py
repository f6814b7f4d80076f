"""A number that leaves its unit to a value before it."""

import pytest

from turnout.system1.carried import with_unit


@pytest.mark.parametrize(
    ("text", "before", "expected"),
    [
        ("another one for 15", "10 minutes", ("another one for 15 minutes",)),
        ("9 to 311", "12 euros", ("9 euros to 311", "9 to 311 euros")),
        ("35", "\u20ac20", ("\u20ac35",)),
        ("2.5 then", "3 h", ("2.5 h then",)),
        ("another one", "10 minutes", ()),
        ("15 seconds and 20", "10", ()),
        ("B1020 on 3.4.26", "10 minutes", ()),
    ],
)
def test_each_number_without_a_unit_of_its_own_may_take_it(
    text: str, before: str, expected: tuple[str, ...]
) -> None:
    assert with_unit(text, before) == expected
