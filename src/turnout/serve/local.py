"""The local tier of one application: fitted from its actions and labelled files, off the event loop.

Strategy: fitting takes seconds and happens once, in a thread, when the application starts or at the first request.
What is read from disk (examples, calibration) is read then, so that an application can be built, and calibrated,
before its calibration exists.
"""

import asyncio
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from turnout.model import Ask, Classification, Descriptors, Intent, Request
from turnout.model.errors import Misconfigured
from turnout.system1.calibration import load
from turnout.system1.cases import Case, read_cases
from turnout.system1.scores import Labelled, Lean, Scores, Thresholds

Examples: TypeAlias = str | Path | Iterable[Case | Labelled]
"""Labelled texts beside those that the actions themselves name: a file, or rows."""


class Tier(Protocol):
    """A fitted classifier of System 1.

    `fingerprint` names what it was fitted from; `calibrated` gives the same as a calibration wants it.
    """

    @property
    def fingerprint(self) -> str:
        """A digest of all that its scores depend on."""
        ...

    @property
    def tier(self) -> str:
        """`local` with an encoder, `lexical` without one."""
        ...

    def score(self, text: str) -> Scores:
        """How surely the text asks for an action, and for which."""
        ...

    def calibrated(self, thresholds: Thresholds, lean: Lean | None = None) -> "Tier":
        """The same tier with these thresholds, and with what labelled rows taught of its first score."""
        ...

    async def __call__(self, request: Request, descriptors: Descriptors) -> Intent | Ask:
        """Which actions the request asks for."""
        ...

    async def explain(self, request: Request, descriptors: Descriptors) -> Classification:
        """The same outcome with its grounds."""
        ...


class Material(NamedTuple):
    """What a tier is fitted from: all actions, rows that ask for them, texts that don't."""

    descriptors: Descriptors
    examples: tuple[Labelled, ...]
    negatives: dict[str, tuple[str, ...]]
    reasoning: tuple[str, ...]


Fit: TypeAlias = Callable[[Material], Tier]


def fit(material: Material) -> Tier:
    """The tier with the local encoder where its weights are installed, else the lexical one; takes seconds.

    Raises:
        Misconfigured: there is nothing to learn from.
    """
    from turnout.system1.classifier import System1Classifier

    return System1Classifier.fit(*material)


class Local:
    """A classifier that is fitted when it is first needed; `prepare` does it beforehand.

    `calibration` is the file with its thresholds; without one the tier's own, careful ones apply.
    """

    def __init__(
        self,
        descriptors: Descriptors,
        negatives: dict[str, tuple[str, ...]],
        *,
        examples: Examples | None = None,
        calibration: str | Path | None = None,
        fit: Fit,
    ) -> None:
        self._descriptors = descriptors
        self._negatives = negatives
        self._examples = examples
        self._calibration = calibration
        self._fit = fit
        self._lock = threading.Lock()
        self._fitted: Tier | None = None
        self._ready: Tier | None = None

    async def __call__(self, request: Request, descriptors: Descriptors) -> Intent | Ask:
        """Which actions the request asks for.

        Raises:
            Misconfigured: examples or calibration cannot be used.
        """
        return await (await self.prepare())(request, descriptors)

    async def explain(self, request: Request, descriptors: Descriptors) -> Classification:
        """The same outcome with its grounds.

        Raises:
            Misconfigured: examples or calibration cannot be used.
        """
        return await (await self.prepare()).explain(request, descriptors)

    async def prepare(self) -> Tier:
        """The tier that decides, fitted and with its thresholds.

        Raises:
            Misconfigured: examples or calibration cannot be used.
        """
        if self._ready is None:
            return await asyncio.to_thread(self._prepare)
        return self._ready

    def fitted(self) -> Tier:
        """The tier without a calibration, for those who make one; blocks while it is fitted.

        Raises:
            Misconfigured: examples cannot be used.
        """
        with self._lock:
            if self._fitted is None:
                self._fitted = self._fit(self.material())
            return self._fitted

    @property
    def calibration(self) -> str | Path | None:
        """The file with the thresholds."""
        return self._calibration

    def texts(self) -> frozenset[str]:
        """All texts that it learns from.

        Raises:
            Misconfigured: examples cannot be read, or name an action that is not there.
        """
        found = self.material()
        said = (text for each in found.descriptors for text in each.examples)
        negatives = (text for texts in found.negatives.values() for text in texts)
        return frozenset((*said, *(row.text for row in found.examples), *negatives, *found.reasoning))

    def material(self) -> Material:
        """What it is fitted from.

        Raises:
            Misconfigured: examples cannot be read, or name an action that is not there.
        """
        ids = frozenset(each.id for each in self._descriptors)
        given = self._examples or ()
        cases = read_cases(given, ids) if isinstance(given, str | Path) else tuple(given)
        rows = tuple(each.labelled if isinstance(each, Case) else each for each in cases)
        for row in rows:
            for unknown in set(row.actions) - ids:
                raise Misconfigured(f"examples: there is no action {unknown!r}")
        return Material(
            self._descriptors,
            tuple(row for row in rows if row.actions),
            self._negatives,
            tuple(row.text for row in rows if not row.actions),
        )

    def _prepare(self) -> Tier:
        tier = self.fitted()
        with self._lock:
            if self._ready is None and self._calibration is not None:
                found = load(self._calibration, tier.fingerprint)
                tier = tier.calibrated(found.thresholds, found.lean)
            self._ready = self._ready or tier
            return self._ready
