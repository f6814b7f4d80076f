"""Writes a reply to the client, in the protocol that the client speaks.

Strategy: there are two lanes. A reply that is an upstream's own bytes in the client's protocol is *relayed*: the
bytes go out as they come, one message per read. Any other reply is *encoded*: its batches of events one by one, or
its whole answer. In both, the status is sent with the first bytes: what fails before is raised, so that it becomes
an HTTP error; what fails after is told in the stream, or the connection is cut, and is returned.
"""

import time
from collections.abc import AsyncIterator
from typing import cast

from turnout.model import (
    Batch,
    Delta,
    Event,
    Extension,
    Failed,
    Finish,
    Media,
    Opaque,
    PartStart,
    Reply,
    Request,
    Start,
    ToolResult,
)
from turnout.model.errors import BrokenStream, DeliveryError
from turnout.wire.codec import Codec, Seed
from turnout.wire.codec import codec as built_codec

from .asgi import RawHeaders, Send
from .exchange import Exchange
from .failure import send_error, send_whole, shown
from .names import new_id
from .outlet import Outlet, Pace

_SERVERS_OWN = frozenset(
    {
        b"connection",
        b"content-length",
        b"date",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-connection",
        b"server",
        b"set-cookie",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
"""Headers that belong to one connection or to one server (RFC 9110 7.6.1), and cookies of the upstream."""

_OF_THE_BYTES = frozenset({b"content-encoding", b"content-type", b"etag", b"vary"})
"""Headers of an upstream's bytes that say nothing of the same answer in other bytes."""

_NOT_OF_AN_ANSWER = _SERVERS_OWN | _OF_THE_BYTES

_STREAM_HEADERS: RawHeaders = [(b"cache-control", b"no-cache"), (b"x-accel-buffering", b"no")]
_COMPLETE_AT_START = (Opaque, Media, Extension, ToolResult)


async def write(
    reply: Reply,
    exchange: Exchange,
    codec: Codec,
    request: Request,
    seed: Seed,
    *,
    headers: RawHeaders,
    pace: Pace,
) -> Exception | None:
    """Write `reply`, and return the failure that the client has been told of after the status.

    `headers` are sent unless the upstream sent its own of that name.

    Raises:
        Exception: the reply failed and nothing has been sent.
        DeliveryError: the client is gone.
    """
    if reply.relay is not None and reply.protocol == codec.protocol:
        return await relay(reply, exchange, codec, headers=headers, pace=pace)
    if request.stream and reply.status < 400:
        return await _encode_stream(reply, exchange, codec, request, seed, headers, pace)
    answer = await reply.answer()
    data, dropped = codec.encode_answer(answer, seed)
    said: RawHeaders = [(b"content-type", b"application/json")]
    if reply.dropped or dropped:
        said += dropped_header((*reply.dropped, *dropped))
    await send_whole(exchange, valid_status(reply.status), _merge(reply, [*said, *headers]), data)
    return None


def valid_status(status: int) -> int:
    """The status to send: 200 for none, 500 for what no final answer may have."""
    if not status:
        return 200
    return status if 200 <= status <= 599 else 500


# ---- relay --------------------------------------------------------------------------------------------------


async def relay(
    reply: Reply, exchange: Exchange, codec: Codec, *, headers: RawHeaders, pace: Pace
) -> Exception | None:
    """Pass an upstream's bytes on; see `write`."""
    kept = [pair for pair in reply.headers.raw if pair[0] not in _SERVERS_OWN]
    said = dict(kept)
    if reply.dropped:
        kept += dropped_header(reply.dropped)
    for pair in headers:
        if pair[0] not in said:
            kept.append(pair)
    if said.get(b"content-type", b"")[:17].lower() != b"text/event-stream":
        return await _relay_whole(reply, exchange, kept)
    kept += [pair for pair in _STREAM_HEADERS if pair[0] not in said]
    coded = said.get(b"content-encoding", b"identity").lower() != b"identity"
    return await _relay_stream(reply, exchange, codec, kept, pace, coded)


async def _relay_whole(reply: Reply, exchange: Exchange, headers: RawHeaders) -> Exception | None:
    chunks: AsyncIterator[bytes] = reply.relay  # pyright: ignore[reportAssignmentType]
    status = valid_status(reply.status)
    first = await anext(chunks, b"")
    if not first and status == 200 and reply.protocol is not None:
        raise BrokenStream("the upstream's answer was empty")
    left = reply.length
    if left is not None:
        headers.append((b"content-length", b"%d" % left))
        left -= len(first)
    await exchange.start(status, headers)
    try:
        await exchange.write(first, last=left == 0)
        if left == 0:
            return None
        async for chunk in chunks:
            if left is not None:
                left -= len(chunk)
            await exchange.write(chunk, last=left == 0)
            if left == 0:
                return None
    except DeliveryError:
        raise
    except Exception as error:  # whatever broke, the body must not look finished
        return error
    if left is not None:
        return BrokenStream("the upstream's answer ended early")
    await exchange.write(b"", last=True)
    return None


async def _relay_stream(
    reply: Reply, exchange: Exchange, codec: Codec, headers: RawHeaders, pace: Pace, coded: bool
) -> Exception | None:
    chunks = cast("AsyncIterator[bytes]", reply.relay)
    outlet = Outlet(exchange, valid_status(reply.status), headers, pace, b"" if coded else codec.keepalive())
    chunk = b""
    try:
        async for chunk in chunks:
            if not outlet.touched and b'"error"' in chunk:
                _raise_early_error(reply, chunk)
            await outlet.write(chunk)
        if not outlet.touched:
            raise BrokenStream("the upstream's answer was empty")  # told like a break
    except DeliveryError:
        raise
    except Exception as error:
        if not exchange.started:
            raise
        if not coded:
            gap = b"" if outlet.between_frames else b"\n\n"
            await outlet.write(gap + codec.error_event(shown(error), chunk), last=True)
        return error
    else:
        await outlet.write(b"", last=True)
        return None
    finally:
        await outlet.close()


def _raise_early_error(reply: Reply, chunk: bytes) -> None:
    """Raise the error that a stream begins with, while it can still be an HTTP error.

    These are the only bytes of a relay that are decoded.
    """
    decoder = reply.decoder()
    if decoder is None or reply.status >= 400:
        return
    for event in decoder.feed(chunk):
        if isinstance(event, Failed):
            raise event.error
        if isinstance(event, Start) or _carries_content(event):
            return


# ---- encode -------------------------------------------------------------------------------------------------


async def _encode_stream(
    reply: Reply,
    exchange: Exchange,
    codec: Codec,
    request: Request,
    seed: Seed,
    headers: RawHeaders,
    pace: Pace,
) -> Exception | None:
    encoder = codec.stream_encoder(seed, request.body.want_usage)
    kind = getattr(encoder, "content_type", b"text/event-stream; charset=utf-8")
    said: RawHeaders = [(b"content-type", kind), *_STREAM_HEADERS]
    outlet = Outlet(
        exchange, valid_status(reply.status), _merge(reply, [*said, *headers]), pace, codec.keepalive()
    )
    try:
        async for batch in reply.batches():
            end = batch[-1]
            if not exchange.started:
                content = _any_content(batch)
                data = encoder.encode(batch)
                if not content:
                    outlet.hold(data)
                    continue
                outlet.add_headers(dropped_header((*reply.dropped, *encoder.dropped)))
            else:
                data = encoder.encode(batch)
            ends = isinstance(end, Finish | Failed)
            await outlet.write(data, last=ends)
            if ends:
                return end.error if isinstance(end, Failed) else None
        raise BrokenStream("the answer ended without its end mark")  # told like a break
    except DeliveryError:
        raise
    except Exception as error:
        if not exchange.started:
            raise
        await outlet.write(encoder.encode((Failed(error=shown(error)),)), last=True)
        return error
    finally:
        await outlet.close()


def _any_content(batch: Batch) -> bool:
    """Whether a batch is worth the status.

    Raises:
        TurnoutError: it says, before any content, that the answer failed.
    """
    for event in batch:
        if isinstance(event, Failed):
            raise event.error
        if _carries_content(event):
            return True
    return False


def _carries_content(event: Event) -> bool:
    if isinstance(event, Delta):
        return bool(event.text)
    if isinstance(event, PartStart):
        part = event.part
        return isinstance(part, _COMPLETE_AT_START) or bool(getattr(part, "text", ""))
    return isinstance(event, Finish)


# ---- headers ------------------------------------------------------------------------------------------------


def _merge(reply: Reply, defaults: RawHeaders) -> RawHeaders:
    """The defaults, and the reply's own headers where they are not about the bytes that it came in."""
    names = dict(defaults)
    kept = [pair for pair in reply.headers.raw if pair[0] not in _NOT_OF_AN_ANSWER and pair[0] not in names]
    return defaults + kept


def dropped_header(names: tuple[str, ...]) -> RawHeaders:
    """The header that says which hints could not be passed on."""
    if not names:
        return []
    return [(b"x-turnout-dropped", ", ".join(dict.fromkeys(names)).encode("latin-1", "replace"))]


async def write_response(
    reply: Reply, send: Send, request: Request | None = None, *, codec: Codec | None = None
) -> None:
    """Write a reply to an ASGI `send`, for who writes an own handler.

    Status, headers and bytes of a relayed reply go out as they are, each piece as it is read; 200 when it has no
    status, 500 when it has an impossible one. Events and answers are encoded for `request`, else as a whole in the
    reply's protocol or OpenAI's chat completions. The reply is closed, also on failure. A client that went away or
    a body that fails after the status ends the response quietly; one that fails before is an error answer that
    says nothing of the cause.
    """
    request = request or Request()
    if codec is None:
        source = request.source
        codec = built_codec((source.protocol if source else reply.protocol) or "openai-chat")
    exchange = Exchange({}, None, send)
    seed = Seed(id=new_id(), created=int(time.time()), model=request.model, request=request)
    try:
        if reply.relay is not None and reply.protocol in {None, codec.protocol}:
            failure = await relay(reply, exchange, codec, headers=[], pace=Pace())
        else:
            failure = await write(reply, exchange, codec, request, seed, headers=[], pace=Pace())
        if failure is None:
            await reply.delivered()
    except DeliveryError:
        return
    except Exception as error:  # told without its cause, where it can still be told
        if not exchange.started:
            await _send_error_quietly(exchange, codec, error)
    finally:
        exchange.end()
        await reply.aclose()


async def _send_error_quietly(exchange: Exchange, codec: Codec, error: Exception) -> None:
    try:
        await send_error(exchange, codec, shown(error))
    except DeliveryError:
        return
