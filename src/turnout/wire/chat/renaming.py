"""A whole answer under the name that a store gave it, in its own bytes."""

from typing import Any

import msgspec

from turnout.model import Answer, ToolCall

_read = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_encode = msgspec.json.Encoder().encode


def renamed(data: bytes, answer: Answer) -> bytes | None:
    """The bytes of a whole answer with the id, the model and the time of `answer`, which was read from them.

    Every other member stays as it is written. `None` for bytes of which that cannot be done, among them those whose
    tool calls have no ids: they were made from the answer's.
    """
    if any(isinstance(part, ToolCall) and part.call_id.encode() not in data for part in answer.parts):
        return None
    try:
        members: dict[str, Any] = {**_read(data)}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    members["id"] = answer.id
    members["created"] = answer.created
    members["model"] = answer.model
    return _encode(members)
