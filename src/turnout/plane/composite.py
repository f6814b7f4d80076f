"""Classification in two stages: first which actions, then their parameters."""

from turnout.model import ActionIntent, Ask, Descriptors, Extractor, Intent, Request, Selector
from turnout.model.errors import StageError

from .stage import component, fail


class CompositeClassifier:
    """A classifier of a selector and an extractor, each as small and fast as its one task allows.

    The selector gets the request and all descriptors and gives those of the actions that are asked for, or an `Ask`
    when it cannot tell; the extractor gets the request and only the selected descriptors, and gives the actions'
    intents. A parameter that the request does not give is left out of them. Nothing selected: reasoning answers and
    the extractor is not called.

    Raises:
        TypeError: one of the two is missing or cannot be called.
    """

    __slots__ = ("_extract", "_select")

    def __init__(self, selector: Selector, extractor: Extractor) -> None:
        self._select = component(selector, "a selector", of="CompositeClassifier")
        self._extract = component(extractor, "an extractor", of="CompositeClassifier")

    async def __call__(self, request: Request, descriptors: Descriptors) -> Intent | Ask:
        """Classify one request.

        Raises:
            StageError: a stage failed; its text says `select` or `extract`.
        """
        try:
            selected = await self._select(request, descriptors)
        except Exception as error:
            fail("classify", error, request, what="select: failed")
        if isinstance(selected, Ask):
            return selected
        if not selected:
            return Intent()
        try:
            intents: tuple[ActionIntent, ...] | None = await self._extract(request, tuple(selected))
        except Exception as error:
            fail("classify", error, request, what="extract: failed")
        if intents is None:
            raise StageError("classify", "extract: the extractor gave nothing")
        return Intent(actions=tuple(intents))
