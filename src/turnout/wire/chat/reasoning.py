"""Reasoning text under its five spellings, and the proof that OpenRouter's `reasoning_details` carry.

Chat Completions has no reasoning text of its own. Providers spell it `reasoning_content` (DeepSeek, xAI, vLLM,
llama.cpp), `reasoning` (Groq, Ollama, OpenRouter), `reasoning_details` (OpenRouter, Vercel), `thinking`, or as typed
parts in `content` (Mistral). A message keeps the spelling it came with.
"""

from typing import Any, cast

import msgspec

from turnout.model import Extra, Seal, Thinking
from turnout.wire.codec import FORM

from .dialect import ChatDialect
from .losses import Losses
from .members import NULL, PROTOCOL, Members, bag, form, open_string, raw_of, restore, text

FIELDS = ("reasoning_content", "reasoning", "thinking")
_DETAILS = "reasoning_details"
_ALL = frozenset({*FIELDS, _DETAILS})
_ENTRIES: "msgspec.json.Decoder[list[dict[str, Any]]]" = msgspec.json.Decoder(list[dict[str, Any]])
_TEXTS = ("text", "summary")
_GROWING = ("text", "summary", "data")


class Details:
    """The entries of `reasoning_details`, merged as a stream gives them piece by piece."""

    def __init__(self) -> None:
        self._entries: list[dict[str, Any]] = []

    def add(self, entries: object) -> str:
        """Take more entries; the text that they add. What is no list of objects is ignored."""
        if not isinstance(entries, list):
            return ""
        added: list[str] = []
        for entry in cast("list[object]", entries):
            if isinstance(entry, dict):
                row = cast("dict[str, Any]", entry)
                added.extend(row[name] for name in _TEXTS if isinstance(row.get(name), str))
                self._merge(row)
        return "".join(added)

    def _merge(self, row: dict[str, Any]) -> None:
        last = self._entries[-1] if self._entries else None
        if (
            last is None
            or row.get("index") is None
            or any(last.get(k) != row.get(k) for k in ("index", "type"))
        ):
            self._entries.append(dict(row))
            return
        for name, value in row.items():
            old = last.get(name)
            if name in _GROWING and isinstance(old, str) and isinstance(value, str):
                last[name] = old + value
            elif value is not None:
                last[name] = value

    def seal(self, issuer: str) -> Seal | None:
        """The proof among the entries: all of them as JSON, `None` when none is signed or encrypted."""
        signed = any(entry.get("signature") for entry in self._entries)
        if not signed and not any(entry.get("data") for entry in self._entries):
            return None
        data = msgspec.json.encode(self._entries).decode()
        return Seal(issuer=issuer, kind="signature" if signed else "encrypted", data=data)


def take_thinking(row: Members) -> Thinking | None:
    """The reasoning of a history's message, taken out of `row`; what cannot be read stays in it."""
    if _ALL.isdisjoint(row):
        return None
    words: str | None = None
    names: dict[str, str] = {}
    for field in FIELDS:
        value = open_string(row.get(field))
        if value is None:
            continue
        written = text(row.pop(field))
        if words is None:
            words = value
            names[FORM + "message." + field] = "null"
        else:
            names[field] = written
    raw = row.get(_DETAILS)
    if raw is not None and raw != NULL:
        try:
            said = Details().add(_ENTRIES.decode(raw))
        except msgspec.DecodeError:
            pass
        else:
            names[_DETAILS] = text(row.pop(_DETAILS))
            words = said if words is None else words
    return None if words is None else Thinking(text=words, extra=bag(names))


def spelling(field: str) -> Extra:
    """Remembers under which name a thought came."""
    return Extra(protocol=PROTOCOL, members={f"{FORM}message.{field}": "null"})


def written_words(part: Thinking) -> str:
    """Reasoning as one text: the raw text, else its summaries as paragraphs."""
    return part.text or "\n\n".join(part.summary)


def write_thinking(wire: dict[str, Any], part: Thinking, dialect: ChatDialect, losses: Losses) -> None:
    """Reasoning in a history's assistant message, where this provider or this client has a place for it."""
    losses.of_extra(part.extra)
    fields = [field for field in FIELDS if form(part.extra, "message." + field) is not None]
    extra = part.extra if part.extra is not None and _DETAILS in part.extra.members else None
    proven = part.seal is not None and part.seal.issuer == dialect.issuer
    field = fields[0] if fields else dialect.reasoning
    if field is not None and not (extra is not None and not fields):
        wire[field] = wire.get(field, "") + written_words(part)
    elif extra is None and not proven:
        losses.add("reasoning")
    restore(wire, part.extra)
    if part.seal is not None:
        if proven:
            wire[_DETAILS] = raw_of(part.seal.data)
        else:
            losses.add("signature")
