"""The JSON Schema of typed parameters, through msgspec; pydantic models where the application brings them.

The root is the plain object that tool interfaces ask for; named types are in its `$defs`. Objects are closed, since
decoding refuses members that nobody reads.
"""

import inspect
from collections.abc import Callable
from typing import Any, cast

import msgspec

_REFERENCE = "#/$defs/{name}"


def describe(
    parameters: dict[str, inspect.Parameter], told: dict[str, str], bounds: dict[str, str]
) -> dict[str, Any]:
    """The schema of an object with these parameters; `told` describes those that don't describe themselves.

    `bounds` are words for what JSON Schema cannot state; they end the description.

    Raises:
        TypeError: a type that JSON cannot carry.
    """
    fields: list[Any] = [_field(name, parameter) for name, parameter in parameters.items()]
    struct = msgspec.defstruct("Parameters", fields, forbid_unknown_fields=True, kw_only=True)
    (reference,), named = msgspec.json.schema_components(
        [struct], ref_template=_REFERENCE, schema_hook=_foreign_schema
    )
    definitions = cast("dict[str, dict[str, Any]]", named)
    root = definitions.pop(cast("str", reference["$ref"]).removeprefix("#/$defs/"))
    root.pop("title", None)
    for name, schema in root["properties"].items():
        text = schema.get("description", "") or told.get(name, "")
        bound = bounds[name].removeprefix(", ")
        if bound:
            text = f"{text.rstrip('.')} ({bound})" if text else bound
        if text:
            schema["description"] = text
    for schema in definitions.values():
        if schema.get("type") == "object" and "properties" in schema:
            schema.setdefault("additionalProperties", False)
    for one in (root, *definitions.values()):
        _lift(one, definitions)
    if definitions:
        root["$defs"] = definitions
    return root


def properties(schema: dict[str, Any] | None) -> dict[str, dict[str, Any]]:
    """The schemas of an object's members, those left out that are only `true` or `false`."""
    members = (schema or {}).get("properties", {})
    return {name: one for name, one in members.items() if isinstance(one, dict)}


def foreign_decode(kind: type, value: Any) -> Any:
    """Decode a type that msgspec leaves to us: a pydantic model.

    Raises:
        ValueError: what the model says against the value.
    """
    return cast("Any", kind).model_validate(value)


def _foreign_schema(kind: type) -> dict[str, Any]:
    describe_model: Callable[..., dict[str, Any]] | None = getattr(kind, "model_json_schema", None)
    if describe_model is None:
        raise NotImplementedError(f"{kind!r} is no type that JSON can carry")
    return describe_model(ref_template=f"#/$defs/{kind.__name__}.{{model}}") | {"x-owner": kind.__name__}


def _field(name: str, parameter: inspect.Parameter) -> tuple[str, Any, Any] | tuple[str, Any]:
    default = parameter.default
    if default is inspect.Parameter.empty:
        return name, parameter.annotation
    try:
        shown = not isinstance(msgspec.to_builtins(default), list | dict)
    except (TypeError, ValueError):
        shown = False
    return name, parameter.annotation, default if shown else msgspec.field(default_factory=lambda: default)


def _lift(schema: Any, definitions: dict[str, Any]) -> None:
    """Move the definitions that a foreign schema carries inside to the root, where its references look for them."""
    if isinstance(schema, dict):
        own = cast("dict[str, Any]", schema)
        owner = own.get("x-owner")
        if isinstance(owner, str):
            del own["x-owner"]
            definitions |= {f"{owner}.{name}": one for name, one in own.pop("$defs", {}).items()}
        schema = list(own.values())
    if isinstance(schema, list):
        for member in cast("list[Any]", schema):
            _lift(member, definitions)
