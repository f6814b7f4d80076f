"""What an application keeps of a run: the turn that is asked for, its acceptance, and the response that ends it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, Protocol, TypeAlias

from .answer import Answer, Stop, Usage
from .base import V
from .context import Context
from .errors import TurnoutError
from .parts import Message
from .reply import Reply
from .request import Request

Status: TypeAlias = Literal["completed", "incomplete", "failed", "cancelled"]


class Outcome(V, frozen=True, kw_only=True):
    """How an agent's run ended; the default is success. Its output went through `emit`."""

    status: Status = "completed"
    stop: Stop = "end"
    usage: Usage = Usage()
    metadata: Mapping[str, str] = {}


class ResponseSeed(V, frozen=True, kw_only=True):
    """What a store decides about a response before it runs; `created` in Unix seconds.

    An empty `id` and a `created` of 0 leave them to the server.
    """

    id: str = ""
    created: int = 0
    metadata: Mapping[str, str] = {}


class StoredResponse(V, frozen=True, kw_only=True):
    """One finished response: what a finisher gets, a replay gives back, and every body is encoded from.

    `status` is `in_progress` only for a replay of a run that has not ended. `error` holds the public fields of the
    error that a failed run ended with. `echo` is what its protocol repeats of the request, a JSON text by member.
    """

    answer: Answer
    status: Literal["completed", "incomplete", "failed", "cancelled", "in_progress"] = "completed"
    previous: str | None = None
    conversation: str | None = None
    error: Mapping[str, Any] | None = None
    echo: Mapping[str, str] = {}


class Turn(V, frozen=True, kw_only=True):
    """One valid request before it runs, as a store sees it.

    `items` are the messages of this turn only, without the history that `previous` stands for. `retain` says whether
    the response is to be kept for later; `agent` is what the catalog loaded.
    """

    request: Request
    items: tuple[Message, ...]
    agent: Callable[[Request], Awaitable[Reply]]
    previous: str | None = None
    thread: str | None = None
    idempotency_key: str | None = None
    retain: bool = False


Finisher: TypeAlias = Callable[[StoredResponse, TurnoutError | None], Awaitable[None]]
"""Persists a response; called exactly once for an accepted run, also when it failed. It may outlive the request."""


class Acceptance(V, frozen=True, kw_only=True):
    """What a store says to a turn.

    `agent` replaces the catalog's and owns its input: no history is loaded for it. `replay` answers without a run.
    `activity` allows activity events. `run_timeout` in seconds: 0 ties the run to the client's connection; more lets
    it go on without one, for that long at most.
    """

    response: ResponseSeed = ResponseSeed()
    agent: Callable[[Request], Awaitable[Reply]] | None = None
    replay: StoredResponse | None = None
    activity: bool = False
    run_timeout: float = 0.0
    finish: Finisher | None = None


class Store(Protocol):
    """The application's record of responses; it alone knows who may see what."""

    async def load(self, previous: str, context: Context, /) -> tuple[Message, ...]:
        """The history that ends in the response `previous`, in order, for this caller.

        Raises:
            NotFound: there is none, or this caller may not see it.
        """
        ...

    async def accept(self, turn: Turn, /) -> Acceptance:
        """Reserve an identity for this turn, or answer it with an earlier response.

        Raises:
            Conflict: another request used the same key.
            RunInProgress: the same request runs at this moment.
        """
        ...


class Retrieval(Protocol):
    """The face of a store that can give responses back; optional."""

    async def get(self, response_id: str, context: Context, /) -> StoredResponse:
        """The response `response_id` of this caller.

        Raises:
            NotFound: there is none, or this caller may not see it.
        """
        ...

    async def items(self, response_id: str, context: Context, /) -> tuple[Message, ...]:
        """The messages that the response `response_id` answered: its history and its turn, in order.

        Raises:
            NotFound: there is none, or this caller may not see it.
        """
        ...

    async def delete(self, response_id: str, context: Context, /) -> None:
        """Forget the response `response_id` of this caller.

        Raises:
            NotFound: there is none, or this caller may not see it.
        """
        ...
