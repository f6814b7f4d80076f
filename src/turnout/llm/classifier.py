"""Selection and extraction by models, as one classifier that can explain itself."""

from collections.abc import Callable
from typing import Any

from turnout.model import (
    ActionIntent,
    Agent,
    Ask,
    Candidate,
    Classification,
    Descriptors,
    Intent,
    Reply,
    Request,
)

from .call import OnCall
from .extractor import Extraction, Extractor
from .form import Structured
from .selector import Selection, Selector


class Classifier:
    """A `Classifier` over any agent: a `Selector` and an `Extractor`, so at most one call each.

    They are two calls because each then sees what its task needs and nothing else, and most requests, which ask for
    no action, cost the first alone. `Classifier.of` takes a selector and an extractor with models and agents of their
    own.

    Raises:
        TypeError: the agent is missing or cannot be called.
    """

    __slots__ = ("extractor", "selector")

    def __init__(
        self,
        agent: Agent | Callable[[Request], Reply],
        *,
        model: str = "",
        structured: Structured = "schema",
        on_call: OnCall | None = None,
    ) -> None:
        shared: dict[str, Any] = {"model": model, "structured": structured, "on_call": on_call}
        self.selector = Selector(agent, **shared)
        self.extractor = Extractor(agent, **shared)

    @classmethod
    def of(cls, selector: Selector, extractor: Extractor) -> "Classifier":
        """The classifier of these two."""
        made = cls.__new__(cls)
        made.selector = selector
        made.extractor = extractor
        return made

    async def __call__(self, request: Request, descriptors: Descriptors) -> Intent | Ask:
        """Classify one request; raises what the agents raise, and `BadOutput` as `Extractor` does."""
        selected = await self.selector(request, descriptors)
        if isinstance(selected, Ask):
            return selected
        return Intent(actions=await self.extractor(request, selected)) if selected else Intent()

    async def explain(self, request: Request, descriptors: Descriptors) -> Classification:
        """Classify one request and say what was considered, what is missing and what was left out."""
        selection = await self.selector.select(request, descriptors)
        outcome = self.selector.outcome(selection)
        if isinstance(outcome, Ask) or not outcome:
            considered = tuple(Candidate(action_id=each.id) for each in selection.candidates)
            return Classification(
                outcome=outcome if isinstance(outcome, Ask) else Intent(),
                candidates=considered,
                reason=selection.reason,
            )
        found = await self.extractor.extract(request, outcome)
        return _explained(selection, found)


def _explained(selection: Selection, found: tuple[Extraction, ...]) -> Classification:
    candidates = tuple(
        Candidate(
            action_id=descriptor.id,
            params=each.params,
            missing=descriptor.missing(each.params),
            because=f"the user did not say: {', '.join(each.unsaid)}"
            if each.unsaid
            else "the model chose it",
        )
        for descriptor, each in zip(selection.chosen, found, strict=True)
    )
    return Classification(
        outcome=Intent(
            actions=tuple(ActionIntent(action_id=each.action_id, params=each.params) for each in candidates)
        ),
        candidates=candidates,
    )
