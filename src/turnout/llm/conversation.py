"""The conversation as data for a prompt: who said what, the user's own words without their wrapping.

Strategy: each turn is one line of JSON, in which quotes and line breaks are escaped, so that no text can end its
quotation, open a section of the prompt or speak in another's name. Only what users and assistants said is shown:
instructions, tool results and what clients wrap around a message are not part of a conversation.
"""

from typing import Any, Final

import msgspec

from turnout.model import Prompt, Request, V
from turnout.model.utterance import Turn, turns

_BREAKS: Final = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})


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
    """The conversation of a request, see `turnout.model.utterance.turns`; empty when the user says nothing now."""
    found = turns(request)
    return Conversation(earlier=found[:-1], last=found[-1].text) if found else Conversation()
