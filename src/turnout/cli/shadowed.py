"""`turnout eval --shadow`: what would have been answered, from a record of live traffic."""

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click
import msgspec

from turnout.config.target import application
from turnout.model import Ask, V
from turnout.model.errors import Misconfigured
from turnout.plane import Explanation, Shadowed
from turnout.system1.cases import Case

from .judging import explained

_SHOWN = 3


class Told(V, frozen=True, kw_only=True):
    """The record, and what the application as it is now would do with the same requests.

    `answered` of `requests` would have been answered by actions, `asked` by a question; `actions` counts them by id.
    `now` and `changed` are of the application as it is now: how many it would answer, and differently.
    """

    requests: int
    answered: int
    asked: int
    failed: int
    actions: dict[str, int]
    reasons: dict[str, int]
    now: int
    changed: int


def tell(path: str, target: str, *, as_json: bool, labels: str, model: str) -> None:
    """Print what a record holds, and write its requests as rows to be labelled.

    Raises:
        Misconfigured: a file cannot be read or written, or the record is none.
    """
    rows = _read(path)
    found = asyncio.run(_now(rows, target, model))
    told = _told(rows, found)
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(told), indent=2))
    else:
        click.echo("\n".join(_words(told, rows, found)))
    if labels:
        _write(labels, rows)


def _read(path: str) -> list[Shadowed]:
    decoder = msgspec.json.Decoder(Shadowed)
    try:
        lines = Path(path).read_bytes().splitlines()
    except OSError as error:
        raise Misconfigured(f"{path}: cannot be read: {error.strerror}") from error
    rows: list[Shadowed] = []
    for number, line in enumerate(lines, 1):
        try:
            rows.append(decoder.decode(line))
        except (msgspec.DecodeError, ValueError) as error:
            raise Misconfigured(f"{path}:{number}: no record of a decision: {error}") from error
    return rows


async def _now(rows: Sequence[Shadowed], target: str, model: str) -> list[Explanation]:
    async with application(target) as app:
        return await explained(app, [Case(text=row.text) for row in rows], model)


def _told(rows: Sequence[Shadowed], found: Sequence[Explanation]) -> Told:
    actions = Counter(call.id for row in rows for call in row.actions)
    reasons = Counter(row.reason for row in rows if row.reason and not row.actions)
    return Told(
        requests=len(rows),
        answered=sum(bool(row.actions) for row in rows),
        asked=sum(bool(row.question) for row in rows),
        failed=sum(bool(row.failed) for row in rows),
        actions=dict(actions.most_common()),
        reasons=dict(reasons.most_common()),
        now=sum(bool(_picked(each)) for each in found),
        changed=sum(
            sorted(call.id for call in row.actions) != _picked(each)
            for row, each in zip(rows, found, strict=True)
        ),
    )


def _picked(found: Explanation) -> list[str]:
    return [] if isinstance(found.outcome, Ask) else sorted(each.action_id for each in found.outcome.actions)


def _words(told: Told, rows: Sequence[Shadowed], found: Sequence[Explanation]) -> Iterator[str]:
    if not rows:
        yield "the record is empty"
        return
    yield f"{told.requests} requests: {told.answered} ({told.answered / told.requests:.1%}) would have been answered"
    yield f"  asked the user {told.asked} times, failed {told.failed} times"
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for row in rows:
        for call in row.actions:
            texts[call.id].append(row.text)
    for name, times in told.actions.items():
        yield ""
        yield f"{name}: {times}"
        yield from (f"  {text[:90]!r}" for text in list(dict.fromkeys(texts[name]))[:_SHOWN])
    if told.reasons:
        yield ""
        yield "left to the model"
        yield from (f"  {times:5}  {reason}" for reason, times in list(told.reasons.items())[: _SHOWN * 3])
    yield ""
    yield f"as it is now, {told.now} would be answered; {told.changed} differ from the record"
    yield from _changes(rows, found)


def _changes(rows: Iterable[Shadowed], found: Iterable[Explanation]) -> Iterator[str]:
    changed = [
        (row.text, sorted(call.id for call in row.actions), _picked(each))
        for row, each in zip(rows, found, strict=True)
        if sorted(call.id for call in row.actions) != _picked(each)
    ]
    for text, before, now in changed[: _SHOWN * 3]:
        yield f"  {text[:70]!r}: {', '.join(before) or 'the model'} -> {', '.join(now) or 'the model'}"


def _write(path: str, rows: Iterable[Shadowed]) -> None:
    """The requests, each text once, with what was decided: to be corrected by a person."""
    texts = {row.text: [call.id for call in row.actions] for row in rows}
    lines = [json.dumps({"text": text, "actions": ids}, ensure_ascii=False) for text, ids in texts.items()]
    try:
        with Path(path).open("x", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        raise Misconfigured(f"{path}: cannot be written: {error.strerror}") from error
    click.echo(f"{len(lines)} rows to correct are in {path}", err=True)
