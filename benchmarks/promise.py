"""Whether the promise about wrong actions is kept: random splits of labelled sets, calibrated on one half.

    python benchmarks/promise.py --data DATA --test TEST --sets clinc150 banking77_oos

DATA/SET holds catalog.json and train.jsonl, and rows to split are in DATA/SET/dev.jsonl and TEST/SET/test.jsonl, as
`{"text": ..., "actions": [{"id": ...}]}`. Each setting is told with how many splits did not refuse, how many of these
kept the promise on the other half, and the shares of the requests for actions that were answered there and of the
actions that were wrong. `--left-out N`
takes N actions out of the catalogue: what asks for them is for the model then, worded like requests for actions.
`--beside SET:ACTION,ACTION` adds the rows of these actions of another set, which are for the model here.
"""

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from turnout.model import ActionDescriptor
from turnout.system1.calibration import Refusal, calibrate
from turnout.system1.classifier import System1Classifier
from turnout.system1.risk import Counts
from turnout.system1.scores import Labelled, Lean, Scores, Thresholds
from turnout.system1.tiers import installed


class Remembering:
    """An encoder that computes each text once, for all splits."""

    def __init__(self, encode: Callable[[Sequence[str]], Any]) -> None:
        self._encode = encode
        self._known: dict[str, Any] = {}

    def __call__(self, texts: Sequence[str]) -> Any:
        """The vectors of the texts."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, self._encode(new), strict=True) if new else ())
        return np.stack([self._known[text] for text in texts])


def score_once(tier: System1Classifier) -> None:
    """Let a tier score each text by its examples once: what rows taught is added to that, so all corrections share it.

    The copies that `leaning` makes take it over with the other attributes.
    """
    scorer: Any = vars(tier)["_scorer"]
    scored: Callable[[str, Any], Scores] = scorer._scored
    known: dict[str, Scores] = {}

    def once(text: str, vector: Any) -> Scores:
        found = known.get(text)
        if found is None:
            found = known[text] = scored(text, vector)
        return found

    scorer._scored = once


class Known:
    """A tier that remembers what it said of each row and what rows taught it, for all settings of one split."""

    def __init__(self, tier: System1Classifier) -> None:
        self._tier = tier
        self._scores: dict[str, Scores] = {}
        self._acting: dict[str, Callable[[Thresholds], tuple[str, ...]]] = {}
        self._leans: dict[tuple[str, ...], tuple[Lean | None, ...]] = {}
        self._leaning: dict[Lean | None, Known] = {None: self}

    def score(self, text: str) -> Scores:
        """The scores of a text."""
        if text not in self._scores:
            self._scores[text] = self._tier.score(text)
        return self._scores[text]

    def acting(self, text: str) -> Callable[[Thresholds], tuple[str, ...]]:
        """What would run for a text, by the thresholds."""
        if text not in self._acting:
            self._acting[text] = self._tier.acting(text)
        return self._acting[text]

    def leans(self, rows: Sequence[Labelled], folds: int) -> tuple[Lean | None, ...]:
        """What the rows teach; all settings ask for as many folds."""
        key = tuple(row.text for row in rows)
        if key not in self._leans:
            self._leans[key] = self._tier.leans(rows, folds)
        return self._leans[key]

    def leaning(self, lean: Lean | None) -> "Known":
        """The same tier with what it was taught."""
        if lean not in self._leaning:
            self._leaning[lean] = Known(self._tier.leaning(lean))
        return self._leaning[lean]

    def counts(self, rows: list[Labelled], bars: Thresholds) -> Counts:
        """What the thresholds do to rows."""
        picked = [(row, self.acting(row.text)(bars)) for row in rows]
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


def opened(args: argparse.Namespace, name: str) -> tuple[System1Classifier, list[Labelled]]:
    """A set's classifier, fitted on its training rows for actions, and its other rows."""
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
    encoder = installed()
    if encoder is None:
        raise SystemExit("the local encoder is not installed; run `turnout encoder install`")
    tier = System1Classifier.fit(
        descriptors, tuple(row for row in train if row.actions), encoder=Remembering(encoder)
    )
    score_once(tier)
    asking = [row for row in labelled if row.actions]
    first = sum(tier.score(row.text).picked == row.actions for row in asking) / len(asking)
    print(
        f"{name}: {len(ids)} actions, {len(asking)} rows for actions ({first:.1%} first rank), "
        f"{len(labelled) - len(asking)} for the model; {time.perf_counter() - began:.1f} s",
        flush=True,
    )
    return tier, labelled


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
        tier, labelled = opened(args, name)
        found = splits(args, tier, labelled)
        for (max_wrong, share), counted in found.items():
            kept = sum(each.wrong_share(share) <= max_wrong for each in counted)
            made_all, kept_all = made_all + len(counted), kept_all + kept
            covered = sum(each.coverage for each in counted) / max(1, len(counted))
            wrong = sum(each.wrong_share(share) for each in counted) / max(1, len(counted))
            print(
                f"  {max_wrong:.0%} asked, {share:.0%} for the model: {len(counted)} of {args.splits} not refused, "
                f"{kept} kept, {covered:.1%} answered, {wrong:.2%} wrong",
                flush=True,
            )
    print(f"all: {kept_all} of {made_all} kept")


def splits(
    args: argparse.Namespace, tier: System1Classifier, labelled: list[Labelled]
) -> dict[tuple[float, float], list[Counts]]:
    """For each setting, what the other half counted in the splits that did not refuse."""
    found = {setting: list[Counts]() for setting in product(args.max_wrong, args.shares)}
    for seed in range(args.splits):
        draw, known = random.Random(f"{args.seed} {seed}"), Known(tier)
        asking, idle = ([row for row in labelled if bool(row.actions) is kind] for kind in (True, False))
        draw.shuffle(asking)
        draw.shuffle(idle)
        some = min(args.reasoning or len(idle) // 2, len(idle))
        half = len(asking) // 2
        for (max_wrong, share), counted in found.items():
            each = calibrate(asking[:half] + idle[:some], known, max_wrong=max_wrong, reasoning_share=share)
            if not isinstance(each, Refusal):
                counted.append(known.leaning(each.lean).counts(asking[half:] + idle[some:], each.thresholds))
    return found


if __name__ == "__main__":
    main()
