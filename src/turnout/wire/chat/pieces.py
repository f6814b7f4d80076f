"""What whole answers and chunks have in common: reasoning, typed parts, citations, calls."""

from typing import Any, cast

import msgspec

from turnout.model import Citation, Extra, Json, Media
from turnout.wire.codec import FORM

from .content import media_source
from .members import PROTOCOL, Raw, bag, said, text
from .shapes import KEPT, AnswerShape, MessageShape


def json_of(value: object) -> Json:
    """A decoded value as JSON text."""
    return msgspec.json.encode(value).decode()


def words_of(shape: MessageShape) -> tuple[str | None, str]:
    """The first spelling of reasoning that has text, and the text."""
    for field in ("reasoning_content", "reasoning", "thinking"):
        value = getattr(shape, field)
        if isinstance(value, str) and value:
            return field, value
    return None, ""


def typed(part: object) -> tuple[str, str]:
    """Kind and text of an element of a content list: `text`, `thinking`, or `opaque` with its JSON."""
    row = cast("dict[str, Any]", part) if isinstance(part, dict) else {}
    kind = row.get("type")
    if kind == "text" and isinstance(row.get("text"), str):
        return "text", row["text"]
    if kind == "thinking":
        inner = row.get("thinking")
        if isinstance(inner, str):
            return "thinking", inner
        if isinstance(inner, list):
            texts = [typed(item) for item in cast("list[object]", inner)]
            return "thinking", "".join(words for kind, words in texts if kind == "text")
    return "opaque", json_of(part)


def kind_of(part: object) -> str:
    """The type of a part that nobody names."""
    row = cast("dict[str, Any]", part) if isinstance(part, dict) else {}
    kind: object = row.get("type")
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
        row = cast("dict[str, Any]", image) if isinstance(image, dict) else {}
        link = row.get("image_url")
        url = cast("dict[str, Any]", link).get("url") if isinstance(link, dict) else None
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
    return {name: text(raw) for name in KEPT if said(raw := cast("Raw", getattr(shape, name)))}


def metadata_of(shape: AnswerShape) -> dict[str, str]:
    """The answer's own metadata, strings only."""
    rows = shape.metadata
    return {} if not rows else {name: value for name, value in rows.items() if isinstance(value, str)}
