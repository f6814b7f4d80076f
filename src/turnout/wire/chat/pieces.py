"""What whole answers and chunks have in common: reasoning, typed parts, citations, calls."""

from operator import attrgetter
from typing import Any, cast

import msgspec

from turnout.model import Citation, Extra, Json, Media
from turnout.wire.codec import FORM

from .content import media_source
from .members import BROKEN, NOTHING, NULL, PROTOCOL, Raw, bag, said, text
from .shapes import KEPT, AnswerShape, MessageShape


def json_of(value: object) -> Json:
    """A decoded value as JSON text."""
    return msgspec.json.encode(value).decode()


def words_of(shape: MessageShape) -> tuple[str | None, str]:
    """The first spelling of reasoning that has text, and the text."""
    if shape.reasoning_content is None and shape.reasoning is None and shape.thinking is None:
        return None, ""
    for field in ("reasoning_content", "reasoning", "thinking"):
        value = getattr(shape, field)
        if isinstance(value, str) and value:
            return field, value
    return None, ""


def row_of(value: object) -> dict[str, Any]:
    """The members of a decoded object; none when it is something else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def typed(part: object) -> tuple[str, str]:
    """Kind and text of an element of a content list: `text`, `thinking`, or `opaque` with its JSON."""
    row = row_of(part)
    kind = row.get("type")
    if kind == "text" and isinstance(row.get("text"), str):
        return "text", row["text"]
    words = _thinking_words(row.get("thinking")) if kind == "thinking" else None
    return ("opaque", json_of(part)) if words is None else ("thinking", words)


def _thinking_words(inner: object) -> str | None:
    if isinstance(inner, str):
        return inner
    if not isinstance(inner, list):
        return None
    pieces = [typed(item) for item in cast("list[object]", inner)]
    return "".join(words for kind, words in pieces if kind == "text")


def kind_of(part: object) -> str:
    """The type of a part that nobody names."""
    kind = row_of(part).get("type")
    return kind if isinstance(kind, str) else "content"


def citations_of(annotations: object) -> list[Citation]:
    """The sources that `annotations` name."""
    if not isinstance(annotations, list):
        return []
    rows = cast("list[object]", annotations)
    return [_citation(cast("dict[str, Any]", row)) for row in rows if isinstance(row, dict)]


def _citation(row: dict[str, Any]) -> Citation:
    inner = row.get("url_citation")
    if row.get("type") != "url_citation" or not isinstance(inner, dict):
        names = {name: json_of(value) for name, value in row.items() if name not in ("type", "index")}
        return Citation(kind=kind_of(row), extra=bag(names))
    body = cast("dict[str, Any]", inner)

    def word(name: str) -> str | None:
        value = body.get(name)
        return value if isinstance(value, str) and value else None

    def place(name: str) -> int:
        value = body.get(name)
        return value if isinstance(value, int) else 0

    start, end = place("start_index"), place("end_index")
    spans = start != 0 or end != 0
    return Citation(
        kind="url",
        url=word("url"),
        title=word("title"),
        quote=word("content"),
        start=start if spans else None,
        end=end if spans else None,
    )


def images_of(images: object) -> list[Media]:
    """Images of an answer, as OpenRouter gives them: `images: [{image_url: {url}}]`."""
    if not isinstance(images, list):
        return []
    found: list[Media] = []
    for image in cast("list[object]", images):
        url = row_of(row_of(image).get("image_url")).get("url")
        if isinstance(url, str):
            mark = Extra(protocol=PROTOCOL, members={FORM + "images": "null"})
            found.append(Media(kind="image", source=media_source(url), extra=mark))
    return found


def arguments_of(value: object) -> str:
    """Arguments as text; a server that sends an object means its JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else json_of(value)


def kept(shape: AnswerShape) -> dict[str, Json]:
    """The members of an answer or chunk that go on to a client of this protocol."""
    values: tuple[Raw, ...] = _KEPT(shape)
    if values == _NONE_KEPT:
        return {}
    return {
        name: text(raw) for name, raw in zip(KEPT, values, strict=True) if raw is not NOTHING and raw != NULL
    }


_KEPT = attrgetter(*KEPT)
_NONE_KEPT = (NOTHING,) * len(KEPT)


def metadata_of(shape: AnswerShape) -> dict[str, str]:
    """The answer's own metadata, strings only."""
    rows = shape.metadata
    return {} if not rows else {name: value for name, value in rows.items() if isinstance(value, str)}


class Logprobs:
    """The log probabilities of all chunks as one object, nulls left out."""

    def __init__(self) -> None:
        self._rows: dict[str, list[msgspec.Raw]] = {}

    def add(self, raw: msgspec.Raw) -> None:
        """Take those of one more chunk; what is no object of lists is ignored."""
        if not said(raw):
            return
        try:
            row = _LOGPROBS.decode(raw)
        except BROKEN:
            return
        for name, items in row.items():
            if items is not None:
                self._rows.setdefault(name, []).extend(items)

    def json(self) -> Json | None:
        """All of them, `None` when there are none."""
        return json_of(self._rows) if self._rows else None


_LOGPROBS: "msgspec.json.Decoder[dict[str, list[msgspec.Raw] | None]]" = msgspec.json.Decoder(
    dict[str, list[msgspec.Raw] | None]
)
