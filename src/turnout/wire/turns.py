"""Where the results of tool calls go: one `tool` message right after the assistant message that they answer."""

from typing import Any

import msgspec

from turnout.model import Extra, Message, ToolCall, ToolResult

_replace: Any = msgspec.structs.replace


class Turns:
    """The messages so far, in the model's order, wherever the client put the results of the last calls."""

    def __init__(self) -> None:
        self._messages: list[Message] = []
        self._calls: list[str] = []
        self._group: list[ToolResult] | None = None
        self._extra: Extra | None = None
        self._place = 0

    def add(self, message: Message) -> None:
        """Take a message without results."""
        if message.role == "assistant":
            self._settle()
            self._calls = [part.call_id for part in message.parts if isinstance(part, ToolCall)]
            self._messages.append(message)
            self._place = len(self._messages)
            return
        self._messages.append(message)

    def add_result(self, result: ToolResult, extra: Extra | None = None) -> None:
        """Take a result; `extra` is that of the message it came in."""
        if result.call_id not in self._calls:
            last = self._messages[-1] if self._messages else None
            if last is not None and last.role == "tool" and self._group is None:
                self._messages[-1] = _replace(last, parts=(*last.parts, result))
            else:
                self._messages.append(Message(role="tool", parts=(result,), extra=extra))
            return
        if self._group is None:
            self._group, self._extra = [], extra
        self._group.append(result)

    def _settle(self) -> None:
        if self._group is None:
            return
        order = {call: at for at, call in reversed(list(enumerate(self._calls)))}
        results = sorted(self._group, key=lambda result: order[result.call_id])
        message = Message(role="tool", parts=tuple(results), extra=self._extra)
        self._messages.insert(self._place, message)
        self._group = None

    def close(self) -> tuple[Message, ...]:
        """All messages."""
        self._settle()
        return tuple(self._messages)
