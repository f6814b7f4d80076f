"""What the actions of an intent would do, in words for the user."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from turnout.model import ActionIntent, ActionResult, Descriptors, Request
from turnout.model.visible import visible

from .stage import component

Proposals: TypeAlias = tuple[str | ActionResult, ...]
Propose: TypeAlias = Callable[[Request, tuple[ActionIntent, ...], Descriptors], Awaitable[Proposals]]


def proposer(engine: Any) -> Propose:
    """The engine's own `propose` (see `turnout.model.ports.Proposing`), or names and parameters for one without."""
    own = getattr(engine, "propose", None)
    if own is None:
        return _plainly
    ask = component(own, "an engine's propose", of="Interception")

    async def propose(
        request: Request, intents: tuple[ActionIntent, ...], _descriptors: Descriptors
    ) -> Proposals:
        return tuple(await ask(request, intents))

    return propose


async def _plainly(
    _request: Request, intents: tuple[ActionIntent, ...], descriptors: Descriptors
) -> Proposals:
    names = {each.id: each.name for each in descriptors}
    return tuple(
        "\n".join(
            [f"{names.get(intent.action_id, intent.action_id)}?"]
            + [f"- {name}: {value}" for name, value in visible(intent.params).items()]
        )
        for intent in intents
    )
