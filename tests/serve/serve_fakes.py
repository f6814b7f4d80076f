"""A tiny protocol and steps that answer in it, so that the server is tested without any real wire format."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from turnout.model import (
    Answer,
    Batch,
    Body,
    Context,
    Decoder,
    Delta,
    Failed,
    Finish,
    Headers,
    Info,
    Message,
    PartEnd,
    PartStart,
    ProtocolName,
    Reply,
    Request,
    Source,
    Start,
    Text,
)
from turnout.model.errors import (
    BrokenStream,
    InvalidRequest,
    NotFound,
    ProviderError,
    TurnoutError,
    Unsupported,
)
from turnout.wire.codec import ErrorDecoder, Seed

JSON = Headers.of({"content-type": "application/json"})
SSE = Headers.of({"content-type": "text/event-stream"})


def event(value: Any) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


class PlainCodec:
    """`{"model", "stream", "say"}` in, `{"text"}` or events `{"t"}` out; counts how often it decodes a request."""

    protocol: ProtocolName = "openai-chat"
    dialects: Mapping[str, Any] = {"": None}
    request_id = "x-request-id"
    counts = False

    def __init__(self) -> None:
        self.decoded = 0

    def peek(self, source: Source) -> tuple[str, bool]:
        try:
            body = json.loads(source.body)
            return body["model"], bool(body.get("stream"))
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidRequest("model is missing", param="model") from error

    def decode_request(self, source: Source) -> Body:
        self.decoded += 1
        body = json.loads(source.body)
        if not isinstance(body.get("say", ""), str):
            raise InvalidRequest("say must be text", param="say")
        return Body(messages=(Message(role="user", parts=(Text(text=body.get("say", "")),)),))

    def encode_answer(self, answer: Answer, seed: Seed) -> tuple[bytes, tuple[str, ...]]:
        if answer.stop == "pause":
            raise Unsupported("pause")
        body = {"id": answer.id or seed.id, "model": answer.model or seed.model, "text": answer.text}
        return json.dumps(body).encode(), ("voice",) if answer.metadata else ()

    def stream_decoder(self, dialect: Any = None) -> Decoder:
        return PlainDecoder()

    def stream_encoder(self, seed: Seed, want_usage: bool) -> "PlainEncoder":
        return PlainEncoder(self)

    def encode_error(self, error: TurnoutError, request_id: str = "") -> tuple[int, Headers, bytes]:
        body = {
            "error": {"message": error.message, "type": error.type, "code": error.code, "param": error.param}
        }
        return error.status, JSON, json.dumps(body).encode()

    def error_event(self, error: TurnoutError, after: bytes = b"") -> bytes:
        return event({"error": error.message})

    def encode_models(self, models: Mapping[str, Info], query: str = "") -> bytes:
        return json.dumps(list(models)).encode()

    def encode_model(self, name: str, info: Info) -> bytes:
        return json.dumps(name).encode()

    def keepalive(self) -> bytes:
        return b": keepalive\n\n"


class PlainEncoder:
    dropped: tuple[str, ...] = ()

    def __init__(self, codec: PlainCodec) -> None:
        self._codec = codec

    def encode(self, batch: Batch) -> bytes:
        out = b""
        for one in batch:
            match one:
                case Start():
                    out += event({"start": True})
                case Delta(text=text):
                    out += event({"t": text})
                case Finish():
                    out += b"data: [DONE]\n\n"
                case Failed(error=error):
                    out += self._codec.error_event(error)
                case _:
                    pass
        return out


class PlainDecoder:
    def feed(self, data: bytes) -> Batch:
        found: list[Any] = []
        for line in data.split(b"\n\n"):
            said = line.removeprefix(b"data: ")
            if not said or said == b"[DONE]":
                continue
            value = json.loads(said)
            if "error" in value:
                found.append(Failed(error=ProviderError(value["error"], status_code=429, kind="rate_limit")))
            else:
                found.append(Delta(index=0, text=value.get("t", "")))
        return tuple(found)

    def close(self) -> Batch:
        return (Failed(error=BrokenStream("cut")),)

    def fail(self, error: TurnoutError) -> Batch:
        return (Failed(error=error),)


CODEC: Any = PlainCodec()


# ---- replies ------------------------------------------------------------------------------------------------


class Spy:
    """What became of a reply: whether it was closed, and a wish to know when it is cancelled."""

    def __init__(self) -> None:
        self.closed = asyncio.Event()
        self.cancelled = asyncio.Event()
        self.running = asyncio.Event()
        self.calls = 0

    async def close(self) -> None:
        self.closed.set()

    async def forever(self) -> None:
        self.running.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise


async def chunks_of(
    *pieces: bytes | BaseException | asyncio.Event | Callable[[], Any],
) -> AsyncIterator[bytes]:
    """Yields the bytes, raises the exceptions, waits for the events, awaits what the functions give."""
    for piece in pieces:
        if isinstance(piece, BaseException):
            raise piece
        if isinstance(piece, asyncio.Event):
            await piece.wait()
        elif isinstance(piece, bytes):
            yield piece
        else:
            await piece()


def relayed(
    *pieces: Any,
    status: int = 200,
    headers: Headers = JSON,
    length: int | None = None,
    spy: Spy | None = None,
    dropped: tuple[str, ...] = (),
    protocol: ProtocolName = "openai-chat",
) -> Reply:
    def decode() -> Decoder:
        if status >= 400:
            return ErrorDecoder(lambda data: ProviderError("upstream said no", status_code=status))
        return PlainDecoder()

    return Reply.relayed(
        status,
        headers,
        chunks_of(*pieces),
        protocol,
        decode,
        length=length,
        dropped=dropped,
        close=spy.close if spy else None,
    )


async def batches_of(*batches: Any) -> AsyncIterator[Batch]:
    for batch in batches:
        if isinstance(batch, BaseException):
            raise batch
        if isinstance(batch, asyncio.Event):
            await batch.wait()
        elif isinstance(batch, tuple):
            yield batch
        else:
            await batch()


def evented(*batches: Any, spy: Spy | None = None, dropped: tuple[str, ...] = ()) -> Reply:
    return Reply.of_batches(batches_of(*batches), close=spy.close if spy else None, dropped=dropped)


START = (Start(id="a"), PartStart(index=0, part=Text(text="")))
FINISH = (PartEnd(index=0), Finish(stop="end"))


def say(text: str) -> Batch:
    return (Delta(index=0, text=text),)


class Models:
    """A catalog of steps by exact name."""

    def __init__(self, **steps: Any) -> None:
        self.steps = steps

    async def list(self, context: Context) -> Mapping[str, Info]:
        return {name: Info(unlimited=True) for name in self.steps}

    async def load(self, target: str, context: Context) -> tuple[Any, Info]:
        if target not in self.steps:
            raise NotFound(f"the model {target!r} does not exist", code="model_not_found", param="model")
        return self.steps[target], Info(unlimited=True)


def replying(make: Callable[[], Reply]) -> Callable[[Request], Any]:
    async def step(request: Request) -> Reply:
        return make()

    return step
