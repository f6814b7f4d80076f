"""Sources of an answer, in both directions.

Read from `groundingMetadata` (chunks, and supports that tie stretches of text to them) and `citationMetadata`; both
count bytes of UTF-8 (google-genai 3.6, `Segment`, `Citation`). Both also stay as they came, and go back so.
"""

from collections.abc import Iterable
from typing import Any, cast

import msgspec

from turnout.model import Citation, Json

from .members import Wire

Row = dict[str, Any]


def read_citations(grounding: Json | None, citing: Json | None, words: str) -> tuple[Citation, ...]:
    """The sources that both kinds of metadata name for a text."""
    return (*_grounded(_rows(grounding), words), *_cited(_rows(citing), words))


def _rows(json: Json | None) -> Row:
    if json is None:
        return {}
    row = msgspec.json.decode(json)
    return cast("Row", row) if isinstance(row, dict) else {}


def _list(value: Any) -> list[Row]:
    rows = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("Row", row) for row in rows if isinstance(row, dict)]


def _grounded(row: Row, words: str) -> Iterable[Citation]:
    sources = [_source(chunk) for chunk in _list(row.get("groundingChunks"))]
    supports = _list(row.get("groundingSupports"))
    used: set[int] = set()
    for support in supports:
        segment = support.get("segment")
        place = cast("Row", segment) if isinstance(segment, dict) else {}
        indices = support.get("groundingChunkIndices")
        for at in cast("list[Any]", indices) if isinstance(indices, list) else []:
            if isinstance(at, int) and 0 <= at < len(sources) and (source := sources[at]) is not None:
                used.add(at)
                yield _citation(source, place, words)
    for at, source in enumerate(sources):
        if source is not None and at not in used:
            yield Citation(kind="url", url=source[0], title=source[1])


def _source(chunk: Row) -> tuple[str, str | None] | None:
    for kind in ("web", "retrievedContext", "maps"):
        inner = chunk.get(kind)
        if isinstance(inner, dict):
            row = cast("Row", inner)
            uri, title = row.get("uri"), row.get("title")
            if isinstance(uri, str) and uri:
                return uri, title if isinstance(title, str) else None
    return None


def _citation(source: tuple[str, str | None], place: Row, words: str) -> Citation:
    start, end, quote = _stretch(place, words)
    return Citation(kind="url", url=source[0], title=source[1], start=start, end=end, quote=quote)


def _stretch(place: Row, words: str) -> tuple[int | None, int | None, str | None]:
    """A stretch of bytes as code points of the text, where it is one."""
    data = words.encode("utf-8", "surrogatepass")
    start, end = place.get("startIndex", 0), place.get("endIndex")
    quote = place.get("text")
    known = quote if isinstance(quote, str) else None
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start <= end <= len(data)):
        return None, None, known
    try:
        first, cut = len(data[:start].decode()), data[start:end].decode()
    except UnicodeDecodeError:
        return None, None, known
    if known is not None and known != cut:
        return None, None, known
    return first, first + len(cut), known


def _cited(row: Row, words: str) -> Iterable[Citation]:
    for each in _list(row.get("citations", row.get("citationSources"))):
        uri, title = each.get("uri"), each.get("title")
        if isinstance(uri, str) and uri:
            yield _citation((uri, title if isinstance(title, str) else None), each, words)


# ---- writing -----------------------------------------------------------------------------------------------------


def write_citations(cited: Iterable[tuple[Citation, str]]) -> Wire | None:
    """Sources, each with the text that it belongs to, as grounding; `None` where there are none with an address."""
    chunks: list[Wire] = []
    supports: list[Wire] = []
    for citation, words in cited:
        if citation.url is None:
            continue
        web: Wire = {"uri": citation.url}
        if citation.title is not None:
            web["title"] = citation.title
        if {"web": web} not in chunks:
            chunks.append({"web": web})
        if citation.start is not None and citation.end is not None:
            start = len(words[: citation.start].encode("utf-8", "replace"))
            cut = words[citation.start : citation.end]
            segment: Wire = {
                "startIndex": start,
                "endIndex": start + len(cut.encode("utf-8", "replace")),
                "text": cut,
            }
            supports.append({"segment": segment, "groundingChunkIndices": [chunks.index({"web": web})]})
    if not chunks:
        return None
    return (
        {"groundingChunks": chunks, "groundingSupports": supports}
        if supports
        else {"groundingChunks": chunks}
    )
