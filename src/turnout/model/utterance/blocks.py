"""Blocks between a begin and an end mark: `<name>...</name>` and `<<<BEGIN_NAME>>>...<<<END_NAME>>>`.

One pass over the marks, whatever they are: every mark is looked at once and paired by a stack per name, so that
unbalanced or deeply nested marks cost no more than balanced ones.
"""

import re
from itertools import islice
from typing import NamedTuple

_MARK = re.compile(r"<{1,3}(/?)([A-Za-z][\w.:-]{0,63})(?:\s[^<>]{0,400})?(/?)>{1,3}")
_FENCE = re.compile(r"[-=*#\[]{3,8} ?(BEGIN|START|END)[ _:]([A-Za-z][\w ]{0,40}\w) ?[-=*#\]]{3,8}")

_MOST = 2000  # marks in one text
_OPENERS = ("begin_", "start_")


class Block(NamedTuple):
    """One paired block; `start:end` with its marks, `inside:outside` without."""

    start: int
    inside: int
    outside: int
    end: int
    name: str


class Marks(NamedTuple):
    """The outermost blocks in order, and the marks (start, end, name) that have no partner.

    `many`: there are more marks than anybody's words have, and they were not paired.
    """

    blocks: tuple[Block, ...]
    strays: tuple[tuple[int, int, str], ...]
    many: bool = False


NO_MARKS = Marks((), ())


def marks(text: str, plain: frozenset[str] = frozenset()) -> Marks:
    """All blocks of a text, but those with `plain` names; linear in its length."""
    if "<" not in text and "BEGIN" not in text and "START" not in text:
        return NO_MARKS
    open_by_name: dict[str, list[tuple[int, int]]] = {}
    found: list[Block] = []
    strays: list[tuple[int, int, str]] = []
    events = _events(text, plain)
    if len(events) > _MOST:
        return Marks((), (), many=True)
    for start, end, name, closes in events:
        waiting = open_by_name.setdefault(name, [])
        if not closes:
            waiting.append((start, end))
        elif waiting:
            opened = waiting.pop()
            found.append(Block(opened[0], opened[1], start, end, name))
        else:
            strays.append((start, end, name))
    strays.extend((start, end, name) for name, left in open_by_name.items() for start, end in left)
    if not found and not strays:
        return NO_MARKS
    blocks = _outermost(found)
    return Marks(blocks, _outside(strays, blocks))


def _events(text: str, plain: frozenset[str]) -> list[tuple[int, int, str, bool]]:
    """The marks in order, up to too many: start, end, name, and whether it closes."""
    events: list[tuple[int, int, str, bool]] = []
    if "<" in text:
        for mark in islice(_MARK.finditer(text), _MOST + 1):
            slash, name, alone = mark.groups()
            lower = name.lower()
            if alone or lower in plain:
                continue
            closes = bool(slash) or lower.startswith("end_")
            if lower.startswith(_OPENERS) or lower.startswith("end_"):
                name = name[name.index("_") + 1 :]
            events.append((mark.start(), mark.end(), name, closes))
    fences = [
        (fence.start(), fence.end(), fence[2], fence[1] == "END")
        for fence in (islice(_FENCE.finditer(text), _MOST + 1) if "END" in text else ())
    ]
    return sorted(events + fences) if fences else events


def _outermost(found: list[Block]) -> tuple[Block, ...]:
    """The blocks that lie in no other one, in order."""
    kept: list[Block] = []
    until = 0
    for block in sorted(found):
        if block.start >= until:
            kept.append(block)
            until = block.end
    return tuple(kept)


def _outside(
    strays: list[tuple[int, int, str]], blocks: tuple[Block, ...]
) -> tuple[tuple[int, int, str], ...]:
    """The strays that lie in no block, in order."""
    kept: list[tuple[int, int, str]] = []
    at = 0
    for stray in sorted(strays):
        while at < len(blocks) and blocks[at].end <= stray[0]:
            at += 1
        if at == len(blocks) or stray[0] < blocks[at].start:
            kept.append(stray)
    return tuple(kept)
