"""Periods in a text: "last quarter", "Q3 2025", "the first half of 2026", "the week after next", "2026-W07"."""

import datetime
from typing import Final, NamedTuple, cast

from .calendar import Day, Period, Unit
from .date_words import UNITS, away_words
from .languages import ENGLISH
from .numbers import number, ordinal, spoken_year
from .text import Words

_AHEAD: Final = 20
_SIGNS: Final[dict[str, Unit]] = {
    "q": "quarter",
    "h": "half",
    "t": "quarter",
    "quarter": "quarter",
    "kw": "week",
    "cw": "week",
    "wk": "week",
    "w": "week",
}
"""What stands before the number of a period: `Q3`, `T3` in French, `KW 12`, `W12`."""


class Stretch(NamedTuple):
    """A day or a period that ends before the word `end`; `bare` is one that is only a number ("the 5th")."""

    end: int
    said: Day | Period
    bare: bool = False


class Periods:
    """Reads periods in the words of one text, on one day."""

    __slots__ = ("_away", "_code", "_today", "_words")

    def __init__(self, words: Words, today: datetime.date, code: str = ENGLISH) -> None:
        self._words = words
        self._today = today
        self._code = code
        self._away = away_words(code)

    def iso_week(self, at: int) -> Stretch | None:
        """`2026-W07`."""
        words = self._words
        dashed = words.word(at + 1) == "-" and words.word(at + 2) == "w" and words.is_number(at + 3)
        if not dashed or not all(words.joined(each) for each in (at + 1, at + 2, at + 3)):
            return None
        week = int(words.word(at + 3)) if len(words.word(at + 3)) <= 2 else 0
        return Stretch(at + 4, Period("week", week, int(words.word(at)))) if 1 <= week <= 53 else None

    def year_after(self, at: int) -> tuple[int, int | None]:
        """The year that follows a month or a day: `2026`, `, 2026`, `'26`, `next year`."""
        words = self._words
        after = (
            words.skip(at, frozenset({",", "of", "in", "de", "del", "."}))
            if words.word(at) != "."
            else at + 1
        )
        if after - at <= 2 and self.is_year(after) and words.word(after + 1) not in {":", "%"}:
            return after + 1, int(words.word(after))
        dashed = words.word(at) == "-" and words.joined(at) and words.joined(at + 1) and self.is_year(at + 1)
        if dashed and words.word(at - 1).isalpha():
            return at + 2, int(words.word(at + 1))
        spoken = spoken_year(words, at, self._code)
        if spoken is not None and 1900 <= spoken[1] < 2200:
            return spoken
        short = self._short_year(at)
        if short is not None:
            return short + 1, self.full_year(int(words.word(short)))
        away = self.counted(words.skip(at, frozenset({"of", "the"})))
        if (
            away is not None
            and isinstance(away.said, Period)
            and away.said.unit == "year"
            and not away.said.year
        ):
            return away.end, self._today.year + (away.said.away or 0)
        return at, None

    def _short_year(self, at: int) -> int | None:
        """Where two digits after a day are a year: "12 Mar '84", "12 Mar 84", not "12 March 40 people"."""
        words = self._words
        mark = words.skip(at, frozenset({","}))
        marked = words.word(mark) == "'" and words.joined(mark + 1)
        found = mark + 1 if marked else at
        if not words.is_number(found) or len(words.word(found)) != 2:
            return None
        alone = int(words.word(found)) > 31 and not words.word(found + 1).isalnum()
        return found if marked or alone else None

    def full_year(self, short: int) -> int:
        """The year of two digits: one of this century up to twenty years ahead, else one of the last."""
        return short + (2000 if 2000 + short <= self._today.year + _AHEAD else 1900)

    def is_year(self, at: int) -> bool:
        """Whether a word is a year in four digits."""
        word = self._words.word(at)
        return len(word) == 4 and self._words.is_number(at) and 1900 <= int(word) < 2200

    def twice_away(self, at: int) -> Stretch | None:
        """`the week after next`, `the quarter before last`, `week 12`."""
        words = self._words
        unit = UNITS.get(words.word(at))
        if unit is None or unit == "day":
            return None
        if words.word(at + 1) in {"after", "before"} and words.word(at + 2) in {"next", "last"}:
            return Stretch(at + 3, Period(unit, away=2 if words.word(at + 1) == "after" else -2))
        if unit == "week" and words.is_number(at + 1) and 1 <= int(words.word(at + 1)) <= 53:
            end, year = self.year_after(at + 2)
            return Stretch(end, Period("week", int(words.word(at + 1)), year))
        return None

    def away_after(self, at: int) -> Stretch | None:
        """`el mes pasado`, `la semaine prochaine`, `il mese scorso`, and `to date`."""
        words = self._words
        unit = UNITS.get(words.word(at))
        away = self._away.get(words.word(words.skip(at + 1, frozenset({"que"}))))
        if self._code == ENGLISH or unit is None or away is None:
            return None
        return Stretch(words.skip(at + 1, frozenset({"que"})) + 1, Period(unit, away=away))

    def counted(self, at: int) -> Stretch | None:
        """`last month`, `the current year`."""
        words = self._words
        start = words.skip(at, frozenset({"the"}))
        away = self._away.get(words.word(start))
        unit = UNITS.get(words.word(start + 1))
        if away is not None and unit is not None and unit != "day":
            return Stretch(start + 2, Period(unit, away=away))
        return self.twice_away(start) or self.away_after(start)

    def placed(self, at: int) -> Stretch | None:
        """`Q3 2025`, `the third quarter of last year`, `3rd quarter`, `2. Quartal`, `first half of 2026`."""
        words = self._words
        start = words.skip(at, frozenset({"the", "im", "das", "le", "el", "il"}))
        placed = ordinal(words, start, self._code)
        if words.word(start) == "final":
            placed = start + 1, 4
        if (
            words.word(start) == "last"
            and words.word(start + 1) == "quarter"
            and words.word(start + 2) == "of"
        ):
            placed = start + 1, 4
        if placed is None:
            return None
        unit = UNITS.get(words.word(placed[0]))
        most = {"quarter": 4, "half": 2}.get(unit or "", 0)
        if not 1 <= placed[1] <= most or unit is None:
            return None
        end, year = self.year_after(placed[0] + 1)
        return Stretch(end, Period(unit, placed[1], year))

    def quarter(self, at: int) -> Stretch | None:
        """`Q3`, `Q3 2025`, `Q3 of last year`, `quarter three`, `H1 2026`."""
        words = self._words
        word = words.word(at)
        unit: Unit | None = _SIGNS.get(word)  # type: ignore[assignment]
        if word == "fy":
            return self._fiscal_year(at + 1)
        if unit is None or (word == "t" and not self.is_year(at + 2)):
            return None
        if words.is_number(at + 1) and (words.joined(at + 1) or word in {"quarter", "kw", "cw", "wk"}):
            value, end = int(words.word(at + 1)), at + 2
        else:
            spelled = number(words, at + 1, self._code) if word == "quarter" else None
            if spelled is None or spelled.values[0] not in range(1, 5):
                return None
            value, end = int(spelled.values[0]), spelled.end
        most = {"quarter": 4, "half": 2, "week": 53}[unit]
        if not 1 <= value <= most:
            return None
        after = end + 1 if words.word(end) in {"/", "-"} and words.is_number(end + 1) else end
        if after > end and words.joined(after) and len(words.word(after)) == 2 and words.word(end) == "/":
            return Stretch(after + 1, Period(unit, value, 2000 + int(words.word(after))))
        end, year = self.year_after(after) if after == end or len(words.word(after)) == 4 else (end, None)
        return Stretch(end, Period(unit, value, year))

    def _fiscal_year(self, at: int) -> Stretch | None:
        """`FY26`, `FY 2026`."""
        word = self._words.word(at)
        if not self._words.is_number(at) or len(word) not in {2, 4}:
            return None
        return Stretch(
            at + 1, Period("year", year=self.full_year(int(word)) if len(word) == 2 else int(word))
        )

    def counted_quarter(self, at: int) -> Stretch | None:
        """`4Q26`, `1H 2026`."""
        words = self._words
        unit = {"q": "quarter", "h": "half"}.get(words.word(at + 1))
        year = words.word(at + 2)
        capital = words.said(at + 1, at + 2).isupper()
        if (
            unit is None
            or not capital
            or not words.joined(at + 1)
            or not words.is_number(at + 2)
            or len(year) not in {2, 4}
        ):
            return None
        value = int(words.word(at))
        if not 1 <= value <= (4 if unit == "quarter" else 2) or not (len(year) == 4 or words.joined(at + 2)):
            return None
        full = self.full_year(int(year)) if len(year) == 2 else int(year)
        return Stretch(at + 3, Period(cast("Unit", unit), value, full))

    def year_quarter(self, at: int) -> Stretch | None:
        """`2025 Q4`."""
        found = self.quarter(at + 1) if self.is_year(at) else None
        if found is None or not isinstance(found.said, Period) or found.said.year is not None:
            return None
        return Stretch(found.end, found.said._replace(year=int(self._words.word(at))))

    def year(self, at: int) -> Stretch | None:
        """`2026` where it is said as a year."""
        words = self._words
        word = words.word(at)
        if (
            len(word) != 4
            or not 1990 <= int(word) < 2100
            or (
                words.word(at + 1) in {".", ",", ":", "-", "/"}
                and words.joined(at + 1)
                and words.joined(at + 2)
            )
        ):
            return None
        return Stretch(at + 1, Period("year", year=int(word)), bare=True)
