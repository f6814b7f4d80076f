"""Speech to text and text to speech: what a backend is asked, and what it answers."""

from collections.abc import AsyncIterator
from typing import Literal

from .base import V

TranscriptFormat = Literal["json", "text", "verbose_json", "srt", "vtt"]
SpeechFormat = Literal["mp3", "opus", "aac", "flac", "wav", "pcm"]


class TranscriptionRequest(V, frozen=True, kw_only=True):
    """A recording to be written down.

    `audio` is the file's bytes, `filename` and `media_type` what the client said of it (`""` when it did not).
    `language` and `languages` are ISO 639-1 codes, `temperature` lies in 0..1. `response_format` is how the client
    will see the transcript, which tells whether segments are of use.
    """

    model: str
    audio: bytes | bytearray
    filename: str = ""
    media_type: str = ""
    language: str | None = None
    languages: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    prompt: str | None = None
    response_format: TranscriptFormat = "json"
    temperature: float | None = None
    stream: bool = False


class TranscriptSegment(V, frozen=True, kw_only=True):
    """A stretch of a recording, from `start` to `end` in seconds."""

    start: float
    end: float
    text: str


class Transcript(V, frozen=True, kw_only=True):
    """What was said; `duration` is that of the recording in seconds, `None` when it is not known."""

    text: str
    language: str | None = None
    duration: float | None = None
    segments: tuple[TranscriptSegment, ...] = ()


class SpeechRequest(V, frozen=True, kw_only=True):
    """A text to be spoken; `speed` lies in 0.25..4, 1 is the voice's own."""

    model: str
    input: str
    voice: str
    instructions: str | None = None
    response_format: SpeechFormat = "mp3"
    speed: float | None = None


class Speech(V, frozen=True, kw_only=True):
    """Spoken text: all of its bytes, or pieces as they come; `media_type` when it is not the asked format's own."""

    audio: bytes | AsyncIterator[bytes]
    media_type: str = ""
