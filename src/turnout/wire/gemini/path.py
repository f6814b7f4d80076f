"""The path of a call, which holds the model's name and whether a stream is asked for."""

import re
from urllib.parse import quote

import msgspec

from turnout.model import Source
from turnout.model.errors import InvalidRequest
from turnout.wire.json import mend

STREAM = "streamGenerateContent"
_CALL = re.compile(r"/models/(.+):([A-Za-z]+)\Z")


class _Object(msgspec.Struct):
    """Any object."""


_any_object = msgspec.json.Decoder(_Object).decode


def peek(source: Source) -> tuple[str, bool]:
    """Model and stream of a call; a name may hold slashes and colons.

    Raises:
        InvalidRequest: the path names no model, or the body is not one JSON object.
    """
    found = _CALL.search(source.path)
    if found is None:
        raise InvalidRequest("the path names no model and method", param="model")
    _check(source.body)
    return found[1], found[2] == STREAM


def _check(body: bytes) -> None:
    try:
        _any_object(body)
    except msgspec.ValidationError:
        raise InvalidRequest("the body is not a JSON object") from None
    except msgspec.DecodeError:
        mended = mend(body)
        if mended == body:
            raise InvalidRequest("the body is not valid JSON") from None
        _check(mended)
    except RecursionError:
        raise InvalidRequest("the body is nested too deeply") from None


def splice(source: Source, model: str) -> tuple[bytes, str]:
    """The source's body as it is, and its path with another model's name.

    Raises:
        InvalidRequest: `peek` would not have accepted the path.
    """
    found = _CALL.search(source.path)
    if found is None:
        raise InvalidRequest("the path names no model and method", param="model")
    start, end = found.span(1)
    return source.body, source.path[:start] + quote(model, safe="") + source.path[end:]


def is_sse(query: str) -> bool:
    """Whether a stream is asked for as server-sent events; without it, it is one JSON list that grows."""
    return "alt=sse" in query.split("&")
