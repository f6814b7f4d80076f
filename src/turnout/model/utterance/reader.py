"""Where the turn stands and what the user said in it."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from ..base import V
from ..body import Body
from ..parts import Message, Text, ToolCall
from ..request import Source
from . import side_calls
from .answers import is_answer
from .wrappers import Unwrapped, Wrapper, compiled, unwrap

Kind: TypeAlias = Literal["request", "continuation", "side_call", "prefill", "answer", "none"]

_RAW = 262_144  # code points of one message; more is not unwrapped


class Utterance(V, frozen=True, kw_only=True):
    """What the user said and in which kind of turn.

    `request`: the user asks for something new. `answer`: the user says yes, no or chooses, right after the assistant
    spoke. `continuation`: the turn goes on after a tool's or a program's result. `side_call`: the client asks for
    itself (a title, a summary, a label). `prefill`: the assistant's words are to be continued. `none`: nobody can tell.

    `text` holds the user's own words for a request and an answer and is `""` for all else; `reason` says in one
    sentence why, without quoting anything; `wrapper` names the rules that took something off.
    """

    kind: Kind
    text: str = ""
    reason: str = ""
    wrapper: str = ""


class _Turn(NamedTuple):
    """The messages after the last assistant or tool message, and that message."""

    run: list[Message]
    before: Message | None


class Reader:
    """Reads what the user said; `wrappers` are the host's own rules, tried before the built-in ones.

    `longest` is the number of code points up to which words count as a request.

    Raises:
        re.error: the pattern of a wrapper is not a regular expression.
        ValueError: a wrapper has neither a pattern nor a function, or both.
    """

    __slots__ = ("_longest", "_wrappers")

    def __init__(self, *, wrappers: Iterable[Wrapper] = (), longest: int = 4000) -> None:
        self._wrappers = compiled(wrappers)
        self._longest = longest

    def read(self, body: Body, source: Source | None = None) -> Utterance:
        """What the user said in this request; `source` is the call as it came, if there was one."""
        turn = _turn(body.messages)
        place = _place(turn)
        if place is not None:
            return place
        if source is not None and source.headers.get("x-initiator", "").lower() == "agent":
            return Utterance(kind="continuation", reason="the client says that an agent started this call")
        side = side_calls.of_run(turn.run) or side_calls.of_body(body) or _of_systems(body.messages)
        if side:
            return Utterance(kind="side_call", reason=side)
        said = self._said(turn.run, _system(body.messages))
        if isinstance(said, Utterance):
            return said
        return self._judge(said, turn, body.messages)

    def _said(self, run: Sequence[Message], system: str) -> Unwrapped | Utterance:
        """The words of the last user message that has any."""
        names: list[str] = []
        for message in reversed(run):
            if message.role != "user":
                continue
            parts = [part.text for part in message.parts if isinstance(part, Text)]
            if sum(map(len, parts)) > _RAW:
                return Utterance(kind="none", reason="the message is too long to look for the user's words")
            read = [unwrap(part, system, self._wrappers) for part in parts]
            names.extend(name for one in read for name in one.names)
            wrapper = ", ".join(dict.fromkeys(names))
            doubt = next((one.doubt for one in read if one.doubt), "")
            if doubt:
                return Utterance(kind="none", reason=doubt, wrapper=wrapper)
            words = [one.text for one in read if one.text]
            if any(one.feedback for one in read):
                return Utterance(
                    kind="continuation", reason="the text is a program's result", wrapper=wrapper
                )
            if words:
                return Unwrapped("\n".join(words), tuple(dict.fromkeys(names)))
        return Utterance(
            kind="none",
            reason="there are no words of the user's after the last answer",
            wrapper=", ".join(dict.fromkeys(names)),
        )

    def _judge(self, said: Unwrapped, turn: _Turn, messages: Sequence[Message]) -> Utterance:
        """The kind of turn that these words make."""
        wrapper = ", ".join(said.names)
        if len(said.text) > self._longest:
            return Utterance(
                kind="none", reason=f"the text is longer than {self._longest:,} characters", wrapper=wrapper
            )
        side = side_calls.of_text(said.text)
        if side:
            return Utterance(kind="side_call", reason=side, wrapper=wrapper)
        if _another_speaker(turn.run, messages):
            return Utterance(
                kind="none", reason="the last message has another speaker's name", wrapper=wrapper
            )
        if turn.before is not None and is_answer(said.text):
            return Utterance(
                kind="answer",
                text=said.text,
                reason="a short answer to what the assistant said",
                wrapper=wrapper,
            )
        return Utterance(
            kind="request", text=said.text, reason="the last turn is the user's", wrapper=wrapper
        )


def _turn(messages: Sequence[Message]) -> _Turn:
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role in ("assistant", "tool"):
            return _Turn(list(messages[index + 1 :]), messages[index])
    return _Turn(list(messages), None)


def _place(turn: _Turn) -> Utterance | None:
    """The kind of turn where its place decides alone."""
    before = turn.before
    if before is not None and before.role == "tool":
        return Utterance(kind="continuation", reason="the last results are those of tools")
    if before is not None and any(isinstance(part, ToolCall) for part in before.parts):
        return Utterance(kind="continuation", reason="tool calls of the assistant wait for their results")
    if any(message.role == "user" for message in turn.run):
        return None
    if before is not None:
        return Utterance(kind="prefill", reason="the last turn is the assistant's and is to be continued")
    return Utterance(kind="none", reason="there is no message of a user")


def _system(messages: Sequence[Message]) -> str:
    return "\n".join(message.text for message in messages if message.role in ("system", "developer"))


def _of_systems(messages: Sequence[Message]) -> str:
    """Why one of the system messages is that of a side call, `""` if none is."""
    for message in messages:
        if message.role in ("system", "developer"):
            side = side_calls.of_system(message.text)
            if side:
                return side
    return ""


def _another_speaker(run: Sequence[Message], messages: Sequence[Message]) -> bool:
    """Whether the last user message bears another name than the first: in a group of agents all are users."""
    last = next(message for message in reversed(run) if message.role == "user")
    first = next(message for message in messages if message.role == "user")
    return last.name != first.name


_DEFAULT = Reader()


def utterance(body: Body, source: Source | None = None) -> Utterance:
    """What the user said in this request, by the built-in rules; pure, and linear in the size of the request."""
    return _DEFAULT.read(body, source)
