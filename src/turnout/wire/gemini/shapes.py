"""What a service sends: an answer, or the piece of one that a stream's event holds (google-genai 3.6)."""

import msgspec

from turnout.wire.json import mend

from .members import BROKEN, NOTHING, Raw


class ContentShape(msgspec.Struct, gc=False):
    """The model's content."""

    parts: list[Raw] | None = None


class CandidateShape(msgspec.Struct, gc=False):
    """One candidate."""

    content: ContentShape | None = None
    finishReason: str | int | None = None
    index: int | None = None
    finishMessage: Raw = NOTHING
    safetyRatings: Raw = NOTHING
    citationMetadata: Raw = NOTHING
    groundingMetadata: Raw = NOTHING
    urlContextMetadata: Raw = NOTHING
    avgLogprobs: Raw = NOTHING
    logprobsResult: Raw = NOTHING
    tokenCount: Raw = NOTHING
    continuationToken: Raw = NOTHING


class AnswerShape(msgspec.Struct, gc=False):
    """An answer, or a piece of one."""

    candidates: list[CandidateShape] | None = None
    promptFeedback: Raw = NOTHING
    usageMetadata: Raw = NOTHING
    modelVersion: str | None = None
    responseId: str | None = None
    createTime: Raw = NOTHING
    modelStatus: Raw = NOTHING
    error: Raw = NOTHING


KEPT = ("promptFeedback", "modelStatus")
KEPT_OF_CANDIDATE = (
    "finishMessage",
    "safetyRatings",
    "citationMetadata",
    "groundingMetadata",
    "urlContextMetadata",
    "avgLogprobs",
    "logprobsResult",
    "tokenCount",
    "continuationToken",
)
_ONE = msgspec.json.Decoder(AnswerShape)
_SEVERAL = msgspec.json.Decoder(list[AnswerShape])


def read_answer(data: bytes) -> AnswerShape:
    """An answer or a piece of one.

    Raises:
        msgspec.DecodeError: it is none.
    """
    try:
        return _ONE.decode(data)
    except BROKEN:
        mended = mend(data)
        if mended == data:
            raise
        return _ONE.decode(mended)


def read_answers(data: bytes) -> list[AnswerShape]:
    """A whole answer; a stream that was not asked for as events is the list of its pieces.

    Raises:
        msgspec.DecodeError: it is neither.
    """
    if data.lstrip()[:1] != b"[":
        return [read_answer(data)]
    try:
        return _SEVERAL.decode(data)
    except BROKEN:
        mended = mend(data)
        if mended == data:
            raise
        return _SEVERAL.decode(mended)
