"""Media as an address: a data URL is the bytes that it holds (RFC 2397)."""

from turnout.model import File, Inline, MediaSource, Url
from turnout.model.errors import Unsupported


def media_source(url: str) -> MediaSource:
    """A data URL as the bytes it holds, anything else as an address."""
    if url.startswith("data:"):
        head, comma, data = url[5:].partition(",")
        media_type, semicolon, rest = head.partition(";")
        if comma and semicolon and rest == "base64":
            return Inline(media_type=media_type, data=data)
    return Url(url=url)


def media_url(source: MediaSource) -> str:
    """The address of media; bytes as a data URL.

    Raises:
        Unsupported: it is another provider's handle.
    """
    if isinstance(source, File):
        raise Unsupported("file", "a file handle has no address here")
    return source.url if isinstance(source, Url) else f"data:{source.media_type};base64,{source.data}"
