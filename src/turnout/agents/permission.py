"""What an agent may emit for one request: what it declared, what the client asked for, and what was accepted.

Strategy: the answer's grammar and size are the reducer's matter; this is about what the parts are. What nobody asked
for to see, an agent's thoughts, is left out; what was not declared or asked for and would be an answer is refused.
"""

from collections.abc import Awaitable, Callable

from turnout.model import (
    AnyPart,
    Body,
    Event,
    Info,
    Limits,
    Media,
    PartEnd,
    PartStart,
    Request,
    Signal,
    Text,
    Thinking,
    ToolCall,
    V,
)
from turnout.model.errors import AgentFailed, BadOutput

IMAGE_TOOL = "image_generation"
"""The hosted tool of Responses by which a client asks for images."""


class Run(V, frozen=True, kw_only=True):
    """What was decided about a run before it starts; travels in the request's context.

    `info` is what the agent declares, `None` where nobody knows: nothing is checked then. `activity`: whether activity
    may be emitted. `stop_s`: seconds that the agent has to end when it is cancelled; then it is left to itself, and
    `left` is told.
    """

    info: Info | None = None
    limits: Limits = Limits()
    activity: bool = False
    stop_s: float = 5.0
    left: Callable[[AgentFailed, Request], Awaitable[None]] | None = None


class Permission:
    """Checks the parts of one answer.

    `thoughts`: whether thinking is shown.
    """

    __slots__ = ("_activity", "_body", "_calls", "_info", "thoughts")

    def __init__(self, run: Run, request: Request) -> None:
        info = run.info
        self._info = None if info is None or info.unlimited else info
        self._body = request.body
        self._activity = run.activity or info is None
        self._calls: set[str] = set()
        self.thoughts = shows_thoughts(self._body) or info is None or bool(info.reasoning)

    def check(self, event: Event) -> None:
        """Let `event` pass.

        Raises:
            BadOutput: it may not be emitted.
        """
        match event:
            case PartStart(part=part):
                self._part(part)
            case PartEnd(whole=Media() as whole):
                self._media(whole)
            case Signal(kind="activity") if not self._activity:
                raise BadOutput("the agent emitted activity, which this run may not")
            case _:
                pass

    def _part(self, part: AnyPart) -> None:
        match part:
            case ToolCall():
                self._call(part)
            case Media():
                self._media(part)
            case Text() if self._info is not None and "text" not in self._info.output:
                raise BadOutput("the agent emitted text, which it did not declare")
            case _:
                pass

    def _call(self, call: ToolCall) -> None:
        if not call.call_id or not call.name:
            raise BadOutput("a tool call needs a call id and a name")
        if call.call_id in self._calls:
            raise BadOutput("the agent used a call id twice")
        self._calls.add(call.call_id)
        if self._info is None:
            return
        if not self._info.client_tools:
            raise BadOutput("the agent called a tool of the client, which it did not declare")
        choice = self._body.tool_choice
        offered = {tool.name for tool in self._body.tools}
        if call.name not in offered or (choice is not None and choice.mode == "none"):
            raise BadOutput("the agent called a tool that the client does not offer")

    def _media(self, part: Media) -> None:
        if part.kind not in ("image", "audio"):
            raise BadOutput(f"an answer holds no {part.kind}")
        if self._info is None:
            return
        if part.kind == "image" and self._info.image_generation and asks_for_images(self._body):
            return
        if part.kind not in self._info.output:
            raise BadOutput(f"the agent emitted {part.kind}, which it did not declare")
        if part.kind not in self._body.output:
            raise BadOutput(f"the agent emitted {part.kind}, which was not asked for")


def asks_for_images(body: Body) -> bool:
    """Whether the client offers the hosted tool that makes images."""
    return any(tool.kind == "hosted" and tool.name == IMAGE_TOOL for tool in body.tools)


def shows_thoughts(body: Body) -> bool:
    """Whether the client asked to see thoughts."""
    reasoning = body.reasoning
    if reasoning is None:
        return False
    if reasoning.show is not None:
        return reasoning.show != "omitted"
    return reasoning.mode in ("on", "adaptive")


def is_thought(part: AnyPart) -> bool:
    """Whether a part is shown only on demand."""
    return isinstance(part, Thinking)


__all__ = ["IMAGE_TOOL", "Permission", "Run", "asks_for_images", "is_thought", "shows_thoughts"]
