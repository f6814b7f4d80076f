"""The classifier behind a plain interface, for evaluation from outside: JSON-like values in, JSON-like values out."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, Literal

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

from .calls import Call
from .cases import Asked, Case
from .classifier import System1Classifier
from .scores import Scores

Row = Mapping[str, Any]


class Fitted:
    """A fitted classifier that takes messages of a chat."""

    def __init__(self, classifier: System1Classifier) -> None:
        self._classifier = classifier

    def classify(self, messages: Sequence[Row], now: str | None = None) -> dict[str, Any]:
        """What the conversation asks for.

        `now` is the user's local time as an ISO date and time. Gives `actions` (each with `id`, `parameters`, and
        what is `missing`, `ambiguous` and `invalid`), `confidence`, `candidates` as (id, score) and the `reason`.
        """
        moment = None if now is None else datetime.datetime.fromisoformat(now)
        heard = turns(Request(body=Body(messages=read_messages(messages))))
        known: dict[str, Scores] = {}
        outcome = self._classifier.decide(heard, now=moment, known=known)
        scores = outcome.reading.scores
        if heard:
            scores = known.get(heard[-1].text) or self._classifier.score(heard[-1].text)
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
) -> Fitted:
    """A classifier for a catalogue of rows (`id`, `name`, `description`, `input_schema`, `examples`).

    `examples` are rows of `text` and `actions`; those without actions teach what is not meant, those without words
    nothing. `calibration` is labelled rows that no threshold is taken from here: that is `turnout calibrate`. `local`
    as in `System1Classifier.fit`.
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
    labelled = tuple(
        Case(text=row["text"], actions=tuple(_asked(each) for each in row["actions"])).labelled
        for row in examples
        if row["text"].strip()
    )
    asking = tuple(row for row in labelled if row.actions)
    reasoning = tuple(row.text for row in labelled if not row.actions)
    return Fitted(System1Classifier.fit(descriptors, asking, None, reasoning, local=local))


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
