"""The verbs that every protocol has, in both directions, and where its codec is found.

Strategy: a served endpoint and a provider adapter use the same codec. Encoders give the bytes and the names of the
hints that they dropped, or raise `Unsupported`; decoders of answers never raise, trouble is a `Failed` event.
"""

import importlib
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

from turnout.model import (
    Answer,
    Batch,
    Body,
    Decoder,
    Extra,
    Failed,
    Headers,
    Info,
    Json,
    ModelInfo,
    ProtocolName,
    Request,
    Source,
    Usage,
    V,
    unfold,
)
from turnout.model.errors import ProviderError, TurnoutError, Unsupported

FORM = "~"
"""First character of the members of an `Extra` that remember how the wire spelt what the model does say (which of
two names a limit had, the very JSON of a cache marker). The codec that wrote them obeys them as long as they agree
with the model; all others pass over them without a report, since nothing is lost."""


class Seed(V, frozen=True, kw_only=True):
    """What an answer is filled with where it says nothing; the caller injects time and ids.

    `reasoning` names the member that shows thoughts of another protocol, where this one has no place of its own for
    them; `""` leaves them out. `request` is what is answered, for protocols whose answers repeat parts of it; `echo`
    holds these parts where they were written down, a JSON text by member, and wins over `request`.
    """

    id: str
    created: int
    model: str
    reasoning: str = ""
    request: Request | None = None
    echo: Mapping[str, Json] | None = None


class Dialect(V, frozen=True, kw_only=True):
    """How a provider's use of a protocol differs; each protocol has a subclass and a table of rows.

    `OPTIONS` are the fields that an operator may set for a provider. `custom_tools`: tools that take free text exist.
    `namespaces`: tools may be grouped under a name. Where they don't, the provider offers such tools as functions and
    maps the calls back.
    """

    OPTIONS: ClassVar[frozenset[str]] = frozenset()

    name: str = ""
    custom_tools: bool = False
    namespaces: bool = False


def foreign(extra: Extra | None, protocol: ProtocolName) -> tuple[str, ...]:
    """The names that are left out when something with `extra` is written in `protocol`.

    Raises:
        Unsupported: one of them changes the answer.
    """
    if extra is None or extra.protocol == protocol:
        return ()
    if extra.must:
        raise Unsupported(min(extra.must))
    return tuple([name for name in extra.members if not name.startswith(FORM)])


class Encoder(Protocol):
    """Writes the events of one answer as a stream of its protocol.

    One that does not write server-sent events says what it writes as `content_type`, in bytes.
    """

    @property
    def dropped(self) -> tuple[str, ...]:
        """The names of what was left out so far."""
        ...

    def encode(self, batch: Batch) -> bytes:
        """The bytes of one batch, `b""` when it shows nothing; what cannot be said becomes the error event."""
        ...


class Codec(Protocol):
    """One protocol, both directions."""

    protocol: ProtocolName
    dialects: Mapping[str, Any]
    """Rows of the protocol's `Dialect` table by name; `""` is the plain protocol."""
    request_id: str
    """The response header in which the protocol's clients look for the request's id."""
    counts: bool
    """Whether the protocol can count the tokens of a request without answering it."""

    def peek(self, source: Source) -> tuple[str, bool]:
        """Model and stream of a request, without decoding it.

        Raises:
            InvalidRequest: not JSON, wrong types, no model, or these keys twice.
        """
        ...

    def leaves_nothing(self, source: Source, default: bool) -> bool:
        """Whether a request asks that nothing of it is kept (by `default`, where it says nothing of that), and
        continues from nothing; false also where reading the bytes over does not tell."""
        ...

    def decode_request(self, source: Source) -> Body:
        """The whole request.

        Raises:
            InvalidRequest: a field is malformed; `param` names it.
        """
        ...

    def encode_request(
        self, model: str, stream: bool, body: Body, dialect: Any, ask_usage: bool
    ) -> tuple[bytes, tuple[str, ...]]:
        """The request in this protocol, and the hints that it cannot say.

        Raises:
            Unsupported: it says something else that this protocol cannot; `param` names it.
        """
        ...

    def call_headers(
        self, source: Source | None, model: str, body: Body | None, dialect: Any
    ) -> tuple[tuple[str, str], ...]:
        """The protocol's own headers of a call, instead of the client's of these names.

        `source` is the client's call where it speaks this protocol; `body` what was encoded, `None` where the client's
        bytes go out or nothing is sent.
        """
        ...

    def splice(self, source: Source, model: str) -> tuple[bytes, str]:
        """The source's body and path with another model's name in them and nothing else changed."""
        ...

    def decode_answer(self, data: bytes, dialect: Any) -> Answer:
        """A whole answer.

        Raises:
            BrokenStream: the bytes are not an answer of this protocol.
            ProviderError: they are an error.
        """
        ...

    def encode_answer(self, answer: Answer, seed: Seed) -> tuple[bytes, tuple[str, ...]]:
        """A whole answer in this protocol, and the names of what was left out.

        Raises:
            Unsupported: the answer holds what this protocol cannot say.
        """
        ...

    def stream_decoder(self, dialect: Any) -> Decoder:
        """A decoder of a streamed answer."""
        ...

    def whole_decoder(self, dialect: Any) -> Decoder:
        """A decoder with the same face for a whole answer."""
        ...

    def stream_encoder(self, seed: Seed, want_usage: bool) -> Encoder:
        """An encoder of a streamed answer; `want_usage`: show usage where the protocol leaves a choice."""
        ...

    def decode_error(self, status: int, headers: Headers, data: bytes) -> ProviderError:
        """What an upstream's error answer says."""
        ...

    def encode_error(self, error: TurnoutError, request_id: str = "") -> tuple[int, Headers, bytes]:
        """An error as an HTTP answer; `request_id` is shown where the protocol has a place for it in the body."""
        ...

    def error_event(self, error: TurnoutError, after: bytes = b"") -> bytes:
        """An error inside a stream, up to and including what ends the stream.

        `after`: the last bytes of the stream so far, for protocols that count events.
        """
        ...

    def encode_models(self, models: Mapping[str, Info], query: str = "") -> bytes:
        """The list of models as a whole answer; `query` is that of the client's call.

        Raises:
            InvalidRequest: it asks for a page that cannot be.
        """
        ...

    def encode_model(self, name: str, info: Info) -> bytes:
        """One model as a whole answer."""
        ...

    def decode_models(self, data: bytes) -> tuple[tuple[ModelInfo, ...], str]:
        """The models of a provider's list, and the query that asks for the next page, `""` after the last one.

        Raises:
            ProviderError: the bytes are not such a list.
        """
        ...

    def encode_count_request(self, model: str, body: Body, dialect: Any) -> tuple[bytes, tuple[str, ...]]:
        """A request whose tokens are to be counted, and the hints that it cannot say.

        Raises:
            Unsupported: it says something else that this protocol cannot; `param` names it.
        """
        ...

    def decode_count(self, data: bytes) -> int:
        """The number of input tokens that a provider counted.

        Raises:
            BrokenStream: the bytes are not such an answer.
        """
        ...

    def encode_count(self, tokens: int) -> bytes:
        """A number of input tokens as a whole answer."""
        ...

    def keepalive(self) -> bytes:
        """What keeps a silent stream alive; `b""` where the protocol's clients accept nothing."""
        ...


class ErrorDecoder:
    """The decoder of an answer with an error status: collects it and ends in `Failed`."""

    def __init__(self, decode: Callable[[bytes], ProviderError], limit: int = 1_048_576) -> None:
        self._decode = decode
        self._limit = limit
        self._data = bytearray()

    def feed(self, data: bytes) -> Batch:
        """Keep the bytes, up to the limit."""
        if len(self._data) < self._limit:
            self._data += data
        return ()

    def close(self) -> Batch:
        """The error that the bytes say."""
        return (Failed(error=self._decode(bytes(self._data))),)

    def fail(self, error: TurnoutError) -> Batch:
        """The error that came instead of one."""
        return (Failed(error=error),)


class WholeDecoder:
    """The decoder of a whole answer, with the face of a stream's; `decode` reads all of its bytes."""

    def __init__(self, decode: Callable[[bytes], Answer]) -> None:
        self._decode = decode
        self._pieces: list[bytes] = []
        self._over = False

    def feed(self, data: bytes) -> Batch:
        """Keep the bytes; a whole answer says nothing before its end."""
        self._pieces.append(data)
        return ()

    def close(self) -> Batch:
        """All events of the answer."""
        if self._over:
            return ()
        self._over = True
        try:
            return unfold(self.answer())
        except TurnoutError as error:
            return (Failed(error=error),)

    def answer(self) -> Answer:
        """What all the bytes say, without events.

        Raises:
            ProviderError: they are an error, or no answer.
        """
        pieces = self._pieces
        return self._decode(pieces[0] if len(pieces) == 1 else b"".join(pieces))

    def fail(self, error: TurnoutError) -> Batch:
        """The failure that came instead of the rest."""
        if self._over:
            return ()
        self._over = True
        return (Failed(error=error),)


class CountDecoder:
    """The decoder of a count of tokens: an answer without parts, whose usage is the count."""

    def __init__(self, decode: Callable[[bytes], int]) -> None:
        self._decode = decode
        self._data = bytearray()

    def feed(self, data: bytes) -> Batch:
        """Keep the bytes."""
        self._data += data
        return ()

    def close(self) -> Batch:
        """The count, as the usage of an empty answer."""
        try:
            tokens = self._decode(bytes(self._data))
        except TurnoutError as error:
            return (Failed(error=error),)
        return unfold(counted(tokens))

    def fail(self, error: TurnoutError) -> Batch:
        """The error that came instead."""
        return (Failed(error=error),)


def counted(tokens: int, *, estimated: bool = False) -> Answer:
    """A count of input tokens as the answer that carries it."""
    return Answer(parts=(), stop="end", usage=Usage(input=tokens, estimated=estimated))


_ROOMS: dict[ProtocolName, str] = {
    "anthropic-messages": "turnout.wire.anthropic",
    "openai-chat": "turnout.wire.chat",
    "openai-responses": "turnout.wire.responses",
    "gemini": "turnout.wire.gemini",
}


def codec(protocol: ProtocolName) -> Codec:
    """The codec of `protocol`; its folder is imported on first use.

    Raises:
        LookupError: no such protocol is built.
    """
    room = _ROOMS.get(protocol)
    if room is None:
        raise LookupError(f"no codec for {protocol}")
    return importlib.import_module(room).CODEC
