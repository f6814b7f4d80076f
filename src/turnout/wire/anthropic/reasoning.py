"""How much a model is to think, in the way that its family takes it."""

from typing import Any

from turnout.model import Body, Reasoning, V
from turnout.model.errors import Unsupported
from turnout.wire.layers import raw_of
from turnout.wire.losses import Losses

from .families import Family
from .members import Wire, form
from .request import read_thinking

BUDGETS = {"minimal": 1_024, "low": 2_048, "medium": 8_192, "high": 16_384, "xhigh": 32_768, "max": 32_768}
"""Tokens of thinking that stand for an effort, for families that take a budget only."""

_LEAST = 1_024
_LEVELS = ("low", "medium", "high", "xhigh", "max")
_SHOWN = {"summary": "summarized", "omitted": "omitted"}


class Thinking(V, frozen=True, kw_only=True):
    """The `members` that say it, whether it is `on`, and the `budget` in tokens, 0 for none."""

    members: dict[str, Any] = {}
    on: bool = False
    budget: int = 0


OFF = Thinking()


def thinking(body: Body, row: Family, forced: bool, losses: Losses) -> Thinking:
    """How the request's reasoning is said to a model of this family.

    `forced`: a tool must be called, which excludes thinking (K19).

    Raises:
        Unsupported: it must not think, and cannot do without.
    """
    reasoning = body.reasoning
    if reasoning is None:
        return OFF
    verbatim = _verbatim(body, reasoning)
    if verbatim is not None:
        return verbatim
    if reasoning.mode == "off" or (reasoning.effort == "none" and reasoning.mode is None):
        if row.thinks == "always":
            raise Unsupported("reasoning_effort", "this model always thinks")
        return OFF if row.thinks == "no" else Thinking(members={"thinking": {"type": "disabled"}})
    effort = _effort(reasoning, row, losses)
    members: Wire = {} if effort is None else {"output_config": {"effort": effort}}
    if row.thinks == "no" or (forced and row.thinks != "always"):
        losses.add("reasoning")
        return Thinking(members=members)
    if forced:
        return Thinking(members=members, on=True)
    way, budget = _way(body, reasoning, row, losses)
    if way is None:
        return Thinking(members=members)
    if reasoning.show in _SHOWN:
        way["display"] = _SHOWN[reasoning.show]
    return Thinking(members={"thinking": way, **members}, on=True, budget=budget)


def _verbatim(body: Body, reasoning: Reasoning) -> Thinking | None:
    """What came in this protocol and still says the same."""
    written, effort = form(body.extra, "thinking"), form(body.extra, "effort")
    if written is None and effort is None:
        return None
    members: Wire = {}
    if written is not None:
        said = read_thinking(raw_of(written))
        if said is None or (said.mode, said.budget, said.show) != (
            reasoning.mode,
            reasoning.budget,
            reasoning.show,
        ):
            return None
        members["thinking"] = raw_of(written)
    if effort is not None and reasoning.effort is not None:
        members["output_config"] = {"effort": reasoning.effort}
    return Thinking(members=members, on=reasoning.mode in ("on", "adaptive"))


def _effort(reasoning: Reasoning, row: Family, losses: Losses) -> str | None:
    """The effort at the highest level that the family has and that is not above what was asked for."""
    wanted = reasoning.effort
    if wanted is None or wanted == "none" or not row.efforts:
        return None
    if wanted == "minimal":
        losses.add("reasoning_effort")
        return row.efforts[0]
    if wanted in row.efforts or wanted not in _LEVELS:
        return wanted
    losses.add("reasoning_effort")
    below = [level for level in row.efforts if _LEVELS.index(level) < _LEVELS.index(wanted)]
    return below[-1]


def _way(body: Body, reasoning: Reasoning, row: Family, losses: Losses) -> tuple[Wire | None, int]:
    """The `thinking` member and its budget; none where there is no room for one."""
    if row.thinks in ("adaptive", "always") or (row.thinks == "both" and reasoning.budget is None):
        if reasoning.budget is not None:
            losses.add("reasoning.budget")
        return {"type": "adaptive"}, 0
    budget = reasoning.budget or BUDGETS.get(reasoning.effort or "medium", BUDGETS["medium"])
    if not row.efforts and reasoning.effort is not None and reasoning.budget is None:
        losses.add("reasoning_effort")
    limit = body.max_tokens if body.max_tokens is not None else row.output
    if limit is not None and budget >= limit:
        budget = limit // 2
    if budget < _LEAST:
        losses.add("reasoning")
        return None, 0
    return {"type": "enabled", "budget_tokens": budget}, budget
