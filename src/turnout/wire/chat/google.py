"""Gemini's signatures on tool calls, where Google's own compatible endpoint puts them.

A call of a Gemini model carries a proof that has to come back with it. `extra_content.google.thought_signature` of a
tool call is Google's place for it in Chat Completions (ai.google.dev, "Thought Signatures"); clients that send calls
back as they got them thereby return it.
"""

from typing import Any

from turnout.model import Json, Seal, ToolCall
from turnout.wire.codec import FORM

from .dialect import ChatDialect
from .members import Members, form, open_object, open_string, raw_of, text

_ISSUER = "gemini"
_MEMBER = "extra_content"


def take_signature(row: Members, names: dict[str, Json]) -> Seal | None:
    """The proof of a call, taken out of `row`; its very form goes into `names`."""
    seal = _read(row[_MEMBER]) if _MEMBER in row else None
    if seal is not None:
        names[FORM + _MEMBER] = text(row.pop(_MEMBER))
    return seal


def _read(raw: Any) -> Seal | None:
    outer = open_object(raw)
    inner = None if outer is None or outer.keys() != {"google"} else open_object(outer["google"])
    if inner is None or inner.keys() != {"thought_signature"}:
        return None
    data = open_string(inner["thought_signature"])
    return None if data is None else Seal(issuer=_ISSUER, kind="signature", data=data)


def shown_signature(wire: dict[str, Any], part: ToolCall) -> bool:
    """Whether a call of an answer has such a proof, which is then in `wire`."""
    if part.seal is None or part.seal.issuer != _ISSUER:
        return False
    wire[_MEMBER] = {"google": {"thought_signature": part.seal.data}}
    return True


def returned_signature(wire: dict[str, Any], part: ToolCall, dialect: ChatDialect) -> bool:
    """Whether the proof of a call goes back: as it came, or to the endpoint that knows it."""
    written = form(part.extra, _MEMBER)
    if written is not None and _read(raw_of(written)) == part.seal:
        wire[_MEMBER] = raw_of(written)
        return True
    return dialect.name == _ISSUER and shown_signature(wire, part)
