"""The messages of a request, written as contents.

Strategy: leading system messages are the system instruction; there is no place for later ones, so they become a
marked turn of the user, or are refused (K09). The results that answer one content of the model are one content of
the user (K01). Thoughts of another provider are left out whole (K13).
"""

import re
from typing import Any

from turnout.model import AnyPart, Media, Message, Opaque, Refusal, Text, Thinking, ToolCall, ToolResult
from turnout.model.errors import InvalidRequest, Unsupported
from turnout.wire.losses import Losses

from .dialect import GeminiDialect
from .members import PROTOCOL, Wire, form, raw_of, restore
from .parts import read_response
from .pieces import (
    call_wire,
    finished,
    is_object,
    kept,
    media_losses,
    media_wire,
    name_of,
    opaque_wire,
    ours,
    text_wire,
    thinking_wire,
)

UNSIGNED = "skip_thought_signature_validator"
"""What stands for the signature of a call that another model made (ai.google.dev, "Thought Signatures")."""
_SIGNED = re.compile(r"(?:^|[/-])gemini-(?:[3-9]|\d\d)")


class Transcript:
    """Writes messages; `translated`: they come from another protocol, whose calls have no signature."""

    def __init__(self, model: str, dialect: GeminiDialect, losses: Losses, translated: bool) -> None:
        self._dialect = dialect
        self._losses = losses
        self._stands_in = translated and _SIGNED.search(model) is not None
        self._names: dict[str, str] = {}

    def write(self, messages: tuple[Message, ...]) -> Wire:
        """`contents`, and `systemInstruction` where there is one.

        Raises:
            Unsupported: a message says what this protocol has no place for.
            InvalidRequest: the arguments of a call are no JSON object.
        """
        leading = 0
        while leading < len(messages) and messages[leading].role in ("system", "developer"):
            leading += 1
        wire: Wire = {}
        system = self._system(messages[:leading])
        if system:
            wire["systemInstruction"] = system
        contents = [self._content(message, at) for at, message in enumerate(messages[leading:], leading)]
        wire["contents"] = [content for content in contents if content is not None]
        return wire

    def _system(self, messages: tuple[Message, ...]) -> Wire:
        parts: list[Any] = []
        wire: Wire = {}
        for message in messages:
            self._note(message)
            restore(wire, message.extra)
            parts += self._plain(message.parts, "systemInstruction")
        return {"parts": parts, **wire} if parts else {}

    def _content(self, message: Message, at: int) -> Wire | None:
        self._note(message)
        written = form(message.extra, "parts")
        param = f"messages[{at}]"
        role = "model" if message.role == "assistant" else "user"
        match message.role:
            case "tool":
                parts = self._results(message.parts)
                role = (form(message.extra, "role") or '"user"').strip('"')
            case "assistant":
                parts = self._said(message.parts, param)
            case "user":
                parts = self._plain(message.parts, param)
            case _:
                parts = self._late(message, param)
        if not parts:
            if written is None:
                return None  # a message without words is none (K10)
            return {"role": role, "parts": raw_of(written)}
        content: Wire = {"role": role, "parts": parts}
        restore(content, message.extra)
        return content

    def _note(self, message: Message) -> None:
        self._losses.of_extra(message.extra)
        for name in ("name", "phase"):
            if getattr(message, name) is not None:
                self._losses.add(name)

    def _late(self, message: Message, param: str) -> list[Any]:
        if self._dialect.late_system == "refuse":
            raise Unsupported(f"{param}.role", "a system message goes first here")
        self._losses.add(f"{param}.role")
        parts = self._plain(message.parts, param)
        return [{"text": "<system>"}, *parts, {"text": "</system>"}] if parts else []

    def _plain(self, parts: tuple[AnyPart, ...], param: str) -> list[Any]:
        return [wire for part in parts if (wire := self._part(part, param)) is not None]

    def _said(self, parts: tuple[AnyPart, ...], param: str) -> list[Any]:
        """What the model said; the first of its calls stands for all, as far as signatures go."""
        out: list[Any] = []
        missing = self._stands_in
        for part in parts:
            if isinstance(part, ToolCall):
                self._names[part.call_id] = part.name
                wire = self._call(part, param)
                if missing and "thoughtSignature" not in wire:
                    wire["thoughtSignature"] = UNSIGNED
                missing = False
                out.append(wire)
            elif (wire := self._part(part, param)) is not None:
                out.append(wire)
        return out

    def _call(self, part: ToolCall, param: str) -> Wire:
        if not is_object(part.arguments):
            raise InvalidRequest(
                f"{param}: the arguments of the call {part.call_id} are not a JSON object", param=param
            )
        return finished(call_wire(part), part, self._losses)

    def _part(self, part: AnyPart, param: str) -> Any:
        match part:
            case Text():
                if part.citations:
                    self._losses.add("citations")
                if not part.text and not ours(part.seal) and not kept(part.extra):
                    return None  # blank words are no part (K10)
                return finished(text_wire(part), part, self._losses)
            case Thinking():
                return self._thought(part)
            case Refusal():
                self._losses.add("refusal")
                return finished({"text": part.text}, part, self._losses) if part.text else None
            case Media():
                media_losses(part, self._losses)
                return finished(media_wire(part), part, self._losses)
            case Opaque():
                return opaque_wire(part)
            case _:
                raise Unsupported(name_of(part), f"{param}: a {name_of(part)} has no place here")

    def _thought(self, part: Thinking) -> Wire | None:
        if ours(part.seal) or form(part.extra, "thought") is not None:
            return finished(thinking_wire(part), part, self._losses)
        self._losses.add("reasoning")
        return None

    # ---- results ---------------------------------------------------------------------------------------------------

    def _results(self, parts: tuple[AnyPart, ...]) -> list[Any]:
        out: list[Any] = []
        for part in parts:
            if not isinstance(part, ToolResult):
                raise Unsupported("messages", "a tool message holds results only")
            out.append(self._result(part))
        return out

    def _result(self, part: ToolResult) -> Wire:
        name = part.name or self._names.get(part.call_id) or part.call_id
        media = [inner for inner in part.parts if isinstance(inner, Media)]
        words = "\n".join([self._words(inner) for inner in part.parts if not isinstance(inner, Media)])
        response: Wire = {"name": name}
        given = self._response(part, words)
        if given is not None:
            response["response"] = given
        if form(part.extra, "id") is None:
            response["id"] = part.call_id
        if media:
            for each in media:
                media_losses(each, self._losses)
            response["parts"] = [finished(media_wire(each), each, self._losses) for each in media]
        return finished({"functionResponse": response}, part, self._losses)

    def _response(self, part: ToolResult, words: str) -> Any:
        """What the function gave: in the client's own form where that still says the same."""
        written = form(part.extra, "response")
        if written is not None and read_response(raw_of(written)) == (words, part.is_error):
            return None if written == "null" else raw_of(written)
        return {"error" if part.is_error else "output": words}

    def _words(self, part: AnyPart) -> str:
        match part:
            case Text():
                self._losses.of_extra(part.extra)
                if part.cache is not None:
                    self._losses.add("cache_control")
                return part.text
            case Opaque() if part.protocol == PROTOCOL:
                return part.body
            case _:
                raise Unsupported(name_of(part), f"a {name_of(part)} has no place in a result here")
