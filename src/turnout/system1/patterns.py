"""The application's regular expressions: compiled, and refused when they could take forever.

A pattern such as `(\\w+\\s*)+` can read one text in exponentially many ways, and tries them all on a text that does
not match. The scanner knows just enough of the syntax of `re` to see that shape: a group repeated without bound that
holds one unbounded repeat, everything else in it being optional.
"""

import re
from typing import Final, NamedTuple

_MANY: Final = 2**31


class _Piece(NamedTuple):
    """One atom with its quantifier; `stretches` when its content alone may grow without bound in many ways."""

    least: int
    most: int
    stretches: bool


def compiled(pattern: str, action_id: str) -> re.Pattern[str]:
    """The pattern, ready to match whole clauses without regard to case.

    Raises:
        ValueError: it is no regular expression, or could take exponential time; names the action and the pattern.
    """
    try:
        made = re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise ValueError(f"action {action_id!r}: pattern {pattern!r} does not compile: {error}") from error
    if _Scanner(pattern).explodes():
        raise ValueError(
            f"action {action_id!r}: pattern {pattern!r} repeats a group whose content repeats too, which can take "
            f"exponential time; separate the repeats with a character that must be there"
        )
    return made


_ATOM: Final = re.compile(
    r"""
    (?P<comment>\(\?\#[^)]*\)|\(\?[aiLmsux-]+\))      # says nothing of what is matched
    |(?P<reference>\(\?P=\w+\))
    |(?P<open>\((?:\?(?:P<\w+>|<?[=!]|[aiLmsux-]*:|>|\([\w]+\)))?)
    |(?P<close>\))
    |(?P<bar>\|)
    |(?P<edge>[\^$]|\\[AbBZ])                         # takes no character
    |(?P<one>\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_QUANTIFIER: Final = re.compile(
    r"(?:(?P<sign>[*+?])|\{(?P<least>\d*)(?P<range>,?)(?P<most>\d*)\})(?P<mode>[+?]?)"
)


class _Scanner:
    """Reads a pattern that `re` has accepted."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._found = False

    def explodes(self) -> bool:
        self._alternatives()
        return self._found

    def _alternatives(self) -> bool:
        """Read up to the end of a group; whether one of its alternatives stretches."""
        stretches = False
        pieces: list[_Piece] = []
        while self._at < len(self._pattern):
            atom = _ATOM.match(self._pattern, self._at)
            assert atom is not None  # noqa: S101 -- the last alternative takes any character
            self._at = atom.end()
            kind = atom.lastgroup
            if kind == "close":
                break
            if kind == "bar":
                stretches = stretches or _stretches(pieces)
                pieces = []
            elif kind not in ("comment", "edge"):
                pieces.append(self._piece(atom[0] if kind == "open" else ""))
        return stretches or _stretches(pieces)

    def _piece(self, opening: str) -> _Piece:
        inner = self._alternatives() if opening else False
        least, most, possessive = self._quantifier()
        if possessive or opening.startswith("(?>"):
            return _Piece(least, 1, stretches=False)
        if most == _MANY and inner:
            self._found = True
        looks = opening.startswith(("(?=", "(?!", "(?<=", "(?<!"))
        return _Piece(0 if looks else least, most, inner and not looks)

    def _quantifier(self) -> tuple[int, int, bool]:
        found = _QUANTIFIER.match(self._pattern, self._at)
        if found is None or found[0].startswith("{}"):
            return 1, 1, False
        self._at = found.end()
        possessive = found["mode"] == "+"
        if found["sign"]:
            return (1 if found["sign"] == "+" else 0), (1 if found["sign"] == "?" else _MANY), possessive
        least = int(found["least"] or 0)
        if not found["range"]:
            return least, least, possessive
        return least, int(found["most"] or _MANY), possessive


def _stretches(pieces: list[_Piece]) -> bool:
    """Whether one piece alone may make up all of an alternative, at any length."""
    for index, piece in enumerate(pieces):
        if (piece.most == _MANY or piece.stretches) and all(
            other.least == 0 for place, other in enumerate(pieces) if place != index
        ):
            return True
    return False
