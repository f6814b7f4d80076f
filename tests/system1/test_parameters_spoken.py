"""How people say values, in five languages: precision and recall over rows written before the grammar could read them.

Each line of `spoken_values.jsonl` is a group of texts for one schema: what each parameter has to come to, or null
where nothing sure may come (two readings, a range, a bound, something vague, or another kind of thing). A wrong value
and a guess count alike.
"""

import datetime
import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from turnout.system1.parameters import extract

GROUPS = [
    json.loads(line)
    for line in (Path(__file__).parent / "spoken_values.jsonl").read_text("utf-8").splitlines()
]
KINDS = sorted({group["kind"] for group in GROUPS})


class Count(NamedTuple):
    right: int
    wrong: list[str]
    missed: list[str]


def is_same(schema: dict[str, Any], value: Any, want: Any) -> bool:
    if isinstance(want, bool) or isinstance(value, bool):
        return value is want
    if isinstance(want, int | float) and isinstance(value, int | float):
        return abs(value - want) < 1e-5
    if schema.get("format") == "duration":
        return length(str(value)) == length(str(want))
    return value == want


def length(text: str) -> tuple[int, int]:
    """Months and seconds of an ISO 8601 duration: PT90M is PT1H30M."""
    months = seconds = 0
    number = ""
    sizes = {"W": 604_800, "D": 86_400, "H": 3_600, "S": 1}
    in_time = False
    for sign in text[1:]:
        if sign.isdigit():
            number += sign
            continue
        if sign == "T":
            in_time = True
            continue
        if sign == "Y" or (sign == "M" and not in_time):
            months += int(number) * (12 if sign == "Y" else 1)
        else:
            seconds += int(number) * (60 if sign == "M" else sizes[sign])
        number = ""
    return months, seconds


def count(kind: str) -> Count:
    right, wrong, missed = 0, list[str](), list[str]()
    for group in GROUPS:
        if group["kind"] != kind:
            continue
        properties = group["properties"]
        form = {"type": "object", "properties": properties, "required": list(properties)}
        now = datetime.datetime.fromisoformat(group["now"])
        for text, wanted in group["texts"].items():
            found = extract(form, text, now=now).values
            for name, want in wanted.items():
                got = found[name].value if name in found else None
                if got is None:
                    missed += [text] if want is not None else []
                elif want is not None and is_same(properties[name], got, want):
                    right += 1
                else:
                    wrong.append(f"{text}: {got}")
    return Count(right, wrong, missed)


@pytest.mark.parametrize("kind", KINDS)
def test_what_people_say_comes_to_its_normal_form_or_stays_open(kind: str) -> None:
    found = count(kind)
    assert len(found.wrong) <= 0.01 * found.right, found.wrong
    assert len(found.missed) <= 0.05 * (found.right + len(found.missed)), found.missed
