"""The codec of OpenAI Chat Completions: the verbs, each said by the module that has the idea."""

from collections.abc import Mapping

from turnout.model import Answer, Body, Decoder, Headers, Info, ModelInfo, ProtocolName, Source
from turnout.model.errors import ProviderError, TurnoutError, Unsupported
from turnout.wire import json, sse
from turnout.wire.codec import Encoder, Seed

from . import answer, chunks, errors, request, rewrite, stream
from . import models as models_list
from .dialect import DIALECTS, ChatDialect
from .members import PROTOCOL


class ChatCodec:
    """Chat Completions in both directions (openai 3.57); see `turnout.wire.codec.Codec` for what the verbs mean.

    It has no call that counts tokens. `Seed.reasoning` is a member like `reasoning_content`.
    """

    protocol: ProtocolName = PROTOCOL
    dialects: Mapping[str, ChatDialect] = DIALECTS
    request_id = "x-request-id"
    counts = False

    def peek(self, source: Source) -> tuple[str, bool]:
        """Model and stream of a request."""
        return json.peek(source.body)

    def decode_request(self, source: Source) -> Body:
        """The whole request."""
        return request.decode_request(source)

    def encode_request(
        self, model: str, stream: bool, body: Body, dialect: ChatDialect, ask_usage: bool
    ) -> tuple[bytes, tuple[str, ...]]:
        """The request as this dialect takes it, and the hints that it cannot say."""
        return rewrite.encode_request(model, stream, body, dialect, ask_usage)

    def call_headers(
        self, source: Source | None, model: str, body: Body | None, dialect: ChatDialect
    ) -> tuple[tuple[str, str], ...]:
        """None: this protocol has no header that a call needs."""
        return ()

    def splice(self, source: Source, model: str) -> tuple[bytes, str]:
        """The body with another model's name; the path does not hold it."""
        return json.splice(source.body, model), source.path

    def decode_answer(self, data: bytes, dialect: ChatDialect) -> Answer:
        """A whole answer."""
        return answer.decode_answer(data, dialect)

    def encode_answer(self, answer_: Answer, seed: Seed) -> tuple[bytes, tuple[str, ...]]:
        """A whole answer as bytes, and what was left out."""
        return answer.encode_answer(answer_, seed)

    def stream_decoder(self, dialect: ChatDialect) -> Decoder:
        """A decoder of a streamed answer."""
        return stream.StreamDecoder(dialect)

    def whole_decoder(self, dialect: ChatDialect) -> Decoder:
        """A decoder with the same face for a whole answer."""
        return answer.WholeDecoder(dialect)

    def stream_encoder(self, seed: Seed, want_usage: bool) -> Encoder:
        """An encoder of a streamed answer."""
        return chunks.StreamEncoder(seed, want_usage)

    def decode_error(self, status: int, headers: Headers, data: bytes) -> ProviderError:
        """What an upstream's error answer says."""
        return errors.decode_error(status, headers, data)

    def encode_error(self, error: TurnoutError, request_id: str = "") -> tuple[int, Headers, bytes]:
        """An error as an HTTP answer."""
        return errors.encode_error(error)

    def error_event(self, error: TurnoutError, after: bytes = b"") -> bytes:
        """An error inside a stream, which it ends."""
        return errors.error_event(error)

    def encode_models(self, models: Mapping[str, Info], query: str = "") -> bytes:
        """The list of models, always in one piece."""
        return models_list.encode_models(models)

    def encode_model(self, name: str, info: Info) -> bytes:
        """One model."""
        return models_list.encode_model(name, info)

    def decode_models(self, data: bytes) -> tuple[tuple[ModelInfo, ...], str]:
        """The models of a provider's list, which has one page."""
        return models_list.decode_models(data), ""

    def encode_count_request(
        self, model: str, body: Body, dialect: ChatDialect
    ) -> tuple[bytes, tuple[str, ...]]:
        """Nothing: this protocol cannot ask for a count."""
        raise Unsupported("count_tokens")

    def decode_count(self, data: bytes) -> int:
        """Nothing: this protocol cannot ask for a count."""
        raise Unsupported("count_tokens")

    def encode_count(self, tokens: int) -> bytes:
        """Nothing: this protocol cannot tell a count."""
        raise Unsupported("count_tokens")

    def keepalive(self) -> bytes:
        """A comment, which no client of this protocol takes for an event."""
        return sse.comment("keepalive")
