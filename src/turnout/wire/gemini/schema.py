"""Schemas: from the OpenAPI subset of `parameters` and `responseSchema` to JSON Schema, and what must not go out.

The subset (google-genai 3.6, `Schema`): types in capitals, `nullable`, sizes that may be strings, both spellings of
each name. Today's services take JSON Schema itself (`parametersJsonSchema`, `responseJsonSchema`), which is what is
written; references that lead nowhere would be refused there, so they become schemas that allow anything.
"""

from typing import Any, cast

import msgspec

from turnout.model import Json

from .members import BROKEN, camel

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode
_NAMED = ("properties", "defs", "$defs")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SIZES = frozenset({"minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"})
_RENAMED = {"ref": "$ref", "defs": "$defs"}

Node = dict[str, Any]


def json_schema(openapi: Json) -> Json:
    """The JSON Schema that says the same as a schema of the OpenAPI subset."""
    return _encode(_node(_decode(openapi))).decode()


def _node(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    node: Node = {}
    nullable = False
    for spelt, inner in cast("Node", value).items():
        name = camel(spelt)
        if name == "nullable":
            nullable = inner is True
        elif name == "type":
            kind = str(inner).lower()
            if kind != "type_unspecified":
                node["type"] = kind
        elif name in _SIZES and isinstance(inner, str) and inner.isdigit():
            node[name] = int(inner)
        else:
            node[_RENAMED.get(name, name)] = _member(name, inner)
    if nullable:
        _allow_null(node)
    return node


def _member(name: str, value: Any) -> Any:
    if name in _NAMED and isinstance(value, dict):
        return {key: _node(inner) for key, inner in cast("Node", value).items()}
    if name in _LISTS and isinstance(value, list):
        return [_node(inner) for inner in cast("list[Any]", value)]
    return _node(value) if name in ("items", "additionalProperties") else value


def _allow_null(node: Node) -> None:
    if "type" in node:
        node["type"] = [node["type"], "null"]
    if "anyOf" in node:
        node["anyOf"] = [*node["anyOf"], {"type": "null"}]
    if "enum" in node:
        node["enum"] = [*node["enum"], None]


def sendable(schema: Json) -> tuple[Json, bool]:
    """A JSON Schema whose references all lead somewhere, and whether one did not."""
    if '"$ref"' not in schema:
        return schema, True
    try:
        root = _decode(schema)
    except BROKEN:
        return schema, True
    lost: list[str] = []
    open_ended = _resolved(root, root, lost)
    return (_encode(open_ended).decode(), False) if lost else (schema, True)


def _resolved(value: Any, root: Any, lost: list[str]) -> Any:
    if isinstance(value, list):
        return [_resolved(inner, root, lost) for inner in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    node = cast("Node", value)
    ref = node.get("$ref")
    if isinstance(ref, str) and not _leads(ref, root):
        lost.append(ref)
        return {name: inner for name, inner in node.items() if name in ("description", "title")}
    return {name: _resolved(inner, root, lost) for name, inner in node.items()}


def _leads(ref: str, root: Any) -> bool:
    """Whether a JSON pointer inside the document (RFC 6901) leads to something."""
    if not ref.startswith("#"):
        return False
    place: Any = root
    for step in ref[1:].split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(place, dict):
            place = cast("Node", place).get(name)
        elif isinstance(place, list) and name.isdigit() and int(name) < len(cast("list[Any]", place)):
            place = cast("list[Any]", place)[int(name)]
        else:
            return False
    return place is not None
