"""The interfaces between rooms, so that they share types without importing each other.

A plain function, sync or async, is taken for each one-method port; `as_async` makes them alike. Whoever takes a
port calls it through that.
"""

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Protocol, TypeAlias, TypeVar, cast, runtime_checkable

from .actions import ActionIntent, ActionResult, Ask, Descriptors, Intent, Synthesis
from .answer import Answer
from .audio import Speech, SpeechRequest, Transcript, TranscriptionRequest
from .base import Json
from .catalog import Info, ModelInfo
from .context import Context
from .decisions import Decisions, Inquiry
from .events import Event
from .ledger import Claim
from .reply import Reply
from .request import Request

T_co = TypeVar("T_co", covariant=True)

Step: TypeAlias = Callable[[Request], Awaitable[Reply]]
"""Whatever answers a request: a provider's model, an agent, a control plane."""

Agent: TypeAlias = Step

Middleware: TypeAlias = Callable[[Step], Step]
"""Given the rest of the chain, makes a step; called once, when the chain is built."""


class Classifier(Protocol):
    """Which actions a request asks for; `Ask` when the user must be asked first."""

    def __call__(
        self, request: Request, descriptors: Descriptors, /
    ) -> Awaitable[Intent | Ask] | Intent | Ask: ...


class Selector(Protocol):
    """Which of the actions a request asks for, without their parameters; `Ask` as a classifier does."""

    def __call__(
        self, request: Request, descriptors: Descriptors, /
    ) -> Awaitable[Descriptors | Ask] | Descriptors | Ask: ...


class Extractor(Protocol):
    """The parameters that a request gives for the chosen actions."""

    def __call__(
        self, request: Request, descriptors: Descriptors, /
    ) -> Awaitable[tuple[ActionIntent, ...]] | tuple[ActionIntent, ...]: ...


@runtime_checkable
class Engine(Protocol):
    """Describes the application's actions and runs them; the only thing with effects."""

    def descriptors(self, request: Request, /) -> Awaitable[Descriptors] | Descriptors:
        """The actions that this request may use."""
        ...

    def execute(
        self, request: Request, intents: tuple[ActionIntent, ...], /
    ) -> Awaitable[tuple[ActionResult, ...]] | tuple[ActionResult, ...]:
        """Run them: exactly one result each, in order; an exception is a failure of the system."""
        ...


@runtime_checkable
class Proposing(Protocol):
    """The face of an engine that can say what it would do, for confirmations; optional."""

    def propose(
        self, request: Request, intents: tuple[ActionIntent, ...], /
    ) -> Awaitable[tuple[str | ActionResult, ...]] | tuple[str | ActionResult, ...]:
        """For each intent a question in the user's own terms, or the failed result that running it would give."""
        ...


class Synthesizer(Protocol):
    """Words the results of actions."""

    def __call__(self, synthesis: Synthesis, /) -> Awaitable[Reply] | Reply: ...


class ReasoningEngine(Protocol):
    """Answers when no action fits, knowing which actions there are."""

    def __call__(self, request: Request, descriptors: Descriptors, /) -> Awaitable[Reply] | Reply: ...


class IdentityProvider(Protocol[T_co]):
    """Who makes a request; an unknown identity is the type's zero value, not an error."""

    def __call__(self, request: Request, /) -> Awaitable[T_co] | T_co: ...


class Decider(Protocol):
    """Answers typed questions with probabilities."""

    async def __call__(self, inquiry: Inquiry) -> Decisions: ...


class Provider(Protocol):
    """A model provider; also a `Step`."""

    @property
    def name(self) -> str:
        """The provider's identifier."""
        ...

    async def __call__(self, request: Request) -> Reply:
        """Answer as an agent does."""
        ...

    async def chat(self, request: Request) -> Answer:
        """The whole answer."""
        ...

    def stream(self, request: Request) -> AsyncIterator[Event]:
        """The answer as events."""
        ...

    async def models(self) -> tuple[ModelInfo, ...]:
        """The models that the provider lists."""
        ...


class Transcriber(Protocol):
    """Writes recordings down; text alone is a transcript too, and pieces of text are one that grows."""

    def __call__(
        self, request: TranscriptionRequest, context: Context, /
    ) -> Awaitable[Transcript | str] | Transcript | str | AsyncIterator[str]: ...


class Speaker(Protocol):
    """Speaks texts; bytes alone are speech, and so are pieces of bytes."""

    def __call__(
        self, request: SpeechRequest, context: Context, /
    ) -> Awaitable[Speech | bytes] | Speech | bytes | AsyncIterator[bytes]: ...


class Catalog(Protocol):
    """The application's own register of what answers to which model name."""

    async def list(self, context: Context) -> Mapping[str, Info]:
        """The names to show to this caller."""
        ...

    async def load(self, target: str, context: Context) -> tuple[Agent, Info]:
        """What answers to `target`.

        Raises:
            NotFound: nothing does.
            Forbidden: this caller may not use it.
        """
        ...


class Ledger(Protocol):
    """The record of work that must happen at most once.

    All calls are atomic, also among processes that share a ledger, and all of what they wrote is kept when the
    process dies right after. What is to be written is taken over before anything is awaited: a caller that is
    cancelled while it waits for `settle` has settled.
    """

    async def claim(self, key: str, fingerprint: str = "", *, keep_s: float, again: bool = False) -> Claim:
        """Take the work of `key`, if nobody has: `fresh` says that the caller has it now and must settle it.

        A row of another `fingerprint` is a `conflict`, whatever its state. With `again`, a row that is settled and
        delivered counts as none. The row is kept `keep_s` seconds after it was claimed, and `running` while the work
        goes on. A caller that is cancelled while it waits has claimed nothing.

        Raises:
            StoreFailed: the ledger cannot be read or written; nothing is claimed.
        """
        ...

    async def settle(self, key: str, record: Json, *, keep_s: float) -> None:
        """Say what became of the work of `key`, which the caller has claimed; kept `keep_s` seconds from now.

        Raises:
            StoreFailed: it could not be written, or nobody has claimed it.
        """
        ...

    async def deliver(self, key: str) -> None:
        """Note that the answer that tells of settled work reached its end; nothing if there is no such row.

        Raises:
            StoreFailed: it could not be written.
        """
        ...

    async def look(self, key: str, fingerprint: str | None = None) -> Claim | None:
        """What the row of `key` says, without taking anything; `None` if there is none.

        With a `fingerprint`, a row of another one is a `conflict`.

        Raises:
            StoreFailed: the ledger cannot be read.
        """
        ...

    async def aclose(self) -> None:
        """Let go of what the ledger holds; harmless when done before, and a later call takes hold of it again."""
        ...


def as_async(port: Any, *methods: str) -> Callable[..., Awaitable[Any]]:
    """The async function behind a one-method port.

    `port` is a function, sync or async, or an object with one of `methods` (the first that it has) or `__call__`.
    A sync function runs in place: it must not block; a sync action is what runs in a thread. What a sync function
    returns may be awaitable.

    Raises:
        TypeError: `port` is none of these, or a class instead of an instance.
    """
    if isinstance(port, type):
        raise TypeError(f"{port.__name__} is a class; give an instance of it")
    candidates = (*(getattr(port, name, None) for name in methods), port)
    found: Any = next((candidate for candidate in candidates if callable(candidate)), None)
    if found is None:
        expected = " or ".join(("a function", *(f"an object with {name}" for name in methods)))
        raise TypeError(f"{type(port).__name__} is not {expected}")
    if inspect.iscoroutinefunction(found) or inspect.iscoroutinefunction(type(found).__call__):
        return cast("Callable[..., Awaitable[Any]]", found)

    async def call(*args: Any) -> Any:
        value = found(*args)
        return await value if inspect.isawaitable(value) else value

    return call


__all__ = [
    "Agent",
    "Catalog",
    "Classifier",
    "Decider",
    "Engine",
    "Extractor",
    "IdentityProvider",
    "Ledger",
    "Middleware",
    "Proposing",
    "Provider",
    "ReasoningEngine",
    "Selector",
    "Speaker",
    "Step",
    "Synthesizer",
    "Transcriber",
    "as_async",
]
