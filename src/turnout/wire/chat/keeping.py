"""The request that goes to a provider which need not keep the response, since a store of ours does."""

import re

import msgspec

from turnout.model import Request

from .members import BROKEN


class _Kept(msgspec.Struct, gc=False):
    store: bool | None = None


_read = msgspec.json.Decoder(_Kept).decode
_KEY = b'"store"'
_MEMBER = re.compile(rb'"store"[ \t\r\n]*:[ \t\r\n]*(?:true|false)[ \t\r\n]*(,?)')


def unkept(request: Request) -> Request:
    """The request without `store`: in its own bytes but for this member, where nothing else was changed."""
    if request.body.store is None:
        return request
    made = request.replace(store=None)
    source = request.source
    data = None if source is None or request.changed else without_store(source.body)
    if source is None or data is None:
        return made
    return Request(
        model=made.model,
        stream=made.stream,
        body=made.body,
        source=msgspec.structs.replace(source, body=data),
        context=made.context,
    )


def without_store(body: bytes) -> bytes | None:
    """A request's bytes without the member `store`; `None` where its key is spelled twice, or in an unusual way."""
    at = body.find(_KEY)
    member = _MEMBER.match(body, at) if at >= 0 else None
    if member is None or body.find(_KEY, member.end()) >= 0:
        return None
    before = body[:at]
    if not member[1]:
        before = before.rstrip(b" \t\r\n").removesuffix(b",")
    rest = before + body[member.end() :]
    try:
        return rest if _read(rest).store is None else None  # else it was a member of something inside
    except BROKEN:
        return None
