"""Completions that answer a request without a model, and the pieces in which a completion is streamed."""

from collections.abc import Iterator

from turnout.model import Json, V
from turnout.model.errors import Unsupported

from .view import ChatObject
from .view_answer import (
    ChatCompletion,
    ChatCompletionChoice,
    ChatCompletionChunk,
    ChatCompletionChunkChoice,
    ChatCompletionDelta,
    ChatUsage,
    FunctionCallDelta,
    ToolCallDelta,
)
from .view_message import ChatFunctionCall, ChatMessage, ChatToolCall
from .view_request import ChatCompletionRequest


class ChatCompletionBuilder(V, frozen=True, kw_only=True):
    """Makes the completions that answer one request; all have its model, and this id and time of creation.

    Nothing is made up here: `id` and `created` (seconds since 1970) are given.

    >>> builder = ChatCompletionBuilder.answering(request, id="chatcmpl-1", created=int(time.time()))
    >>> respond(request, builder.build_text("The invoice is created."))
    """

    model: str
    id: str
    created: int

    @classmethod
    def answering(cls, request: ChatCompletionRequest, *, id: str, created: int) -> "ChatCompletionBuilder":  # noqa: A002 -- the wire's own word
        """A builder of the completions that answer `request`."""
        return cls(model=request.model, id=id, created=created)

    def build_text(self, text: str, *, usage: ChatUsage | None = None) -> ChatCompletion:
        """The completion that answers with `text`; its finish reason is `stop`."""
        return self._build(ChatMessage.assistant(text), "stop", usage)

    def build_tool_calls(self, *calls: ChatToolCall, usage: ChatUsage | None = None) -> ChatCompletion:
        """The completion that asks for calls of the client's tools: null content, finish reason `tool_calls`."""
        return self._build(ChatMessage.assistant(tool_calls=calls), "tool_calls", usage)

    def _build(self, message: ChatMessage, reason: str, usage: ChatUsage | None) -> ChatCompletion:
        choice = ChatCompletionChoice(message=message, finish_reason=reason)
        return ChatCompletion(
            id=self.id, created=self.created, model=self.model, choices=(choice,), usage=usage
        )


def pieces_of(completion: ChatCompletion, *, want_usage: bool = False) -> Iterator[ChatCompletionChunk]:
    """The chunks of a streamed answer that says what `completion` says, its usage last and only if wanted.

    Members of the completion, its choices, messages and calls that have no name go along.

    Raises:
        Unsupported: a message's content is more than one text, which chunks have no place for.
    """
    common = ChatCompletionChunk(
        id=completion.id, created=completion.created, model=completion.model, extra=completion.extra
    )
    for choice in completion.choices:
        delta = ChatCompletionChunkChoice(index=choice.index, delta=_delta(choice), extra=choice.extra)
        yield common.replace(choices=(delta,))
        end = ChatCompletionChunkChoice(index=choice.index, finish_reason=choice.finish_reason)
        yield common.replace(choices=(end,))
    if want_usage and completion.usage is not None:
        yield common.replace(choices=(), usage=completion.usage)


def _delta(choice: ChatCompletionChoice) -> ChatCompletionDelta:
    message = choice.message
    content = message.content
    if len(content) > 1 or not all(part.is_plain for part in content):
        raise Unsupported(f"choices[{choice.index}].message.content", "only a plain text can be streamed")
    calls = tuple(_call(index, call) for index, call in enumerate(message.tool_calls))
    return ChatCompletionDelta(
        role=message.role,
        content=content.text,
        tool_calls=calls,
        extra=_rest(message, "tool_call_id", "name"),
    )


def _call(index: int, call: ChatToolCall) -> ToolCallDelta:
    return ToolCallDelta(
        index=index, id=call.id, type=call.type, function=_function(call.function), extra=call.extra
    )


def _function(function: ChatFunctionCall | None) -> FunctionCallDelta | None:
    if function is None:
        return None
    return FunctionCallDelta(name=function.name, arguments=function.arguments, extra=function.extra)


def _rest(value: ChatObject, *names: str) -> dict[str, Json]:
    """The extra members, and those of these named ones that say something."""
    said = {member.name: getattr(value, member.name) for member in value.MEMBERS if member.name in names}
    written = {
        member.name: member.write(said[member.name]) for member in value.MEMBERS if said.get(member.name)
    }
    return {**value.extra, **written}
