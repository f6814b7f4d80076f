"""The codec of OpenAI Chat Completions: the verbs, each said by the module that has the idea."""

from collections.abc import Mapping

from turnout.model import Answer, Body, Decoder, ProtocolName, Request, Source
from turnout.model.errors import TurnoutError
from turnout.wire.codec import Encoder, Seed, WholeDecoder
from turnout.wire.openai import OpenAIVerbs

from . import answer, chunks, errors, keeping, renaming, request, rewrite, stream
from .dialect import DIALECTS, ChatDialect
from .members import PROTOCOL


class ChatCodec(OpenAIVerbs):
    """Chat Completions in both directions (openai 3.57); see `turnout.wire.codec.Codec` for what the verbs mean.

    It has no call that counts tokens. `Seed.reasoning` is a member like `reasoning_content`.
    """

    protocol: ProtocolName = PROTOCOL
    dialects: Mapping[str, ChatDialect] = DIALECTS

    def decode_request(self, source: Source) -> Body:
        """The whole request."""
        return request.decode_request(source)

    def encode_request(
        self, model: str, stream: bool, body: Body, dialect: ChatDialect, ask_usage: bool
    ) -> tuple[bytes, tuple[str, ...]]:
        """The request as this dialect takes it, and the hints that it cannot say."""
        return rewrite.encode_request(model, stream, body, dialect, ask_usage)

    def decode_answer(self, data: bytes, dialect: ChatDialect) -> Answer:
        """A whole answer."""
        return answer.decode_answer(data, dialect)

    def encode_answer(self, answer_: Answer, seed: Seed) -> tuple[bytes, tuple[str, ...]]:
        """A whole answer as bytes, and what was left out."""
        return answer.encode_answer(answer_, seed)

    def unkept(self, asked: Request) -> Request:
        """The request for a provider that need not keep the response."""
        return keeping.unkept(asked)

    def renamed(self, data: bytes, answer_: Answer) -> bytes | None:
        """The bytes of a whole answer under the name of what was read from them; `None` where that cannot be done."""
        return renaming.renamed(data, answer_)

    def stream_decoder(self, dialect: ChatDialect) -> Decoder:
        """A decoder of a streamed answer."""
        return stream.StreamDecoder(dialect)

    def whole_decoder(self, dialect: ChatDialect) -> Decoder:
        """A decoder with the same face for a whole answer."""
        return WholeDecoder(lambda data: answer.decode_answer(data, dialect))

    def stream_encoder(self, seed: Seed, want_usage: bool) -> Encoder:
        """An encoder of a streamed answer."""
        return chunks.StreamEncoder(seed, want_usage)

    def error_event(self, error: TurnoutError, after: bytes = b"") -> bytes:
        """An error inside a stream, which it ends."""
        return errors.error_event(error)
