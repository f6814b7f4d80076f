"""The audio endpoints: a backend of the application's own behind each, or a provider that the call is passed on to.

Strategy: what answers is asked once, and what it gives tells how it is written: a whole body, or pieces as they come.
A provider gets the very bytes of the call. Nothing here is a chat: no catalog is asked, no action runs.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any, Final, cast

from turnout.model import Context, Reply, Request, Speech, Transcript, as_async
from turnout.model.errors import AgentFailed, BadOutput, OutputTooLarge, TurnoutError
from turnout.wire.audio import (
    MEDIA_TYPES,
    Form,
    decode_speech,
    decode_transcription,
    encode_transcript,
    speech_delta,
    speech_done,
    transcript_delta,
    transcript_done,
)
from turnout.wire.codec import Codec

from .asgi import RawHeaders
from .exchange import Exchange
from .failure import Visit, send_whole, settle, shown
from .incoming import check_body, check_form, source_of
from .outlet import Outlet
from .routes import Row
from .settings import Settings
from .write import dropped_header, relay

Handler = Callable[[Exchange, Codec], Awaitable[None]]

_EVENTS: Final[RawHeaders] = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
]


_TRANSCRIBE: Final = Row(
    path="/audio/transcriptions", verb="transcribe", methods=("POST",), protocol="openai-chat"
)
_SPEAK: Final = Row(path="/audio/speech", verb="speak", methods=("POST",), protocol="openai-chat")


class Audio:
    """Answers calls of both endpoints.

    `transcriber` and `speaker` are functions, sync or async, or generators (see the ports), or providers of models,
    which have `forward(path, request)`; `None` for an endpoint that is not served.
    """

    def __init__(self, settings: Settings, transcriber: Any, speaker: Any) -> None:
        self._settings = settings
        self._transcriber = transcriber
        self._speaker = speaker

    @property
    def rows(self) -> tuple[Row, ...]:
        """The paths of what is served."""
        served = ((_TRANSCRIBE, self._transcriber), (_SPEAK, self._speaker))
        return tuple(row for row, backend in served if backend is not None)

    @property
    def handlers(self) -> dict[str, Handler]:
        """What answers, by the verbs of `rows`."""
        found = {"transcribe": self._transcribe, "speak": self._speak}
        return {row.verb: partial(self._answer, found[row.verb]) for row in self.rows}

    async def _answer(
        self, serve: Callable[..., Awaitable[Exception | None]], exchange: Exchange, codec: Codec
    ) -> None:
        visit = self._settings.visit(exchange.scope, codec)
        await settle(serve(exchange, codec, visit), exchange, codec, visit, self._settings.on_error)

    # ---- transcriptions --------------------------------------------------------------------------------------------

    async def _transcribe(self, exchange: Exchange, codec: Codec, visit: Visit) -> Exception | None:
        said = dict(cast("RawHeaders", exchange.scope["headers"]))
        limit = self._settings.limits.multipart_bytes
        check_body(said, limit)
        form = Form(said.get(b"content-type", b"").decode("latin-1"))
        if hasattr(self._transcriber, "forward"):
            body = await exchange.read(limit)
            return await self._forward(self._transcriber, _TRANSCRIBE.path, body, exchange, codec, visit)
        await exchange.pour(limit, form.feed)
        form.close()
        request, unknown = decode_transcription(form)
        headers = [*visit.headers, *dropped_header(unknown)]
        context = visit.context
        given = await _asked(self._transcriber, request, context, "transcriber")
        if request.stream:
            return await self._stream_transcript(given, exchange, codec, headers)
        if isinstance(given, AsyncIterator):
            given = await _joined(cast("AsyncIterator[Any]", given))
        kind, data = encode_transcript(_transcript(given), request.response_format)
        self._check_size(len(data))
        await send_whole(exchange, 200, [(b"content-type", kind.encode()), *headers], data)
        return None

    async def _stream_transcript(
        self, given: Any, exchange: Exchange, codec: Codec, headers: RawHeaders
    ) -> Exception | None:
        told: list[str] = []
        pieces = (
            cast("AsyncIterator[Any]", given)
            if isinstance(given, AsyncIterator)
            else _lone(_transcript(given).text)
        )

        def event(piece: Any) -> bytes:
            if not isinstance(piece, str):
                raise BadOutput(f"turnout: a transcriber gives pieces of text, not {type(piece).__name__}")
            told.append(piece)
            return transcript_delta(piece)

        end = lambda: transcript_done("".join(told))  # noqa: E731 -- what is told is not known before
        return await self._write(pieces, event, end, exchange, codec, [*_EVENTS, *headers])

    # ---- speech ----------------------------------------------------------------------------------------------------

    async def _speak(self, exchange: Exchange, codec: Codec, visit: Visit) -> Exception | None:
        limit = self._settings.limits.request_bytes
        check_form(dict(cast("RawHeaders", exchange.scope["headers"])), limit)
        body = await exchange.read(limit)
        if hasattr(self._speaker, "forward"):
            return await self._forward(self._speaker, _SPEAK.path, body, exchange, codec, visit)
        request, events, unknown = decode_speech(body)
        context = visit.context
        speech = _speech(await _asked(self._speaker, request, context, "speaker"))
        headers = [*visit.headers, *dropped_header(unknown)]
        if events:
            pieces = _lone(speech.audio) if isinstance(speech.audio, bytes) else speech.audio
            return await self._write(
                pieces,
                lambda piece: speech_delta(_bytes(piece)),
                speech_done,
                exchange,
                codec,
                [*_EVENTS, *headers],
            )
        kind = (speech.media_type or MEDIA_TYPES[request.response_format]).encode()
        if isinstance(speech.audio, bytes):
            self._check_size(len(speech.audio))
            await send_whole(exchange, 200, [(b"content-type", kind), *headers], speech.audio)
            return None
        return await self._write(
            speech.audio, _bytes, bytes, exchange, None, [(b"content-type", kind), *headers]
        )

    # ---- writing ---------------------------------------------------------------------------------------------------

    async def _write(
        self,
        pieces: AsyncIterator[Any],
        event: Callable[[Any], bytes],
        end: Callable[[], bytes],
        exchange: Exchange,
        codec: Codec | None,
        headers: RawHeaders,
    ) -> Exception | None:
        """Write pieces as they come.

        A failure is told in the stream; without a `codec` there are no events, and the body is cut.
        """
        keepalive = b"" if codec is None else codec.keepalive()
        outlet = Outlet(exchange, 200, headers, self._settings.pace, keepalive)
        size = 0
        try:
            async for piece in pieces:
                data = event(piece)
                size += len(data)
                self._check_size(size)
                await outlet.write(data)
            await outlet.write(end(), last=True)
        except TurnoutError as error:
            return await self._broken(error, outlet, exchange, codec)
        except Exception as error:  # the backend's own
            failed = AgentFailed("turnout: the audio could not be made")
            failed.__cause__ = error
            return await self._broken(failed, outlet, exchange, codec)
        finally:
            await outlet.close()
            await _close(pieces)
        return None

    async def _broken(
        self, error: TurnoutError, outlet: Outlet, exchange: Exchange, codec: Codec | None
    ) -> Exception | None:
        if not exchange.started or exchange.gone:
            raise error
        if codec is not None:
            await outlet.write(codec.error_event(shown(error)), last=True)
        return error

    def _check_size(self, size: int) -> None:
        if size > self._settings.limits.output_bytes:
            raise OutputTooLarge("the audio is over the limit")

    async def _forward(
        self, provider: Any, path: str, body: bytes, exchange: Exchange, codec: Codec, visit: Visit
    ) -> Exception | None:
        source = source_of(exchange.scope, codec.protocol, body)
        visit.about = request = Request(source=source, context=visit.context)
        visit.reply = reply = cast("Reply", await provider.forward(path, request))
        return await relay(reply, exchange, codec, headers=visit.headers, pace=self._settings.pace)


async def _asked(backend: Any, request: Any, context: Context, name: str) -> Any:
    """What a backend gives.

    Raises:
        TurnoutError: what it raised, or that it failed.
    """
    try:
        return await as_async(backend)(request, context)
    except TurnoutError:
        raise
    except Exception as error:
        raise AgentFailed(f"turnout: the {name} failed") from error


def _transcript(given: Any) -> Transcript:
    if isinstance(given, Transcript):
        return given
    if isinstance(given, str):
        return Transcript(text=given)
    raise BadOutput(f"turnout: a transcriber answers with a Transcript or text, not {type(given).__name__}")


def _speech(given: Any) -> Speech:
    if isinstance(given, Speech):
        return given
    if isinstance(given, bytes | AsyncIterator):
        return Speech(audio=cast("bytes | AsyncIterator[bytes]", given))
    raise BadOutput(f"turnout: a speaker answers with Speech or bytes, not {type(given).__name__}")


def _bytes(piece: Any) -> bytes:
    if isinstance(piece, bytes):
        return piece
    raise BadOutput(f"turnout: a speaker gives pieces of bytes, not {type(piece).__name__}")


async def _lone(piece: Any) -> AsyncIterator[Any]:
    yield piece


async def _joined(pieces: AsyncIterator[Any]) -> str:
    try:
        return "".join([piece async for piece in pieces])
    except TurnoutError:
        raise
    except Exception as error:
        raise AgentFailed("turnout: the transcriber failed") from error
    finally:
        await _close(pieces)


async def _close(pieces: AsyncIterator[Any]) -> None:
    """Let go of what was iterated; only generators hold something."""
    close: Any = getattr(pieces, "aclose", None)
    if close is not None:
        await close()
