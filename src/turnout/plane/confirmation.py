"""Confirmations that a client's history cannot forge.

Strategy: what a yes runs is what was stored when the question was put, never what a request says. Each question
carries a reference of its own, so that two that are open at once are two. The last message of the assistant must be
the question to the letter and the caller the same; anything else than a plain yes ends the question for good.
"""

import re
import secrets
from collections.abc import Callable
from typing import Final, Literal

import msgspec

from turnout.model import Descriptors, Intent, Ledger, Request, V
from turnout.model.ledger import Identity, caller, digest
from turnout.model.utterance import consent

from .once import KEEP_S, Once

EXPIRES_S: Final = 600.0
"""How long a question may be answered with yes."""

_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_REFERENCE: Final = re.compile(r"\b[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}\b")


class Phrases(V, frozen=True, kw_only=True):
    """What is said around a confirmation, for hosts that speak another language.

    `closing` follows every question and must hold `{reference}`, which binds a yes to it; `several` comes before the
    questions of a request for more than one action.

    Raises:
        ValueError: `closing` has no `{reference}`.
    """

    several: str = "Shall I do all of this?"
    closing: str = "Please answer yes or no. (Reference {reference})"
    cancelled: str = "All right, nothing was done."
    expired: str = "That question has expired, and nothing was done. Please ask again."
    withdrawn: str = "That cannot be done any more, and nothing was done."
    altered: str = "Your answer is not to the question that I asked, so nothing was done. Please ask again."

    def __post_init__(self) -> None:
        if "{reference}" not in self.closing:
            raise ValueError("closing holds no {reference}")


class Heard(V, frozen=True, kw_only=True):
    """What the user's words are to an open question.

    `yes`: the run `who` may happen, of `intent`. `no`: it was refused now or before, or was done before; `text` says
    so. `other`: they are no answer; the question is closed and the request goes its way.
    """

    kind: Literal["yes", "no", "other"]
    intent: Intent = Intent()
    who: Identity
    text: str = ""


class _Question(V, frozen=True, kw_only=True):
    intent: Intent
    text: str
    """A digest."""


class Confirmations:
    """Puts questions and hears answers, with a ledger.

    `new_reference` makes the references, 8 letters and digits that nobody can guess.
    """

    __slots__ = ("_ledger", "_new_reference", "_once", "_phrases")

    def __init__(
        self,
        ledger: Ledger,
        *,
        phrases: Phrases | None = None,
        new_reference: Callable[[], str] | None = None,
    ) -> None:
        self._ledger = ledger
        self._once = Once(ledger)
        self._phrases = phrases or Phrases()
        self._new_reference = new_reference or _reference

    async def put(self, request: Request, intent: Intent, proposals: tuple[str, ...]) -> str:
        """Store what a yes will run; the question to put to the user.

        Raises:
            StoreFailed: the ledger cannot be written.
        """
        reference = self._new_reference()
        lines = list(proposals) if len(proposals) == 1 else [self._phrases.several, *_list(proposals)]
        text = "\n\n".join(["\n".join(lines), self._phrases.closing.replace("{reference}", reference)])
        row = _Question(intent=intent, text=_digest(text))
        key = _key("ask", request, reference)
        await self._ledger.claim(key, keep_s=KEEP_S)
        await self._ledger.settle(key, msgspec.json.encode(row, enc_hook=str).decode(), keep_s=KEEP_S)
        return text

    async def hear(self, request: Request, words: str, descriptors: Descriptors) -> Heard | None:
        """What the user's `words` are to the question that the assistant put last; `None` if it put none.

        A yes to an action that is no longer among the `descriptors` of what the caller may do comes too late.

        Raises:
            StoreFailed: the ledger cannot be used.
        """
        asked = _last_of_assistant(request)
        reference = _last_reference(asked)
        if not reference:
            return None
        row = await self._ledger.look(_key("ask", request, reference))
        if row is None or row.state != "done":
            return None
        question = msgspec.json.decode(row.record, type=_Question)
        who = Identity(key=_key("yes", request, reference), fingerprint="", keyed=True, repeats=False)
        said = consent(words)
        late = self._too_late(question.intent, row.age_s, descriptors)
        altered = self._phrases.altered if _digest(asked) != question.text else ""
        fault = (altered or late) if said == "yes" else ""
        if said == "yes" and (not fault or (fault == late and await self._is_taken(who))):
            return Heard(kind="yes", intent=question.intent, who=who)
        refused = await self._once.refuse(who)
        if said is None:
            return Heard(kind="other", who=who)
        if said == "no" and not refused:
            # It was answered before: what came of it is told, be it that it was done.
            return Heard(kind="yes", intent=question.intent, who=who)
        return Heard(kind="no", intent=question.intent, who=who, text=fault or self._phrases.cancelled)

    @property
    def cancelled(self) -> str:
        """What is said of a question that was closed."""
        return self._phrases.cancelled

    def _too_late(self, intent: Intent, age_s: float, descriptors: Descriptors) -> str:
        if age_s >= EXPIRES_S:
            return self._phrases.expired
        allowed = {each.id for each in descriptors}
        return "" if all(each.action_id in allowed for each in intent.actions) else self._phrases.withdrawn

    async def _is_taken(self, who: Identity) -> bool:
        return await self._ledger.look(who.key) is not None


def _last_of_assistant(request: Request) -> str:
    for message in reversed(request.messages):
        if message.role == "assistant":
            return message.text
    return ""


def _last_reference(text: str) -> str:
    found = _REFERENCE.findall(text)
    return found[-1] if found else ""


def _reference() -> str:
    letters = "".join(secrets.choice(_LETTERS) for _ in range(8))
    return f"{letters[:4]}-{letters[4:]}"


def _key(kind: str, request: Request, reference: str) -> str:
    return f"{kind}/{digest(caller(request), reference)}"


def _digest(text: str) -> str:
    """Of the words alone: clients trim messages and break their lines anew."""
    return digest(" ".join(text.split()))


def _list(proposals: tuple[str, ...]) -> list[str]:
    return ["- " + each.replace("\n", "\n  ") for each in proposals]
