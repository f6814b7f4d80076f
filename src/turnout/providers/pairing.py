"""Calls and their results belong together (every protocol demands it): checked before anything is sent, or repaired."""

from collections.abc import Iterable

from turnout.model import Body, Message, Opaque, Text, ToolCall, ToolResult
from turnout.model.errors import InvalidRequest

NOT_RUN = "This tool call was not executed."


def check_pairs(messages: tuple[Message, ...]) -> None:
    """Refuse a history in which a call has no result or a result no call.

    Raises:
        InvalidRequest: names the first such id.
    """
    for index, message, calls in _turns(messages):
        results = [part for part in message.parts if isinstance(part, ToolResult)]
        answered = {result.call_id for result in results}
        for call in calls:
            if call.call_id not in answered:
                raise InvalidRequest(
                    f"the tool call {call.call_id!r} has no result", param=f"messages[{index}]"
                )
        known = {call.call_id for call in calls}
        for result in results:
            if result.call_id not in known:
                raise InvalidRequest(
                    f"the tool result {result.call_id!r} answers no call", param=f"messages[{index}]"
                )


def begins_elsewhere(body: Body) -> bool:
    """Whether a part of the history is not in the request, so that its calls cannot be told from missing ones."""
    if body.previous is not None or body.conversation is not None:
        return True
    for message in body.messages:
        for part in message.parts:
            if isinstance(part, Opaque) and part.kind == "item_reference":
                return True
    return False


_NOBODY = Message(role="tool", parts=())


def _turns(messages: tuple[Message, ...]) -> Iterable[tuple[int, Message, tuple[ToolCall, ...]]]:
    """Each tool message, or its absence after calls, with the calls that it should answer."""
    open_calls: tuple[ToolCall, ...] = ()
    for index, message in enumerate(messages):
        if message.role == "tool":
            yield index, message, open_calls
            open_calls = ()
            continue
        if open_calls:
            yield index - 1, _NOBODY, open_calls
        open_calls = tuple([part for part in message.parts if isinstance(part, ToolCall)])
    if open_calls:
        yield len(messages) - 1, _NOBODY, open_calls


def repaired(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """A history in which each call has one result: missing ones say so, results of no call are left out."""
    out: list[Message] = []
    open_calls: list[ToolCall] = []
    for message in messages:
        if message.role == "tool":
            whole = _answered(message, open_calls)
            open_calls = []
            if whole is not None:
                out.append(whole)
            continue
        if open_calls:
            out.append(Message(role="tool", parts=tuple(_missing(call) for call in open_calls)))
        open_calls = [part for part in message.parts if isinstance(part, ToolCall)]
        out.append(message)
    if open_calls:
        out.append(Message(role="tool", parts=tuple(_missing(call) for call in open_calls)))
    return tuple(out)


def _missing(call: ToolCall) -> ToolResult:
    return ToolResult(
        call_id=call.call_id, parts=(Text(text=NOT_RUN),), is_error=True, name=call.name, kind=call.kind
    )


def _answered(message: Message, calls: list[ToolCall]) -> Message | None:
    """`message` with exactly the results that `calls` ask for, `None` when nothing is left of it."""
    known = {call.call_id for call in calls}
    kept = [part for part in message.parts if not isinstance(part, ToolResult) or part.call_id in known]
    there = {part.call_id for part in kept if isinstance(part, ToolResult)}
    added = [_missing(call) for call in calls if call.call_id not in there]
    if not added and len(kept) == len(message.parts):
        return message
    parts = (*kept, *added)
    return (
        Message(role="tool", parts=parts, id=message.id, name=message.name, extra=message.extra)
        if parts
        else None
    )
