"""The list of models, in both directions (anthropic 2.14, `ModelInfo`)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

import msgspec

from turnout.model import Info, ModelInfo
from turnout.model.errors import InvalidRequest, ProviderError
from turnout.wire.numbers import whole

PAGE = 1000
"""Most models of a page, as the protocol allows."""


# ---- writing -----------------------------------------------------------------------------------------------------


def encode_models(models: Mapping[str, Info], query: str) -> bytes:
    """`GET /models`: a page of them, as `limit`, `after_id` and `before_id` ask.

    Raises:
        InvalidRequest: `limit` is no positive integer.
    """
    asked: dict[str, str] = {}
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        asked[name] = value
    names = list(models)
    limit = _limit(asked.get("limit"))
    start, end = 0, len(names)
    if asked.get("after_id") in models:
        start = names.index(asked["after_id"]) + 1
    if asked.get("before_id") in models:
        end = names.index(asked["before_id"])
        start = max(start, end - limit)
    page = names[start:end][:limit]
    more = start > 0 if asked.get("before_id") in models else start + limit < end
    wire = {
        "data": [_model(name, models[name]) for name in page],
        "has_more": more,
        "first_id": page[0] if page else None,
        "last_id": page[-1] if page else None,
    }
    return msgspec.json.encode(wire)


def _limit(word: str | None) -> int:
    if word is None:
        return PAGE
    number = whole(word)
    if not number:
        raise InvalidRequest("limit must be a positive integer", param="limit")
    return min(number, PAGE)


def encode_model(name: str, info: Info) -> bytes:
    """`GET /models/{id}`: one of them."""
    return msgspec.json.encode(_model(name, info))


def _model(name: str, info: Info) -> dict[str, Any]:
    created = datetime.fromtimestamp(info.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "type": "model",
        "id": name,
        "display_name": info.description or name,
        "created_at": created,
        "lifecycle": "active",
    }


# ---- reading -----------------------------------------------------------------------------------------------------


def decode_models(data: bytes) -> tuple[tuple[ModelInfo, ...], str]:
    """The models of one page, and the query that asks for the next one; entries without a name are skipped.

    Raises:
        ProviderError: the bytes are not such a list.
    """
    try:
        found: Any = msgspec.json.decode(data)
    except msgspec.DecodeError as error:
        raise ProviderError("the provider's list of models is not JSON") from error
    rows = cast("dict[str, Any]", found).get("data") if isinstance(found, dict) else None
    if not isinstance(rows, list):
        raise ProviderError("the provider's list of models has another shape")
    listed = [cast("dict[str, Any]", row) for row in cast("list[Any]", rows) if isinstance(row, dict)]
    models = tuple(_info(row) for row in listed if isinstance(row.get("id"), str) and row["id"])
    page = cast("dict[str, Any]", found)
    last = page.get("last_id")
    more = page.get("has_more") is True and isinstance(last, str)
    return models, f"after_id={last}" if more else ""


def _info(row: dict[str, Any]) -> ModelInfo:
    capabilities: Any = row.get("capabilities")
    return ModelInfo(
        id=row["id"],
        context_window=_size(row.get("max_input_tokens")),
        max_tokens=_size(row.get("max_tokens")),
        supports_tools=True,
        supports_vision=_supported(capabilities, "image_input"),
        supports_thinking=_supported(capabilities, "thinking"),
        created=_created(row.get("created_at")),
        owned_by="anthropic",
    )


def _size(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _supported(capabilities: Any, name: str) -> bool | None:
    found = cast("dict[str, Any]", capabilities).get(name) if isinstance(capabilities, dict) else None
    said = cast("dict[str, Any]", found).get("supported") if isinstance(found, dict) else None
    return said if isinstance(said, bool) else None


def _created(value: Any) -> int:
    try:
        return int(datetime.fromisoformat(value).timestamp())
    except (TypeError, ValueError):
        return 0
