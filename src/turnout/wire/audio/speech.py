"""Speech: the request, and the events of a stream of it."""

from base64 import b64encode
from typing import Annotated, Any, Final, Literal

import msgspec

from turnout.model import SpeechRequest
from turnout.model.audio import SpeechFormat
from turnout.model.errors import InvalidRequest
from turnout.wire import sse
from turnout.wire.layers import BROKEN, NULL, leftover, members, open_body, read

MEDIA_TYPES: Final[dict[SpeechFormat, str]] = {
    "mp3": "audio/mpeg",
    "opus": "audio/ogg",
    "aac": "audio/aac",
    "flac": "audio/flac",
    "wav": "audio/wav",
    "pcm": "audio/pcm",
}
"""What each format is called (OpenAI puts Opus into Ogg)."""

_encode: Final = msgspec.json.Encoder().encode
_Speed = Annotated[float, msgspec.Meta(ge=0.25, le=4)]
_ROWS: Final[dict[str, tuple[Any, str]]] = {
    "model": (msgspec.json.Decoder(str), "a string"),
    "input": (msgspec.json.Decoder(str), "a string"),
    "instructions": (msgspec.json.Decoder(str | None), "a string"),
    "response_format": (msgspec.json.Decoder(SpeechFormat | None), f"one of {', '.join(MEDIA_TYPES)}"),
    "speed": (msgspec.json.Decoder(_Speed | None), "a number from 0.25 to 4"),
    "stream_format": (msgspec.json.Decoder(Literal["audio", "sse"] | None), "audio or sse"),
}
_VOICE: Final = msgspec.json.Decoder(str)


def decode_speech(body: bytes) -> tuple[SpeechRequest, bool, tuple[str, ...]]:
    """The request, whether it is to be answered in events, and the names of members that nobody knows.

    Raises:
        InvalidRequest: a member is missing or malformed; `param` names it.
    """
    top = open_body(body)
    voice = top.pop("voice", NULL)
    said = {
        name: value
        for name, (decoder, wanted) in _ROWS.items()
        if (value := read(decoder, top.pop(name, NULL), name, wanted) if name in top else None) is not None
    }
    for name in ("model", "input"):
        if not said.get(name):
            raise InvalidRequest(f"{name} is required", param=name)
    events = said.pop("stream_format", "audio") == "sse"
    return SpeechRequest(voice=_voice(voice), **said), events, tuple(leftover(top))


def _voice(raw: msgspec.Raw) -> str:
    """The name or the id of a voice."""
    if raw == NULL:
        raise InvalidRequest("voice is required", param="voice")
    try:
        name = _VOICE.decode(raw)
    except BROKEN:
        row = members(raw, "voice")
        name = read(_VOICE, row.get("id", NULL), "voice.id", "a string")
    if not name:
        raise InvalidRequest("voice is required", param="voice")
    return name


def speech_delta(audio: bytes) -> bytes:
    """The event of a piece of speech."""
    return sse.write(_encode({"type": "speech.audio.delta", "audio": b64encode(audio).decode()}))


def speech_done() -> bytes:
    """The event that ends speech; the tokens are not known here, and the member must be there."""
    usage = {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}
    return sse.write(_encode({"type": "speech.audio.done", "usage": usage}))
