"""The reasoning lane over an agent."""

from collections.abc import Callable
from typing import Any, TypeAlias

from turnout.model import Agent, Descriptors, Message, Reply, Request, Text, as_async

Tell: TypeAlias = Callable[[Descriptors], str]
"""What a model is told of the actions that there are; `""` for nothing."""


class ReasoningEngine:
    """A `ReasoningEngine` over any agent: it passes the request on and the reply back, bytes and errors included.

    With `model` the agent is asked for that model, without it for the one that the client named. With `tell` the
    model learns what can be done here, in a system message after the client's own; by default nothing is added, so
    that the very bytes of the client go out.

    Raises:
        TypeError: the agent is missing or cannot be called.
    """

    __slots__ = ("_agent", "_model", "_tell")

    def __init__(
        self, agent: Agent | Callable[[Request], Reply], *, model: str = "", tell: Tell | None = None
    ) -> None:
        if agent is None:  # pyright: ignore[reportUnnecessaryComparison] -- hosts are not all typed
            raise TypeError("a reasoning engine needs an agent, not None")
        self._agent: Any = as_async(agent)
        self._model = model
        self._tell = tell

    async def __call__(self, request: Request, descriptors: Descriptors) -> Reply:
        """The agent's reply; raises what the agent raises."""
        if self._model:
            request = request.replace(model=self._model)
        if self._tell is not None and descriptors:
            request = _told(request, self._tell(descriptors))
        return await self._agent(request)


def _told(request: Request, text: str) -> Request:
    if not text.strip():
        return request
    messages = request.messages
    at = next(
        (at for at, message in enumerate(messages) if message.role not in {"system", "developer"}),
        len(messages),
    )
    note = Message(role="system", parts=(Text(text=text),))
    return request.replace(messages=(*messages[:at], note, *messages[at:]))
