"""Where the turn stands and what the user said in it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from ..base import V
from ..body import Body
from ..parts import Message, Text, ToolCall
from ..request import Request, Source
from . import side_calls
from .answers import is_answer
from .wrappers import Unwrapped, Wrapper, compiled, unwrap

Kind: TypeAlias = Literal["request", "continuation", "side_call", "prefill", "answer", "none"]

_RAW = 131_072  # code points of the last messages; beyond them nothing is unwrapped
_EACH = (
    64  # code points that a message and each of its parts count in addition, for the work that any of them is
)
_SYSTEMS = 1_000  # messages of a system prompt; beyond them nobody looks for signs
_SCANNED = 16_777_216  # code points of the system prompt that are searched for what a client repeats


class Utterance(V, frozen=True, kw_only=True):
    """What the user said and in which kind of turn.

    `request`: the user asks for something new. `answer`: the user says yes, no or chooses, right after the assistant
    spoke. `continuation`: the turn goes on after a tool's or a program's result. `side_call`: the client asks for
    itself (a title, a summary, a label). `prefill`: the assistant's words are to be continued. `none`: nobody can tell.

    `text` holds the user's own words for a request and an answer and is `""` for all else: those of the last message
    that has any. `before` holds what the user said in messages between the assistant's last and that one; a plain yes
    is none when it follows a no. `reason` says in one sentence why, without quoting anything; `wrapper` names the
    rules that took something off.
    """

    kind: Kind
    text: str = ""
    before: str = ""
    reason: str = ""
    wrapper: str = ""


class _Turn(NamedTuple):
    """The messages after the last assistant or tool message, and that message."""

    run: list[Message]
    before: Message | None


class _Said(NamedTuple):
    """The words of a turn, and what took them out of their wrapping."""

    text: str
    before: str
    names: tuple[str, ...]


class Reader:
    """Reads what the user said; `wrappers` are the host's own rules, tried before the built-in ones.

    Call it with a request, or `read` with a body. A reader that an interception uses is in the context of its
    requests, for components that read earlier turns.

    `longest` is the number of code points up to which words count as a request.

    Raises:
        re.error: the pattern of a wrapper is not a regular expression.
        ValueError: a wrapper has neither a pattern nor a function, or both.
    """

    __slots__ = ("_longest", "_wrappers")

    def __init__(self, *, wrappers: Iterable[Wrapper] = (), longest: int = 4000) -> None:
        self._wrappers = compiled(wrappers)
        self._longest = longest

    def __call__(self, request: Request) -> Utterance:
        """What the user said in this request."""
        return self.read(request.body, request.source)

    def read(self, body: Body, source: Source | None = None) -> Utterance:
        """What the user said in this request; `source` is the call as it came, if there was one."""
        turn = _turn(body.messages)
        place = _place(turn)
        if place is not None:
            return place
        if source is not None and source.headers.get("x-initiator", "").lower() == "agent":
            return Utterance(kind="continuation", reason="the client says that an agent started this call")
        systems = _Systems(body.messages)
        if systems.count > _SYSTEMS:
            return Utterance(kind="none", reason="there are too many system messages to look at")
        side = side_calls.of_body(body) or side_calls.of_messages(body.messages, turn.run)
        if side:
            return Utterance(kind="side_call", reason=side)
        said = self._said(turn.run, systems.repeat)
        if systems.tired:
            return Utterance(kind="none", reason="the system prompt is too long to look for repeated words")
        if isinstance(said, Utterance):
            return said
        return self._judge(said, turn, body.messages)

    def _said(self, run: Sequence[Message], repeats: Callable[[str], bool]) -> _Said | Utterance:
        """The words of the last user message that has any; those before it may be instructions about them."""
        names: dict[str, None] = {}
        said: Unwrapped | None = None
        before: list[str] = []
        left = _RAW
        for message in reversed(run):
            if message.role != "user":
                continue
            parts = [part.text for part in message.parts if isinstance(part, Text)]
            left -= sum(map(len, parts)) + _EACH * (len(parts) + 1)
            if left < 0:
                return Utterance(kind="none", reason="the messages are too long to look for the user's words")
            read = _together([unwrap(part, repeats, self._wrappers) for part in parts])
            if said is not None:
                instructions = side_calls.of_instructions(read.text)
                if instructions:
                    return Utterance(kind="side_call", reason=instructions)
                before += [read.text or message.text] if read.text or read.doubt else []
                continue
            names.update(dict.fromkeys(read.names))
            if read.doubt:
                return Utterance(kind="none", reason=read.doubt, wrapper=", ".join(names))
            if read.feedback:
                reason = "the text is a program's result"
                return Utterance(kind="continuation", reason=reason, wrapper=", ".join(names))
            if read.text:
                said = read._replace(names=tuple(names))
        if said is not None:
            return _Said(said.text, "\n".join(reversed(before)), said.names)
        reason = "there are no words of the user's after the last answer"
        return Utterance(kind="none", reason=reason, wrapper=", ".join(names))

    def _judge(self, said: _Said, turn: _Turn, messages: Sequence[Message]) -> Utterance:
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
                before=said.before,
                reason="a short answer to what the assistant said",
                wrapper=wrapper,
            )
        return Utterance(
            kind="request",
            text=said.text,
            before=said.before,
            reason="the last turn is the user's",
            wrapper=wrapper,
        )


def _together(parts: list[Unwrapped]) -> Unwrapped:
    """What the parts of one message say together; a part of the user's by its name leaves the others no say."""
    doubt = next((part.doubt for part in parts if part.doubt), "")
    enveloped = [part for part in parts if part.enveloped]
    others = [part.text for part in parts if part.text and not part.enveloped]
    if len(enveloped) > 1 or (enveloped and any(text[0] != "#" for text in others)):
        doubt = doubt or "there is other text beside the user's block"
    text = "\n".join(part.text for part in enveloped or parts if part.text)
    names = tuple(name for part in parts for name in part.names)
    return Unwrapped(text, names, any(part.feedback for part in parts), doubt)


class _Systems:
    """The system prompt, looked at only when a text has a last paragraph that it may repeat.

    `tired` says that there was more to search than is worth it, so nothing is known.
    """

    __slots__ = ("_left", "_messages", "_text", "tired")

    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = [message for message in messages if message.role in ("system", "developer")]
        self._text: str | None = None
        self._left = _SCANNED
        self.tired = False

    @property
    def count(self) -> int:
        """How many messages it is made of."""
        return len(self._messages)

    def repeat(self, paragraph: str) -> bool:
        """Whether a system message has this paragraph, which holds no empty line, on lines of its own."""
        if self._text is None:
            self._text = "\n" + "\n\n".join(message.text for message in self._messages) + "\n"
        self._left -= len(self._text)
        self.tired = self._left < 0
        return not self.tired and f"\n{paragraph}\n" in self._text


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


def _another_speaker(run: Sequence[Message], messages: Sequence[Message]) -> bool:
    """Whether the last user message bears another name than the first: in a group of agents all are users."""
    last = next(message for message in reversed(run) if message.role == "user")
    first = next(message for message in messages if message.role == "user")
    return last.name != first.name


_DEFAULT = Reader()


def utterance(body: Body, source: Source | None = None) -> Utterance:
    """What the user said in this request, by the built-in rules; pure, and linear in the size of the request."""
    return _DEFAULT.read(body, source)
