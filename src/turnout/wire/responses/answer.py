"""Whole answers, read; they are written by the writer, as streams are."""

import msgspec

from turnout.model import Answer, AnyPart, Text
from turnout.model.errors import BrokenStream, ProviderError
from turnout.wire.layers import BROKEN, OBJECT, Members, Raw, open_object, open_string, said

from .dialect import ResponsesDialect
from .errors import error_in
from .finish import stop_of
from .members import bag
from .output import read_item
from .resource import kept_members
from .usage import read_usage

_LIST: "msgspec.json.Decoder[list[Raw] | None]" = msgspec.json.Decoder(list[Raw] | None)
_NUMBER = msgspec.json.Decoder(float | None)
_WORDS: "msgspec.json.Decoder[dict[str, str] | None]" = msgspec.json.Decoder(dict[str, str] | None)


def decode_answer(data: bytes, dialect: ResponsesDialect) -> Answer:
    """A whole answer.

    Raises:
        BrokenStream: the bytes are empty or no response.
        ProviderError: they are an error, or a response that failed.
    """
    if not data.strip():
        raise BrokenStream("the provider's answer is empty")
    try:
        row = OBJECT.decode(data)
        rows = _LIST.decode(row.get("output", b"null"))
    except BROKEN:
        row, rows = {}, None
    if rows is None or said(row.get("error")):
        raise failure_in(row, data) or BrokenStream("the provider's answer is not a response")
    answer_id = open_string(row.get("id")) or ""
    parts: list[AnyPart] = []
    for at, raw in enumerate(rows):
        parts.extend(read_item(raw, at, answer_id, dialect.issuer))
    return answer_of(row, tuple(parts))


def answer_of(row: Members, parts: tuple[AnyPart, ...]) -> Answer:
    """The answer that a response with these parts is; one of nothing is one empty text.

    Raises:
        ProviderError: it failed.
    """
    error = failure_in(row, b"")
    if error is not None:
        raise error
    details = open_object(row.get("incomplete_details")) or {}
    stop, raw = stop_of(open_string(row.get("status")), open_string(details.get("reason")), parts)
    return Answer(
        id=open_string(row.get("id")) or "",
        model=open_string(row.get("model")) or "",
        created=created_of(row),
        parts=parts or (Text(text=""),),
        stop=stop,
        stop_raw=raw,
        usage=read_usage(row.get("usage")),
        metadata=metadata_of(row),
        extra=bag(kept_members(row)),
    )


def created_of(row: Members) -> int:
    """When the response was made, in Unix seconds; 0 when it does not say."""
    try:
        return int(_NUMBER.decode(row.get("created_at", b"null")) or 0)
    except (*BROKEN, OverflowError, ValueError):
        return 0


def metadata_of(row: Members) -> dict[str, str]:
    """The response's own metadata."""
    try:
        return _WORDS.decode(row.get("metadata", b"null")) or {}
    except BROKEN:
        return {}


def failure_in(row: Members, data: bytes) -> ProviderError | None:
    """The error that a response which failed holds, or a body that is none; `None` when it did not fail."""
    if said(row.get("error")):
        return error_in(b'{"error":' + bytes(row["error"]) + b"}") or _failed()
    if open_string(row.get("status")) == "failed":
        return _failed()
    return error_in(data) if data else None


def _failed() -> ProviderError:
    return ProviderError("the provider failed to answer")
