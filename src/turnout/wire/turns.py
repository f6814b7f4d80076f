"""Where the results of tool calls go: one `tool` message right after the assistant message that they answer."""

from turnout.model import Extra, Message, ToolCall, ToolResult


class Turns:
    """The messages so far, in the model's order, wherever the client put the results of the last calls."""

    def __init__(self) -> None:
        self._messages: list[Message] = []
        self._calls: dict[str, int] = {}
        self._group: list[ToolResult] | None = None
        self._strays: list[ToolResult] = []
        self._extra: Extra | None = None
        self._stray_extra: Extra | None = None
        self._place = 0

    def add(self, message: Message) -> None:
        """Take a message without results."""
        self._end_strays()
        if message.role == "assistant":
            self._settle()
            calls = [part.call_id for part in message.parts if isinstance(part, ToolCall)]
            self._calls = {call: at for at, call in reversed(list(enumerate(calls)))}
            self._messages.append(message)
            self._place = len(self._messages)
            return
        self._messages.append(message)

    def add_result(self, result: ToolResult, extra: Extra | None = None) -> None:
        """Take a result; `extra` is that of the message it came in."""
        if result.call_id in self._calls:
            if self._group is None:
                self._group, self._extra = [], extra
            self._group.append(result)
            return
        if self._group is not None:
            self._end_strays()
        if not self._strays:
            self._stray_extra = extra
        self._strays.append(result)

    def _end_strays(self) -> None:
        """Results that answer no call stay together where they were said."""
        if self._strays:
            strays = tuple(self._strays)
            self._messages.append(Message(role="tool", parts=strays, extra=self._stray_extra))
            self._strays = []

    def _settle(self) -> None:
        if self._group is None:
            return
        results = sorted(self._group, key=lambda result: self._calls[result.call_id])
        message = Message(role="tool", parts=tuple(results), extra=self._extra)
        self._messages.insert(self._place, message)
        self._group = None

    def close(self) -> tuple[Message, ...]:
        """All messages."""
        self._end_strays()
        self._settle()
        return tuple(self._messages)
