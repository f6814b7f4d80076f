"""Models that are scripted, and that write down what they were asked."""

import datetime
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec

from turnout.model import (
    ActionDescriptor,
    ActionResult,
    Answer,
    Batch,
    Body,
    Intent,
    Message,
    Reply,
    Request,
    Stop,
    Synthesis,
    Text,
    ToolCall,
    Usage,
    unfold,
)
from turnout.model.context import NO_CONTEXT

TODAY = datetime.date(2026, 11, 18)
CREATE = ActionDescriptor(
    id="billing.create_invoice",
    name="create invoice",
    description="Create an invoice for the work of one month",
    schema={
        "type": "object",
        "properties": {
            "customer": {"type": "string", "description": "the name of whoever pays"},
            "month": {"type": "string", "format": "date"},
            "amount": {"type": "string", "format": "decimal"},
        },
        "required": ["customer", "month"],
        "additionalProperties": False,
    },
    examples=("bill Globex for May",),
)
REFUND = ActionDescriptor(
    id="billing.refund",
    name="refund",
    description="Pay money back",
    schema={
        "type": "object",
        "properties": {"euros": {"type": "integer", "minimum": 1}},
        "required": ["euros"],
    },
    destructive=True,
)
STATUS = ActionDescriptor(id="ops.status", name="status", description="Tell how the systems are")
ALL = (CREATE, REFUND, STATUS)
ASKED = "Create an invoice for Acme for March's work"


def user(text: str) -> Message:
    return Message(role="user", parts=(Text(text=text),))


def assistant(text: str) -> Message:
    return Message(role="assistant", parts=(Text(text=text),))


def asking(*said: str | Message, stream: bool = False, context: Any = NO_CONTEXT, **fields: Any) -> Request:
    """A request whose turns alternate between user and assistant, the user first."""
    speakers = (user, assistant)
    messages = [
        each if isinstance(each, Message) else speakers[at % 2](each)
        for at, each in enumerate(said or (ASKED,))
    ]
    return Request(model="m", stream=stream, body=Body(messages=tuple(messages), **fields), context=context)


def text(said: str, *, stop: Stop = "end", usage: Usage | None = None) -> Answer:
    return Answer(parts=(Text(text=said),), stop=stop, usage=usage or Usage())


def json(value: Any) -> Answer:
    return text(msgspec.json.encode(value).decode(), usage=Usage(input=10, output=2))


def called(name: str, value: Any) -> Answer:
    arguments = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return Answer(parts=(ToolCall(call_id="c", name=name, arguments=arguments),), stop="tool_calls")


def selection(*actions: str, verdict: str = "asked") -> Answer:
    return json({"actions": actions, "verdict": verdict})


class Model:
    """An agent that gives its answers in order, the last one again and again; an exception is raised."""

    def __init__(self, *answers: Answer | Exception | Callable[[Request], Any]) -> None:
        self.answers = list(answers)
        self.requests: list[Request] = []
        self.closed = 0

    async def __call__(self, request: Request) -> Reply:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        if not isinstance(answer, Answer):
            answer = answer(request)
        return (
            answer if isinstance(answer, Reply) else Reply.of_batches(once(unfold(answer)), close=self.close)
        )

    async def close(self) -> None:
        self.closed += 1

    @property
    def prompt(self) -> str:
        """All that the last call showed the model: its messages, its tools and the form."""
        return seen(self.requests[-1])


def seen(request: Request) -> str:
    body = request.body
    texts = [message.text for message in body.messages]
    shown = [body.format, *body.tools]
    return "\n".join([*texts, *(msgspec.json.encode(each).decode() for each in shown if each is not None)])


async def once(*batches: Batch) -> AsyncIterator[Batch]:
    for batch in batches:
        yield batch


def results(*given: ActionResult, request: Request | None = None) -> Synthesis:
    return Synthesis(request=request or asking(), intent=Intent(), results=given)


INVOICE = ActionResult(
    action_id="billing.create_invoice",
    status="succeeded",
    data={"number": "R-7", "total": "1250.50", "due": "2026-04-01", "lines": ["a", "b", "c"]},
)


async def template(synthesis: Synthesis) -> Reply:
    """A fallback that is known when seen."""
    return Reply.of(text("From the template: R-7 over 1250.50."))


async def said(reply: Reply) -> str:
    async with reply:
        return (await reply.answer()).text
