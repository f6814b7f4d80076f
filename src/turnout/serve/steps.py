"""What answers a request: found in a catalog, and taken for a step whatever it is."""

from typing import Any

from turnout.agents import adapt, checked, is_agent
from turnout.model import Answer, Catalog, Context, Info, Reply, Request, Step, Text, as_async
from turnout.model.errors import BadOutput, CatalogFailed, TurnoutError

from .models import Counted


async def load(catalog: Catalog, name: str, context: Context) -> tuple[Step, Info]:
    """What answers to `name`, and what is told of it.

    Raises:
        TurnoutError: nothing does, or the catalog failed.
    """
    try:
        step, info = await catalog.load(name, context)
        return step if info.unlimited or isinstance(step, Counted) else as_agent(step), info
    except TurnoutError:
        raise
    except Exception as error:
        raise CatalogFailed("turnout: the catalog failed") from error


def as_agent(agent: Any) -> Step:
    """What an application's catalog gave, as a step whose answers are held to what they may be.

    Raises:
        TypeError: it is no agent.
    """
    if is_agent(agent):
        return adapt(agent)
    step = as_async(adapt(agent))

    async def answer(request: Request) -> Reply:
        return checked(as_reply(await step(request)), request)

    return answer


def as_reply(answered: Any) -> Reply:
    """What a step may answer with, as a reply: a `Reply`, an `Answer`, or text.

    Raises:
        BadOutput: it is none of these.
    """
    if isinstance(answered, Reply):
        return answered
    if isinstance(answered, Answer):
        return Reply.of(answered)
    if isinstance(answered, str):
        return Reply.of(Answer(parts=(Text(text=answered),), stop="end"))
    raise BadOutput(f"turnout: a step answers with a Reply, an Answer or text, not {type(answered).__name__}")
