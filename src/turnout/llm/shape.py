"""The parameters of an action as a form that a model can fill in, each of which it may leave open.

Strategy: providers enforce only a small, closed part of JSON Schema. The form keeps types, choices, members and
descriptions, with references written out; bounds and patterns are for the engine to judge, which sees the value in any
case. A parameter that this part cannot state (a mapping with free keys, a recursive type, a tuple) is asked for as the
text of a JSON document. Nothing is refused: what has no form is still asked for.
"""

from typing import Any, Final, cast

import msgspec

from turnout.model import V

Schema = dict[str, Any]

_FORMATS: Final = frozenset(
    {"date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)
_SIMPLE: Final = frozenset({"string", "number", "integer", "boolean", "null"})
_NODES: Final = 2_000  # of one parameter's schema, with its references written out
_DEEPEST: Final = 64  # of a schema's own nesting, which a model would not fill in either
_WHOLE: Final = "parameters"


class _Open(Exception):
    """The schema allows what a form cannot state."""


class Shape(V, frozen=True, kw_only=True):
    """What can be filled in: each parameter's schema, those asked for as JSON text, and whether all of them are one.

    `whole`: the schema does not name its parameters, so that all are asked for in one JSON text.
    """

    parameters: dict[str, Schema] = {}
    forms: dict[str, Schema] = {}
    texts: frozenset[str] = frozenset()
    whole: bool = False

    def form(self) -> Schema:
        """The closed schema of what is asked for; every parameter may be null."""
        return {
            "type": "object",
            "properties": {name: _nullable(one) for name, one in self.forms.items()},
            "required": list(self.forms),
            "additionalProperties": False,
        }

    def read(self, answer: dict[str, Any]) -> dict[str, Any]:
        """The parameters that an answer gives: known, neither null nor empty."""
        given: dict[str, Any] = {}
        for name, one in self.parameters.items():
            value = answer.get(name)
            if name in self.texts:
                value = _json(value)
            value = _without_blanks(value, one)
            if value is not None and value not in ("", [], {}):
                given[name] = value
        if self.whole:
            inner = given.get(_WHOLE)
            return cast("dict[str, Any]", inner) if isinstance(inner, dict) else {}
        return given


def shape(schema: Schema | None) -> Shape:
    """The shape of an action's parameters; one without parameters is empty."""
    root = schema or {}
    members: Any = root.get("properties") or {}
    if not isinstance(members, dict) or not members:
        if not _takes_more(root):
            return Shape()
        whole: Schema = {"type": "string", "description": "All parameters, as the text of one JSON object"}
        return Shape(parameters={_WHOLE: {}}, forms={_WHOLE: whole}, texts=frozenset({_WHOLE}), whole=True)
    parameters: dict[str, Schema] = {}
    forms: dict[str, Schema] = {}
    texts: set[str] = set()
    for name, one in cast("Schema", members).items():
        parameters[name], form = _stated(one, root)
        if form is None:
            texts.add(name)
            told: Any = cast("Schema", one).get("description", "") if isinstance(one, dict) else ""
            form = {"type": "string", "description": f"The text of a JSON document. {told}".strip()}
        forms[name] = form
    return Shape(parameters=parameters, forms=forms, texts=frozenset(texts))


def _stated(schema: Any, root: Schema) -> tuple[Schema, Schema | None]:
    """A parameter's schema, and the form of it if it has one."""
    try:
        written = cast("Schema", _written_out(schema, root, (), [_NODES]))
    except _Open:
        return {}, None
    try:
        return written, _closed(written)
    except _Open:
        return written if isinstance(schema, dict) else {}, None
    except (TypeError, AttributeError):  # it is no schema: engines are not all ours
        return {}, None


def branches(schema: Any) -> list[Schema]:
    """The schemas without alternatives of their own that a value may have to fit; at least one."""
    if not isinstance(schema, dict):
        return [{}]
    own = cast("Schema", schema)
    found: list[Schema] = []
    for key in ("anyOf", "oneOf", "allOf"):
        for each in own.get(key, ()):
            found += branches(each)
    if not found or "properties" in own or "enum" in own:
        found.insert(0, own)
    return found


def _takes_more(root: Schema) -> bool:
    combined = any(key in root for key in ("anyOf", "oneOf", "allOf", "$ref", "patternProperties"))
    return combined or bool(root.get("additionalProperties"))


def _json(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError):
        return None


def _written_out(schema: Any, root: Schema, within: tuple[str, ...], left: list[int], depth: int = 0) -> Any:
    """The schema without references into `root`; `left` counts down what may still be written."""
    left[0] -= 1
    if left[0] < 0 or depth > _DEEPEST:
        raise _Open
    if isinstance(schema, list):
        return [_written_out(each, root, within, left, depth + 1) for each in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    own = cast("Schema", schema)
    reference = own.get("$ref")
    if isinstance(reference, str):
        if reference in within:
            raise _Open
        beside = {key: value for key, value in own.items() if key != "$ref"}
        target = _written_out(_target(reference, root), root, (*within, reference), left, depth + 1)
        return {**cast("Schema", target), **beside} if isinstance(target, dict) else target
    return {key: _written_out(value, root, within, left, depth + 1) for key, value in own.items()}


def _target(reference: str, root: Schema) -> Any:
    found: Any = root
    if not reference.startswith("#/"):
        raise _Open
    for escaped in reference[2:].split("/"):
        name = escaped.replace("~1", "/").replace("~0", "~")
        if not isinstance(found, dict) or name not in found:
            raise _Open
        found = cast("Schema", found)[name]
    return found


def _closed(schema: Any) -> Schema:
    """The part of a schema that providers enforce.

    Raises:
        _Open: it allows what that part cannot state.
    """
    if not isinstance(schema, dict):
        raise _Open
    own = cast("Schema", schema)
    form = _choices(own) or _alternatives(own) or _typed(own)
    if isinstance(own.get("description"), str):
        form["description"] = own["description"]
    return form


def _choices(own: Schema) -> Schema | None:
    values: list[Any] = [own["const"]] if "const" in own else own.get("enum", [])
    if not values:
        return None
    if all(isinstance(value, str) for value in values):
        return {"type": "string", "enum": values}
    return {"enum": values}


def _alternatives(own: Schema) -> Schema | None:
    either: list[Any] = own.get("anyOf") or own.get("oneOf") or []
    kinds = own.get("type")
    if isinstance(kinds, list):
        either = [{**own, "type": kind, "description": None} for kind in cast("list[Any]", kinds)]
    if either:
        return {"anyOf": [_closed(each) for each in either]}
    every: list[Any] = own.get("allOf", [])
    if len(every) > 1:
        raise _Open
    return _closed(every[0]) if every else None


def _typed(own: Schema) -> Schema:
    kind = own.get("type")
    if kind in _SIMPLE:
        return {"type": kind, "format": own["format"]} if own.get("format") in _FORMATS else {"type": kind}
    if kind == "array" and "items" in own and "prefixItems" not in own:
        return {"type": "array", "items": _closed(own["items"])}
    members: Schema = own.get("properties") or {}
    if kind != "object" or not members or _takes_more(own):
        raise _Open
    required: Any = own.get("required", ())
    forms = {name: _closed(one) for name, one in members.items()}
    return {
        "type": "object",
        "properties": {n: form if n in required else _nullable(form) for n, form in forms.items()},
        "required": list(forms),
        "additionalProperties": False,
    }


def _nullable(form: Schema) -> Schema:
    if form.get("type") == "null":
        return form
    either: list[Any] = form.get("anyOf", [form])
    if {"type": "null"} in either:
        return form
    if "anyOf" in form:
        return {**form, "anyOf": [*either, {"type": "null"}]}
    return {"anyOf": [form, {"type": "null"}]}


def _without_blanks(value: Any, schema: Any) -> Any:
    """The value without the nulls that stand for members left open."""
    if isinstance(value, list):
        items = [each.get("items", {}) for each in branches(schema)]
        return [_without_blanks(each, {"anyOf": items}) for each in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    kinds = branches(schema)
    kept: dict[str, Any] = {}
    for name, member in cast("dict[str, Any]", value).items():
        if member is None and not any(name in kind.get("required", ()) for kind in kinds):
            continue
        inner = [kind["properties"][name] for kind in kinds if name in kind.get("properties", {})]
        kept[name] = _without_blanks(member, {"anyOf": inner})
    return kept
