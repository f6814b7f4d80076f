"""The list of models, in both directions.

Written as OpenAI's clients read it (openai 3.57: `id`, `object`, `created`, `owned_by` required); read leniently, since
no two providers agree on more than the names.
"""

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from turnout.model import Info, ModelInfo
from turnout.model.errors import ProviderError


def encode_models(models: Mapping[str, Info]) -> bytes:
    """`GET /models`: all of them."""
    return msgspec.json.encode(
        {"object": "list", "data": [_model(name, info) for name, info in models.items()]}
    )


def encode_model(name: str, info: Info) -> bytes:
    """`GET /models/{id}`: one of them."""
    return msgspec.json.encode(_model(name, info))


def _model(name: str, info: Info) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": info.created, "owned_by": info.owned_by or "turnout"}


# ---- reading -----------------------------------------------------------------------------------------------------

_WINDOW = ("context_window", "context_length", "max_context_length", "max_model_len")
_OUTPUT = ("max_completion_tokens", "max_output_tokens", "max_tokens")


def decode_models(data: bytes) -> tuple[ModelInfo, ...]:
    """The models of an OpenAI-shaped list, `{"data": [...]}` or the bare list; entries without a name are skipped.

    Sizes are found under the names that OpenRouter, Groq, Mistral and vLLM use.

    Raises:
        ProviderError: the bytes are not such a list.
    """
    try:
        found: Any = msgspec.json.decode(data)
    except msgspec.DecodeError as error:
        raise ProviderError("the provider's list of models is not JSON") from error
    if isinstance(found, dict):
        found = cast("dict[str, Any]", found).get("data")
    if not isinstance(found, list):
        raise ProviderError("the provider's list of models has another shape")
    rows = [cast("dict[str, Any]", row) for row in cast("list[Any]", found) if isinstance(row, dict)]
    return tuple(_info(row) for row in rows if isinstance(row.get("id"), str) and row["id"])


def _info(row: dict[str, Any]) -> ModelInfo:
    capabilities = _mapping(row.get("capabilities"))
    inputs = _mapping(row.get("architecture")).get("input_modalities")
    parameters = row.get("supported_parameters")
    return ModelInfo(
        id=row["id"],
        context_window=_size(row, *_WINDOW),
        max_tokens=_size(row, *_OUTPUT) or _size(_mapping(row.get("top_provider")), *_OUTPUT),
        supports_tools=_flag(capabilities.get("function_calling"), parameters, "tools"),
        supports_vision=_flag(capabilities.get("vision"), inputs, "image"),
        supports_thinking=_flag(capabilities.get("reasoning"), parameters, "reasoning"),
        created=_size(row, "created") or 0,
        owned_by=row["owned_by"] if isinstance(row.get("owned_by"), str) else "",
    )


def _mapping(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _size(row: dict[str, Any], *names: str) -> int | None:
    for name in names:
        value = row.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return int(value)
    return None


def _flag(said: Any, names: Any, name: str) -> bool | None:
    """What the provider says outright, else whether its list of names holds `name`, else unknown."""
    if isinstance(said, bool):
        return said
    return name in cast("list[Any]", names) if isinstance(names, list) else None
