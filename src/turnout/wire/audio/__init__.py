"""OpenAI's audio endpoints: `/audio/transcriptions` and `/audio/speech` (openai 3.57, `types/audio`)."""

from .form import Form
from .speech import MEDIA_TYPES, decode_speech, speech_delta, speech_done
from .transcription import decode_transcription, encode_transcript, transcript_delta, transcript_done

__all__ = [
    "MEDIA_TYPES",
    "Form",
    "decode_speech",
    "decode_transcription",
    "encode_transcript",
    "speech_delta",
    "speech_done",
    "transcript_delta",
    "transcript_done",
]
