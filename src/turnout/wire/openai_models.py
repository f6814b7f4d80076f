"""The list of models, as OpenAI's clients read it (openai 3.57: `id`, `object`, `created`, `owned_by` required)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from turnout.model import Info


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
