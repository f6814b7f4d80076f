"""The messages of a request, read.

A user message that holds results of calls is a `tool` message and, for what else it says, a user message behind it.
Instructions inside the conversation stay where they were said (anthropic 2.14, `SystemMessageParam`).
"""

import msgspec

from turnout.model import AnyPart, Extra, Media, Message, Text, ToolResult
from turnout.model.errors import InvalidRequest
from turnout.wire.codec import FORM
from turnout.wire.layers import NULL, STRING, leftover, members, read
from turnout.wire.turns import Turns

from .blocks import plain, read_content
from .members import bag

_LIST: "msgspec.json.Decoder[list[msgspec.Raw]]" = msgspec.json.Decoder(list[msgspec.Raw])


def read_messages(raw: msgspec.Raw, system: msgspec.Raw | None, strict: bool) -> tuple[Message, ...]:
    """All messages, the top-level instructions first.

    `strict`: what version 2026-10-21 of the protocol refuses is refused.

    Raises:
        InvalidRequest: one is malformed; `param` names the place.
    """
    rows = read(_LIST, raw, "messages", "a list of messages")
    if not rows:
        raise InvalidRequest("messages must not be empty", param="messages")
    turns = Turns()
    told = read_content(system, "system")
    if told:
        turns.add(Message(role="system", parts=tuple(told)))
    for at, row in enumerate(rows):
        _read_message(turns, row, f"messages[{at}]", strict)
    return turns.close()


def _read_message(turns: Turns, raw: msgspec.Raw, param: str, strict: bool) -> None:
    row = members(raw, param)
    role = read(STRING, row.pop("role", NULL), f"{param}.role", "a string")
    parts = read_content(row.pop("content", None), f"{param}.content") or [plain("")]
    extra = bag(leftover(row)) if row else None
    if strict:
        _check_version(role, parts, param)
    match role:
        case "user":
            _add_user(turns, parts, extra)
        case "assistant":
            turns.add(Message(role="assistant", parts=tuple(parts), extra=extra))
        case "system":
            marked = bag({FORM + "place": "null", **(extra.members if extra is not None else {})})
            turns.add(Message(role="system", parts=tuple(parts), extra=marked))
        case _:
            raise InvalidRequest(f"{param}.role is not a role of a message", param=f"{param}.role")


def _add_user(turns: Turns, parts: list[AnyPart], extra: Extra | None) -> None:
    rest = [part for part in parts if not isinstance(part, ToolResult)]
    if len(rest) == len(parts):
        turns.add(Message(role="user", parts=tuple(parts), extra=extra))
        return
    for part in parts:
        if isinstance(part, ToolResult):
            turns.add_result(part, extra)
    if rest:
        turns.add(Message(role="user", parts=tuple(rest)))


def _check_version(role: str, parts: list[AnyPart], param: str) -> None:
    for at, part in enumerate(parts):
        place = f"{param}.content[{at}]"
        if role == "assistant" and isinstance(part, Media) and part.kind == "document":
            raise InvalidRequest(f"{place}: a document cannot stand in an assistant message", param=place)
        if role == "user" and isinstance(part, Text) and part.citations:
            place += ".citations"
            raise InvalidRequest(f"{place}: a user's text cannot have citations", param=place)
