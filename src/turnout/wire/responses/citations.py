"""Sources of a text: the `annotations` of an output text, in both directions (openai 3.57)."""

from typing import Any

import msgspec

from turnout.model import Citation
from turnout.wire.layers import BROKEN, Raw, leftover, open_string, raw_of, said, text

from .members import PROTOCOL, bag, form

_ROWS: "msgspec.json.Decoder[list[dict[str, Raw]]]" = msgspec.json.Decoder(list[dict[str, Raw]])
_INT = msgspec.json.Decoder(int)
_URL = ("type", "url", "title", "start_index", "end_index")


def read_citations(raw: Raw | None) -> tuple[Citation, ...] | None:
    """The sources that a list of annotations names; `None` when it is no such list."""
    if raw is None or not said(raw):
        return ()
    try:
        return tuple([read_citation(row) for row in _ROWS.decode(raw)])
    except BROKEN:
        return None


def read_citation(row: dict[str, Raw]) -> Citation:
    """One annotation; all but those of web pages keep their own members."""
    kind = open_string(row.get("type")) or "annotation"
    if kind != "url_citation":
        members = dict(row)
        members.pop("type", None)
        return Citation(kind=kind, extra=bag(leftover(members)))
    rest = {name: text(raw) for name, raw in row.items() if name not in _URL and said(raw)}
    start, end = _place(row.get("start_index")), _place(row.get("end_index"))
    spans = bool(start or end)
    return Citation(
        kind="url",
        url=open_string(row.get("url")),
        title=open_string(row.get("title")),
        start=start if spans else None,
        end=end if spans else None,
        extra=bag(rest),
    )


def _place(raw: Raw | None) -> int:
    try:
        return 0 if raw is None else _INT.decode(raw)
    except BROKEN:
        return 0


def is_exact(raw: Raw, citations: tuple[Citation, ...]) -> bool:
    """Whether sources are written again just as they came."""
    again = msgspec.json.encode([write_citation(citation) for citation in citations])
    return msgspec.json.decode(raw) == msgspec.json.decode(again)


def write_citation(citation: Citation) -> dict[str, Any] | None:
    """A source as an annotation, `None` where this protocol cannot say it."""
    own = citation.extra is not None and citation.extra.protocol == PROTOCOL
    if citation.url is not None:
        wire: dict[str, Any] = {
            "type": "url_citation",
            "url": citation.url,
            "title": citation.title or "",
            "start_index": citation.start or 0,
            "end_index": citation.end or 0,
        }
    elif own:
        wire = {"type": citation.kind}
    else:
        return None
    if citation.extra is not None and own:
        wire.update({name: raw_of(json) for name, json in citation.extra.members.items()})
    return wire


def written_citations(part: Any, losses: Any) -> list[Any]:
    """All annotations of a text, as they came where they still say the same."""
    written = form(part.extra, "annotations")
    if written is not None and read_citations(raw_of(written)) == part.citations:
        return list(_ROWS.decode(written))
    rows: list[Any] = []
    for citation in part.citations:
        row = write_citation(citation)
        if row is None:
            losses.add("citations")
        else:
            rows.append(row)
    return rows
