"""An application asked without HTTP: it answers as the served one does, by way of the same store."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, cast

from turnout.model import Answer, Event, Failed, Reply, Request
from turnout.model.errors import TurnoutError
from turnout.plane import Explanation
from turnout.wire.codec import codec

from .answering import Answering


class Unserved(ABC):
    """Asks what `_answering` gives."""

    @abstractmethod
    def _answering(self) -> Answering:
        """What answers, over HTTP and without."""

    @abstractmethod
    def _request(self, request: Request | str, model: str) -> Request:
        """The request that is meant."""

    @abstractmethod
    async def explain(self, request: Request | str, *, model: str = "") -> Explanation:
        """What would be done with a request, and why; nothing runs."""

    @abstractmethod
    async def _leave(self) -> None:
        """Close what the running event loop has opened, and nothing that others use."""

    async def reply(self, request: Request | str, *, model: str = "") -> Reply:
        """Answer as the served app does; whoever takes the reply closes it.

        `request` may be what a user says. `model` is then the name asked for, by default the first exact one.

        With a store it is accepted and kept as a served request would be: the reply to a request that does not stream
        is whole and kept, that to one that streams is kept before its end is told. The owner is the context's `User`.

        Raises:
            TurnoutError: nothing answers to the name, the store refused or failed, or a step failed.
        """
        answering = self._answering()
        asked, step, info, ignored = await answering.admit(self._request(request, model))
        source = asked.source
        reply, _ = await answering.answer(
            asked, step, info, None if source is None else codec(source.protocol)
        )
        reply.dropped += ignored
        return reply

    async def process(self, request: Request | str, *, model: str = "") -> Answer:
        """The whole answer; see `reply`.

        Raises:
            TurnoutError: nothing answers to the name, or the answer failed.
        """
        async with await self.reply(request, model=model) as reply:
            return await reply.answer()

    async def stream(self, request: Request | str, *, model: str = "") -> AsyncIterator[Event]:
        """The answer as events, as they come; see `reply`.

        The last one is `Finish` or `Failed`. As over HTTP, `Finish` comes when the store has the answer; when it cannot
        be stored, `Failed` comes instead.

        Raises:
            TurnoutError: nothing answers to the name, or a step failed before the first event.
        """
        asked = self._request(request, model).replace(stream=True)
        reply = await self.reply(asked)
        begun = False
        async with reply, aclosing(cast("Any", reply.events())) as events:
            try:
                async for event in events:
                    begun = True
                    yield event
            except TurnoutError as error:
                if not begun:
                    raise
                yield Failed(error=error)

    def process_sync(self, request: Request | str, *, model: str = "") -> Answer:
        """The whole answer, for scripts: in a loop of its own, which ends with its connections closed.

        An app that is served meanwhile may be asked so in another thread. What loops share, such as the file of a
        store, stays open until `aclose`.

        Raises:
            RuntimeError: a loop is running in this thread.
            TurnoutError: nothing answers to the name, or the answer failed.
        """
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(self._once(request, model))
        raise RuntimeError("process_sync runs a loop of its own; inside one, use `await app.process(...)`")

    async def _once(self, request: Request | str, model: str) -> Answer:
        try:
            return await self.process(request, model=model)
        finally:
            await self._leave()
