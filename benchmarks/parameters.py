"""How often parameters come out right: from schemas that were never seen, and from examples.

    python benchmarks/parameters.py sgd ROWS.jsonl CATALOGUE.json
    python benchmarks/parameters.py snips ROWS.jsonl CATALOGUE.json --train TRAIN.jsonl [--shots 10 50] [--draws 2]

The action is given; only its parameters are read. `sgd` takes the turns of the Schema-Guided Dialogue set that inform
about something: `{"text", "actions": [{"id", "acts", "parameters_turn", "parameters_state"}]}`. A sure value is right
if it is what the turn is labelled with for that parameter, but for case; *also said before* counts a value that the
dialogue had already, and leaves articles aside. `snips` takes `{"text", "actions": [{"id"}], "slots": [{"slot",
"value"}]}` and learns from so many rows of each action, drawn anew for each draw.
"""

import argparse
import datetime
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from turnout.system1.parameters import Example, Tagger, extract
from turnout.system1.parameters.slots import slots

NOW = datetime.datetime(2019, 3, 1, 8, 0)

Row = Mapping[str, Any]


def lines(path: Path) -> list[Row]:
    """The rows of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def plain(value: Any) -> str:
    """A value without case, articles, and marks around it."""
    return re.sub(r"^(?:the|a|an) ", "", " ".join(str(value).lower().replace(",", " ").split())).strip(
        " .'\""
    )


def sgd(rows: Sequence[Row], catalogue: Mapping[str, Row]) -> None:
    """Counts sure values by kind and prints them."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        for asked in row["actions"][:1]:
            if "INFORM" not in asked["acts"]:
                continue
            action = catalogue[asked["id"]]
            kinds = {slot.name: slot.want for slot in slots(action["input_schema"], action["description"])}
            found = extract(action["input_schema"], row["text"], now=NOW, about=action["description"]).values
            gold = {name: each for name, each in asked["parameters_turn"].items() if name in kinds}
            for name in gold:
                counts[kinds[name]]["said"] += 1
            for name, value in found.items():
                told = [str(each).lower() for each in gold.get(name, ())]
                known = [*gold.get(name, ()), *asked["parameters_state"].get(name, ())]
                counts[kinds[name]]["sure"] += 1
                counts[kinds[name]]["right"] += str(value.value).lower() in told
                counts[kinds[name]]["before"] += plain(value.value) in map(plain, known)
    counts["all"] = sum(counts.values(), Counter[str]())
    print("| kind | sure | precision | also said before | recall |\n| --- | --- | --- | --- | --- |")
    for kind, each in sorted(counts.items()):
        sure, said = max(1, each["sure"]), max(1, each["said"])
        print(
            f"| {kind} | {each['sure']} | {each['right'] / sure:.1%} | {each['before'] / sure:.1%} "
            f"| {each['right'] / said:.1%} |"
        )


def snips(
    rows: Sequence[Row], catalogue: Mapping[str, Row], train: Sequence[Row], shots: int, draw: int
) -> tuple[float, float]:
    """Precision and recall of all values after one draw of examples."""
    by: defaultdict[str, list[Row]] = defaultdict(list)
    for row in train:
        by[row["actions"][0]["id"]].append(row)
    order = random.Random(draw)
    tagger = Tagger(
        Example(
            text=row["text"],
            parameters={each["slot"]: each["value"] for each in row["slots"]},
            names=tuple(catalogue[action]["slots"]),
        )
        for action, known in by.items()
        for row in order.sample(known, shots)
    )
    right = sure = said = 0
    for row in rows:
        names = catalogue[row["actions"][0]["id"]]["slots"]
        schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
        found = extract(schema, row["text"], now=NOW, examples=tagger).values
        gold = {(each["slot"], plain(each["value"])) for each in row["slots"]}
        right += sum((name, plain(each.value)) in gold for name, each in found.items())
        sure, said = sure + len(found), said + len(gold)
    return right / max(1, sure), right / max(1, said)


def main() -> None:
    """Prints the figures of one set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("set", choices=["sgd", "snips"])
    parser.add_argument("rows", type=Path)
    parser.add_argument("catalogue", type=Path)
    parser.add_argument("--train", type=Path)
    parser.add_argument("--shots", type=int, nargs="*", default=[10, 50])
    parser.add_argument("--draws", type=int, default=2)
    told = parser.parse_args()
    catalogue = {each["id"]: each for each in json.loads(told.catalogue.read_text(encoding="utf-8"))}
    if told.set == "sgd":
        sgd(lines(told.rows), catalogue)
        return
    for shots in told.shots:
        for draw in range(1, told.draws + 1):
            precision, recall = snips(lines(told.rows), catalogue, lines(told.train), shots, draw)
            f1 = 2 * precision * recall / max(1e-9, precision + recall)
            print(f"{shots} examples, draw {draw}: precision {precision:.1%} recall {recall:.1%} F1 {f1:.1%}")


if __name__ == "__main__":
    main()
