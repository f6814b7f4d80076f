"""The codec of the Gemini API: the verbs, each said by the module that has the idea."""

from collections.abc import Mapping

from turnout.model import Answer, Body, Decoder, Headers, Info, ModelInfo, ProtocolName, Source
from turnout.model.errors import ProviderError, TurnoutError
from turnout.wire.codec import Encoder, Seed

from . import errors, models, path, request, rewrite, stream, writing
from .dialect import DIALECTS, GeminiDialect
from .members import PROTOCOL


class GeminiCodec:
    """`generateContent` in both directions (google-genai 3.6); see `turnout.wire.codec.Codec` for the verbs.

    Model and stream are in the path of a call. Lines of a stream end in CRLF, and nothing but data is in it: the
    official clients read a comment as a broken answer.
    """

    protocol: ProtocolName = PROTOCOL
    dialects: Mapping[str, GeminiDialect] = DIALECTS
    request_id = "x-request-id"
    counts = True

    def peek(self, source: Source) -> tuple[str, bool]:
        """Model and stream of a call, from its path."""
        return path.peek(source)

    def decode_request(self, source: Source) -> Body:
        """The whole request."""
        return request.decode_request(source)

    def encode_request(
        self, model: str, stream: bool, body: Body, dialect: GeminiDialect, ask_usage: bool
    ) -> tuple[bytes, tuple[str, ...]]:
        """The request, and the hints that it cannot say; usage comes unasked, and is asked for in translation."""
        return rewrite.encode_request(model, body, dialect, translated=ask_usage)

    def leaves_nothing(self, source: Source, default: bool) -> bool:
        """Whether nothing of a request is kept: it cannot say so itself, nor continue from what is."""
        return not default

    def call_headers(
        self, source: Source | None, model: str, body: Body | None, dialect: GeminiDialect
    ) -> tuple[tuple[str, str], ...]:
        """None: this protocol has no header that a call needs."""
        return ()

    def splice(self, source: Source, model: str) -> tuple[bytes, str]:
        """The body as it is, and the path with another model's name."""
        return path.splice(source, model)

    def decode_answer(self, data: bytes, dialect: GeminiDialect) -> Answer:
        """A whole answer."""
        return stream.decode_answer(data)

    def encode_answer(self, answer: Answer, seed: Seed) -> tuple[bytes, tuple[str, ...]]:
        """A whole answer as bytes, and what was left out."""
        return writing.encode_answer(answer, seed)

    def stream_decoder(self, dialect: GeminiDialect) -> Decoder:
        """A decoder of a streamed answer."""
        return stream.StreamDecoder()

    def whole_decoder(self, dialect: GeminiDialect) -> Decoder:
        """A decoder with the same face for a whole answer."""
        return stream.WholeDecoder()

    def stream_encoder(self, seed: Seed, want_usage: bool) -> Encoder:
        """An encoder of a streamed answer; usage is always in its last event."""
        return writing.StreamEncoder(seed)

    def decode_error(self, status: int, headers: Headers, data: bytes) -> ProviderError:
        """What an upstream's error answer says."""
        return errors.decode_error(status, headers, data)

    def encode_error(self, error: TurnoutError, request_id: str = "") -> tuple[int, Headers, bytes]:
        """An error as an HTTP answer."""
        return errors.encode_error(error)

    def error_event(self, error: TurnoutError, after: bytes = b"") -> bytes:
        """An error inside a stream of events, which it ends."""
        return errors.error_event(error)

    def encode_models(self, models_: Mapping[str, Info], query: str = "") -> bytes:
        """A page of the list of models."""
        return models.encode_models(models_, query)

    def encode_model(self, name: str, info: Info) -> bytes:
        """One model."""
        return models.encode_model(name, info)

    def decode_models(self, data: bytes) -> tuple[tuple[ModelInfo, ...], str]:
        """The models of a page of a provider's list, and the query of the next page."""
        return models.decode_models(data)

    def encode_count_request(
        self, model: str, body: Body, dialect: GeminiDialect
    ) -> tuple[bytes, tuple[str, ...]]:
        """A request whose tokens are to be counted, and the hints that it cannot say."""
        return rewrite.encode_count_request(model, body, dialect)

    def decode_count(self, data: bytes) -> int:
        """The number of input tokens that a provider counted."""
        return models.decode_count(data)

    def encode_count(self, tokens: int) -> bytes:
        """A number of input tokens as a whole answer."""
        return models.encode_count(tokens)

    def keepalive(self) -> bytes:
        """Nothing: the clients of this protocol accept none."""
        return b""
