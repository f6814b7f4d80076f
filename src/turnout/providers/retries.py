"""When a call that failed is made again, and how long after.

Strategy: only while nothing of an answer was shown. A provider's own word wins: `x-should-retry`, `retry-after-ms`,
`retry-after` (RFC 9110 section 10.2.3); one who asks for more patience than the cap is not asked again.
"""

from email.utils import parsedate_to_datetime

from turnout.model import V
from turnout.model.headers import Headers


class Backoff(V, frozen=True, kw_only=True):
    """Seconds: the first pause, doubled each time up to `longest`; `patience` bounds what a provider may ask for."""

    first: float = 0.5
    longest: float = 8.0
    patience: float = 60.0

    def pause(self, attempt: int, share: float) -> float:
        """The pause after failure number `attempt` (from 0), shortened by up to a quarter; `share` in 0..1."""
        return min(self.first * 2.0**attempt, self.longest) * (1.0 - 0.25 * share)


def may_repeat(status: int, headers: Headers) -> bool:
    """Whether an answer with this status invites another try."""
    word = headers.get("x-should-retry", "").strip().lower()
    if word in {"true", "false"}:
        return word == "true"
    return status in {408, 409, 429} or status >= 500


def asked_pause(headers: Headers, now: float) -> float | None:
    """The seconds that an answer asks to wait, `None` if it does not say; `now` in Unix seconds."""
    exact = _number(headers.get("retry-after-ms", ""))
    if exact is not None:
        return exact / 1000.0
    text = headers.get("retry-after", "").strip()
    seconds = _number(text)
    if seconds is not None or not text:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, OverflowError):
        return None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0.0 <= value < 1e9 else None
