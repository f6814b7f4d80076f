"""What an answer to the assistant's question fills in a call that lacks something."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from .calls import Call, Extract, Extraction, Schema, call_of, filled, named, only
from .clauses import lowered
from .coordination import coordinations
from .joined import joined
from .leftover import blanked, content, content_words
from .proper import takes_any_text
from .withdrawal import is_unknowing

_DATED: Final = frozenset({"date", "date-time"})
_LEADING: Final = re.compile(
    r"(?i:(?:please )?(?:say|write|put|tell (?:him|her|them))(?:\s*[:,]\s*|\s+that\s+)|that\s+)(?=\S)"
    r"|(?i:(?:it'?s|it is|just|call it|make it)\s+)(?=[\"'\u201cA-Z\d])"
)
"""Before the words that a text is to be: "that I'm late", "say: back soon", "it's Bo"."""
_EITHER: Final = re.compile(
    r"(?:either )?(?P<one>\S+(?: \S+){0,2}),? (?:or|oder|ou|oppure) (?P<other>\S+(?: \S+){0,2})",
    re.IGNORECASE,
)
_LONGEST_TEXT: Final = 200  # code points


class _At(NamedTuple):
    """A value and where it stands."""

    value: Any
    start: int
    end: int


class _Values(NamedTuple):
    """Values that were found, and nothing that was not."""

    values: Mapping[str, _At]
    missing: tuple[str, ...] = ()
    ambiguous: Mapping[str, Sequence[Any]] = {}
    invalid: Mapping[str, Any] = {}


def answered(
    calls: Sequence[Call],
    text: str,
    extract: Extract,
    schemas: Mapping[str, Schema],
    *,
    said: str,
    question: str = "",
) -> tuple[Call, ...]:
    """The calls with what is open in them taken from the words, none where these fill nothing.

    An answer that names some of the calls by a value of theirs is for these, any other for all that lack what it
    says. `said` are the words in which the calls were asked for, `question` is what the assistant asked.
    """
    if is_unknowing(lowered(text)):
        return ()
    if sum(bool(call.open) for call in calls) > 1 and (named_ones := _by_name(calls, text, extract, schemas)):
        return tuple(named_ones.get(at, call) for at, call in enumerate(calls))
    made: list[Call] = []
    told = False
    for call in calls:
        schema = schemas.get(call.action_id, {})
        filling = _filled(call, text, extract, schema, said) if call.open else ()
        filling = filling or _free_text(call, schema, text, question)
        told = told or bool(filling)
        made += filling or (call,)
    return tuple(made) if told else ()


def _by_name(
    calls: Sequence[Call], text: str, extract: Extract, schemas: Mapping[str, Schema]
) -> dict[int, Call]:
    """The calls that an answer names, filled, by their places: "two weeks for M1001 and three for M1002"."""
    waiting = {at: call for at, call in enumerate(calls) if call.open}
    if len({call.action_id for call in waiting.values()}) > 1:
        return {}
    action_id = next(iter(waiting.values())).action_id
    schema = schemas.get(action_id, {})
    found = extract(action_id, schema, text)
    whole = call_of(action_id, found, schema)
    made: dict[int, Call] = {}
    for record in joined(whole, found, text, extract, schema) or (whole,):
        meant = [at for at, call in waiting.items() if _is_named(call, record)]
        if len(meant) != 1 or meant[0] in made:
            return {}
        [at] = meant
        made[at] = filled(
            waiting[at], {name: record.params[name] for name in waiting[at].open if name in record.params}
        )
    return made


def _is_named(call: Call, record: Call) -> bool:
    """Whether what is said has values of the call, and none against it."""
    both = call.params.keys() & record.params.keys()
    return bool(both) and all(call.params[name] == record.params[name] for name in both)


def _filled(waiting: Call, text: str, extract: Extract, schema: Schema, said: str) -> tuple[Call, ...]:
    """The call with what was open in it taken from the words, as far as they say it; several for joined values."""
    found = _counted_on(waiting, text, extract, schema, said) or extract(
        waiting.action_id, only(schema, waiting.open), text
    )
    if not found.values and found.ambiguous:
        several = joined_answers(waiting, extract, schema, waiting.open, text)
        if several:
            return several
    if not found.values and not found.ambiguous and not found.invalid:
        return ()
    call = filled(waiting, {name: each.value for name, each in found.values.items()})
    rest = blanked(text, found)
    others = [name for name in named(schema) if name not in call.params and name not in waiting.open]
    if others and content(rest):
        more = extract(waiting.action_id, only(schema, others), rest)
        call = filled(call, {name: each.value for name, each in more.values.items()})
    doubtful = {**found.ambiguous, **found.invalid}
    return (
        msgspec.structs.replace(
            call,
            ambiguous={**call.ambiguous, **{name: tuple(each) for name, each in found.ambiguous.items()}},
            invalid={**call.invalid, **found.invalid},
            missing=tuple(name for name in call.missing if name not in doubtful),
        ),
    )


def joined_answers(
    call: Call, extract: Extract, schema: Schema, names: Sequence[str], text: str
) -> tuple[Call, ...]:
    """One call for each of several joined values of some parameters, none where a text joins none."""
    part = only(schema, names)
    for texts in coordinations(f". {text}"):
        found = [extract(call.action_id, part, each) for each in texts]
        if all(each.values and not each.ambiguous for each in found):
            return tuple(
                filled(call, {name: value.value for name, value in each.values.items()}) for each in found
            )
    return ()


def _counted_on(waiting: Call, text: str, extract: Extract, schema: Schema, said: str) -> Extraction | None:
    """A date that is counted from one that was said: "the 9th" after "from 5 October"."""
    properties = named(schema)
    dated = [name for name in waiting.open if properties[name].get("format") in _DATED]
    known = [name for name in waiting.params if properties[name].get("format") in _DATED]
    if not dated or not known or not said:
        return None
    before = extract(waiting.action_id, only(schema, [*known, *dated]), f"{said.rstrip('.!')} {text}")
    whole = all(name in before.values for name in dated) and all(
        name in before.values and before.values[name].value == waiting.params[name] for name in known
    )
    if not whole:
        return None
    alone = extract(waiting.action_id, only(schema, dated), text)
    return _Values(
        {name: _At(before.values[name].value, found.start, found.end) for name, found in alone.values.items()}
    )


def _free_text(waiting: Call, schema: Schema, text: str, question: str) -> tuple[Call, ...]:
    """The words as they are, where one text of any kind is asked for; of two that are offered neither."""
    if not waiting.open or len(text) > _LONGEST_TEXT:
        return ()
    wants = named(schema)
    texts = [name for name in waiting.open if takes_any_text(wants.get(name, {}))]
    if len(waiting.open) > 1:
        texts = [name for name in texts if is_about(wants[name], name, question)]
    if len(texts) != 1:
        return ()
    [name] = texts
    either = _EITHER.fullmatch(text.strip().rstrip("."))
    if either is not None:
        doubtful = {**waiting.ambiguous, name: (either["one"], either["other"])}
        missing = tuple(each for each in waiting.missing if each != name)
        return (msgspec.structs.replace(waiting, ambiguous=doubtful, missing=missing),)
    said = _LEADING.sub("", text.strip(), count=1).rstrip(".")
    return (filled(waiting, {name: _unquoted(said)}),)


def is_about(wants: Mapping[str, Any], name: str, question: str) -> bool:
    """Whether a question asks for a parameter: by its name, a word that describes it, or its choices."""
    said = set(content_words(question.replace("?", " ")))
    choices = [str(each) for each in wants.get("enum") or ()]
    known = {*name.lower().split("_"), *content_words(str(wants.get("description") or ""))}
    if any(set(content_words(each.replace("_", " "))) & said for each in choices):
        return True
    return bool(known & said) or (wants.get("format") in _DATED and bool({"when", "day"} & said))


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 2 and text[0] == text[-1] and text[0] in "\"'" else text
