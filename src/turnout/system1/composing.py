"""From what a request asks for to calls: each clause with its own values, and with those that it points back to.

Strategy: a clause's own words come first. What it lacks it takes from the statement beside it ("my card L-7 is lost,
block it"), then from the calls before it, where its words point there: with a pronoun ("send it"), with the
parameter's name ("move the deal"), or because the value is a reference that names one thing only.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Final

import msgspec

from .asked import Asked, Reading
from .calls import Call, Extract, Schema, call_of, filled, named, only
from .coordination import coordinations
from .joined import joined, overheard, strays
from .leftover import blanked, content_words
from .parameters.slots import slots
from .proper import takes_any_text
from .verbs import IMPERATIVES

_MOST_WAYS: Final = 40
_PLURAL: Final = re.compile(r"\b(?:them|those|these|both|beide|sie|les|los|las|li)\b", re.IGNORECASE)
_REFERENCE: Final = re.compile(r"(?!\d{4}-|P\d|PT)(?=\S*\d)(?=\S*[A-Za-z@])\S+")
_SERIAL: Final = re.compile(r"#?\d{4,}")
_ADDITIVE: Final = re.compile(
    r"\b(?:also|another|too|second|as well|auch|aussi|también|anche)\b", re.IGNORECASE
)


def calls(
    reading: Reading, extract: Extract, schemas: Mapping[str, Schema], earlier: Sequence[Call] = ()
) -> tuple[Call, ...]:
    """The actions of a reading with their parameters; none when a part of it isn't understood.

    A clause that joins values ("restart api and web") gives a call for each. One that points back ("and send it to
    Bo") takes what it lacks from the calls before it, of this request or else of `earlier` ones, parameter of the
    same name by name.
    """
    made: list[Call] = []
    group: tuple[Call, ...] = tuple(earlier)
    before: Asked | None = None
    for asked in reading.asked:
        schema = schemas.get(asked.action_id, {})
        own = _calls_of(asked, extract, schema)
        if not own:
            return ()
        if _is_said_already(own, made):
            continue
        if goes_on := _continued(own, asked, made):
            made[-1] = goes_on
            group = (goes_on,)
            continue
        if made and before is not None and _is_elliptical(asked, before, extract, schema):
            own = tuple(filled(call, _lacking(call, made[-1])) for call in own)
        found = _pointed(own, asked, group, made or earlier, schema, schemas)
        made += found
        group, before = found, asked
    return _distinct(made)


def in_order(call: Call, schema: Schema) -> Call:
    """The call, with an end before its beginning as what it is: against all sense, and not to be run."""
    begins, ends = _span_names(msgspec.json.encode(schema))
    for begin, end in zip(begins, ends, strict=False):
        first, last = call.params.get(begin), call.params.get(end)
        if isinstance(first, str) and isinstance(last, str) and len(first) == len(last) and last < first:
            params = {name: value for name, value in call.params.items() if name != end}
            call = msgspec.structs.replace(call, params=params, invalid={**call.invalid, end: last})
    return call


@lru_cache(maxsize=1024)
def _span_names(schema: bytes) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The parameters that are the beginnings and the ends of a span of days or moments."""
    dated = [each for each in slots(msgspec.json.decode(schema)) if each.want in ("day", "moment")]
    return tuple(each.name for each in dated if each.role == "start"), tuple(
        each.name for each in dated if each.role == "end"
    )


def _distinct(made: Sequence[Call]) -> tuple[Call, ...]:
    kept: list[Call] = []
    for call in made:
        if call not in kept:
            kept.append(call)
    return tuple(kept)


def _calls_of(asked: Asked, extract: Extract, schema: Schema) -> tuple[Call, ...]:
    found = extract(asked.action_id, schema, asked.text)
    whole = call_of(asked.action_id, found, schema)
    several = joined(whole, found, asked.text, extract, schema)
    if not several and (whole.ambiguous or whole.invalid):
        several = _alternated(whole, asked.text, extract, schema)
        if several and strays(found, asked.text, asked.action_id, extract, schema):
            return ()
    if not several and named(schema) and overheard(found, asked.text):
        return ()
    return several or (_told(whole, asked, extract, schema),)


def _told(call: Call, asked: Asked, extract: Extract, schema: Schema) -> Call:
    """The call with what it lacks from the statements beside the request."""
    if not call.missing or not asked.background:
        return call
    found = extract(asked.action_id, only(schema, call.missing), asked.background)
    values = {name: each.value for name, each in found.values.items()}
    if asked.doubted and (call.params or not asked.points):
        meant = asked.points or _is_other_choice(call, asked, extract, schema)
        values = {
            name: value for name, value in values.items() if meant and _names(value, named(schema)[name])
        }
    call = filled(call, values)
    if not call.missing or asked.doubted or not asked.whole:
        return call
    found = extract(asked.action_id, only(schema, call.missing), asked.whole)
    return filled(call, {name: each.value for name, each in found.values.items()})


def _is_other_choice(call: Call, asked: Asked, extract: Extract, schema: Schema) -> bool:
    """Whether what is not wanted is the same with another value: "I don't want 12A on KLM204, I want 12C"."""
    found = extract(asked.action_id, schema, asked.background).values
    return any(name in found and found[name].value != value for name, value in call.params.items())


def _names(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value names a thing, rather than a time or an amount."""
    if "enum" in schema:
        return True
    return isinstance(value, str) and (
        _REFERENCE.fullmatch(value) is not None
        or ("pattern" in schema and _SERIAL.fullmatch(value) is not None)
    )


def _alternated(whole: Call, text: str, extract: Extract, schema: Schema) -> tuple[Call, ...]:
    """The calls of a text whose values are joined in the middle of it, none when it joins none."""
    uneven: tuple[Call, ...] = ()
    for texts in islice(coordinations(text), _MOST_WAYS):
        made = [call_of(whole.action_id, extract(whole.action_id, schema, each), schema) for each in texts]
        if any(call.ambiguous or call.invalid for call in made) or len(_distinct(made)) < len(made):
            continue
        if _run_together(made, text, schema):
            continue
        if len({frozenset(call.params) for call in made}) == 1:
            return tuple(made)
        if not uneven and not any(call.missing for call in made):
            uneven = tuple(made)
    return uneven


def _run_together(made: Sequence[Call], text: str, schema: Schema) -> bool:
    """Whether words of the user's own don't stand together in the text, so that they are read across a joint."""
    texts = [name for name, wants in named(schema).items() if takes_any_text(wants)]
    return any(str(call.params[name]) not in text for name in texts for call in made if name in call.params)


def _is_said_already(own: Sequence[Call], made: Sequence[Call]) -> bool:
    """Whether a clause only says the last call once more: "mark T-7 as fixed and close"."""
    return len(own) == 1 and bool(made) and own[0].action_id == made[-1].action_id and not own[0].params


def _continued(own: Sequence[Call], asked: Asked, made: Sequence[Call]) -> Call | None:
    """The last call with more of its values, where this clause tells more of it rather than asking for another."""
    if len(own) != 1 or not made or not asked.points or _ADDITIVE.search(asked.text):
        return None
    last, call = made[-1], own[0]
    if (
        last.action_id != call.action_id
        or not last.open
        or not call.params
        or last.params.keys() & call.params
    ):
        return None
    return filled(last, call.params)


def _is_elliptical(asked: Asked, before: Asked, extract: Extract, schema: Schema) -> bool:
    """Whether a clause says nothing but values and words of the one before: "how much in May, and how much in June"."""
    if asked.action_id != before.action_id:
        return False
    rest = content_words(blanked(asked.text, extract(asked.action_id, schema, asked.text)))
    return not any(word in IMPERATIVES for word in rest) and set(rest) <= set(content_words(before.text))


def _lacking(call: Call, last: Call) -> dict[str, Any]:
    return {name: last.params[name] for name in call.missing if name in last.params}


def _pointed(
    own: Sequence[Call],
    asked: Asked,
    group: Sequence[Call],
    earlier: Sequence[Call],
    schema: Schema,
    schemas: Mapping[str, Schema],
) -> tuple[Call, ...]:
    """The calls with what they lack from those before, one for each of several things pointed at."""
    if len(own) == 1 and _PLURAL.search(asked.text):
        for name in own[0].missing:
            known = _known(name, group, schema, schemas)
            if len(known) > 1:
                return tuple(filled(own[0], {name: value}) for value in known)
    return tuple(filled(call, _given(call, asked, group, earlier, schema, schemas)) for call in own)


def _given(
    call: Call,
    asked: Asked,
    group: Sequence[Call],
    earlier: Sequence[Call],
    schema: Schema,
    schemas: Mapping[str, Schema],
) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name in call.missing:
        known = _known(name, group, schema, schemas)
        if not known:
            for other in reversed(earlier):
                if known := _known(name, (other,), schema, schemas):
                    break
        if len(known) == 1 and (asked.points or _is_named(name, asked.text) or _is_reference(known[0])):
            given[name] = known[0]
    return given


def _known(name: str, calls: Sequence[Call], schema: Schema, schemas: Mapping[str, Schema]) -> list[Any]:
    """The values that calls have for a parameter of this name and kind."""
    wants = named(schema).get(name, {})
    found: list[Any] = []
    for call in calls:
        if name in call.params and _fits(
            call.params[name], wants, named(schemas.get(call.action_id, {})).get(name, {})
        ):
            value = call.params[name]
            if value not in found:
                found.append(value)
    return found


def _fits(value: Any, wants: dict[str, Any], had: dict[str, Any]) -> bool:
    allowed: Any = wants.get("enum")
    if allowed is not None:
        return value in allowed
    return all(wants.get(key) == had.get(key) for key in ("type", "format", "pattern"))


def _is_named(name: str, text: str) -> bool:
    """Whether the parameter's own name stands in the text for a thing that is known: "the deal"."""
    words = r"\s+".join(re.escape(word) for word in name.split("_"))
    return (
        re.search(rf"\b(?:the|that|this|its|same)\s+(?:same\s+)?{words}\b", text, re.IGNORECASE) is not None
    )


def _is_reference(value: Any) -> bool:
    return isinstance(value, str) and _REFERENCE.fullmatch(value) is not None
