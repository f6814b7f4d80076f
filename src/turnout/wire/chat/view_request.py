"""The typed view of a chat completions request, and how one is read from an HTTP call."""

from collections.abc import Iterable, Mapping
from typing import ClassVar, TypeAlias, cast

from turnout.model import NO_CONTEXT, NO_HEADERS, Context, Headers, Json, Request, Source
from turnout.model.errors import InvalidRequest, TooLarge
from turnout.wire.codec import codec
from turnout.wire.json import peek

from .view import ChatObject, Member, boolean, listed, nested, number, string, verbatim
from .view_message import ChatMessage, ChatTool

AnyHeaders: TypeAlias = (
    Headers | Mapping[str, str] | Iterable[tuple[str, str]] | Iterable[tuple[bytes, bytes]]
)


class ChatStreamOptions(ChatObject, frozen=True, kw_only=True):
    """The options of a streamed answer; `include_usage` asks for the usage in its last chunk."""

    MEMBERS: ClassVar[tuple[Member, ...]] = (boolean("include_usage", empty=False),)

    include_usage: bool = False


class Received:
    """The bytes that a request was read from. It is where a request is from and no part of it: all are equal."""

    __slots__ = ("body",)

    def __init__(self, body: bytes = b"") -> None:
        self.body = body

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Received)

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return f"Received({len(self.body)} bytes)"


class ChatCompletionRequest(ChatObject, frozen=True, kw_only=True):
    """A chat completions request as its client wrote it: the members that are named here, the others in `extra`.

    `tool_choice` and `stop` are kept as JSON text, since they have several forms. `parallel_tool_calls` is `None`
    when the client did not say. `header` is not part of the JSON; its values are secrets.

    >>> request = ChatCompletionRequest.decode(
    ...     b'{"model":"m","messages":[{"role":"user","content":"hi"}],"seed":7}'
    ... )
    >>> request.last_message.text, request.member("seed")
    ('hi', 7)
    >>> request.replace(model="other").encode()
    b'{"model":"other","messages":[{"role":"user","content":"hi"}],"seed":7}'
    """

    MEMBERS: ClassVar[tuple[Member, ...]] = (
        string("model"),
        boolean("stream", empty=False),
        nested("stream_options", ChatStreamOptions),
        listed("messages", ChatMessage, always=True),
        listed("tools", ChatTool),
        verbatim("tool_choice"),
        boolean("parallel_tool_calls"),
        number("max_tokens"),
        number("max_completion_tokens"),
        verbatim("stop"),
    )

    model: str = ""
    stream: bool = False
    stream_options: ChatStreamOptions | None = None
    messages: tuple[ChatMessage, ...] = ()
    tools: tuple[ChatTool, ...] = ()
    tool_choice: Json | None = None
    parallel_tool_calls: bool | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    stop: Json | None = None
    header: Headers = NO_HEADERS
    received: Received = Received()

    @property
    def last_message(self) -> ChatMessage:
        """The message to answer, an empty one when there is none."""
        return self.messages[-1] if self.messages else ChatMessage()

    @property
    def max_output_tokens(self) -> int:
        """The limit of the answer in tokens, 0 when there is none; the current name goes before the former one."""
        return self.max_completion_tokens or self.max_tokens or 0

    @property
    def usage_requested(self) -> bool:
        """Whether a streamed answer shall end with its usage."""
        return self.stream_options is not None and self.stream_options.include_usage

    def to_request(self, context: Context = NO_CONTEXT) -> Request:
        """The request that control planes, agents and providers take.

        One that was not changed since it was read goes on in the very bytes that it came in.
        """
        body = self.received.body
        if not body or ChatCompletionRequest.decode(body) != self.replace(header=NO_HEADERS):
            body = self.encode()
        source = Source(protocol="openai-chat", body=body, headers=self.header, path="/chat/completions")
        return Request(
            model=self.model,
            stream=self.stream,
            source=source,
            context=context,
            decode=lambda: codec("openai-chat").decode_request(source),
        )

    def __repr__(self) -> str:
        return f"ChatCompletionRequest(model={self.model!r}, {len(self.messages)} messages, {self.header!r})"


def decode_request(
    body: bytes, headers: AnyHeaders = NO_HEADERS, *, limit: int | None = None
) -> ChatCompletionRequest:
    """The chat completions request in the body of an HTTP call, with a copy of its headers.

    `limit` is the largest body in bytes that is taken.

    >>> request = decode_request(body, scope["headers"], limit=1_000_000)
    >>> reply = await plane.process(request.to_request())

    Raises:
        TooLarge: the body is over the limit.
        InvalidRequest: the body is not JSON in UTF-8, not an object, has no messages, or a member of a wrong type;
            `param` names the member, as in `messages[0].content`.
    """
    if limit is not None and len(body) > limit:
        raise TooLarge(f"the body is larger than {limit} bytes")
    request = ChatCompletionRequest.decode(body)
    if not request.messages:
        raise InvalidRequest("messages is missing or empty", param="messages")
    if request.model:
        peek(body)
    return request.replace(header=_copied(headers), received=Received(body))


def _copied(headers: AnyHeaders) -> Headers:
    if isinstance(headers, Headers):
        return headers
    items = cast(
        "Iterable[tuple[str | bytes, str | bytes]]",
        headers.items() if isinstance(headers, Mapping) else headers,
    )
    return Headers((_latin(name), _latin(value)) for name, value in items)


def _latin(text: str | bytes) -> bytes:
    return text.encode("latin-1") if isinstance(text, str) else text
