"""A stand-in for a language model: it speaks the real wire protocols on loopback and says that it is one."""

from collections.abc import Mapping

from turnout.model import Agent, Answer, Context, Info, Reply, Request, Text, Usage

NAME = "stand-in"


class StandIn:
    """A catalog in which one canned model answers to every name; `calls` counts what reached it."""

    def __init__(self) -> None:
        self.calls = 0

    async def list(self, context: Context) -> Mapping[str, Info]:
        """The one model."""
        return {NAME: Info(description="a canned stand-in for a language model")}

    async def load(self, target: str, context: Context) -> tuple[Agent, Info]:
        """The one model, whatever it is called."""
        return self._answer, Info()

    async def _answer(self, request: Request) -> Reply:
        self.calls += 1
        said = " ".join(request.last_user_text.split())
        shown = said if len(said) <= 60 else said[:57] + "..."
        text = f"(stand-in model) A real model would answer here: {shown}"
        words = len(text.split())
        usage = Usage(input=sum(len(message.text) for message in request.messages) // 4, output=words)
        return Reply.of(Answer(model=request.model, parts=(Text(text=text),), stop="end", usage=usage))
