"""The codec of OpenAI Responses: the verbs, each said by the module that has the idea."""

from collections.abc import Mapping

from turnout.model import (
    Answer,
    Body,
    Decoder,
    Json,
    Message,
    ProtocolName,
    Request,
    Source,
    StoredResponse,
)
from turnout.model.errors import TurnoutError
from turnout.wire.codec import Encoder, Seed, WholeDecoder
from turnout.wire.openai import OpenAIVerbs

from . import answer as answers
from . import errors, request, resource, rewrite, stored, stream, writer
from .dialect import DIALECTS, ResponsesDialect
from .ids import response_id
from .members import PROTOCOL
from .shapes import OPENAI, Shape


class ResponsesCodec(OpenAIVerbs):
    """Responses in both directions (openai 3.57); see `turnout.wire.codec.Codec` for what the verbs mean.

    `shape` is how answers are written: OpenAI's own, or Open Responses 2026-04-24.
    """

    protocol: ProtocolName = PROTOCOL
    dialects: Mapping[str, ResponsesDialect] = DIALECTS

    def __init__(self, shape: Shape = OPENAI) -> None:
        self.shape = shape

    def decode_request(self, source: Source) -> Body:
        """The whole request."""
        return request.decode_request(source)

    def encode_request(
        self, model: str, stream: bool, body: Body, dialect: ResponsesDialect, ask_usage: bool
    ) -> tuple[bytes, tuple[str, ...]]:
        """The request as this dialect takes it, and the hints that it cannot say; usage always comes."""
        return rewrite.encode_request(model, stream, body, dialect)

    def decode_answer(self, data: bytes, dialect: ResponsesDialect) -> Answer:
        """A whole answer."""
        return answers.decode_answer(data, dialect)

    def turn(self, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
        """What goes before any history, and the turn itself."""
        return stored.turn(messages)

    def unkept(self, asked: Request) -> Request:
        """The request for a provider that need not keep the response."""
        return stored.unkept(asked)

    def answer_id(self, request_id: str) -> str:
        """The id of the answer to a request."""
        return response_id("", request_id)

    def echo(self, asked: Request) -> Mapping[str, Json]:
        """What an answer repeats of its request."""
        return resource.echo(asked, is_open=bool(self.shape.prefix))

    def encode_stored(self, kept: StoredResponse) -> bytes:
        """A response that was kept, as its creation was answered."""
        return stored.body(kept, self.shape)

    def stream_stored(self, kept: StoredResponse) -> bytes:
        """A response that was kept, as a stream."""
        return stored.streamed(kept, self.shape)

    def encode_answer(self, answer: Answer, seed: Seed) -> tuple[bytes, tuple[str, ...]]:
        """A whole answer as bytes, and what was left out."""
        return writer.encode_answer(answer, seed, self.shape)

    def stream_decoder(self, dialect: ResponsesDialect) -> Decoder:
        """A decoder of a streamed answer."""
        return stream.StreamDecoder(dialect)

    def whole_decoder(self, dialect: ResponsesDialect) -> Decoder:
        """A decoder with the same face for a whole answer."""
        return WholeDecoder(lambda data: answers.decode_answer(data, dialect))

    def stream_encoder(self, seed: Seed, want_usage: bool) -> Encoder:
        """An encoder of a streamed answer, whose last event always has the usage."""
        return writer.StreamEncoder(seed, self.shape)

    def error_event(self, error: TurnoutError, after: bytes = b"") -> bytes:
        """An error inside a stream, and the failed response that ends it."""
        return errors.error_event(error, after, self.shape.done)
