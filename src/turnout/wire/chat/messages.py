"""The messages of a request, read.

Strategy: what most messages are (a role and a string) takes a short way. All results that answer one assistant
message become one `tool` message right after it, in the order of its calls, wherever the client put them.
"""

from typing import Any, Literal, cast

import msgspec

from turnout.model import (
    AnyPart,
    Extra,
    File,
    Media,
    Message,
    Opaque,
    Refusal,
    Role,
    Text,
    ToolCall,
    ToolResult,
    merge_extra,
)
from turnout.model.errors import InvalidRequest
from turnout.wire.codec import FORM
from turnout.wire.turns import Turns

from .content import read_content
from .google import take_signature
from .ids import call_id as derived_id
from .members import (
    BROKEN,
    MAYBE_STRING,
    NULL,
    PROTOCOL,
    STRING,
    Members,
    bag,
    leftover,
    members,
    open_object,
    open_string,
    read,
    read_cache,
    said,
    take_cache,
    text,
)
from .reasoning import take_thinking

_LIST: "msgspec.json.Decoder[list[msgspec.Raw] | None]" = msgspec.json.Decoder(list[msgspec.Raw] | None)

_replace: Any = msgspec.structs.replace


def read_messages(raw: msgspec.Raw) -> tuple[Message, ...]:
    """All messages.

    Raises:
        InvalidRequest: one is malformed; `param` names the place.
    """
    rows = read(_LIST, raw, "messages", "a list of messages")
    if not rows:
        raise InvalidRequest("messages must not be empty", param="messages")
    conversation = _Conversation()
    for at, row in enumerate(rows):
        message = _usual(row)
        if message is None:
            conversation.add_row(members(row, f"messages[{at}]"), f"messages[{at}]")
        elif isinstance(message, ToolResult):
            conversation.add_result(message)
        else:
            conversation.add(message)
    return conversation.close()


# ---- the short way: what nearly all messages are -------------------------------------------------------------------


class _Function(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    name: str
    arguments: str


class _Call(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    id: str
    function: _Function
    type: Literal["function"] = "function"


class _TextPart(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    type: Literal["text"]
    text: str


class Usual(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """A message of text and calls only; anything else is read layer by layer, to the same value."""

    role: str
    content: str | list[_TextPart] | None = None
    tool_calls: list[_Call] | None = None
    tool_call_id: str | None = None
    name: str | None = None


_USUAL = msgspec.json.Decoder(Usual)
_WORDS: dict[str, Role] = {name: name for name in ("user", "assistant", "system", "developer", "tool")}


def usual_messages(rows: list[Usual]) -> tuple[Message, ...] | None:
    """All messages of a request that has no others, `None` when one is not so usual after all."""
    values = [_value(row) for row in rows]
    if not values or None in values:
        return None
    if ToolResult not in map(type, values):  # nothing else moves
        return cast("tuple[Message, ...]", tuple(values))
    conversation = _Conversation()
    for value in values:
        if isinstance(value, ToolResult):
            conversation.add_result(value)
        else:
            conversation.add(cast("Message", value))
    return conversation.close()


def _usual(raw: msgspec.Raw) -> Message | ToolResult | None:
    try:
        usual = _USUAL.decode(raw)
    except BROKEN:
        return None
    return _value(usual)


def _value(usual: Usual) -> Message | ToolResult | None:
    role = _WORDS.get(usual.role)
    content = usual.content
    if content is None:
        parts: tuple[AnyPart, ...] = ()
    elif isinstance(content, str):
        parts = (Text(text=content),)
    else:
        parts = tuple([Text(text=part.text) for part in content])
    if role == "tool":
        if usual.tool_call_id is None or usual.tool_calls is not None:
            return None
        return ToolResult(call_id=usual.tool_call_id, name=usual.name, parts=() if parts == _EMPTY else parts)
    if role is None or usual.tool_call_id is not None:
        return None
    if usual.tool_calls:
        if role != "assistant":
            return None
        calls = [
            ToolCall(call_id=call.id, name=call.function.name, arguments=call.function.arguments or "{}")
            for call in usual.tool_calls
        ]
        parts = tuple(calls) if parts == _EMPTY else (*parts, *calls)
    return Message(role=role, parts=parts or _EMPTY, name=usual.name)


_EMPTY = (Text(text=""),)


class _Conversation(Turns):
    """The messages so far; legacy results name their call by the function."""

    def __init__(self) -> None:
        super().__init__()
        self._names: dict[str, str] = {}

    def add_row(self, row: Members, param: str) -> None:
        word = open_string(row.pop("role", None))
        if word == "function":
            self.add_result(_read_result(row, param, True, self._names))
            return
        role = _WORDS.get(word or "")
        if role is None:
            raise InvalidRequest(f"{param}.role is not a role of a message", param=f"{param}.role")
        if role == "tool":
            self.add_result(_read_result(row, param, False, self._names))
        else:
            self.add(_read_message(role, row, param))

    def add(self, message: Message) -> None:
        super().add(message)
        if message.role == "assistant":
            calls = [part for part in message.parts if isinstance(part, ToolCall)]
            self._names = {part.name: part.call_id for part in calls if part.extra is not None}


def _read_message(role: Role, row: Members, param: str) -> Message:
    content = read_content(row.pop("content", None), f"{param}.content")
    if role != "user":
        content = tuple([_here(part) for part in content])
    if not row:
        return Message(role=role, parts=content or _EMPTY)
    name = read(MAYBE_STRING, row.pop("name", NULL), f"{param}.name", "a string")
    parts = _assistant_parts(content, row, param) if role == "assistant" else content
    if not parts:
        parts = _EMPTY
    if "cache_control" in row:
        parts = _with_message_cache(parts, row)
    return Message(role=role, parts=parts, name=name, extra=bag(leftover(row)) if row else None)


def _with_message_cache(parts: tuple[AnyPart, ...], row: Members) -> tuple[AnyPart, ...]:
    """A breakpoint on the whole message is one after its last part."""
    cache, last = read_cache(row["cache_control"]), parts[-1]
    if cache is None or last.cache is not None:
        return parts
    written = Extra(
        protocol=PROTOCOL, members={FORM + "message.cache_control": text(row.pop("cache_control"))}
    )
    return (*parts[:-1], _replace(last, cache=cache, extra=merge_extra(last.extra, written)))


def _assistant_parts(content: tuple[AnyPart, ...], row: Members, param: str) -> tuple[AnyPart, ...]:
    parts: list[AnyPart] = []
    thinking = take_thinking(row)
    if thinking is not None:
        parts.append(thinking)
    after: list[AnyPart] = []
    calls: list[AnyPart] = []
    if "refusal" in row:
        words = read(MAYBE_STRING, row.pop("refusal"), f"{param}.refusal", "a string")
        if words is not None:
            after.append(Refusal(text=words))
    if "audio" in row:
        after.extend(_audio(row))
    if "function_call" in row:
        calls.extend(_function_call(row, param))
    if "tool_calls" in row:
        rows = read(_LIST, row.pop("tool_calls"), f"{param}.tool_calls", "a list")
        calls.extend(read_call(call, f"{param}.tool_calls[{at}]") for at, call in enumerate(rows or ()))
    if not (calls and content == _EMPTY):
        parts.extend(content)
    return (*parts, *after, *calls)


def _audio(row: Members) -> list[AnyPart]:
    inner = open_object(row["audio"])
    ref = None if inner is None else open_string(inner.pop("id", None))
    if inner is None or ref is None:
        if not said(row["audio"]):
            del row["audio"]
        return []
    del row["audio"]
    source = File(ref=ref, owner=PROTOCOL)
    return [Media(kind="audio", id=ref, source=source, extra=bag(leftover(inner, "audio/")))]


def _function_call(row: Members, param: str) -> list[AnyPart]:
    if not said(row["function_call"]):
        del row["function_call"]
        return []
    path = f"{param}.function_call"
    inner = members(row.pop("function_call"), path)
    name = read(STRING, inner.pop("name", NULL), f"{path}.name", "a string")
    arguments = read(STRING, inner.pop("arguments", NULL), f"{path}.arguments", "a string")
    names = {FORM + "function_call": "null", **leftover(inner, "function_call/")}
    return [ToolCall(call_id=derived_id(path), name=name, arguments=arguments or "{}", extra=bag(names))]


def read_call(raw: msgspec.Raw, param: str) -> AnyPart:
    """One call of a history's assistant message; a kind of call that nobody names is `Opaque`.

    Raises:
        InvalidRequest: it lacks its id, name or arguments.
    """
    row = members(raw, param)
    kind = open_string(row.pop("type", None))
    if kind is None:
        kind = "function"
    member = _KINDS.get(kind)
    if member is None:
        return Opaque(protocol=PROTOCOL, kind=kind, body=text(raw), extra=bag({FORM + "tool_calls": "null"}))
    path = f"{param}.{kind}"
    call_id = read(STRING, row.pop("id", NULL), f"{param}.id", "a string")
    inner = members(row.pop(kind, NULL), path)
    name = read(STRING, inner.pop("name", NULL), f"{path}.name", "a string")
    arguments = read(MAYBE_STRING, inner.pop(member, NULL), f"{path}.{member}", "a string")
    names: dict[str, str] = leftover(inner, f"{kind}/")
    cache = take_cache(row, names)
    seal = take_signature(row, names)
    names.update(leftover(row))
    custom = kind == "custom"
    return ToolCall(
        call_id=call_id,
        name=name,
        arguments=arguments or ("" if custom else "{}"),
        kind="custom" if custom else "function",
        cache=cache,
        seal=seal,
        extra=bag(names),
    )


_KINDS = {"function": "arguments", "custom": "input"}


def _read_result(row: Members, param: str, legacy: bool, calls: dict[str, str]) -> ToolResult:
    parts = read_content(row.pop("content", None), f"{param}.content")
    name = read(MAYBE_STRING, row.pop("name", NULL), f"{param}.name", "a string")
    names: dict[str, str] = {}
    if legacy:
        if name is None:
            raise InvalidRequest(f"{param}.name is required", param=f"{param}.name")
        call_id = calls.get(name) or derived_id(param)
        names[FORM + "role"] = '"function"'
    else:
        call_id = read(STRING, row.pop("tool_call_id", NULL), f"{param}.tool_call_id", "a string")
    cache = take_cache(row, names)
    names.update(leftover(row))
    if parts == _EMPTY:
        parts = ()
    elif parts:
        parts = tuple([_here(part) for part in parts])
    return ToolResult(call_id=call_id, name=name, parts=parts, cache=cache, extra=bag(names))


def _here(part: AnyPart) -> AnyPart:
    """Media that the client itself put where only text is typed (all but the user's) goes back there."""
    if not isinstance(part, Media):
        return part
    mark = Extra(protocol=PROTOCOL, members={FORM + "here": "null"})
    return _replace(part, extra=merge_extra(part.extra, mark))
