"""A text that joins values for one verb, as the texts with one of the values each: "restart api and web"."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

JOINT: Final = re.compile(
    r"\s*,?\s+(?:and|und|et|y|e|plus)\s+(?:then |also |please )*|\s*,\s+|\s+&\s+|\s+(?:as well as|plus)\s+"
)
"""What joins values, or requests."""

_WORD: Final = re.compile(r"(?:\"[^\"]*\"|\u201c[^\u201d]*\u201d|\u00ab[^\u00bb]*\u00bb)\S*|\S+")
_ELIDED: Final = re.compile(
    r"(?P<head>.+?)(?P<tail>\s(?:called|titled|named|about|on|for|at|to|with|from|in|of|that|which|due)\b.*?)"
    r",?\s+and\s+(?:also\s+)?(?:another(?: one)?|a second(?: one)?|one more|one|the other(?: one)?"
    r"|the one)\s+"
    r"(?P<rest>.+)\Z",
    re.IGNORECASE | re.DOTALL,
)
"""One verb with two objects, the second a pronoun: "book a room for May and another one for June"."""
_MOST_JOINTS: Final = 8
_LONG: Final = 500  # code points; a longer text joins no values of one verb


def in_quotes(text: str, at: int) -> bool:
    """Whether a place in a text stands within double quotes."""
    return text[:at].count('"') % 2 == 1


def elided(text: str) -> tuple[str, ...]:
    """The two requests of a text with one verb and a pronoun for its second object; none for any other."""
    found = _ELIDED.match(text) if len(text) <= _LONG else None
    if found is None or in_quotes(text, found.end("tail")):
        return ()
    return found["head"] + found["tail"], f"{found['head']} {found['rest']}"


def coordinations(text: str, longest: int = 6) -> Iterator[tuple[str, ...]]:
    """The ways in which a text may hold one request with several values.

    "restart api and web" may be "restart api" and "restart web". Each way is a tuple of texts with
    one of the joined values each, the shortest values first; two to four of them.
    """
    twice = elided(text)
    if twice:
        yield twice
    joints = [found.span() for found in JOINT.finditer(text) if not in_quotes(text, found.start())]
    if len(joints) > _MOST_JOINTS:
        return
    chains = [joints[start:end] for start in range(len(joints)) for end in range(len(joints), start, -1)]
    for chain in chains:
        if len(chain) > 3 or not re.search(r"\w|&", text[chain[-1][0] : chain[-1][1]]):
            continue
        yield from _ways(text, chain, longest)


def _ways(text: str, chain: list[tuple[int, int]], longest: int) -> Iterator[tuple[str, ...]]:
    left, right = text[: chain[0][0]], text[chain[-1][1] :]
    middles = [text[one[1] : two[0]] for one, two in pairwise(chain)]
    starts = [found.start() for found in _WORD.finditer(left)]
    ends = [found.end() for found in _WORD.finditer(right)]
    sizes = [
        (before, after)
        for before in range(1, min(longest, len(starts) - 1) + 1)
        for after in range(1, min(longest, len(ends)) + 1)
    ]
    for before, after in sorted(sizes, key=lambda size: (size[0] + size[1], abs(size[0] - size[1]))):
        head, tail = left[: starts[-before]], right[ends[after - 1] :]
        values = [left[starts[-before] :], *middles, right[: ends[after - 1]]]
        yield tuple(f"{head}{value.strip()}{tail}" for value in values)
