"""The classifier behind a plain interface, for evaluation from outside: JSON-like values in, JSON-like values out."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from turnout.model import (
    ActionDescriptor,
    AnyPart,
    Body,
    Message,
    Request,
    Text,
    ToolCall,
    ToolResult,
)
from turnout.model.utterance import turns

from .calibration import Calibration, Refusal, calibrate
from .calls import Call
from .cases import Asked, Case
from .classifier import System1Classifier
from .scores import Known, Labelled, Thresholds

Row = Mapping[str, Any]


NEVER: Final = Thresholds(ours=2.0, margin=2.0)
"""What applies where a promise was refused."""


class Fitted:
    """A fitted classifier that takes messages of a chat; `promised` is what came of a promise that was asked for."""

    def __init__(self, classifier: System1Classifier, promised: Calibration | Refusal | None = None) -> None:
        self._classifier = classifier
        self.promised = promised

    def calibrated(
        self, labelled: Sequence[Row], *, max_wrong: float, reasoning_share: float, confidence: float = 0.95
    ) -> "Fitted":
        """The same with thresholds that keep a promise; it never acts where the promise is refused.

        Raises:
            ValueError: a number is not a share.
        """
        found = calibrate(
            [_labelled(row) for row in labelled if row["text"].strip()],
            self._classifier,
            max_wrong=max_wrong,
            reasoning_share=reasoning_share,
            confidence=confidence,
            fingerprint=self._classifier.fingerprint,
        )
        if isinstance(found, Refusal):
            return Fitted(self._classifier.calibrated(NEVER), found)
        return Fitted(self._classifier.calibrated(found.thresholds, found.lean), found)

    def classify(self, messages: Sequence[Row], now: str | None = None) -> dict[str, Any]:
        """What the conversation asks for.

        `now` is the user's local time as an ISO date and time. Gives `actions` (each with `id`, `parameters`, and
        what is `missing`, `ambiguous` and `invalid`), `confidence`, `candidates` as (id, score) and the `reason`.
        """
        moment = None if now is None else datetime.datetime.fromisoformat(now)
        heard = turns(Request(body=Body(messages=read_messages(messages))))
        known = Known({}, {})
        outcome = self._classifier.decide(heard, now=moment, known=known)
        scores = outcome.reading.scores
        if heard:
            scores = known.weighed.get(heard[-1].text) or self._classifier.score(heard[-1].text)
        return {
            "actions": [_call(call) for call in outcome.calls],
            "confidence": scores.ours,
            "candidates": [(action, scores.ours * chance) for action, chance in scores.ranked],
            "reason": outcome.reason,
        }


def build(
    catalog: Sequence[Row],
    examples: Sequence[Row],
    calibration: Sequence[Row] = (),
    *,
    local: bool | None = None,
    max_wrong: float | None = None,
    reasoning_share: float = 0.5,
    confidence: float = 0.95,
) -> Fitted:
    """A classifier for a catalogue of rows (`id`, `name`, `description`, `input_schema`, `examples`).

    `examples` are rows of `text` and `actions`; those without actions teach what is not meant, those without words
    nothing. `calibration` are labelled rows that keep the promise of `Fitted.calibrated`, if `max_wrong` asks for one;
    else nothing is taken from them. `local` as in `System1Classifier.fit`.
    """
    descriptors = tuple(
        ActionDescriptor(
            id=row["id"],
            name=row.get("name") or row["id"],
            description=row.get("description") or "",
            schema=row.get("input_schema"),
            examples=tuple(row.get("examples") or ()),
        )
        for row in catalog
    )
    labelled = tuple(_labelled(row) for row in examples if row["text"].strip())
    asking = tuple(row for row in labelled if row.actions)
    reasoning = tuple(row.text for row in labelled if not row.actions)
    fitted = Fitted(System1Classifier.fit(descriptors, asking, None, reasoning, local=local))
    if max_wrong is None:
        return fitted
    return fitted.calibrated(
        calibration, max_wrong=max_wrong, reasoning_share=reasoning_share, confidence=confidence
    )


def _labelled(row: Row) -> Labelled:
    return Case(text=row["text"], actions=tuple(_asked(each) for each in row["actions"])).labelled


def _asked(row: Row) -> Asked:
    return Asked(id=row["id"], parameters=row.get("parameters"))


def build_lexical(catalog: Sequence[Row], examples: Sequence[Row], calibration: Sequence[Row] = ()) -> Fitted:
    """The same with the lexical tier, whatever is installed."""
    return build(catalog, examples, calibration, local=False)


def _call(call: Call) -> dict[str, Any]:
    return {
        "id": call.action_id,
        "parameters": call.params,
        "missing": list(call.missing),
        "ambiguous": {name: list(values) for name, values in call.ambiguous.items()},
        "invalid": call.invalid,
    }


_ROLES: dict[str, Literal["system", "developer", "user", "assistant", "tool"]] = {
    "system": "system",
    "developer": "developer",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}


def read_messages(rows: Sequence[Row]) -> tuple[Message, ...]:
    """Messages of a chat as values, as far as it matters who said what and where the turn stands."""
    return tuple(Message(role=_ROLES.get(str(row.get("role")), "user"), parts=_parts(row)) for row in rows)


def _parts(row: Row) -> tuple[AnyPart, ...]:
    content = row.get("content")
    pieces: Sequence[Any] = [{"type": "text", "text": content}] if isinstance(content, str) else content or ()
    parts: list[AnyPart] = []
    for piece in pieces:
        kind = piece.get("type")
        if kind == "tool_result":
            parts.append(
                ToolResult(
                    call_id=str(piece.get("tool_use_id", "")),
                    parts=(Text(text=str(piece.get("content", ""))),),
                )
            )
        elif kind == "tool_use":
            parts.append(ToolCall(call_id=str(piece.get("id", "")), name=str(piece.get("name", "?"))))
        elif isinstance(piece.get("text"), str):
            parts.append(Text(text=piece["text"]))
    if row.get("role") in {"tool", "function"}:
        return (ToolResult(call_id=str(row.get("tool_call_id", "")), parts=tuple(parts)),)
    for call in row.get("tool_calls") or ():
        function: Row = call.get("function") or {}
        parts.append(ToolCall(call_id=str(call.get("id", "")), name=str(function.get("name", "?"))))
    return tuple(parts) or (Text(text=""),)
