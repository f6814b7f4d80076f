"""One call to a model, on behalf of one request."""

import logging
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from turnout.model import Answer, Body, IdempotencyKey, Message, Reply, Request, Text, Usage, V, as_async
from turnout.model.errors import BadOutput

_LOG = logging.getLogger(__name__)

StepName: TypeAlias = Literal["select", "extract", "synthesize"]


class Call(V, frozen=True, kw_only=True):
    """A call that was made and answered, for accounts: `model` as it was asked for, `request_id` of the request
    that it was made for.
    """

    step: StepName
    model: str
    usage: Usage
    request_id: str = ""


OnCall: TypeAlias = Callable[[Call], None]
"""Told of each call when its answer has ended; it must not block."""


class Caller:
    """An agent under one model name, as one step asks it.

    The request that it is given is a new one: it has no bytes and none of the client's headers, so a provider that
    uses the caller's own credentials has none here. Its context is the outer request's (user, deadline, request id),
    without the idempotency key, which is the outer request's alone.

    Raises:
        TypeError: the agent is missing or cannot be called.
    """

    __slots__ = ("_agent", "_limits", "_on_call", "_step", "model")

    def __init__(
        self,
        agent: Any,
        step: StepName,
        *,
        model: str,
        max_tokens: int | None,
        temperature: float | None,
        on_call: OnCall | None,
    ) -> None:
        if agent is None:
            raise TypeError(f"the model that is asked to {step} needs an agent, not None")
        self._agent = as_async(agent)
        self._step: StepName = step
        self.model = model
        self._limits = {"max_tokens": max_tokens, "temperature": temperature}
        self._on_call = on_call

    async def ask(
        self, outer: Request, system: str, user: str, *, stream: bool = False, **fields: Any
    ) -> Reply:
        """The reply to these two messages, `fields` are further ones of the body; whoever gets it closes it.

        Raises:
            BadOutput: the agent gave no reply.
            Exception: what the agent raises.
        """
        messages = (
            Message(role="system", parts=(Text(text=system),)),
            Message(role="user", parts=(Text(text=user),)),
        )
        context = outer.context
        if IdempotencyKey in context:
            context = context.with_(None, IdempotencyKey)
        body = Body(messages=messages, **self._limits, **fields)
        reply: Reply | None = await self._agent(
            Request(model=self.model, stream=stream, body=body, context=context)
        )
        if reply is None:
            raise BadOutput("the agent gave no reply")
        return reply

    async def answer(self, outer: Request, system: str, user: str, **fields: Any) -> Answer:
        """The whole answer to these two messages; raises as `ask` and `whole` do."""
        return await self.whole(outer, await self.ask(outer, system, user, **fields))

    async def whole(self, outer: Request, reply: Reply) -> Answer:
        """The whole answer of a reply, which is closed; raises what the answer failed with."""
        try:
            answer = await reply.answer()
        finally:
            await reply.aclose()
        self.told(outer, answer.usage)
        return answer

    def told(self, outer: Request, usage: Usage) -> None:
        """Tell whoever keeps accounts that a call has ended; their failure is not the request's."""
        if self._on_call is None:
            return
        call = Call(step=self._step, model=self.model, usage=usage, request_id=outer.context.request_id)
        try:
            self._on_call(call)
        except Exception as error:
            _LOG.warning("whoever is told of calls raised %s", type(error).__name__)
