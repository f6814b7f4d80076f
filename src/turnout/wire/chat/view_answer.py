"""The typed view of a chat completions answer, whole and in chunks.

Source: OpenAI API reference, "The chat completion object" and "The chat completion chunk object".
"""

from typing import ClassVar, Literal, TypeAlias

from .view import ChatObject, Member, listed, nested, number, string
from .view_message import ChatMessage

ChatFinishReason: TypeAlias = Literal["stop", "length", "tool_calls", "content_filter"]
"""Why an answer ended; any other word of a provider is kept too."""


class ChatAnswerObject(ChatObject, frozen=True, kw_only=True):
    """An object that models' providers say."""

    ANSWERS: ClassVar[bool] = True


class ChatPromptTokensDetails(ChatAnswerObject, frozen=True, kw_only=True):
    """How many of the prompt's tokens were read from the provider's cache."""

    MEMBERS: ClassVar[tuple[Member, ...]] = (number("cached_tokens", 0, always=True),)

    cached_tokens: int = 0


class ChatUsage(ChatAnswerObject, frozen=True, kw_only=True):
    """Tokens that an answer cost; cached ones are among the prompt's."""

    MEMBERS: ClassVar[tuple[Member, ...]] = (
        number("prompt_tokens", 0, always=True),
        number("completion_tokens", 0, always=True),
        number("total_tokens", 0, always=True),
        nested("prompt_tokens_details", ChatPromptTokensDetails),
    )

    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0
    prompt_tokens_details: ChatPromptTokensDetails | None = None


class ChatCompletionChoice(ChatAnswerObject, frozen=True, kw_only=True):
    """One answer of a completion."""

    MEMBERS: ClassVar[tuple[Member, ...]] = (
        number("index", 0, always=True),
        nested("message", ChatMessage, ChatMessage(), always=True),
        string("finish_reason", None, always=True),
    )

    index: int = 0
    message: ChatMessage = ChatMessage()
    finish_reason: ChatFinishReason | str | None = None


class ChatCompletion(ChatAnswerObject, frozen=True, kw_only=True):
    """A whole answer; `created` is in seconds since 1970.

    >>> ChatCompletion.decode(body).choices[0].message.text
    'Hello!'
    """

    MEMBERS: ClassVar[tuple[Member, ...]] = (
        string("id", always=True),
        string("object", "chat.completion", always=True),
        number("created", 0, always=True),
        string("model", always=True),
        listed("choices", ChatCompletionChoice, always=True),
        nested("usage", ChatUsage),
    )

    id: str = ""
    object: str = "chat.completion"
    created: int = 0
    model: str = ""
    choices: tuple[ChatCompletionChoice, ...] = ()
    usage: ChatUsage | None = None


class FunctionCallDelta(ChatAnswerObject, frozen=True, kw_only=True):
    """A piece of a call's function: its name first, then pieces of its arguments; what is empty is left out."""

    MEMBERS: ClassVar[tuple[Member, ...]] = (string("name"), string("arguments"))

    name: str = ""
    arguments: str = ""


class ToolCallDelta(ChatAnswerObject, frozen=True, kw_only=True):
    """A piece of a tool call; `index` tells of which one. The first gives `id`, `type` and the function's name."""

    MEMBERS: ClassVar[tuple[Member, ...]] = (
        number("index", 0, always=True),
        string("id"),
        string("type"),
        nested("function", FunctionCallDelta),
    )

    index: int = 0
    id: str = ""
    type: str = ""
    function: FunctionCallDelta | None = None


class ChatCompletionDelta(ChatAnswerObject, frozen=True, kw_only=True):
    """What a chunk adds to an answer; what is empty is left out."""

    MEMBERS: ClassVar[tuple[Member, ...]] = (
        string("role"),
        string("content"),
        listed("tool_calls", ToolCallDelta),
    )

    role: str = ""
    content: str = ""
    tool_calls: tuple[ToolCallDelta, ...] = ()


class ChatCompletionChunkChoice(ChatAnswerObject, frozen=True, kw_only=True):
    """What a chunk adds to one answer; `finish_reason` is null until the last chunk of the answer."""

    MEMBERS: ClassVar[tuple[Member, ...]] = (
        number("index", 0, always=True),
        nested("delta", ChatCompletionDelta, ChatCompletionDelta(), always=True),
        string("finish_reason", None, always=True),
    )

    index: int = 0
    delta: ChatCompletionDelta = ChatCompletionDelta()
    finish_reason: ChatFinishReason | str | None = None


class ChatCompletionChunk(ChatAnswerObject, frozen=True, kw_only=True):
    """The data of one event of a streamed answer; `usage` is in the last chunk only, and only if it was asked for.

    >>> ChatCompletionChunk(id="chatcmpl-1", model="m", choices=(ChatCompletionChunkChoice(),)).encode()
    b'{"id":"chatcmpl-1","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":null}]}'
    """

    MEMBERS: ClassVar[tuple[Member, ...]] = (
        string("id", always=True),
        string("object", "chat.completion.chunk", always=True),
        number("created", 0, always=True),
        string("model", always=True),
        listed("choices", ChatCompletionChunkChoice, always=True),
        nested("usage", ChatUsage),
    )

    id: str = ""
    object: str = "chat.completion.chunk"
    created: int = 0
    model: str = ""
    choices: tuple[ChatCompletionChunkChoice, ...] = ()
    usage: ChatUsage | None = None
