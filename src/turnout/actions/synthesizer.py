"""Words results without a model: what is said is what the action gave, figure by figure.

Strategy: pure and deterministic. A template words a success; anything that a template cannot word (a failure, a
missing member, a template that raises) gets the default wording, because after an action has run its result must be
told. A failed action is never worded by its template, which speaks of success.
"""

import inspect
import logging
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from turnout.model import NO_TOKENS, ActionIntent, ActionResult, Answer, Reply, Synthesis, Text, V
from turnout.model.errors import Misconfigured

from .declaration import Wordsmith
from .outcome import FAILED, SUCCEEDED, plain
from .phrase import lines, phrase, sentence, words
from .template import Template

_LOG = logging.getLogger(__name__)


class Wording(V, frozen=True, kw_only=True):
    """How the results of one action are worded.

    `name` is the action in words, `template` a format string or a function, `read` what a template shows as the
    parameters of an intent (without it, those that were given), `told` what the parameters are, for questions about
    missing ones.
    """

    name: str = ""
    template: str | Wordsmith | None = None
    read: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    told: dict[str, str] = {}


_Filler: TypeAlias = Callable[[ActionResult, ActionIntent], str | None]


class TemplateSynthesizer:
    """A `Synthesizer` of templates and a plain default.

    `templates` gives, for an action id, a `Wording`, a format string or a function; an action without one gets the
    default wording. Several results make one reply, in order.

    Raises:
        Misconfigured: a template is malformed, or a function that is async.
    """

    def __init__(self, templates: Mapping[str, Wording | str | Wordsmith] | None = None) -> None:
        self._wordings: dict[str, tuple[Wording, _Filler | None]] = {}
        for action_id, given in (templates or {}).items():
            wording = given if isinstance(given, Wording) else Wording(template=given)
            try:
                self._wordings[action_id] = wording, filler(wording)
            except ValueError as error:
                raise Misconfigured(f"the template of action {action_id!r}: {error}") from error

    async def __call__(self, synthesis: Synthesis) -> Reply:
        """The reply that tells all results."""
        return Reply.of(Answer(parts=(Text(text=self.text(synthesis)),), stop="end", usage=NO_TOKENS))

    def text(self, synthesis: Synthesis) -> str:
        """The text that tells all results."""
        intents = synthesis.intent.actions
        told = [
            self._one(result, intents[at] if at < len(intents) else ActionIntent(action_id=result.action_id))
            for at, result in enumerate(synthesis.results)
        ]
        return "\n\n".join(told)

    def _one(self, result: ActionResult, intent: ActionIntent) -> str:
        wording, fill = self._wordings.get(result.action_id, (Wording(), None))
        if fill is not None and result.status != FAILED:
            try:
                text = fill(result, intent)
            except Exception as error:
                _LOG.warning("the template of action %r raised %s", result.action_id, type(error).__name__)
            else:
                if isinstance(text, str) and text:
                    return text
        return default_wording(result, wording)


def filler(wording: Wording) -> _Filler | None:
    """What fills the wording's template; gives `None` for a result that the template is not for.

    Raises:
        ValueError: the template is malformed.
    """
    given = wording.template
    if given is None:
        return None
    if isinstance(given, str):
        template = Template(given)

        def fill(result: ActionResult, intent: ActionIntent) -> str | None:
            return template.fill(_values(wording, result, intent)) if result.status == SUCCEEDED else None

        return fill
    if not callable(given):
        raise ValueError("it is neither a format string nor a function")
    if inspect.iscoroutinefunction(given):
        raise ValueError("a function that words a result is not async")
    return given


def default_wording(result: ActionResult, wording: Wording) -> str:
    """A result in plain words: what was done, with all that it gave, or why it was not."""
    name = wording.name or words(result.action_id.rpartition(".")[2])
    data = result.data or {}
    if result.status == FAILED:
        return _failure(name, data, wording)
    running = f" (reference {result.execution_id})" if result.execution_id else ""
    head = f"{'Done' if result.status == SUCCEEDED else words(result.status).capitalize()}: {_low(name)}{running}"
    if not data:
        return f"{head}."
    if set(data) != {"result"}:
        return "\n".join([f"{head}.", *lines(data)])
    only = data["result"]
    if isinstance(only, str) and only.strip() and result.status == SUCCEEDED and not running:
        return only
    if isinstance(only, list | dict) and only:
        return "\n".join([f"{head}.", *lines(only)])
    return f"{head}: {phrase(only)}"


def _failure(name: str, data: dict[str, Any], wording: Wording) -> str:
    said = [f"Not done: {_low(name)}."]
    said += [_question(each, wording.told) for each in _names(data.get("missing"))]
    invalid = data.get("invalid")
    if isinstance(invalid, dict):
        for each, what in cast("dict[str, Any]", invalid).items():
            said.append(sentence(f"{words(each)}: {phrase(what)}"))
    if unknown := _names(data.get("unknown")):
        said.append(sentence("I don't know what to do with " + ", ".join(words(each) for each in unknown)))
    error = data.get("error")
    if len(said) == 1 and error:
        said.append(sentence(phrase(error)))
    return " ".join(each for each in said if each)


def _question(name: str, told: dict[str, str]) -> str:
    about = told.get(name, "").strip().rstrip(".")
    return f"Which {words(name)}?" + (f" ({about})" if about else "")


def _names(value: Any) -> list[str]:
    return [str(each) for each in cast("list[Any]", value)] if isinstance(value, list) else []


def _low(name: str) -> str:
    """A name inside a sentence; an abbreviation keeps its capitals."""
    return name if name[1:2].isupper() else name[:1].lower() + name[1:]


def _values(wording: Wording, result: ActionResult, intent: ActionIntent) -> dict[str, Any]:
    params = plain(intent.params) if wording.read is None else wording.read(intent.params)
    return {"params": params, **params, **(result.data or {})}
