"""Truth values by a state or its opposite."""

import datetime
from typing import Any

import pytest

from turnout.system1.parameters import extract


def truth(name: str, description: str, text: str) -> Any:
    """What a text says of the only parameter, `None` when it says nothing."""
    member = {"type": "boolean", "description": description}
    schema = {"type": "object", "properties": {name: member}, "required": [name]}
    found = extract(schema, text, now=datetime.datetime(2026, 11, 30, 12))
    return found.values[name].value if name in found.values else None


@pytest.mark.parametrize(
    ("name", "text", "holds"),
    [
        ("on", "turn on the fan in the attic", True),
        ("on", "switch the fan in the attic off", False),
        ("lights_on", "lights on please", True),
        ("enabled", "disable the relay", False),
        ("is_open", "close valve 4", False),
        ("open", "valves 4 and 6 stay open", True),
        ("locked", "unlock the shed", False),
        ("muted", "unmute channel 3", False),
        ("public", "make album 3 private", False),
        ("on", "book it on Friday", None),
        ("on", "put it on the list", None),
        ("on", "don't switch it on", None),
        ("on", "don't forget to switch it on", True),
    ],
)
def test_a_word_of_a_pair_of_states_tells_the_truth_of_what_is_named_by_one_of_them(
    name: str, text: str, holds: bool | None
) -> None:
    assert truth(name, "", text) is holds


@pytest.mark.parametrize(
    ("description", "text", "holds"),
    [
        ("true to open it, false to close it", "shut valve 4", False),
        ("Whether it is on or off.", "turn the fan on", True),
        ("true when locked", "unlock it", False),
        ("the state of the thing", "turn the fan on", None),
    ],
)
def test_a_description_may_name_the_states(description: str, text: str, holds: bool | None) -> None:
    assert truth("state", description, text) is holds
