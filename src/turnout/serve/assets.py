"""Media that a client sends to an agent: its bounds, and the application's own assets.

Strategy: nothing is fetched, and no address is looked at beyond its form. A handle is the application's: whoever issued
it, an agent has no provider that could know it. Its resolver is asked once for each, with the request's context, and
what it gives is checked like what a client sends.
"""

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, cast
from urllib.parse import urlsplit

import msgspec

from turnout.model import (
    AnyPart,
    Context,
    File,
    Info,
    Inline,
    Limits,
    Media,
    Message,
    Request,
    ToolResult,
    Url,
)
from turnout.model.errors import Forbidden, InvalidRequest, TooLarge, TurnoutError, Unsupported

from .incoming import repeatable

AssetResolver: TypeAlias = Callable[[Media, int, Context], Awaitable[Inline] | Inline]
"""Gives the bytes behind a handle: the media as the client described it, the most bytes that it may have, and the
request's context, by which it decides whether this caller may have it. It raises what the client may know."""

_replace: Any = msgspec.structs.replace


class Assets:
    """Checks the media of requests to agents, and resolves handles with `resolver`."""

    def __init__(self, limits: Limits, resolver: Callable[..., Awaitable[Any]] | None) -> None:
        self._limits = limits
        self._resolver = resolver

    async def admit(self, request: Request, info: Info) -> Request:
        """The request with what its handles stand for.

        Raises:
            InvalidRequest: media is malformed, or there are too many handles.
            TooLarge: media has more bytes than it may.
            Unsupported: a handle, and there is no resolver; or it stands for a kind that the agent does not take.
            TurnoutError: the resolver refused.
        """
        handles = 0
        for part in media_of(request):
            self._check(part)
            handles += isinstance(part.source, File)
        if not handles:
            return request
        if self._resolver is None:
            raise Unsupported("file", "file handles are not supported here; send the data")
        if handles > self._limits.assets:
            raise InvalidRequest(f"there are more than {self._limits.assets} file handles", param="file")
        messages = [await self._message(message, request.context, info) for message in request.messages]
        return request.replace(messages=tuple(messages))

    def _check(self, part: Media) -> None:
        source = part.source
        if isinstance(source, Inline):
            self._check_inline(part, source)
        elif isinstance(source, Url):
            check_address(source.url)

    def _check_inline(self, part: Media, source: Inline) -> None:
        if not source.media_type:
            raise InvalidRequest(f"inline {part.kind} needs a media type", param=part.kind)
        if part.kind != "document" and kind_of(source.media_type) != part.kind:
            raise InvalidRequest(f"{repeatable(source.media_type)} is no {part.kind}", param=part.kind)
        limit = self._limits.media_bytes
        if len(source.data) * 3 // 4 - 2 > limit:
            raise TooLarge(f"the {part.kind} is over the limit of {limit} bytes", param=part.kind)
        try:
            size = len(b64decode(source.data, validate=True))
        except (Base64Error, ValueError):
            raise InvalidRequest(f"the {part.kind} is not base64", param=part.kind) from None
        if size > limit:
            raise TooLarge(f"the {part.kind} is over the limit of {limit} bytes", param=part.kind)

    async def _message(self, message: Message, context: Context, info: Info) -> Message:
        return _replace(message, parts=await self._parts(message.parts, context, info))

    async def _parts(self, parts: tuple[AnyPart, ...], context: Context, info: Info) -> tuple[AnyPart, ...]:
        resolved: list[AnyPart] = []
        for part in parts:
            if isinstance(part, ToolResult):
                inner = await self._parts(part.parts, context, info)
                resolved.append(part if inner == part.parts else _replace(part, parts=inner))
            elif isinstance(part, Media) and isinstance(part.source, File):
                resolved.append(await self._resolved(part, context, info))
            else:
                resolved.append(part)
        return tuple(resolved)

    async def _resolved(self, part: Media, context: Context, info: Info) -> Media:
        resolver = cast("Callable[..., Awaitable[Any]]", self._resolver)
        try:
            found = await resolver(part, self._limits.media_bytes, context)
        except TurnoutError:
            raise
        except (
            Exception
        ) as error:  # a refusal of the application's own kind; its words are not for the client
            raise Forbidden("this file cannot be used") from error
        source = _source(found)
        kind = kind_of(source.media_type)
        whole = _replace(part, kind=kind, source=source)
        self._check_inline(whole, source)
        if kind not in info.input:
            raise Unsupported("file", f"the file is {kind}, which is not supported here")
        return whole


def media_of(request: Request) -> list[Media]:
    """All media of a request's messages, those in tool results included."""
    found: list[Media] = []
    for message in request.messages:
        for part in message.parts:
            inner = part.parts if isinstance(part, ToolResult) else (part,)
            found += [each for each in inner if isinstance(each, Media)]
    return found


def check_address(url: str) -> None:
    """See that an address is an absolute one of the web.

    Raises:
        InvalidRequest: it is not.
    """
    try:
        parts = urlsplit(url)
        plain = not any(letter.isspace() or not letter.isprintable() for letter in url)
        good = plain and parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        good = False
    if not good:
        raise InvalidRequest("media is at an absolute http or https address, or inline", param="url")


def kind_of(media_type: str) -> str:
    """The kind of media that a media type says."""
    head = media_type.partition("/")[0]
    return head if head in ("image", "audio", "video") else "document"


def _source(found: Any) -> Inline:
    """What a resolver gave, as bytes in the message; a pair of bytes and media type is taken as well."""
    if isinstance(found, Inline):
        return found
    data, media_type = found
    return Inline(media_type=media_type, data=b64encode(data).decode())
