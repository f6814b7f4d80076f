"""Which requests an action's reply cannot answer, so that they go on without being classified.

An action's reply is one answer of plain text, now. A request that asks for another form, or that is not the user's
own new request, is not for actions.
"""

from typing import Final

from turnout.model import Body, Extra
from turnout.model.utterance import Utterance

LONGEST_UTTERANCE: Final = 4_000
"""In code points: what is longer is a text to work on rather than a request for an action."""

_THE_USERS_OWN: Final = frozenset({"request", "answer"})
# Members that the model does not name and that a codec lists as `must`, since their value asks for more than usual.
_MEMBERS: Final = {
    "n": "several answers",
    "candidateCount": "several answers",
    "logprobs": "log probabilities",
    "top_logprobs": "log probabilities",
    "responseLogprobs": "log probabilities",
    "response_format": "a form of its own",
    "modalities": "output other than text",
    "function_call": "a function call",
}


def unfit_turn(said: Utterance) -> str:
    """Why what the user said is no request for an action; `""` when it may be."""
    if said.kind not in _THE_USERS_OWN:
        return f"the turn is not the user's own ({said.kind})" + (f": {said.reason}" if said.reason else "")
    if not said.text.strip():
        return "the user said nothing"
    if len(said.text) > LONGEST_UTTERANCE:
        return f"what the user said is longer than {LONGEST_UTTERANCE} code points"
    return ""


def unfit_form(body: Body) -> str:
    """Why the answer that is asked for cannot be an action's; `""` when it can.

    A store of ours has put the history in place of `previous` before; where it still stands, who keeps that history is
    the model's provider, and what an action answers would be missing from it.
    """
    if body.background:
        return "it asks for an answer in the background"
    if body.previous is not None or body.conversation is not None:
        return "it goes on from what is kept elsewhere"
    if body.output - {"text"}:
        return f"it asks for {', '.join(sorted(body.output - {'text'}))} output"
    if body.format is not None and body.format.kind != "text":
        return "it asks for JSON"
    if body.tool_choice is not None and body.tool_choice.mode == "required":
        return "it asks for a tool call"
    return "" if body.extra is None else _unfit_members(body.extra)


def _unfit_members(extra: Extra) -> str:
    for name in sorted(extra.must):
        if name in _MEMBERS:
            return f"it asks for {_MEMBERS[name]}"
    return "it asks for log probabilities" if "logprobs" in extra.members.get("include", "") else ""
