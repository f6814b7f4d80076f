"""The codec of Anthropic Messages: the verbs, each said by the module that has the idea."""

from collections.abc import Mapping

import msgspec

from turnout.model import Answer, Body, Decoder, Headers, Info, ModelInfo, ProtocolName, Source
from turnout.model.errors import BrokenStream, ProviderError, TurnoutError
from turnout.wire import failures, json, sse
from turnout.wire.codec import Encoder, Seed, WholeDecoder

from . import answer as answers
from . import errors, request, rewrite, stream, versions, writer
from . import models as models_list
from .dialect import DIALECTS, AnthropicDialect
from .members import PROTOCOL


class _Count(msgspec.Struct):
    input_tokens: int


_COUNT = msgspec.json.Decoder(_Count)
_PING = sse.write(b'{"type":"ping"}', "ping")


class AnthropicCodec:
    """Anthropic Messages in both directions (anthropic 2.14); `turnout.wire.codec.Codec` says what the verbs mean."""

    protocol: ProtocolName = PROTOCOL
    dialects: Mapping[str, AnthropicDialect] = DIALECTS
    request_id = "request-id"
    counts = True

    def peek(self, source: Source) -> tuple[str, bool]:
        """Model and stream of a request."""
        return json.peek(source.body)

    def decode_request(self, source: Source) -> Body:
        """The whole request, or one whose tokens are to be counted."""
        return request.decode_request(source)

    def encode_request(
        self, model: str, stream: bool, body: Body, dialect: AnthropicDialect, ask_usage: bool
    ) -> tuple[bytes, tuple[str, ...]]:
        """The request, and the hints that it cannot say; usage comes unasked."""
        return rewrite.encode_request(model, stream, body, dialect)

    def leaves_nothing(self, source: Source, default: bool) -> bool:
        """Whether nothing of a request is kept: it cannot say so itself, nor continue from what is."""
        return not default

    def call_headers(
        self, source: Source | None, model: str, body: Body | None, dialect: AnthropicDialect
    ) -> tuple[tuple[str, str], ...]:
        """The version of the protocol."""
        return versions.call_headers(source, model, body, dialect)

    def splice(self, source: Source, model: str) -> tuple[bytes, str]:
        """The body with another model's name; the path does not hold it."""
        return json.splice(source.body, model), source.path

    def decode_answer(self, data: bytes, dialect: AnthropicDialect) -> Answer:
        """A whole answer."""
        return answers.decode_answer(data)

    def encode_answer(self, answer: Answer, seed: Seed) -> tuple[bytes, tuple[str, ...]]:
        """A whole answer as bytes, and what was left out."""
        return answers.encode_answer(answer, seed)

    def stream_decoder(self, dialect: AnthropicDialect) -> Decoder:
        """A decoder of a streamed answer."""
        return stream.StreamDecoder()

    def whole_decoder(self, dialect: AnthropicDialect) -> Decoder:
        """A decoder with the same face for a whole answer."""
        return WholeDecoder(answers.decode_answer)

    def stream_encoder(self, seed: Seed, want_usage: bool) -> Encoder:
        """An encoder of a streamed answer; usage is always shown."""
        return writer.StreamWriter(seed)

    def decode_error(self, status: int, headers: Headers, data: bytes) -> ProviderError:
        """What an upstream's error answer says."""
        return failures.decode_error(status, headers, data)

    def encode_error(self, error: TurnoutError, request_id: str = "") -> tuple[int, Headers, bytes]:
        """An error as an HTTP answer."""
        return errors.encode_error(error, request_id)

    def error_event(self, error: TurnoutError, after: bytes = b"") -> bytes:
        """An error inside a stream, which it ends."""
        return errors.error_event(error)

    def encode_models(self, models: Mapping[str, Info], query: str = "") -> bytes:
        """A page of the list of models."""
        return models_list.encode_models(models, query)

    def encode_model(self, name: str, info: Info) -> bytes:
        """One model."""
        return models_list.encode_model(name, info)

    def decode_models(self, data: bytes) -> tuple[tuple[ModelInfo, ...], str]:
        """The models of a page, and the query for the next one."""
        return models_list.decode_models(data)

    def encode_count_request(
        self, model: str, body: Body, dialect: AnthropicDialect
    ) -> tuple[bytes, tuple[str, ...]]:
        """A request whose tokens are to be counted."""
        return rewrite.encode_count_request(model, body, dialect)

    def decode_count(self, data: bytes) -> int:
        """The number of input tokens."""
        try:
            return _COUNT.decode(data).input_tokens
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise BrokenStream("the provider's answer is not a count of tokens") from None

    def encode_count(self, tokens: int) -> bytes:
        """A number of input tokens as an answer."""
        return msgspec.json.encode(_Count(input_tokens=tokens))

    def keepalive(self) -> bytes:
        """The protocol's own ping."""
        return _PING
