"""The typed view of a provider: one interface of plain requests, responses and chunks over every protocol.

It is the contract that an agent may be written against: the same `ChatRequest` goes to every provider. The JSON names
are fixed (snake case); fields with a default are left out where they have it. `TypedProvider` wraps a `Provider`;
the conversions to and from the model are public and do no I/O.

One accounting: `input_tokens` leaves out cached tokens, which are counted beside it; `output_tokens` holds what was
thought. Stop reasons: `end_turn`, `stop_sequence`, `max_tokens`, `context_full`, `tool_use`, `content_filter`,
`refusal`, `pause`, `input_required`, `unknown`.
"""

import base64
import binascii
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import aclosing
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, cast

import msgspec

from turnout import model as m
from turnout.model.errors import ProviderError as ModelError
from turnout.model.errors import TurnoutError, Unsupported

from .remote import Provider

T = TypeVar("T")
Raw = msgspec.Raw
Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
BlockType: TypeAlias = Literal["text", "tool_call", "tool_result", "thinking", "image"]
ChunkType: TypeAlias = Literal["text_delta", "tool_call_delta", "thinking_delta", "usage", "done", "error"]
Share: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1)]
_UNSAID = 0.0


class ToolCallBlock(m.V, frozen=True, kw_only=True):
    """A call of a tool; `input` is JSON as its maker wrote it."""

    id: str
    name: str
    input: Raw


class ToolResultBlock(m.V, frozen=True, kw_only=True):
    """What running a tool gave."""

    tool_call_id: str
    name: str
    content: str
    is_error: bool = False


class ThinkingBlock(m.V, frozen=True, kw_only=True):
    """What the model thought; `signature` is an opaque proof that goes back unchanged with the next request.

    A block without text may carry the proof of the block behind it.
    """

    text: str
    signature: str = ""


class ImageBlock(m.V, frozen=True, kw_only=True):
    """An image; `data` is base64."""

    media_type: str
    data: str


class ContentBlock(m.V, frozen=True, kw_only=True):
    """A piece of a message; the field of its type is set, `text` for thinking too."""

    type: BlockType
    text: str = ""
    tool_call: ToolCallBlock | None = None
    tool_result: ToolResultBlock | None = None
    thinking: ThinkingBlock | None = None
    image: ImageBlock | None = None


class Message(m.V, frozen=True, kw_only=True):
    """One message of a conversation."""

    role: Role
    content: tuple[ContentBlock, ...]


class ToolDef(m.V, frozen=True, kw_only=True):
    """A tool that may be called; `parameters` is a JSON Schema."""

    name: str
    description: str
    parameters: Raw


class ProviderConfig(m.V, frozen=True, kw_only=True):
    """Which model, and how: at most `max_tokens` of output (0: as many as it can); `None`: its own temperature."""

    model: str
    max_tokens: int
    temperature: Share | None
    top_p: Share = _UNSAID

    def __post_init__(self) -> None:
        if self.top_p == 0:  # what is left out is told by identity
            msgspec.structs.force_setattr(self, "top_p", _UNSAID)


class ChatRequest(m.V, frozen=True, kw_only=True):
    """A request to a model."""

    messages: tuple[Message, ...]
    tools: tuple[ToolDef, ...] = ()
    system: str = ""
    config: ProviderConfig


class Usage(m.V, frozen=True, kw_only=True):
    """Tokens; see the module for what is counted where."""

    input_tokens: int
    output_tokens: int
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


class ChatResponse(m.V, frozen=True, kw_only=True):
    """A whole answer; `model` is the one that the provider says."""

    content: tuple[ContentBlock, ...]
    usage: Usage
    model: str
    stop_reason: str


class ToolCallDelta(m.V, frozen=True, kw_only=True):
    """A piece of a call; `done` marks the last one, after which the joined `input_json` is a JSON document."""

    id: str = ""
    name: str = ""
    input_json: str = ""
    done: bool = False


class ProviderError(Exception):
    """A provider refused or failed.

    `type` is `rate_limit`, `auth`, `context_too_long`, `timeout` or `provider`; `retry` says whether the same request
    may be sent again, after `retry_after` seconds where that is known; `status_code` is the HTTP status, 0 for none.
    The cause is `__cause__`.
    """

    def __init__(
        self,
        message: str,
        *,
        type: str = "provider",  # noqa: A002 -- the document's own word
        retry: bool = False,
        status_code: int = 0,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.type = type
        self.message = message
        self.retry = retry
        self.status_code = status_code
        self.retry_after = retry_after

    def fields(self) -> dict[str, Any]:
        """What is written as JSON."""
        said: dict[str, Any] = {"type": self.type, "message": self.message, "retry": self.retry}
        if self.status_code:
            said["status_code"] = self.status_code
        if self.retry_after is not None:
            said["retry_after"] = self.retry_after
        return said

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProviderError) and other.fields() == self.fields()

    def __hash__(self) -> int:
        return hash((self.type, self.message, self.retry, self.status_code, self.retry_after))


class StreamChunk(m.V, frozen=True, kw_only=True):
    """A piece of a streamed answer; the field of its type is set.

    `done` carries `stop_reason` and `model`; a thought's proof comes as the `signature` of its last chunk.
    """

    type: ChunkType
    text: str = ""
    tool_call: ToolCallDelta | None = None
    thinking: str = ""
    signature: str = ""
    usage: Usage | None = None
    error: ProviderError | None = None
    stop_reason: str = ""
    model: str = ""


class ModelInfo(m.V, frozen=True, kw_only=True):
    """What is known of a model; sizes in tokens, 0 where nobody knows."""

    id: str
    max_tokens: int
    supports_tools: bool
    supports_vision: bool
    context_window: int
    supports_thinking: bool = False


# ---- JSON ----------------------------------------------------------------------------------------------------------


def encode(value: Any) -> bytes:
    """A value of this module as JSON."""
    return msgspec.json.encode(value, enc_hook=_written)


def decode(data: bytes, kind: type[T]) -> T:
    """The value of type `kind` that JSON holds.

    Raises:
        msgspec.DecodeError: it holds none.
    """
    return msgspec.json.decode(data, type=kind, dec_hook=_read)


def _written(value: Any) -> Any:
    if isinstance(value, ProviderError):
        return value.fields()
    raise TypeError(type(value).__name__)


def _read(kind: type, value: Any) -> Any:
    if kind is ProviderError and isinstance(value, Mapping):
        return ProviderError(**dict(cast("Mapping[str, Any]", value)))
    raise TypeError(kind.__name__)


# ---- to the model ----------------------------------------------------------------------------------------------------

_MARK = "turnout."


class Proof(m.V, frozen=True, kw_only=True):
    """A proof that needs more said than its data: what it belongs to, or who made it."""

    seal: m.Seal
    on: Literal["thinking", "next"] = "thinking"


_PROOF = msgspec.json.Decoder(Proof)


def request_of(request: ChatRequest, protocol: m.ProtocolName) -> m.Request:
    """The request of the model; `protocol` is that of the provider which signed what is signed in it."""
    config = request.config
    messages: list[m.Message] = []
    if request.system:
        messages.append(m.Message(role="system", parts=(m.Text(text=request.system),)))
    for message in request.messages:
        messages += _messages(message, protocol)
    body = m.Body(
        messages=tuple(messages),
        tools=tuple(
            m.Tool(
                name=tool.name, description=tool.description or None, parameters=str(tool.parameters, "utf-8")
            )
            for tool in request.tools
        ),
        max_tokens=config.max_tokens or None,
        temperature=config.temperature,
        top_p=config.top_p or None,
    )
    return m.Request(model=config.model, body=body)


def _messages(message: Message, protocol: m.ProtocolName) -> Iterable[m.Message]:
    parts = _parts(message.content, protocol)
    results = tuple(part for part in parts if isinstance(part, m.ToolResult))
    others = tuple(part for part in parts if not isinstance(part, m.ToolResult))
    if results:
        yield m.Message(role="tool", parts=results)
    if others:
        yield m.Message(role="user" if message.role == "tool" else message.role, parts=others)


def _parts(blocks: tuple[ContentBlock, ...], protocol: m.ProtocolName) -> list[m.AnyPart]:
    parts: list[m.AnyPart] = []
    waiting: m.Seal | None = None
    for block in blocks:
        if block.type == "thinking":
            thought = block.thinking or ThinkingBlock(text=block.text)
            proof = _proof(thought.signature, protocol)
            if proof is not None and proof.on == "next":
                waiting = proof.seal
            else:
                parts.append(m.Thinking(text=thought.text, seal=None if proof is None else proof.seal))
            continue
        part = _part(block)
        parts.append(part if waiting is None else msgspec.structs.replace(part, seal=waiting))
        waiting = None
    return parts


def _proof(signature: str, protocol: m.ProtocolName) -> Proof | None:
    if not signature:
        return None
    if signature.startswith(_MARK):
        try:
            return _PROOF.decode(base64.urlsafe_b64decode(signature[len(_MARK) :]))
        except (msgspec.DecodeError, binascii.Error, ValueError):
            pass
    return Proof(seal=m.Seal(issuer=protocol, kind="signature", data=signature))


def _part(block: ContentBlock) -> Any:
    if block.type == "text":
        return m.Text(text=block.text)
    if block.tool_call is not None:
        call = block.tool_call
        return m.ToolCall(call_id=call.id, name=call.name, arguments=str(call.input, "utf-8"))
    if block.tool_result is not None:
        result = block.tool_result
        return m.ToolResult(
            call_id=result.tool_call_id,
            name=result.name or None,
            parts=(m.Text(text=result.content),) if result.content else (),
            is_error=result.is_error,
        )
    if block.image is not None:
        source = m.Inline(media_type=block.image.media_type, data=block.image.data)
        return m.Media(kind="image", source=source)
    raise Unsupported(f"content.{block.type}", f"a block of type {block.type} has no content")


# ---- from the model --------------------------------------------------------------------------------------------------

_STOPS: dict[str, str] = {"end": "end_turn", "length": "max_tokens", "tool_calls": "tool_use"}
_KINDS = frozenset({"rate_limit", "auth", "context_too_long", "timeout"})


def response_of(answer: m.Answer, protocol: m.ProtocolName) -> ChatResponse:
    """A whole answer; what has no block (sound, parts that only one protocol knows) is left out."""
    blocks = [block for part in answer.parts for block in _blocks(part, protocol)]
    return ChatResponse(
        content=tuple(blocks),
        usage=usage_of(answer.usage),
        model=answer.model,
        stop_reason=_STOPS.get(answer.stop, answer.stop),
    )


def _blocks(part: m.AnyPart, protocol: m.ProtocolName) -> Iterable[ContentBlock]:
    if isinstance(part, m.Thinking):
        text = part.text or "\n\n".join(part.summary)
        yield _thought(text, _signature(part.seal, "thinking", protocol))
        return
    if part.seal is not None:
        yield _thought("", _signature(part.seal, "next", protocol))
    match part:
        case m.Text() | m.Refusal():
            if part.text or part.seal is not None:
                yield ContentBlock(type="text", text=part.text)
        case m.ToolCall():
            call = ToolCallBlock(id=part.call_id, name=part.name, input=Raw(part.arguments.encode()))
            yield ContentBlock(type="tool_call", tool_call=call)
        case m.Media(kind="image", source=m.Inline() as source):
            image = ImageBlock(media_type=source.media_type, data=source.data)
            yield ContentBlock(type="image", image=image)
        case _:
            pass


def _thought(text: str, signature: str) -> ContentBlock:
    return ContentBlock(type="thinking", text=text, thinking=ThinkingBlock(text=text, signature=signature))


def _signature(seal: m.Seal | None, on: Literal["thinking", "next"], protocol: m.ProtocolName) -> str:
    if seal is None:
        return ""
    if on == "thinking" and seal.kind == "signature" and seal.issuer == protocol:
        return seal.data
    return _MARK + base64.urlsafe_b64encode(msgspec.json.encode(Proof(seal=seal, on=on))).decode()


def usage_of(usage: m.Usage) -> Usage:
    """Tokens in this view's counts."""
    return Usage(
        input_tokens=usage.input or 0,
        output_tokens=usage.output or 0,
        cache_read_tokens=usage.cache_read or 0,
        cache_write_tokens=(usage.cache_write or 0) + (usage.cache_write_1h or 0),
    )


def error_of(error: TurnoutError) -> ProviderError:
    """The error in this view's words, with its cause."""
    kind = error.kind if isinstance(error, ModelError) else "provider"
    code = error.status_code if isinstance(error, ModelError) else None
    made = ProviderError(
        error.message,
        type=kind if kind in _KINDS else "provider",
        retry=error.retryable,
        status_code=code or 0,
        retry_after=error.retry_after,
    )
    made.__cause__ = error
    return made


class Chunks:
    """Turns the events of an answer into chunks; the last one is `done` or `error`, and nothing follows it."""

    def __init__(self, protocol: m.ProtocolName) -> None:
        self._protocol: m.ProtocolName = protocol
        self._folder = m.Folder()
        self._parts: dict[int, m.AnyPart] = {}
        self._calls: dict[int, str] = {}
        self._seals: dict[int, m.Seal] = {}
        self._summary: dict[int, int] = {}
        self._usage = m.Usage()
        self._model = ""

    def take(self, event: m.Event) -> Iterable[StreamChunk]:
        """The chunks of one event."""
        match event:
            case m.Start():
                self._model = event.model
            case m.PartStart():
                yield from self._begin(event)
            case m.Delta():
                yield from self._delta(event)
            case m.Amend():
                if event.seal is not None:
                    self._seals[event.index] = event.seal
            case m.PartEnd():
                yield from self._end(event)
            case m.UsageSeen():
                self._usage = self._usage.merge(event.usage)
            case m.Finish():
                yield StreamChunk(type="usage", usage=usage_of(self._usage))
                reason = _STOPS.get(event.stop, event.stop)
                yield StreamChunk(type="done", stop_reason=reason, model=self._model)
            case m.Failed():
                yield StreamChunk(type="error", error=error_of(event.error))
            case _:
                pass

    def _begin(self, event: m.PartStart) -> Iterable[StreamChunk]:
        part = self._parts[event.index] = event.part
        if part.seal is not None:
            self._seals[event.index] = part.seal
        if isinstance(part, m.Thinking):
            if part.text:
                yield StreamChunk(type="thinking_delta", thinking=part.text)
            return
        seal = self._seals.pop(event.index, None)
        if seal is not None:
            signature = _signature(seal, "next", self._protocol)
            yield StreamChunk(type="thinking_delta", signature=signature)
        if isinstance(part, m.ToolCall):
            self._calls[event.index] = ""
            delta = ToolCallDelta(id=part.call_id, name=part.name, input_json=part.arguments)
            yield StreamChunk(type="tool_call_delta", tool_call=delta)
        elif isinstance(part, m.Text | m.Refusal) and part.text:
            yield StreamChunk(type="text_delta", text=part.text)

    def _delta(self, event: m.Delta) -> Iterable[StreamChunk]:
        match self._parts[event.index]:
            case m.Thinking():
                apart = event.to == "summary" and self._summary.get(event.index, event.at) != event.at
                self._summary[event.index] = event.at
                yield StreamChunk(type="thinking_delta", thinking=("\n\n" if apart else "") + event.text)
            case m.ToolCall() as call:
                delta = ToolCallDelta(id=call.call_id, input_json=event.text)
                yield StreamChunk(type="tool_call_delta", tool_call=delta)
            case m.Text() | m.Refusal():
                yield StreamChunk(type="text_delta", text=event.text)
            case _:
                pass

    def _end(self, event: m.PartEnd) -> Iterable[StreamChunk]:
        part = self._parts.pop(event.index)
        if isinstance(part, m.ToolCall):
            yield StreamChunk(
                type="tool_call_delta", tool_call=ToolCallDelta(id=part.call_id, name=part.name, done=True)
            )
        elif isinstance(part, m.Thinking):
            whole = event.whole.seal if event.whole is not None else None
            signature = _signature(whole or self._seals.get(event.index), "thinking", self._protocol)
            if signature:
                yield StreamChunk(type="thinking_delta", signature=signature)


class TypedProvider:
    """A provider behind this view."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    @property
    def name(self) -> str:
        """The provider's name."""
        return self._provider.name

    async def chat(self, request: ChatRequest) -> ChatResponse:
        """The whole answer.

        Raises:
            ProviderError: the provider refused, failed or gave no answer, or cannot be asked this.
        """
        protocol = self._provider.protocol
        try:
            return response_of(await self._provider.chat(request_of(request, protocol)), protocol)
        except TurnoutError as error:
            raise error_of(error) from error

    async def stream(self, request: ChatRequest) -> AsyncIterator[StreamChunk]:
        """The answer in chunks, the last one `done` or `error`; ending early lets go of the connection."""
        protocol = self._provider.protocol
        chunks = Chunks(protocol)
        try:
            events = self._provider.stream(request_of(request, protocol))
            async with aclosing(cast("Any", events)) as told:
                async for event in told:
                    for chunk in chunks.take(event):
                        yield chunk
        except TurnoutError as error:
            yield StreamChunk(type="error", error=error_of(error))

    async def models(self) -> tuple[ModelInfo, ...]:
        """The models that the provider has.

        Raises:
            ProviderError: it refused, gave no answer, or its list cannot be read.
        """
        try:
            listed = await self._provider.models()
        except TurnoutError as error:
            raise error_of(error) from error
        return tuple(info_of(info) for info in listed)

    async def count_tokens(self, request: ChatRequest) -> int:
        """The input tokens of a request; an estimate where the provider cannot count.

        Raises:
            ProviderError: it refused, failed or gave no answer.
        """
        try:
            return await self._provider.count_tokens(request_of(request, self._provider.protocol))
        except TurnoutError as error:
            raise error_of(error) from error


def info_of(info: m.ModelInfo) -> ModelInfo:
    """What is known of a model in this view."""
    return ModelInfo(
        id=info.id,
        max_tokens=info.max_tokens or 0,
        supports_tools=bool(info.supports_tools),
        supports_vision=bool(info.supports_vision),
        context_window=info.context_window or 0,
        supports_thinking=bool(info.supports_thinking),
    )
