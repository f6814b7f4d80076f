"""An application's actions in front of its models, as one ASGI app.

Strategy: what is registered is only kept; the planes are built from it on first use, once, so that actions, steps
and models may be named in any order. Every model is a control plane: identity, the application's own steps,
interception (absent without actions), and the provider, which sees the replaced name last.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, cast

import msgspec

from turnout.actions import Actions, TemplateSynthesizer
from turnout.model import (
    Body,
    Classifier,
    Context,
    Info,
    Ledger,
    Limits,
    Message,
    Middleware,
    Reply,
    Request,
    Step,
    Store,
    Synthesizer,
    Text,
    as_async,
)
from turnout.plane import (
    ControlPlane,
    Explanation,
    Interception,
    OnDecision,
    Phrases,
    Reasoning,
    Record,
    Shadow,
    Turn,
    append_to,
    reason_with,
)
from turnout.store import MemoryLedger
from turnout.system1 import RulesClassifier

from .answering import Answering
from .asgi import Receive, Scope, Send
from .classifiers import chosen, names_local
from .detached import Runs
from .failure import OnError
from .identifying import identifying, provided_by
from .lifecycle import refuse_continuing
from .local import Examples, Local, fit
from .models import Counted, Models, counter, renamed
from .names import new_id
from .registry import Entry, Registry
from .server import Server, close_all
from .steps import as_reply
from .unserved import Unserved


class _Built:
    """What the registered things make together; `server` is made when something is asked."""

    __slots__ = ("action_ids", "interception", "local", "models", "server")

    def __init__(
        self, models: Models, interception: Interception | None, engine: Actions | None, local: Local | None
    ) -> None:
        self.models = models
        self.local = local
        self.action_ids = () if engine is None else engine.ids
        self.interception = interception
        self.server: Server | None = None


class App(Registry, Unserved):
    """Actions and models, and the ASGI app that serves them.

    `classifier` and `synthesizer` choose and word actions: by default the rules and templates that the actions
    declare. Several classifiers are asked in order until one decides; `"rules"` among them stands for the default,
    `"local"` for the one that learns from the actions' examples and from `examples`, labelled rows or a file of such,
    and acts by the thresholds of the file `calibration`. With `shadow`, a file or a function, nothing acts: decisions
    are recorded there, with the users' words.
    `user_header` and `agent_header` name the request headers that say who asks; they are believed as sent, so
    something in front must set or remove them (`use(UserIdentityMiddleware(...))` asks elsewhere). `limits`,
    `on_error`, `keepalive_s`, `read_s`, `stop_s` (seconds), `open_responses`, `assets`, `transcriber`, `speaker`,
    `store` and `store_default` are those of `Server`. `ledger` records what ran and what waits for a yes, by default
    the store where it can, else memory, which is for one process and forgets at its end;
    `phrases` are the words around a confirmation, `on_decision` is told what was decided about each request, `turn`
    reads what the user said, for clients with wrappings of their own: `Reader(wrappers=[...])`. The app owns the
    providers, the ledger and the deferred work that it is given and closes them with its lifespan.

    Frameworks don't run the lifespan of what is mounted in them: give them `app.lifespan`, or `await app.aclose()`.
    """

    def __init__(
        self,
        *,
        classifier: Classifier | Callable[..., Any] | Sequence[Any] | str | None = None,
        examples: Examples | None = None,
        calibration: str | Path | None = None,
        shadow: str | Path | Record | None = None,
        synthesizer: Synthesizer | Callable[..., Any] | None = None,
        user_header: str | None = None,
        agent_header: str | None = None,
        ledger: Ledger | None = None,
        phrases: Phrases | None = None,
        on_decision: OnDecision | None = None,
        turn: Turn | None = None,
        limits: Limits | None = None,
        on_error: OnError | None = None,
        keepalive_s: float = 15.0,
        read_s: float = 60.0,
        stop_s: float = 5.0,
        open_responses: bool = False,
        assets: Callable[..., Any] | None = None,
        transcriber: Any = None,
        speaker: Any = None,
        store: Store | None = None,
        store_default: bool = False,
    ) -> None:
        super().__init__()
        self._classifier = classifier
        self._learning: dict[str, Any] = {"examples": examples, "calibration": calibration}
        recorder = append_to(shadow) if isinstance(shadow, str | Path) else shadow
        self._shadow = None if recorder is None else Shadow(recorder)
        self._synthesizer = synthesizer
        self._store = store
        self._ledger: Ledger = _ledger(ledger, store)
        self._trust: dict[str, Any] = {
            "ledger": self._ledger,
            "phrases": phrases,
            "on_decision": on_decision,
            "turn": turn,
            "shadow": self._shadow,
        }
        self._identities = identifying(user_header, agent_header)
        self._options: dict[str, Any] = {
            "limits": limits,
            "on_error": on_error,
            "keepalive_s": keepalive_s,
            "read_s": read_s,
            "stop_s": stop_s,
            "open_responses": open_responses,
            "assets": assets,
            "transcriber": transcriber,
            "speaker": speaker,
            "store": store,
            "store_default": store_default,
            "identify": provided_by(user_header),
        }
        self._built: _Built | None = None
        self._runs = Runs()  # this and the next outlive what is built anew after a later registration
        self._deferred: tuple[Any, ...] = ()
        self._created = int(time.time())

    @property
    def on_error(self) -> OnError | None:
        """The hook that is told of failures that are not the client's; `None` where nobody is."""
        return self._options["on_error"]

    @on_error.setter
    def on_error(self, hook: OnError | None) -> None:
        self._options["on_error"] = hook
        self._built = None

    @property
    def providers(self) -> tuple[Any, ...]:
        """What was given to `model`, and what audio is passed on to; each once."""
        audio = (self._options["transcriber"], self._options["speaker"])
        given = [entry.provider for entry in self._entries.values() if entry.info.unlimited]
        given += [backend for backend in audio if hasattr(backend, "forward")]
        return tuple({id(provider): provider for provider in given}.values())

    @property
    def action_ids(self) -> tuple[str, ...]:
        """The ids of all actions, in order of registration.

        Raises:
            Misconfigured: an action cannot work; names it.
        """
        return self._build().action_ids

    # ---- what it makes -------------------------------------------------------------------------------------------

    def build(self) -> Server:
        """The server of what has been registered; built when asked for and when something was added since.

        Raises:
            Misconfigured: an action or a model cannot work; names it.
        """
        built = self._build()
        if built.server is None:
            built.server = Server(
                built.models,
                ready=self._ready,
                prepare=self.prepare,
                owned=self._owned,
                runs=self._runs,
                **self._options,
            )
        return built.server

    def _build(self) -> _Built:
        if self._built is None:
            engine = Actions(*self._sources) if self._sources else None
            local = None if engine is None else self._local(engine)
            interception = self._interception(engine, local)
            models = Models()
            for entry in self._entries.values():
                info = entry.info if entry.info.created else _dated(entry.info, self._created)
                models.add(entry.name, Counted(*self._planes(entry, interception)), info)
            self._built = _Built(models, interception, engine, local)
            self._deferred = () if engine is None else engine.deferred()
        return self._built

    def _interception(self, engine: Actions | None, local: Local | None) -> Interception | None:
        if engine is None:
            return None
        classifier = chosen(self._classifier, {"rules": RulesClassifier(engine.rules()), "local": local})
        synthesizer = self._synthesizer or TemplateSynthesizer(engine.templates())
        return Interception(classifier, engine, cast("Any", synthesizer), **self._trust)

    def _local(self, engine: Actions) -> Local | None:
        """The local tier, if it was asked for."""
        if not names_local(self._classifier):
            return None
        return Local(engine.describe(), engine.negatives(), fit=fit, **self._learning)

    def _planes(self, entry: Entry, interception: Interception | None) -> tuple[Step, Step]:
        """What answers to a model, and what counts its tokens, behind the same steps."""
        chain: list[Middleware] = [*self._identities, *self._steps]
        counting = [*chain]
        if interception is not None and entry.actions:
            chain.append(interception)
        replying = _replying(entry.provider)
        if not (entry.info.continuation or _keeps_histories(entry)):
            replying = _beginning(replying)
        step = renamed(replying, entry.name, entry.model)
        count = renamed(counter(entry.provider), entry.name, entry.model)
        return (
            ControlPlane([*chain, Reasoning(reason_with(step))]).process,
            ControlPlane([*counting, Reasoning(reason_with(count))]).process,
        )

    async def prepare(self) -> None:
        """Get ready to answer, as the lifespan does at its start: the local tier is fitted, in a thread.

        Raises:
            Misconfigured: an action, its examples or the calibration cannot be used.
        """
        local = self._build().local
        if local is not None:
            await local.prepare()

    @property
    def local(self) -> Local | None:
        """The local tier, where `classifier` names it.

        Raises:
            Misconfigured: an action cannot work; names it.
        """
        return self._build().local

    def _owned(self) -> tuple[Any, ...]:
        # The ledger last: what work is stopped is recorded in it.
        return (*self._working(), *self._kept())

    def _working(self) -> tuple[Any, ...]:
        """What keeps tasks and connections of each event loop apart, and closes those of the running one."""
        shadow = () if self._shadow is None else (self._shadow,)
        return (*shadow, *self._deferred, *_closable(self.providers))

    def _kept(self) -> tuple[Any, ...]:
        """What all event loops share."""
        return (self._ledger, *(each for each in _closable((self._store,)) if each is not self._ledger))

    def _ready(self) -> bool:
        return bool(self._entries)

    def _changed(self) -> None:
        self._built = None

    # ---- ASGI ------------------------------------------------------------------------------------------------

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI app."""
        await self.build()(scope, receive, send)

    def lifespan(self, app: Any = None) -> AbstractAsyncContextManager[None]:
        """The lifespan to give to the framework that this is mounted in."""
        return self.build().lifespan(app)

    async def aclose(self) -> None:
        """Close the providers' connections, the ledger and the store; a later request opens them anew.

        Runs that go on without a client are ended before. Call it in the event loop that the app is served in: in
        another one it closes what that one has opened, and a store stays open for those that still use it.
        """
        await close_all((self._runs, *self._owned()))

    async def _leave(self) -> None:
        leaving = [_Leaving(each) for each in self._kept() if hasattr(each, "leave")]
        await close_all((self._runs, *self._working(), *leaving))

    async def __aenter__(self) -> "App":
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()

    # ---- without HTTP ----------------------------------------------------------------------------------------

    def _answering(self) -> Answering:
        return self.build().answering

    async def explain(self, request: Request | str, *, model: str = "") -> Explanation:
        """What would be done with a request, and why; nothing runs.

        Raises:
            TurnoutError: nothing answers to the name, or an action or the classifier failed.
        """
        asked = self._request(request, model)
        built = self._build()
        await built.models.load(asked.model, asked.context)
        if built.interception is None or not self._entry(asked.model).actions:
            return Explanation(reason="requests for this model are not intercepted")
        return await built.interception.explain(asked)

    def _request(self, request: Request | str, model: str) -> Request:
        if isinstance(request, Request):
            return request.replace(model=model) if model else request
        named = [entry for entry in self._entries.values() if entry.name.exact]
        named.sort(
            key=lambda entry: not entry.actions
        )  # a model that actions stand in front of, if there is one
        name = model or (named[0].name.text if named else "")
        said = Message(role="user", parts=(Text(text=request),))
        return Request(model=name, body=Body(messages=(said,)), context=Context(request_id=new_id()))


class _Leaving:
    """Closes what the running event loop has opened of what it shares with others."""

    def __init__(self, shared: Any) -> None:
        self.aclose: Callable[[], Any] = shared.leave


def _ledger(given: Ledger | None, store: Any) -> Ledger:
    """The ledger to use: the one given, else the store where it is one, else memory."""
    if given is not None:
        return given
    return store if all(hasattr(store, name) for name in _OF_LEDGERS) else MemoryLedger()


_OF_LEDGERS = ("claim", "settle", "deliver", "look")


def _replying(provider: Any) -> Step:
    """A provider, or a step that may answer with text or an answer, as a step."""
    step = as_async(provider)

    async def answer(request: Request) -> Reply:
        return as_reply(await step(request))

    return answer


def _keeps_histories(entry: Entry) -> bool:
    """Whether what answers may know what a request goes on from: a provider, or an agent, which is asked elsewhere."""
    return not entry.info.unlimited or hasattr(entry.provider, "chat")


def _beginning(step: Step) -> Step:
    """A function of the application's as a step, for requests that say all of their conversation."""

    async def answer(request: Request) -> Reply:
        source = request.source
        if request.decoded or (source is not None and source.protocol == "openai-responses"):
            refuse_continuing(request)
        return await step(request)

    return answer


def _closable(things: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(thing for thing in things if hasattr(thing, "aclose"))


def _dated(info: Info, created: int) -> Info:

    return msgspec.structs.replace(info, created=created)
