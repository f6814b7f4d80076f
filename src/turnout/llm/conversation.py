"""The conversation as data for a prompt: who said what, the user's own words without their wrapping.

Strategy: each turn is one line of JSON, in which quotes and line breaks are escaped, so that no text can end its
quotation, open a section of the prompt or speak in another's name. Only what users and assistants said is shown:
instructions, tool results and what clients wrap around a message are not part of a conversation.
"""

from typing import Any, Final, Literal

import msgspec

from turnout.model import Body, Message, Prompt, Request, V
from turnout.model.utterance import Reader, Utterance, utterance

TURNS: Final = 12
CHARACTERS: Final = 8_000

_BREAKS: Final = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})
_OWN: Final = frozenset({"request", "answer"})
_READER: Final = Reader()


class Turn(V, frozen=True, kw_only=True):
    """What one of the two said."""

    speaker: Literal["user", "assistant"]
    text: str


class Conversation(V, frozen=True, kw_only=True):
    """The latest turns, oldest first, and `last`, what the user says now; `""` when that is nothing."""

    earlier: tuple[Turn, ...] = ()
    last: str = ""

    def said(self, *, by_assistant: bool = False) -> tuple[str, ...]:
        """What the user said, the latest first; with what the assistant said where that counts too."""
        counts = [turn.text for turn in self.earlier if by_assistant or turn.speaker == "user"]
        return (self.last, *reversed(counts))

    def prompt(self) -> str:
        """The conversation, quoted."""
        prompt = Prompt()
        if self.earlier:
            prompt.add_section("Earlier in the conversation")
            for turn in self.earlier:
                prompt.add_bullet_point(quoted({turn.speaker: turn.text}))
        return str(prompt.add_section("The user's last message", quoted({"user": self.last})))


def quoted(value: Any) -> str:
    """A value as JSON on one line, whatever counts as a line break."""
    return msgspec.json.encode(value).decode().translate(_BREAKS)


def conversation(request: Request) -> Conversation:
    """The conversation of a request: at most 12 turns and 8,000 characters before the last message.

    What the user says now is the `Utterance` of the request's context, where a step has put one there; what was said
    earlier is read by the context's `Reader`, where there is one.
    """
    said = request.context.get(Utterance) or utterance(request.body, request.source)
    if said.kind not in _OWN or not said.text.strip():
        return Conversation()
    return Conversation(earlier=_earlier(request), last=said.text)


def _earlier(request: Request) -> tuple[Turn, ...]:
    reader = request.context.get(Reader, _READER)
    body = request.body
    messages = body.messages
    at = next((at for at in reversed(range(len(messages))) if messages[at].role == "assistant"), -1)
    turns: list[Turn] = []
    left = CHARACTERS
    while at >= 0 and len(turns) < TURNS:
        turn = _turn(body, at, reader)
        at -= 1
        if turn is None:
            continue
        left -= len(turn.text)
        if left < 0:
            break
        turns.append(turn)
    return tuple(reversed(turns))


def _turn(body: Body, at: int, reader: Reader) -> Turn | None:
    message: Message = body.messages[at]
    if message.role == "assistant":
        return Turn(speaker="assistant", text=message.text) if message.text.strip() else None
    if message.role != "user":
        return None
    then = reader.read(msgspec.structs.replace(body, messages=body.messages[: at + 1]))
    return Turn(speaker="user", text=then.text) if then.kind in _OWN and then.text.strip() else None
