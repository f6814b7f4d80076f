"""The list of models and the count of tokens, in both directions (google-genai 3.6: `Model`, `CountTokensResponse`)."""

from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import parse_qsl, quote

import msgspec

from turnout.model import Info, ModelInfo
from turnout.model.errors import BrokenStream, InvalidRequest, ProviderError
from turnout.wire.numbers import whole

_PAGE = 1000
_METHODS = ["generateContent", "streamGenerateContent", "countTokens"]
_encode = msgspec.json.Encoder().encode


def encode_models(models: Mapping[str, Info], query: str) -> bytes:
    """`GET /models`: one page, of at most `pageSize` models, from `pageToken` on.

    Raises:
        InvalidRequest: `pageSize` or `pageToken` is not what it can be.
    """
    asked = {name.replace("page_", "page").lower(): value for name, value in parse_qsl(query)}
    size = _number(asked.get("pagesize"), _PAGE, "pageSize") or _PAGE
    start = _number(asked.get("pagetoken"), 0, "pageToken")
    names = list(models)
    wire: dict[str, Any] = {"models": [_model(name, models[name]) for name in names[start : start + size]]}
    if start + size < len(names):
        wire["nextPageToken"] = str(start + size)
    return _encode(wire)


def _number(value: str | None, default: int, param: str) -> int:
    if not value:
        return default
    number = whole(value)
    if number is None:
        raise InvalidRequest(f"{param} is not one that was given", param=param)
    return number


def encode_model(name: str, info: Info) -> bytes:
    """`GET /models/{name}`: one of them."""
    return _encode(_model(name, info))


def _model(name: str, info: Info) -> dict[str, Any]:
    return {
        "name": f"models/{name}",
        "displayName": name,
        "description": info.description,
        "version": "1",
        "supportedGenerationMethods": _METHODS,
    }


# ---- reading -----------------------------------------------------------------------------------------------------


def decode_models(data: bytes) -> tuple[tuple[ModelInfo, ...], str]:
    """The models of a page that answer requests, and the query that asks for the next one.

    Raises:
        ProviderError: the bytes are not such a list.
    """
    try:
        found: Any = msgspec.json.decode(data)
    except msgspec.DecodeError as error:
        raise ProviderError("the provider's list of models is not JSON") from error
    page = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    listed = page.get("models", page.get("publisherModels"))
    if not isinstance(listed, list):
        if page == {} and isinstance(found, dict):
            return (), ""  # an empty repeated field is left out
        raise ProviderError("the provider's list of models has another shape")
    rows = [cast("dict[str, Any]", row) for row in cast("list[Any]", listed) if isinstance(row, dict)]
    models = tuple(_info(row) for row in rows if isinstance(row.get("name"), str) and _answers(row))
    token = page.get("nextPageToken")
    return models, f"pageToken={quote(token, safe='')}" if isinstance(token, str) and token else ""


def _answers(row: dict[str, Any]) -> bool:
    methods = row.get("supportedGenerationMethods")
    return "generateContent" in cast("list[Any]", methods) if isinstance(methods, list) else True


def _info(row: dict[str, Any]) -> ModelInfo:
    thinking = row.get("thinking")
    return ModelInfo(
        id=row["name"].rpartition("models/")[2],
        context_window=_size(row.get("inputTokenLimit")),
        max_tokens=_size(row.get("outputTokenLimit")),
        supports_thinking=thinking if isinstance(thinking, bool) else None,
        owned_by="google",
    )


def _size(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def decode_count(data: bytes) -> int:
    """The number of input tokens that a provider counted.

    Raises:
        BrokenStream: the bytes are not such an answer.
    """
    try:
        row: Any = msgspec.json.decode(data)
    except msgspec.DecodeError:
        row = None
    if not isinstance(row, dict):
        raise BrokenStream("the provider's answer is not a count of tokens")
    tokens = cast("dict[str, Any]", row).get("totalTokens", 0)  # a zero is left out
    if not isinstance(tokens, int) or isinstance(tokens, bool):
        raise BrokenStream("the provider's answer is not a count of tokens")
    return tokens


def encode_count(tokens: int) -> bytes:
    """A number of input tokens as a whole answer."""
    return _encode({"totalTokens": tokens})
