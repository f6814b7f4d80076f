"""Whether the promise about wrong actions is kept: random splits of labelled sets, calibrated on one half.

    python benchmarks/promise.py --data DATA --test TEST --sets clinc150 banking77_oos

DATA/SET holds catalog.json and train.jsonl, and rows to split are in DATA/SET/dev.jsonl and TEST/SET/test.jsonl, as
`{"text": ..., "actions": [{"id": ...}]}`. Each setting is told with how many splits did not refuse, how many of these
kept the promise on the other half, and the share of the requests for actions that was answered there. `--left-out N`
takes N actions out of the catalogue: what asks for them is for the model then, worded like requests for actions.
`--beside SET:ACTION,ACTION` adds the rows of these actions of another set, which are for the model here.
"""

import argparse
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from turnout.model import ActionDescriptor
from turnout.serve.local import Material, fit
from turnout.system1.calibration import Refusal, calibrate
from turnout.system1.risk import Counts
from turnout.system1.scores import Labelled, Scores, Thresholds


class Known:
    """A tier that remembers what it said of each row, for all splits."""

    def __init__(self, tier: Any, rows: list[Labelled]) -> None:
        self._scores = {row.text: tier.score(row.text) for row in rows}
        self._acting = {row.text: tier.acting(row.text) for row in rows}

    def score(self, text: str) -> Scores:
        """The scores of a known text."""
        return self._scores[text]

    def acting(self, text: str) -> Callable[[Thresholds], tuple[str, ...]]:
        """What would run for a known text, by the thresholds."""
        return self._acting[text]

    def counts(self, rows: list[Labelled], bars: Thresholds) -> Counts:
        """What the thresholds do to rows."""
        picked = [(row, self._acting[row.text](bars)) for row in rows]
        asking = [(row.actions, each) for row, each in picked if row.actions]
        acts = [(gold, each) for gold, each in asking if each]
        return Counts(
            asking=len(asking),
            acts=len(acts),
            wrong=sum(sorted(gold) != sorted(each) for gold, each in acts),
            idle=len(rows) - len(asking),
            false=sum(bool(each) for row, each in picked if not row.actions),
        )


def rows(path: Path, ids: set[str]) -> list[Labelled]:
    """The rows of a file; actions that the catalogue has not are for the model."""
    if not path.exists():
        return []
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [
        Labelled(text=row["text"], actions=tuple(each["id"] for each in row["actions"] if each["id"] in ids))
        for row in found
    ]


def beside(args: argparse.Namespace, known: set[str]) -> list[Labelled]:
    """Requests for actions of other sets, which the catalogue has not."""
    found: dict[str, Labelled] = {}
    for told in args.beside:
        name, _, listed = told.partition(":")
        ids = set(listed.split(","))
        for part in ("train", "dev"):
            asking = (row for row in rows(args.data / name / f"{part}.jsonl", ids) if row.actions)
            found |= {row.text: Labelled(text=row.text) for row in asking if row.text not in known}
    return list(found.values())


def opened(args: argparse.Namespace, name: str) -> tuple[Known, list[Labelled]]:
    """A set's scores and its rows, fitted on its training rows for actions."""
    catalog: list[dict[str, Any]] = json.loads(
        (args.data / name / "catalog.json").read_text(encoding="utf-8")
    )
    out = set(random.Random(args.seed).sample([each["id"] for each in catalog], args.left_out))
    descriptors = tuple(
        ActionDescriptor(id=each["id"], name=each["name"], description=each.get("description", ""))
        for each in catalog
        if each["id"] not in out
    )
    ids = {each.id for each in descriptors}
    train = rows(args.data / name / "train.jsonl", ids)
    labelled = rows(args.data / name / "dev.jsonl", ids) + rows(args.test / name / "test.jsonl", ids)
    labelled += [row for row in train if not row.actions]
    labelled += beside(args, {row.text for row in (*train, *labelled)})
    began = time.perf_counter()
    tier = fit(Material(descriptors, tuple(row for row in train if row.actions), {}, ()))
    known = Known(tier, labelled)
    asking = [row for row in labelled if row.actions]
    first = sum(known.score(row.text).picked == row.actions for row in asking) / len(asking)
    print(
        f"{name}: {len(ids)} actions, {len(asking)} rows for actions ({first:.1%} first rank), "
        f"{len(labelled) - len(asking)} for the model; {time.perf_counter() - began:.1f} s",
        flush=True,
    )
    return known, labelled


def main() -> None:
    """Print a line for each set and setting."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--test", type=Path, required=True)
    parser.add_argument("--sets", nargs="+", required=True)
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--left-out", type=int, default=0)
    parser.add_argument("--beside", nargs="*", default=[])
    parser.add_argument(
        "--reasoning", type=int, default=0, help="rows for the model to calibrate with; 0 is half"
    )
    parser.add_argument("--max-wrong", type=float, nargs="+", default=[0.01, 0.02, 0.05])
    parser.add_argument("--shares", type=float, nargs="+", default=[0.2, 0.5, 0.8])
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    made_all, kept_all = 0, 0
    for name in args.sets:
        known, labelled = opened(args, name)
        for max_wrong in args.max_wrong:
            for share in args.shares:
                made, kept, covered = splits(args, known, labelled, max_wrong, share)
                made_all, kept_all = made_all + made, kept_all + kept
                print(
                    f"  {max_wrong:.0%} asked, {share:.0%} for the model: {made} of {args.splits} not refused, "
                    f"{kept} kept, {covered:.1%} answered",
                    flush=True,
                )
    print(f"all: {kept_all} of {made_all} kept")


def splits(
    args: argparse.Namespace, known: Known, labelled: list[Labelled], max_wrong: float, share: float
) -> tuple[int, int, float]:
    """How many splits did not refuse, how many kept the promise, and the mean coverage of those."""
    made, kept, covered = 0, 0, 0.0
    for seed in range(args.splits):
        draw = random.Random(f"{args.seed} {seed}")
        asking, idle = ([row for row in labelled if bool(row.actions) is kind] for kind in (True, False))
        draw.shuffle(asking)
        draw.shuffle(idle)
        some = min(args.reasoning or len(idle) // 2, len(idle))
        half = len(asking) // 2
        found = calibrate(asking[:half] + idle[:some], known, max_wrong=max_wrong, reasoning_share=share)
        if isinstance(found, Refusal):
            continue
        counts = known.counts(asking[half:] + idle[some:], found.thresholds)
        made += 1
        kept += counts.wrong_share(share) <= max_wrong
        covered += counts.coverage
    return made, kept, covered / made if made else 0.0


if __name__ == "__main__":
    main()
