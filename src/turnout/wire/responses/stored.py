"""Responses that are kept: their body, equal whether it is made, replayed or looked up, and what they answered.

Source of the shapes: `Response`, `ResponseItemList` and `ResponseItem` of openai 3.57, whose items all have ids.
"""

from collections.abc import Iterable, Mapping
from typing import Any, cast

import msgspec

from turnout.model import Extra, Json, Message, Request, StoredResponse, unfold
from turnout.model.errors import InvalidRequest, RunInProgress, Unsupported
from turnout.wire.codec import Seed
from turnout.wire.losses import Losses

from .dialect import PLAIN
from .ids import digest
from .members import PROTOCOL, form
from .resource import as_bytes
from .shapes import OPENAI, Shape
from .turns import write_items
from .writer import Writer

Wire = dict[str, Any]


def body(stored: StoredResponse, shape: Shape = OPENAI) -> bytes:
    """The response object: what its creation was answered with, its replay is, and a lookup gives.

    Raises:
        Unsupported: the response holds what this protocol cannot say; `param` names it.
        BrokenStream: it ended for a reason of another protocol that nobody names.
    """
    return as_bytes(_told(stored, Writer(_seed(stored), shape, quiet=True)).response)


def streamed(stored: StoredResponse, shape: Shape = OPENAI) -> bytes:
    """The response as the events of a stream, whose last one holds its `body`.

    A part comes in one piece, so the events and their numbers are not those of the stream that made it.

    Raises:
        RunInProgress: it has not ended.
        Unsupported: the response holds what this protocol cannot say; `param` names it.
        BrokenStream: it ended for a reason of another protocol that nobody names.
    """
    if stored.status == "in_progress":
        raise RunInProgress("the response is still being made", response_id=stored.answer.id)
    writer = _told(stored, Writer(_seed(stored), shape))
    if not writer.over:
        writer.end("failed")
    return writer.taken()


def _seed(stored: StoredResponse) -> Seed:
    answer = stored.answer
    return Seed(id=answer.id, created=answer.created, model=answer.model, echo=dict(stored.echo))


def _told(stored: StoredResponse, writer: Writer) -> Writer:
    """The writer, after it has written a response, or what there is of one without success."""
    answer = stored.answer
    *events, end = unfold(answer)
    for event in events:
        writer.write(event)
    if stored.status in ("completed", "incomplete"):
        writer.write(end)
        return writer
    writer.seal("incomplete")
    wire = writer.response
    wire["status"] = stored.status
    if answer.metadata:
        wire["metadata"] = answer.metadata
    if stored.status == "failed":
        said = stored.error or {}
        wire["error"] = {"code": _code(said), "message": said.get("message") or "the run failed"}
    return writer


def _code(said: Mapping[str, Any]) -> str:
    """One of the codes that clients know (openai 3.57, `ResponseError`)."""
    if said.get("kind") == "rate_limit":
        return "rate_limit_exceeded"
    return "invalid_prompt" if said.get("type") == "invalid_request_error" else "server_error"


# ---- turns -------------------------------------------------------------------------------------------------------


def turn(messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """The instructions, which hold for one response only, and the turn itself."""
    lead = 1 if messages and form(messages[0].extra, "instructions") is not None else 0
    return messages[:lead], messages[lead:]


def unkept(request: Request) -> Request:
    """The request as a provider gets it that need not keep the response.

    Reasoning must then be able to come back: it is asked for in its encrypted form (openai 3.57, `include`).
    """
    extra = request.body.extra
    said = {} if extra is None else extra.members
    asked = said.get("include")
    names = {**said, "include": _ONLY_ENCRYPTED if asked is None else _with_encrypted(asked)}
    must = frozenset[str]() if extra is None else extra.must
    return request.replace(store=False, extra=Extra(protocol=PROTOCOL, members=names, must=must))


def _with_encrypted(written: Json) -> Json:
    asked: Any = msgspec.json.decode(written)
    if not isinstance(asked, list) or _ENCRYPTED in asked:
        return written
    return as_bytes([*cast("list[Any]", asked), _ENCRYPTED]).decode()


_ENCRYPTED = "reasoning.encrypted_content"
_ONLY_ENCRYPTED = f'["{_ENCRYPTED}"]'


def input_items(response_id: str, messages: tuple[Message, ...]) -> list[Wire]:
    """What a response answered, as items in order, each with an id that is always the same.

    Raises:
        Unsupported: the messages hold what this protocol cannot say.
    """
    items = cast("list[Wire]", msgspec.json.decode(as_bytes(write_items(messages, PLAIN, Losses(PROTOCOL)))))
    return [_listed(item, f"{response_id}/{at}") for at, item in enumerate(items)]


def page(items: list[Wire], *, limit: int = 20, order: str = "desc", after: str | None = None) -> bytes:
    """One page of a list of items that is in order: at most `limit`, those `after` one of them.

    Raises:
        InvalidRequest: there is no such order, no such page, or no item of that id.
    """
    if order not in ("asc", "desc"):
        raise InvalidRequest("order is asc or desc", param="order")
    if not 1 <= limit <= _MOST:
        raise InvalidRequest(f"limit is a number from 1 to {_MOST}", param="limit")
    rows = items if order == "asc" else items[::-1]
    if after is not None:
        at = next((at for at, row in enumerate(rows) if row["id"] == after), None)
        if at is None:
            raise InvalidRequest("after names no item of this response", param="after")
        rows = rows[at + 1 :]
    shown = rows[:limit]
    return as_bytes(
        {
            "object": "list",
            "data": shown,
            "first_id": shown[0]["id"] if shown else "",
            "last_id": shown[-1]["id"] if shown else "",
            "has_more": len(rows) > limit,
        }
    )


_MOST = 100
_PREFIXES = {"message": "msg", "reasoning": "rs", "function_call": "fc", "function_call_output": "fco"}


def _listed(item: Wire, place: str) -> Wire:
    """An item as a list shows it: with its type, an id, a status and content in parts."""
    kind = item.get("type", "message")
    if kind == "item_reference":
        raise Unsupported(kind)
    ref = item.get("id") or f"{_PREFIXES.get(kind, 'item')}_{digest(place)}"
    row: Wire = {**item, "type": kind, "id": ref}
    if kind != "reasoning":
        row.setdefault("status", "completed")
    if kind == "message":
        row["content"] = list(_parts(item.get("content"), item["role"]))
    elif kind == "reasoning":
        row.setdefault("summary", [])
    return row


def _parts(content: Any, role: str) -> Iterable[Wire]:
    kind = "output_text" if role == "assistant" else "input_text"
    parts = [{"type": kind, "text": content}] if isinstance(content, str) else content or []
    for part in parts:
        if part.get("type") == "output_text":
            yield {"annotations": [], "logprobs": [], **part}
        else:
            yield part


def deleted(response_id: str) -> bytes:
    """What tells that a response is gone."""
    return as_bytes({"id": response_id, "object": "response", "deleted": True})


__all__ = ["body", "deleted", "input_items", "page", "streamed", "turn", "unkept"]
