"""Tools of kinds that a provider's protocol does not have, offered as functions, and their calls mapped back (K08).

A custom tool, which takes free text, becomes a function with one string parameter `input`; a tool in a namespace gets a
name of its own. The history is told in the same terms. Calls come back as what the client declared. The grammar of a
custom tool is told in words, since nobody enforces it there. A search of the web that a client of Responses offers
whatever is asked (coding agents do) is left out and reported, unless it must be used; any other hosted tool is the
encoder's to refuse.
"""

from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing
from hashlib import blake2s
from typing import Any, cast

import msgspec

from turnout.model import (
    AnyPart,
    Batch,
    Body,
    Delta,
    Event,
    Message,
    PartEnd,
    PartStart,
    Request,
    Tool,
    ToolCall,
    ToolResult,
    V,
)
from turnout.wire.codec import Dialect

_replace: Any = msgspec.structs.replace
_OFFERED = frozenset({"web_search", "web_search_preview"})
_LONGEST = 64
"""The longest name of a function that OpenAI's protocols take."""


class Recast(V, frozen=True, kw_only=True):
    """What was offered otherwise in one request: `customs` as functions, `names` (offered to namespace and name),
    `dropped` not at all."""

    customs: frozenset[str] = frozenset()
    names: dict[str, tuple[str, str]] = {}
    dropped: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.customs or self.names)


NO_RECAST = Recast()


def recast(request: Request, dialect: Dialect) -> tuple[Request, Recast]:
    """The request with tools that the provider's protocol has, and what was offered otherwise."""
    body = request.body
    names = {} if dialect.namespaces else _flat_names(body)
    customs = frozenset[str]() if dialect.custom_tools else _customs(body, names)
    unused = _unused(body)
    if not (names or customs or unused):
        return request, NO_RECAST
    dropped = tuple(f"tools.{name}" for name in unused)
    if customs and any(tool.format is not None and '"grammar"' in tool.format for tool in body.tools):
        dropped = (*dropped, "tools.format")
    fields: dict[str, Any] = {
        "tools": tuple(_tool(tool, names, customs) for tool in body.tools if _keeps(tool, unused)),
        "messages": tuple(_message(message, names, customs) for message in body.messages),
    }
    if body.tool_choice is not None and names:
        flat = {name: made for (_, name), made in names.items()}
        chosen = tuple(flat.get(name, name) for name in body.tool_choice.names)
        fields["tool_choice"] = _replace(body.tool_choice, names=chosen)
    back = {made: pair for pair, made in names.items()}
    return request.replace(**fields), Recast(customs=customs, names=back, dropped=dropped)


def _flat_names(body: Body) -> dict[tuple[str, str], str]:
    """A name of its own for each tool in a namespace, those of the history included."""
    calls = [part for message in body.messages for part in message.parts if isinstance(part, ToolCall)]
    used = {tool.name for tool in body.tools if tool.namespace is None}
    names: dict[tuple[str, str], str] = {}
    for named in (*body.tools, *calls):
        key = (named.namespace or "", named.name)
        if named.namespace is not None and key not in names:
            names[key] = _made(f"{named.namespace}__{named.name}", used)
            used.add(names[key])
    return names


def _made(name: str, used: set[str]) -> str:
    if len(name) <= _LONGEST and name not in used:
        return name
    return f"{name[: _LONGEST - 9]}_{blake2s(name.encode(), digest_size=4).hexdigest()}"


def _customs(body: Body, names: dict[tuple[str, str], str]) -> frozenset[str]:
    """The offered names of all custom tools."""
    customs = [tool for tool in body.tools if tool.kind == "custom"]
    said: list[Any] = [
        part
        for message in body.messages
        for part in message.parts
        if isinstance(part, ToolCall) and part.kind == "custom"
    ]
    return frozenset(names.get((one.namespace or "", one.name), one.name) for one in (*customs, *said))


def _unused(body: Body) -> tuple[str, ...]:
    """The hosted tools that are only on offer."""
    forced = body.tool_choice is not None and body.tool_choice.mode == "required"
    if forced:
        return ()
    hosted = (tool.name for tool in body.tools if tool.kind == "hosted" and tool.name in _OFFERED)
    return tuple(dict.fromkeys(hosted))


def _keeps(tool: Tool, unused: tuple[str, ...]) -> bool:
    return tool.kind != "hosted" or tool.name not in unused


def _tool(tool: Tool, names: dict[tuple[str, str], str], customs: frozenset[str]) -> Tool:
    if tool.kind == "hosted":
        return tool
    name = names.get((tool.namespace or "", tool.name), tool.name)
    if tool.kind == "custom" and name in customs:
        description = "\n\n".join(word for word in (tool.description, _grammar(tool)) if word)
        return Tool(
            name=name,
            description=description or None,
            parameters=_WRAPPED,
            cache=tool.cache,
            extra=tool.extra,
        )
    return tool if name == tool.name else _replace(tool, name=name, namespace=None)


_WRAPPED = (
    '{"type":"object","properties":{"input":{"type":"string","description":"The whole input, as plain text."}},'
    '"required":["input"],"additionalProperties":false}'
)


def _grammar(tool: Tool) -> str:
    """The grammar of a custom tool in words, `""` without one."""
    if tool.format is None:
        return ""
    try:
        said = msgspec.json.decode(tool.format, type=_Format).grammar
    except msgspec.DecodeError:
        return ""
    return "" if said is None else f"The input must match this {said.syntax} grammar:\n{said.definition}"


class _Grammar(msgspec.Struct):
    syntax: str = ""
    definition: str = ""


class _Format(msgspec.Struct):
    grammar: _Grammar | None = None


def _message(message: Message, names: dict[tuple[str, str], str], customs: frozenset[str]) -> Message:
    parts = tuple(_part(part, names, customs) for part in message.parts)
    return message if parts == message.parts else _replace(message, parts=parts)


def _part(part: AnyPart, names: dict[tuple[str, str], str], customs: frozenset[str]) -> AnyPart:
    match part:
        case ToolCall():
            name = names.get((part.namespace or "", part.name), part.name)
            if part.kind == "custom" and name in customs:
                wrapped = msgspec.json.encode({"input": part.arguments}).decode()
                return _replace(part, name=name, namespace=None, kind="function", arguments=wrapped)
            return part if name == part.name else _replace(part, name=name, namespace=None)
        case ToolResult(kind="custom") if customs:
            return _replace(part, kind="function")
        case _:
            return part


# ---- the way back ------------------------------------------------------------------------------------------------


async def declared(batches: AsyncIterator[Batch], how: Recast) -> AsyncIterator[Batch]:
    """The events of an answer with calls as the client declared the tools."""
    back = _Back(how)
    async with aclosing(cast("Any", batches)):
        async for batch in batches:
            events = tuple(event for given in batch for event in back.events(given))
            if events:
                yield events


class _Back:
    """Which calls are under way; what a custom tool is called with is shown when it is complete."""

    def __init__(self, how: Recast) -> None:
        self._how = how
        self._wrapped: dict[int, list[str]] = {}

    def events(self, event: Event) -> Iterable[Event]:
        match event:
            case PartStart(part=ToolCall() as call):
                named = self._named(call)
                if named.kind == "custom":
                    self._wrapped[event.index] = [call.arguments]
                    named = _replace(named, arguments="")
                return (PartStart(index=event.index, part=named),)
            case Delta() if event.index in self._wrapped:
                self._wrapped[event.index].append(event.text)
                return ()
            case PartEnd() if event.index in self._wrapped:
                return self._end(event)
            case PartEnd(whole=ToolCall() as call):
                return (PartEnd(index=event.index, whole=self._named(call)),)
            case _:
                return (event,)

    def _named(self, call: ToolCall) -> ToolCall:
        namespace, name = self._how.names.get(call.name, (call.namespace, call.name))
        kind = "custom" if call.name in self._how.customs else call.kind
        return _replace(call, name=name, namespace=namespace, kind=kind)

    def _end(self, event: PartEnd) -> Iterable[Event]:
        whole = event.whole
        pieces = self._wrapped.pop(event.index)
        words = unwrapped(whole.arguments if isinstance(whole, ToolCall) else "".join(pieces))
        said = (Delta(index=event.index, text=words, to="arguments"),) if words else ()
        if isinstance(whole, ToolCall):
            whole = _replace(self._named(whole), arguments=words)
        return (*said, PartEnd(index=event.index, whole=whole))


def unwrapped(arguments: str) -> str:
    """The text in the one parameter of a wrapped call; what is no such wrapper is handed on as it is."""
    try:
        row: Any = msgspec.json.decode(arguments)
    except msgspec.DecodeError:
        return arguments
    words = cast("dict[str, Any]", row).get("input") if isinstance(row, dict) else None
    return words if isinstance(words, str) else arguments


__all__ = ["NO_RECAST", "Recast", "declared", "recast", "unwrapped"]
