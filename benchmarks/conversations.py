"""What requests in words come to: single and compound requests, follow-ups, and words that ask for nothing.

    python benchmarks/conversations.py [--tier lexical|local] [--of conversations|single|talks|blind]
        [--half tuned|held] [--failures 20]

The rows lie in `tests/system1/curated`: one catalogue a line, one conversation a line. Those of the half `held` were
never looked at while the rules were written. A row belongs to it by a digest of its words, unless it names its half: so
do the `blind` rows, whose writers had not seen the classifier. The rules were tuned on those of them whose text has an
even SHA-1; the odd ones are `held`, and are worth something only as long as nobody reads them (`--failures` prints
texts).

A row is *right* when just the calls asked for come out, with just their values (or those that its `accept` names), and
just the open parameters reported. *Wrong acts* are rows in which something would run that was not asked for.
"""

import argparse
import json
import statistics
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from turnout.system1.harness import Fitted, build

ROWS = Path(__file__).resolve().parent.parent / "tests" / "system1" / "curated"
Row = Mapping[str, Any]


class Scored(NamedTuple):
    """A row, and what came of it."""

    row: Row
    calls: Sequence[Row]
    reason: str
    right: bool
    actions: bool
    wrong: bool
    milliseconds: float


def catalogues() -> dict[str, Row]:
    """The catalogues by their ids."""
    return {each["id"]: each for each in _lines("*_catalogs.jsonl")}


def rows(half: str = "", of: str = "*") -> list[Row]:
    """The rows, all or those of one half; `of` is a set: `conversations`, `single`, `talks` or `blind`."""
    return [row for row in _lines(f"{of}_rows.jsonl") if half in ("", half_of(row))]


def _lines(names: str) -> Iterator[Row]:
    for file in sorted(ROWS.glob(names)):
        yield from map(json.loads, file.read_text(encoding="utf-8").splitlines())


def half_of(row: Row) -> str:
    """`tuned` or `held`."""
    if "half" in row:
        return row["half"]
    words = json.dumps([row["catalog"], row.get("before", ()), row["text"]])
    return "held" if zlib.crc32(words.encode()) % 2 else "tuned"


def messages(row: Row) -> Sequence[Row]:
    """The conversation of a row."""
    if "messages" in row:
        return row["messages"]
    said = (*row.get("before", ()), row["text"])
    return [{"role": ("user", "assistant")[at % 2], "content": text} for at, text in enumerate(said)]


def score(picked: Sequence[Row], fit: Callable[[Sequence[Row], Sequence[Row]], Fitted]) -> Iterator[Scored]:
    """Each row as a classifier of its catalogue answers it."""
    known = catalogues()
    for name in dict.fromkeys(row["catalog"] for row in picked):
        catalogue = known[name]
        classifier = fit(catalogue["actions"], ())
        for row in (row for row in picked if row["catalog"] == name):
            began = time.process_time()
            answer = classifier.classify(messages(row), now=catalogue["now"])
            spent = (time.process_time() - began) * 1000
            yield _scored(row, answer, catalogue, spent)


def _scored(row: Row, answer: Row, catalogue: Row, spent: float) -> Scored:
    schemas = {each["id"]: each["input_schema"] for each in catalogue["actions"]}
    left = list(row["actions"])
    wrong = False
    for call in answer["actions"]:
        hit = next((gold for gold in left if _same(call, gold, row, schemas[call["id"]])), None)
        if hit is None:
            wrong = wrong or not _open(call)
        else:
            left.remove(hit)
    right = not left and len(answer["actions"]) == len(row["actions"])
    ids = Counter(call["id"] for call in answer["actions"]) == Counter(gold["id"] for gold in row["actions"])
    return Scored(row, answer["actions"], answer["reason"], right, ids, wrong, spent)


def _open(call: Row) -> set[str]:
    return {*call["missing"], *call["ambiguous"], *call["invalid"]}


def _same(call: Row, gold: Row, row: Row, schema: Row) -> bool:
    lacks = {name for name in row["missing"] if name in schema["properties"]} - gold["parameters"].keys()
    given = {name: value for name, value in call["parameters"].items() if name not in _open(call)}
    return (
        call["id"] == gold["id"]
        and lacks <= _open(call)
        and not (_open(call) - lacks) & set(schema["required"])
        and given.keys() == gold["parameters"].keys()
        and all(
            any(_equal(given[name], one) for one in (value, *row.get("accept", {}).get(name, ())))
            for name, value in gold["parameters"].items()
        )
    )


def _equal(one: Any, two: Any) -> bool:
    if isinstance(one, str) and isinstance(two, str):
        return " ".join(one.split()).casefold().strip(" .") == " ".join(two.split()).casefold().strip(" .")
    return bool(one == two)


def table(scored: Sequence[Scored]) -> str:
    """The figures by kind."""
    lines = [f"{'kind':16} {'rows':>5} {'actions':>8} {'right':>6} {'wrong acts':>11}"]
    kinds = sorted({each.row["kind"] for each in scored})
    groups = [(kind, [each for each in scored if each.row["kind"] == kind]) for kind in kinds]
    groups += [
        ("asking", [each for each in scored if each.row["actions"]]),
        ("for nothing", [each for each in scored if not each.row["actions"]]),
        ("all", list(scored)),
    ]
    for name, group in groups:
        share = [
            sum(each) / len(group) for each in zip(*((one.actions, one.right) for one in group), strict=True)
        ]
        wrong = sum(each.wrong for each in group)
        lines.append(f"{name:16} {len(group):5} {share[0]:8.1%} {share[1]:6.1%} {wrong:11}")
    spent = sorted(each.milliseconds for each in scored)
    lines.append(f"CPU p50 {statistics.median(spent):.1f} ms, p95 {spent[len(spent) * 95 // 100]:.1f} ms")
    return "\n".join(lines)


def main() -> None:
    """Measures and prints."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    arguments.add_argument("--tier", choices=["lexical", "local"], default="local")
    arguments.add_argument("--of", choices=["conversations", "single", "talks", "blind"], default="*")
    arguments.add_argument("--half", choices=["tuned", "held"], default="")
    arguments.add_argument("--failures", type=int, default=0, help="print so many rows that are not right")
    given = arguments.parse_args()
    local = given.tier == "local"
    found = list(
        score(rows(given.half, given.of), lambda catalog, examples: build(catalog, examples, local=local))
    )
    print(table(found))
    for each in [each for each in found if not each.right][: given.failures]:
        before = f" after {each.row['before']}" if "before" in each.row else ""
        print(
            f"{'WRONG ' if each.wrong else ''}{each.row['kind']} [{each.row['catalog']}]: {each.row['text']!r}{before}"
        )
        print(f"    want {json.dumps(each.row['actions'])} missing {each.row['missing']}")
        print(f"    got  {json.dumps(each.calls)} {each.reason}")


if __name__ == "__main__":
    sys.exit(main())
