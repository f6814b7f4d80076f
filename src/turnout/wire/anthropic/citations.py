"""Citations, in both directions.

A web search's place is the model's own `url` citation; places in documents and search results point into the request
and are kept as they came (anthropic 2.14, `TextCitation`). A place from another protocol lacks the proof that
Anthropic asks back, so that it is shown and never sent to Anthropic again.
"""

from typing import Any

import msgspec

from turnout.model import Citation
from turnout.wire.codec import FORM
from turnout.wire.layers import Members, leftover, open_object, open_string

from .members import PROTOCOL, Wire, bag, restore

WEB = "web_search_result_location"


def read_citation(raw: msgspec.Raw) -> Citation | None:
    """One citation, `None` when it is no object."""
    row = open_object(raw)
    if row is None:
        return None
    kind = open_string(row.pop("type", None)) or ""
    quote = _take(row, "cited_text")
    if kind == WEB:
        url, title = _take(row, "url"), _take(row, "title")
        return Citation(kind="url", url=url, title=title, quote=quote, extra=bag(leftover(row)))
    title = _take(row, "document_title") or _take(row, "title")
    own = bag({FORM + "citation": "null", **leftover(row)})  # a place in the request means nothing elsewhere
    return Citation(kind=kind, title=title, quote=quote, extra=own)


def _take(row: Members, name: str) -> str | None:
    word = open_string(row.get(name))
    if word is not None:
        del row[name]
    return word


def write_citation(citation: Citation) -> Wire | None:
    """A citation of an answer, `None` where this protocol cannot say it."""
    if citation.kind == "url" and citation.url is not None:
        wire: Wire = {
            "type": WEB,
            "url": citation.url,
            "cited_text": citation.quote or "",
            "encrypted_index": "",
        }
        if citation.title is not None:
            wire["title"] = citation.title
    elif citation.extra is not None and citation.extra.protocol == PROTOCOL:
        wire = {"type": citation.kind, "cited_text": citation.quote or ""}
        title = "title" if citation.kind == "search_result_location" else "document_title"
        wire[title] = citation.title
    else:
        return None
    restore(wire, citation.extra)
    return wire


def proven(wire: dict[str, Any]) -> bool:
    """Whether a citation may go back to Anthropic in a history."""
    return wire.get("type") != WEB or wire.get("encrypted_index") != ""
