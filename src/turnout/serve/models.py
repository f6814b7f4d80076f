"""Names of models and what answers to them: exact names first, then the longest pattern."""

from collections.abc import Awaitable, Mapping
from typing import Any

from turnout.model import Context, Info, Reply, Request, Step, as_async, estimate_tokens
from turnout.model.errors import Misconfigured, NotFound
from turnout.wire.codec import counted


class Counted:
    """A step that also counts: `count` answers a request with the usage that it would have."""

    __slots__ = ("_step", "count")

    def __init__(self, step: Step, count: Step) -> None:
        self._step = step
        self.count = count

    def __call__(self, request: Request) -> Awaitable[Reply]:
        """Answer as the step does."""
        return self._step(request)


def counter(provider: Any) -> Step:
    """What counts tokens for `provider`: its own `count`, else an estimate."""
    count = getattr(provider, "count", None)
    return _estimate if count is None else as_async(count)


async def _estimate(request: Request) -> Reply:
    return Reply.of(counted(estimate_tokens(request.body), estimated=True))


_SHOWN = 100
"""Characters of an unknown name that an error repeats; a client may send megabytes of it."""


class Name:
    """An exact name, or a pattern with one `*` that stands for anything, nothing included.

    Raises:
        Misconfigured: it is empty, or has more than one `*`.
    """

    __slots__ = ("_from", "_least", "_rest", "exact", "head", "tail", "text")

    def __init__(self, text: str) -> None:
        if not text or text.count("*") > 1:
            raise Misconfigured(f"model {text!r}: a name is needed, with one * at most")
        self.text = text
        self.exact = "*" not in text
        self.head, _, self.tail = text.partition("*")
        self._from, self._rest = len(self.head), len(self.tail)
        self._least = self._from + self._rest

    def match(self, name: str) -> str | None:
        """What the `*` stands for in `name`, `""` for an exact one; `None` when they differ."""
        if self.exact:
            return "" if name == self.text else None
        if len(name) >= self._least and name.startswith(self.head) and name.endswith(self.tail):
            return name[self._from : len(name) - self._rest]
        return None


class Models:
    """A catalog of steps by name or pattern; a catalog for everybody, whoever asks."""

    def __init__(self) -> None:
        self._exact: dict[str, tuple[Step, Info]] = {}
        self._patterns: list[tuple[Name, tuple[Step, Info]]] = []

    def add(self, name: Name, step: Step, info: Info) -> None:
        """Let `step` answer to `name`.

        Raises:
            Misconfigured: something does already.
        """
        if name.text in self._exact or any(other.text == name.text for other, _ in self._patterns):
            raise Misconfigured(f"model {name.text!r} is given twice")
        if name.exact:
            self._exact[name.text] = (step, info)
        else:
            self._patterns.append((name, (step, info)))
            self._patterns.sort(key=lambda entry: -len(entry[0].text))

    async def list(self, context: Context) -> Mapping[str, Info]:
        """The exact names."""
        return {name: info for name, (_, info) in self._exact.items()}

    async def load(self, target: str, context: Context) -> tuple[Step, Info]:
        """What answers to `target`.

        Raises:
            NotFound: nothing does.
        """
        found = self._exact.get(target)
        if found is not None:
            return found
        for name, entry in self._patterns:
            if name.match(target) is not None:
                return entry
        raise no_model(target)


class NoCatalog:
    """The catalog of a server that was given none: it lists nothing, and nothing can run."""

    async def list(self, context: Context) -> Mapping[str, Info]:
        """Nothing."""
        return {}

    async def load(self, target: str, context: Context) -> tuple[Step, Info]:
        """Nothing.

        Raises:
            Misconfigured: always.
        """
        raise Misconfigured("turnout: this server has no catalog")


def no_model(name: str) -> NotFound:
    """The error of a name that nothing answers to."""
    shown = name if len(name) <= _SHOWN else name[:_SHOWN] + "..."
    return NotFound(f"the model {shown!r} does not exist", code="model_not_found", param="model")


def renamed(step: Step, name: Name, model: str | None) -> Step:
    """`step`, given requests for `model` instead of the name that the client knows; `None`: as it was sent.

    A `*` in `model` is what the pattern's stands for. A request whose model no longer fits the pattern, because a
    step before replaced it, keeps that one.

    Raises:
        Misconfigured: `model` has a `*` and the name has none.
    """
    if model is None or model == name.text:
        return step
    if "*" not in model:
        fixed: str = model

        async def under_another_name(request: Request) -> Reply:
            return await step(request if request.model == fixed else request.replace(model=fixed))

        return under_another_name
    if name.exact:
        raise Misconfigured(f"model {name.text!r}: {model!r} has a * that stands for nothing")
    head, _, tail = model.partition("*")

    async def under_what_matched(request: Request) -> Reply:
        star = name.match(request.model)
        if star is None:
            return await step(request)
        if not head + star + tail:
            raise no_model(request.model)
        return await step(request.replace(model=head + star + tail))

    return under_what_matched


def as_info(provider: Any) -> Info:
    """What is told of a model that `provider` answers to."""
    return Info(owned_by=str(getattr(provider, "name", "") or "turnout"), unlimited=True)
