"""Who said what in a conversation: the user's own words without their wrapping, and the assistant's text."""

from typing import Final, Literal

import msgspec

from ..base import V
from ..body import Body
from ..parts import Message
from ..request import Request
from .reader import Reader, Utterance, utterance

TURNS: Final = 12
"""Turns before the last one that are read."""
CHARACTERS: Final = 8_000
"""In code points, of all turns before the last one together."""

_OWN: Final = frozenset({"request", "answer"})
_READER: Final = Reader()


class Turn(V, frozen=True, kw_only=True):
    """What one of the two said."""

    speaker: Literal["user", "assistant"]
    text: str


def turns(request: Request) -> tuple[Turn, ...]:
    """The latest turns of a request, oldest first; the last is what the user says now. None where that's nothing.

    Before it come at most 12 turns of 8,000 code points together. What the user says now is the `Utterance` of the
    request's context, where a step has put one there; what was said earlier is read by the context's `Reader`, where
    there is one. Instructions, tool results and what clients wrap around a message are no part of a conversation.
    """
    said = request.context.get(Utterance) or utterance(request.body, request.source)
    if said.kind not in _OWN or not said.text.strip():
        return ()
    text = f"{said.before}\n{said.text}" if said.before else said.text
    return (*_earlier(request), Turn(speaker="user", text=text))


def _earlier(request: Request) -> tuple[Turn, ...]:
    reader = request.context.get(Reader, _READER)
    body = request.body
    messages = body.messages
    at = next((at for at in reversed(range(len(messages))) if messages[at].role == "assistant"), -1)
    found: list[Turn] = []
    left = CHARACTERS
    while at >= 0 and len(found) < TURNS:
        turn = _turn(body, at, reader)
        at -= 1
        if turn is None:
            continue
        left -= len(turn.text)
        if left < 0:
            break
        found.append(turn)
    return tuple(reversed(found))


def _turn(body: Body, at: int, reader: Reader) -> Turn | None:
    message: Message = body.messages[at]
    if message.role == "assistant":
        return Turn(speaker="assistant", text=message.text) if message.text.strip() else None
    if message.role != "user":
        return None
    then = reader.read(msgspec.structs.replace(body, messages=body.messages[: at + 1]))
    return Turn(speaker="user", text=then.text) if then.kind in _OWN and then.text.strip() else None
