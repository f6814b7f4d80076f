"""The typed view of what is said: messages, their content, tools and their calls.

Source: OpenAI API reference, "Create chat completion" (messages, tools) and "The chat completion object".
"""

from collections.abc import Iterable, Iterator
from typing import ClassVar, Literal, Self, TypeAlias

from turnout.model import Json, V

from .view import (
    ChatObject,
    Member,
    Misfit,
    Raw,
    listed,
    nested,
    read_many,
    read_text,
    string,
    verbatim,
    write_many,
    write_text,
)

ChatRole: TypeAlias = Literal["user", "system", "developer", "assistant", "function", "tool"]
"""The roles of the protocol; a message keeps any other word too."""


class ChatImageURL(ChatObject, frozen=True, kw_only=True):
    """The image of a part: `url` is a web address or a data URL, `detail` how closely to look at it."""

    MEMBERS: ClassVar[tuple[Member, ...]] = (string("url", always=True), string("detail"))

    url: str = ""
    detail: str = ""


class ChatCacheControl(ChatObject, frozen=True, kw_only=True):
    """A cache breakpoint: what stands before the end of its part may be cached for `ttl`, such as `5m` or `1h`."""

    MEMBERS: ClassVar[tuple[Member, ...]] = (string("type", "ephemeral", always=True), string("ttl"))

    type: str = "ephemeral"
    ttl: str = ""


class ChatContentPart(ChatObject, frozen=True, kw_only=True):
    """One part of a content: a text, an image, or something of another `type` that lives in `extra`.

    >>> ChatContentPart(type="image_url", image_url=ChatImageURL(url="https://example.org/cat.png")).encode()
    b'{"type":"image_url","image_url":{"url":"https://example.org/cat.png"}}'
    """

    MEMBERS: ClassVar[tuple[Member, ...]] = (
        string("type", "text", always=True),
        string("text"),
        nested("image_url", ChatImageURL),
        nested("cache_control", ChatCacheControl),
    )

    type: str = "text"
    text: str = ""
    image_url: ChatImageURL | None = None
    cache_control: ChatCacheControl | None = None

    @property
    def is_plain(self) -> bool:
        """Whether a string can say all of it."""
        plain = self.type == "text" and self.image_url is None and self.cache_control is None
        return plain and not self.extra and self.form is None

    def _always(self, member: Member) -> bool:
        return member.always or (member.name == "text" and self.type == "text")


class ChatContent(V, frozen=True, kw_only=True):
    """The content of a message: a list of parts, that can be iterated, indexed and measured.

    On the wire a string is one text part and null is no part. A lone part is written as a string when a string can
    say all of it, unless `as_list` remembers that its sender wrote a list.

    >>> content = ChatContent.of("What is this?", ChatContentPart(type="image_url", image_url=image))
    >>> content.text
    'What is this?'
    """

    parts: tuple[ChatContentPart, ...] = ()
    as_list: bool = False

    @classmethod
    def of(cls, *parts: "str | ChatContentPart") -> Self:
        """Content of these parts; a string becomes a text part."""
        return cls(
            parts=tuple(ChatContentPart(text=part) if isinstance(part, str) else part for part in parts)
        )

    @property
    def text(self) -> str:
        """The text parts, joined by new lines; `""` when there are none."""
        return "\n".join(part.text for part in self.parts if part.type == "text")

    def __iter__(self) -> Iterator[ChatContentPart]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    def __getitem__(self, index: int) -> ChatContentPart:
        return self.parts[index]


def _read_content(raw: Raw) -> ChatContent:
    kind = memoryview(raw)[0]
    if kind == ord('"'):
        return ChatContent(parts=(ChatContentPart(text=read_text(raw)),))
    if kind != ord("["):
        raise Misfit("a string, a list or null")
    parts = read_many(raw, ChatContentPart)
    return ChatContent(parts=parts, as_list=not parts or (len(parts) == 1 and parts[0].is_plain))


def _write_content(content: ChatContent) -> Json:
    parts = content.parts
    if content.as_list or len(parts) > 1 or (parts and not parts[0].is_plain):
        return write_many(parts)
    return write_text(parts[0].text) if parts else "null"


class ChatFunctionCall(ChatObject, frozen=True, kw_only=True):
    """What a call runs: a function's `name` and its `arguments`, which are JSON text and always written."""

    MEMBERS: ClassVar[tuple[Member, ...]] = (
        string("name", always=True),
        string("arguments", always=True, forced=True),
    )

    name: str = ""
    arguments: str = ""


class ChatToolCall(ChatObject, frozen=True, kw_only=True):
    """A call that an assistant asks for; one of another type than `function` has no function and lives in `extra`.

    >>> ChatToolCall(id="call_1", function=ChatFunctionCall(name="now", arguments="{}")).encode()
    b'{"id":"call_1","type":"function","function":{"name":"now","arguments":"{}"}}'
    """

    MEMBERS: ClassVar[tuple[Member, ...]] = (
        string("id", always=True),
        string("type", "function", always=True),
        nested("function", ChatFunctionCall),
    )

    id: str = ""
    type: str = "function"
    function: ChatFunctionCall | None = None


class ChatFunction(ChatObject, frozen=True, kw_only=True):
    """A function that may be called; `parameters` is its JSON Schema, as text."""

    MEMBERS: ClassVar[tuple[Member, ...]] = (
        string("name", always=True),
        string("description"),
        verbatim("parameters"),
    )

    name: str = ""
    description: str = ""
    parameters: Json | None = None


class ChatTool(ChatObject, frozen=True, kw_only=True):
    """A tool that is offered to the model; one of another type than `function` lives in `extra`."""

    MEMBERS: ClassVar[tuple[Member, ...]] = (
        string("type", "function", always=True),
        nested("function", ChatFunction),
    )

    type: str = "function"
    function: ChatFunction | None = None


class ChatMessage(ChatObject, frozen=True, kw_only=True):
    """One message of a request, or the message of an answer.

    `content` without parts is written as null, which is what an assistant message says that only calls tools.
    `tool_call_id` names the call that a tool message answers, `name` the user or model that speaks.

    >>> ChatMessage.user("hello").encode()
    b'{"role":"user","content":"hello"}'
    >>> ChatMessage.decode(b'{"role":"user","content":"hello","mood":"good"}').extra
    {'mood': '"good"'}
    """

    MEMBERS: ClassVar[tuple[Member, ...]] = (
        string("role", always=True),
        Member("content", _read_content, _write_content, ChatContent(), always=True),
        listed("tool_calls", ChatToolCall),
        string("tool_call_id"),
        string("name"),
    )

    role: ChatRole | str = ""
    content: ChatContent = ChatContent()
    tool_calls: tuple[ChatToolCall, ...] = ()
    tool_call_id: str = ""
    name: str = ""

    @classmethod
    def user(cls, *parts: str | ChatContentPart) -> Self:
        """What a user says."""
        return cls(role="user", content=ChatContent.of(*parts))

    @classmethod
    def system(cls, *parts: str | ChatContentPart) -> Self:
        """What the application says before anybody else."""
        return cls(role="system", content=ChatContent.of(*parts))

    @classmethod
    def assistant(cls, *parts: str | ChatContentPart, tool_calls: Iterable[ChatToolCall] = ()) -> Self:
        """What a model says and asks to be run."""
        return cls(role="assistant", content=ChatContent.of(*parts), tool_calls=tuple(tool_calls))

    @classmethod
    def tool(cls, tool_call_id: str, *parts: str | ChatContentPart) -> Self:
        """What a call of a tool gave."""
        return cls(role="tool", content=ChatContent.of(*parts), tool_call_id=tool_call_id)

    @property
    def text(self) -> str:
        """The text of the content."""
        return self.content.text

    @property
    def has_tool_role(self) -> bool:
        """Whether it is the result of a tool or, as it was called formerly, of a function."""
        return self.role in {"tool", "function"}
