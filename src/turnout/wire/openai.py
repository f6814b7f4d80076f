"""The verbs that both of OpenAI's protocols say alike: peeking, splicing, errors, models; neither counts tokens."""

from collections.abc import Mapping
from typing import Any

import msgspec

from turnout.model import Body, Headers, Info, ModelInfo, Source
from turnout.model.errors import ProviderError, TurnoutError, Unsupported
from turnout.wire import failures, json, openai_models, sse


class _Keeping(msgspec.Struct, gc=False):
    """The members by which a request is kept or continues from what is."""

    store: bool | None = None
    previous_response_id: str | None = None
    conversation: Any = None
    background: bool | None = None


_read = msgspec.json.Decoder(_Keeping).decode


class OpenAIVerbs:
    """What the codecs of Chat Completions and of Responses have in common; see `turnout.wire.codec.Codec`."""

    request_id = "x-request-id"
    counts = False

    def peek(self, source: Source) -> tuple[str, bool]:
        """Model and stream of a request."""
        return json.peek(source.body)

    def leaves_nothing(self, source: Source, default: bool) -> bool:
        """Whether a request, read over, asks that nothing of it is kept, and continues from nothing."""
        if default and b'"store"' not in source.body:  # decoding it finds the rest
            return False
        try:
            asked = _read(source.body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return False  # decoding it says what is wrong with it
        continues = asked.previous_response_id is not None or asked.conversation is not None
        return not (continues or asked.background or (default if asked.store is None else asked.store))

    def call_headers(
        self, source: Source | None, model: str, body: Body | None, dialect: Any
    ) -> tuple[tuple[str, str], ...]:
        """None: this protocol has no header that a call needs."""
        return ()

    def splice(self, source: Source, model: str) -> tuple[bytes, str]:
        """The body with another model's name; the path does not hold it."""
        return json.splice(source.body, model), source.path

    def decode_error(self, status: int, headers: Headers, data: bytes) -> ProviderError:
        """What an upstream's error answer says."""
        return failures.decode_error(status, headers, data)

    def encode_error(self, error: TurnoutError, request_id: str = "") -> tuple[int, Headers, bytes]:
        """An error as an HTTP answer."""
        return failures.encode_error(error)

    def encode_models(self, models: Mapping[str, Info], query: str = "") -> bytes:
        """The list of models, always in one piece."""
        return openai_models.encode_models(models)

    def encode_model(self, name: str, info: Info) -> bytes:
        """One model."""
        return openai_models.encode_model(name, info)

    def decode_models(self, data: bytes) -> tuple[tuple[ModelInfo, ...], str]:
        """The models of a provider's list, which has one page."""
        return openai_models.decode_models(data), ""

    def encode_count_request(self, model: str, body: Body, dialect: Any) -> tuple[bytes, tuple[str, ...]]:
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
