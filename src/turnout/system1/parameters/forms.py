r"""The form of a reference: the parts that a pattern is made of, and the marks between them.

Strategy: `^[A-Z]{1,3}-[A-Z]{1,2} \d{1,4}$` has three parts, a dash and a blank. Who writes a reference by hand may
leave marks out or write others, so the parts are found with any mark or none between them, and the pattern's own marks
are put back. Where no mark was written a part must end by itself: at a change from letters to digits, or by its length.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

_PIECE: Final = re.compile(
    r"(?P<mark>\\[-_./#: ]|[-_/#: ])(?![?*+{])"
    r"|(?P<sign>\\[dw]|\[\^?(?:\\.|[^\]\\])+\]|[A-Za-z0-9]|\\\.)(?P<many>[?*+]|\{\d+(?:,\d*)?\})?"
)
_FIXED: Final = re.compile(r"(?:\{\d+\})?")
_BETWEEN: Final = r"([\s\-_/.#:\u2010-\u2015]*)"
_MOST_PARTS: Final = 8


class Form(NamedTuple):
    """What a pattern asks for: its parts with any marks between them, and the marks that it wants there.

    `lead` is what it begins with before its first part, and `fixed` tells which parts have one length only.
    """

    parts: re.Pattern[str]
    lead: str
    marks: tuple[str, ...]
    fixed: tuple[bool, ...]

    def written(self, text: str) -> str | None:
        """The text as the form wants it, `None` where it is none or where a part could end elsewhere."""
        found = self.parts.fullmatch(text)
        if found is None:
            return None
        groups = found.groups()
        parts, between = groups[::2], groups[1::2]
        for at, gap in enumerate(between):
            one, other = parts[at], parts[at + 1]
            parted = gap or one[-1:].isdigit() != other[:1].isdigit() or self.fixed[at] or self.fixed[at + 1]
            if not parted:
                return None
        made = parts[0] + "".join(mark + part for mark, part in zip(self.marks, parts[1:], strict=True))
        return self.lead + made


@lru_cache(maxsize=512)
def form(pattern: str) -> Form | None:
    """The form of a pattern that is a row of signs and marks from end to end, `None` of any other."""
    if not (pattern.startswith("^") and pattern.endswith("$")):
        return None
    body, at = pattern[1:-1], 0
    parts, fixed, marks, lead = [""], [True], list[str](), ""
    while at < len(body):
        piece = _PIECE.match(body, at)
        if piece is None:
            return None
        at = piece.end()
        if piece["mark"] is None:
            parts[-1] += piece[0]
            fixed[-1] = fixed[-1] and _FIXED.fullmatch(piece["many"] or "") is not None
        elif not parts[-1]:
            if len(parts) > 1:
                marks[-1] += piece["mark"][-1]
            else:
                lead += piece["mark"][-1]
        else:
            marks.append(piece["mark"][-1])
            parts.append("")
            fixed.append(True)
    if not parts[-1] or len(parts) > _MOST_PARTS:
        return None
    try:
        whole = _BETWEEN.join(f"({part})" for part in parts)
        return Form(re.compile(whole, re.IGNORECASE), lead, tuple(marks), tuple(fixed))
    except re.error:
        return None
