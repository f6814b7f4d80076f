"""Transcriptions: the request in a form, and the transcript in each of the formats that clients ask for."""

from collections.abc import Mapping
from typing import Any, Final, cast, get_args

import msgspec

from turnout.model import Transcript, TranscriptionRequest, TranscriptSegment
from turnout.model.audio import TranscriptFormat
from turnout.model.errors import InvalidRequest, Unsupported
from turnout.wire import sse

from .form import Form

_FORMATS: Final = frozenset(get_args(TranscriptFormat))
_KNOWN: Final = frozenset(
    {"model", "language", "languages", "keywords", "prompt", "response_format", "temperature", "stream"}
)
_UNSUPPORTED: Final = ("include", "known_speaker_names", "known_speaker_references")
_encode: Final = msgspec.json.Encoder().encode


def decode_transcription(form: Form) -> tuple[TranscriptionRequest, tuple[str, ...]]:
    """The request that a form holds, and the names of fields that nobody knows.

    Raises:
        InvalidRequest: a field is missing or malformed; `param` names it.
        Unsupported: it asks for what a backend cannot be asked.
    """
    fields = form.fields
    if not form.audio:
        raise InvalidRequest("file is required", param="file")
    _refuse(fields)
    wanted = _one(fields, "response_format") or "json"
    if wanted not in _FORMATS:
        if wanted == "diarized_json":
            raise Unsupported("response_format", "speakers are not told apart here")
        raise InvalidRequest(
            f"response_format must be one of {', '.join(sorted(_FORMATS))}", param="response_format"
        )
    request = TranscriptionRequest(
        model=_required(fields, "model"),
        audio=form.audio,
        filename=form.filename,
        media_type=form.media_type,
        language=_one(fields, "language") or None,
        languages=tuple(fields.get("languages", ())),
        keywords=tuple(fields.get("keywords", ())),
        prompt=_one(fields, "prompt"),
        response_format=cast("TranscriptFormat", wanted),
        temperature=_temperature(_one(fields, "temperature")),
        stream=_flag(fields, "stream"),
    )
    beside = {"chunking_strategy", "timestamp_granularities", *_UNSUPPORTED}
    return request, tuple(name for name in fields if name not in _KNOWN and name not in beside)


def _refuse(fields: Mapping[str, list[str]]) -> None:
    for name in _UNSUPPORTED:
        if fields.get(name):
            raise Unsupported(name)
    if any(word != "segment" for word in fields.get("timestamp_granularities", ())):
        raise Unsupported("timestamp_granularities", "only segments have times here")
    if _one(fields, "chunking_strategy") not in {None, "", "auto"}:
        raise Unsupported("chunking_strategy")


def _one(fields: Mapping[str, list[str]], name: str) -> str | None:
    values = fields.get(name)
    if not values:
        return None
    if len(values) > 1:
        raise InvalidRequest(f"{name} is there twice", param=name)
    return values[0]


def _required(fields: Mapping[str, list[str]], name: str) -> str:
    value = _one(fields, name)
    if not value:
        raise InvalidRequest(f"{name} is required", param=name)
    return value


def _temperature(said: str | None) -> float | None:
    if not said:
        return None
    try:
        value = float(said)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise InvalidRequest("temperature must be a number from 0 to 1", param="temperature")
    return value


def _flag(fields: Mapping[str, list[str]], name: str) -> bool:
    said = (_one(fields, name) or "false").lower()
    if said not in {"true", "false", "1", "0"}:
        raise InvalidRequest(f"{name} must be true or false", param=name)
    return said in {"true", "1"}


# ---- writing -----------------------------------------------------------------------------------------------------


def encode_transcript(transcript: Transcript, wanted: TranscriptFormat) -> tuple[str, bytes]:
    """The media type and the body of a whole transcript."""
    match wanted:
        case "json":
            return "application/json", _encode({"text": transcript.text})
        case "verbose_json":
            return "application/json", _encode(_verbose(transcript))
        case "srt":
            return "text/plain; charset=utf-8", _subtitles(transcript, "", ",", numbered=True)
        case "vtt":
            return "text/plain; charset=utf-8", _subtitles(transcript, "WEBVTT\n\n", ".", numbered=False)
        case _:
            return "text/plain; charset=utf-8", transcript.text.encode() + b"\n"


def _verbose(transcript: Transcript) -> dict[str, Any]:
    """All that is known; a segment's measures of a model that may not be one are 0."""
    return {
        "task": "transcribe",
        "language": transcript.language or "",
        "duration": _duration(transcript),
        "text": transcript.text,
        "segments": [
            {
                "id": at,
                "seek": 0,
                "start": segment.start,
                "end": segment.end,
                "text": segment.text,
                "tokens": [],
                "temperature": 0.0,
                "avg_logprob": 0.0,
                "compression_ratio": 0.0,
                "no_speech_prob": 0.0,
            }
            for at, segment in enumerate(transcript.segments)
        ],
    }


def _duration(transcript: Transcript) -> float:
    if transcript.duration is not None:
        return transcript.duration
    return max((segment.end for segment in transcript.segments), default=0.0)


def _subtitles(transcript: Transcript, head: str, point: str, *, numbered: bool) -> bytes:
    whole = TranscriptSegment(start=0.0, end=_duration(transcript), text=transcript.text)
    lines = [head]
    for at, segment in enumerate(transcript.segments or (whole,), 1):
        number = f"{at}\n" if numbered else ""
        times = f"{_clock(segment.start, point)} --> {_clock(segment.end, point)}"
        lines.append(f"{number}{times}\n{segment.text.strip()}\n\n")
    return "".join(lines).encode()


def _clock(seconds: float, point: str) -> str:
    total = round(seconds * 1000)
    minutes, rest = divmod(total, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{rest // 1000:02}{point}{rest % 1000:03}"


def transcript_delta(text: str) -> bytes:
    """The event of a piece of a growing transcript."""
    return sse.write(_encode({"type": "transcript.text.delta", "delta": text}))


def transcript_done(text: str) -> bytes:
    """The event that ends a growing transcript, with all of it."""
    return sse.write(_encode({"type": "transcript.text.done", "text": text}))
