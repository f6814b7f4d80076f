"""The events of a streamed answer.

Grammar: `Start (PartStart (Delta|Amend)* PartEnd | UsageSeen | Signal | Unknown)* (Finish | Failed)`. Parts may
interleave; nothing follows the terminal event. `reducer` alone checks it, encoders do not. Decoders make normal
forms, so that encoders are a flat match.
"""

from typing import Literal, TypeAlias

from .answer import Stop, Usage
from .base import Extra, Json, ProtocolName, Seal, V
from .errors import TurnoutError
from .parts import AnyPart, Citation

DeltaField: TypeAlias = Literal["text", "summary", "arguments", "data", "transcript"]


class Start(V, tag="start", frozen=True, kw_only=True):
    """The answer begins; unsaid id, model and time are `""`, `""` and `0`."""

    id: str = ""
    model: str = ""
    created: int = 0
    extra: Extra | None = None


class PartStart(V, tag="part_start", frozen=True, kw_only=True):
    """Part `index` begins with what is known of it; indexes count 0, 1, 2 in order of start."""

    index: int
    part: AnyPart


class Delta(V, tag="delta", frozen=True, kw_only=True):
    """`text` is appended to field `to` of part `index`; `at` says which summary entry."""

    index: int
    text: str
    to: DeltaField = "text"
    at: int = 0


class Amend(V, tag="amend", frozen=True, kw_only=True):
    """Something that comes beside the text of part `index`."""

    index: int
    citation: Citation | None = None
    seal: Seal | None = None
    extra: Extra | None = None


class PartEnd(V, tag="part_end", frozen=True, kw_only=True):
    """Part `index` is complete; `whole`, when its maker states it, wins over what was accumulated."""

    index: int
    whole: AnyPart | None = None


class UsageSeen(V, tag="usage", frozen=True, kw_only=True):
    """Usage as known so far; several are merged."""

    usage: Usage


class Signal(V, tag="signal", frozen=True, kw_only=True):
    """Life of a user interface; not part of the answer."""

    kind: Literal["activity", "state", "state_delta", "messages", "step_start", "step_end", "custom"]
    name: str = ""
    data: Json = "null"


class Unknown(V, tag="unknown", frozen=True, kw_only=True):
    """An upstream's event that nobody names, shown again to that protocol only."""

    protocol: ProtocolName
    kind: str
    body: Json


class Finish(V, tag="finish", frozen=True, kw_only=True):
    """The answer ended as its maker wanted."""

    stop: Stop
    stop_sequence: str | None = None
    stop_raw: str | None = None
    metadata: dict[str, str] = {}
    extra: Extra | None = None


class Failed(V, tag="failed", frozen=True, kw_only=True):
    """The answer ended with an error."""

    error: TurnoutError


Event: TypeAlias = (
    Start | PartStart | Delta | Amend | PartEnd | UsageSeen | Signal | Unknown | Finish | Failed
)
Batch: TypeAlias = tuple[Event, ...]
