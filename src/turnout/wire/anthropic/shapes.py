"""What is read of a stream's events; members that nobody names are skipped, which is what makes it fast.

Shapes: `RawMessageStreamEvent` of anthropic 2.14 and its beta twin. Everything but the type may be missing.
"""

import msgspec

from turnout.wire.layers import NOTHING


class DeltaShape(msgspec.Struct, gc=False):
    """What one event adds to a block, or says of the end of the message."""

    type: str = ""
    text: str | None = None
    partial_json: str | None = None
    thinking: str | None = None
    signature: str | None = None
    citation: msgspec.Raw = NOTHING
    stop_reason: str | None = None
    stop_sequence: str | None = None
    stop_details: msgspec.Raw = NOTHING


class EventShape(msgspec.Struct, gc=False):
    """One event."""

    type: str = ""
    index: int = -1
    delta: DeltaShape | None = None
    content_block: msgspec.Raw = NOTHING
    message: msgspec.Raw = NOTHING
    usage: msgspec.Raw = NOTHING


class RawDelta(msgspec.Struct, gc=False):
    """An event whose delta is looked at as a whole."""

    delta: dict[str, msgspec.Raw] = {}


EVENT = msgspec.json.Decoder(EventShape)
RAW_DELTA = msgspec.json.Decoder(RawDelta)
