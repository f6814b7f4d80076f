"""A whole answer and what it cost."""

from typing import Literal, TypeAlias

from .base import Extra, V
from .parts import AnyPart, Text

Stop: TypeAlias = Literal[
    "end",
    "stop_sequence",
    "length",
    "context_full",
    "tool_calls",
    "content_filter",
    "refusal",
    "pause",
    "input_required",
    "unknown",
]
"""Why an answer ended; `unknown` is a reason nobody names, its word is kept as `stop_raw`."""

COMPLETED: frozenset[Stop] = frozenset({"end", "stop_sequence", "tool_calls", "refusal"})
"""The stops after which an answer counts as completed; after any other it is incomplete."""


class Usage(V, frozen=True, kw_only=True):
    """Tokens, in disjoint counts.

    Total input is `input + cache_read + cache_write + cache_write_1h`; `output` includes `reasoning`.
    """

    input: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None
    cache_write_1h: int | None = None
    output: int | None = None
    reasoning: int | None = None
    detail: dict[str, int] = {}
    estimated: bool = False

    def merge(self, later: "Usage") -> "Usage":
        """Both counts as one: what `later` says wins field by field, 0 is a value, `None` says nothing."""
        return Usage(
            input=_later(self.input, later.input),
            cache_read=_later(self.cache_read, later.cache_read),
            cache_write=_later(self.cache_write, later.cache_write),
            cache_write_1h=_later(self.cache_write_1h, later.cache_write_1h),
            output=_later(self.output, later.output),
            reasoning=_later(self.reasoning, later.reasoning),
            detail={**self.detail, **later.detail} if later.detail else self.detail,
            estimated=self.estimated or later.estimated,
        )

    @property
    def total_input(self) -> int | None:
        """All input tokens, or `None` when no input count is known."""
        new, read, short, long = self.input, self.cache_read, self.cache_write, self.cache_write_1h
        if new is None and read is None and short is None and long is None:
            return None
        return (new or 0) + (read or 0) + (short or 0) + (long or 0)


def _later(old: int | None, new: int | None) -> int | None:
    return old if new is None else new


NO_TOKENS = Usage(input=0, output=0)
"""The usage of an answer that no model was asked for."""


class Answer(V, frozen=True, kw_only=True):
    """A finished answer; there are no half answers, a failure is an error that may carry a partial one.

    An `id` of `""` and a `created` of `0` (Unix seconds) are unsaid: encoders fill them from a seed.
    """

    id: str = ""
    model: str = ""
    created: int = 0
    parts: tuple[AnyPart, ...]
    stop: Stop
    stop_sequence: str | None = None
    usage: Usage = Usage()
    stop_raw: str | None = None
    metadata: dict[str, str] = {}
    extra: Extra | None = None

    @property
    def status(self) -> Literal["completed", "incomplete"]:
        """Whether the answer says all that it wanted to say."""
        return "completed" if self.stop in COMPLETED else "incomplete"

    @property
    def text(self) -> str:
        """The text parts, joined without a separator."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))
