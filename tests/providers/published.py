"""The providers' published schemas of requests, as validators.

OpenAI publishes OpenAPI; of Anthropic and Google the types of the official clients are what is published. Those of
the clients are closed (no member that they do not name), since they list all that may be sent.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
from pydantic import ConfigDict, TypeAdapter
from pydantic.alias_generators import to_camel

FOLDER = "specs/model-apis"


def fault(error: jsonschema_rs.ValidationError) -> str:
    """Where and what, in one line."""
    return f"{'/'.join(map(str, error.instance_path))}: {error.message[:300]}"


class Schema:
    """One schema; `faults` says what of a body it does not take."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._validator = jsonschema_rs.Draft202012Validator(schema)

    def faults(self, body: Any) -> Iterator[str]:
        for error in self._validator.iter_errors(body):
            yield from deepest(error)


def deepest(error: jsonschema_rs.ValidationError) -> Iterator[str]:
    """The fault itself; of alternatives, those of the one that comes nearest."""
    branches: list[list[jsonschema_rs.ValidationError]] = getattr(error.kind, "context", None) or []
    if not branches:
        yield fault(error)
        return
    here = len(error.instance_path)
    for each in min(branches, key=lambda errors: (sum(distance(one, here) for one in errors), len(errors))):
        yield from deepest(each)


def distance(error: jsonschema_rs.ValidationError, here: int) -> int:
    """How much an error speaks against an alternative tried at depth `here`: one of another kind is furthest."""
    below = len(error.instance_path) - here
    if below == 0 and error.kind.name == "type":
        return 1_000
    kind = error.instance_path[-1:] in (["type"], ["role"]) and error.kind.name in ("enum", "const", "type")
    inner = getattr(error.kind, "context", None)
    if inner:  # alternatives below alternatives: the nearest counts
        depth = len(error.instance_path)
        return min(sum(distance(one, depth) for one in each) for each in inner)
    return 100 if kind and below <= 1 else 1


def openapi(document: dict[str, Any], name: str) -> dict[str, Any]:
    """The component `name` of an OpenAPI document, with what it refers to, as JSON Schema."""
    parts: dict[str, Any] = {}
    waiting = [name]
    while waiting:
        each = waiting.pop()
        if each not in parts:
            parts[each] = plain(document["components"]["schemas"][each], each)
            waiting += referred(parts[each])
    return {"$ref": f"#/$defs/{name}", "$defs": parts}


_OPENAPI = frozenset({"discriminator", "nullable", "$recursiveAnchor", "description", "example", "examples"})
"""Keywords that say nothing to JSON Schema; a property may have one of these names, and then holds a schema."""
_VALUES = frozenset({"enum", "const", "default"})


def plain(value: Any, owner: str) -> Any:
    """A schema without what only OpenAPI knows: `nullable`, `discriminator`; references to `$defs`."""
    if isinstance(value, list):
        return [plain(each, owner) for each in value]
    if not isinstance(value, dict):
        return value
    row = {
        key: each if key in _VALUES else plain(each, owner)
        for key, each in value.items()
        if key not in _OPENAPI or (isinstance(each, dict) and key != "discriminator")
    }
    if isinstance(ref := row.get("$ref"), str):
        row["$ref"] = ref.replace("#/components/schemas/", "#/$defs/")
    if "$recursiveRef" in row:
        row = {"$ref": f"#/$defs/{owner}"}
    return {"anyOf": [row, {"type": "null"}]} if value.get("nullable") is True else row


def referred(value: Any) -> Iterator[str]:
    """The names of `$defs` that a schema refers to."""
    if isinstance(value, list):
        for each in value:
            yield from referred(each)
    elif isinstance(value, dict):
        if isinstance(ref := value.get("$ref"), str):
            yield ref.rpartition("/")[2]
        for each in value.values():
            yield from referred(each)


def closed(value: Any) -> Any:
    """A schema whose objects take no members but those that they name."""
    if isinstance(value, list):
        return [closed(each) for each in value]
    if not isinstance(value, dict):
        return value
    row = {key: closed(each) for key, each in value.items()}
    if isinstance(row.get("properties"), dict) and row.get("type") == "object":
        row.setdefault("additionalProperties", False)
    return row


@cache
def google() -> dict[str, Any]:
    """The body of a call for content, composed of the types of Google's client (its methods put it together)."""
    from google.genai import types
    from pydantic import create_model

    config = ConfigDict(extra="forbid", alias_generator=to_camel)
    members: dict[str, Any] = {
        "contents": (list[types.Content], ...),
        "system_instruction": (types.Content, None),
        "tools": (list[types.Tool], None),
        "tool_config": (types.ToolConfig, None),
        "safety_settings": (list[types.SafetySetting], None),
        "generation_config": (types.GenerationConfig, None),
        "cached_content": (str, None),
        "service_tier": (str, None),
        "labels": (dict[str, str], None),
        "store": (bool, None),
    }
    body = create_model("GenerateContentRequest", __config__=config, **members)
    return TypeAdapter(body).json_schema(by_alias=True, mode="validation")


def schemas(shared: Path) -> dict[str, tuple[Schema, ...]]:
    """What is published on the requests of each protocol; a body must fit all of it."""
    folder = shared / FOLDER
    document = json.loads((folder / "openai/openapi-2.3.0-2026-08-21.json").read_text("utf-8"))

    def client(name: str) -> Schema:
        return Schema(closed(json.loads((folder / f"sdk-json-schema/{name}.json").read_text("utf-8"))))

    return {
        "openai-chat": (
            Schema(openapi(document, "CreateChatCompletionRequest")),
            client("openai__chat-request"),
        ),
        "openai-responses": (
            Schema(openapi(document, "CreateResponse")),
            client("openai__responses-request"),
        ),
        "anthropic-messages": (client("anthropic__messages-request"),),
        "gemini": (Schema(closed(google())),),
    }
