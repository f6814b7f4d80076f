"""What an agent must be able to do for each field of each protocol, checked before anything runs.

Strategy: one table says which feature a field asks for and what the agent's `Info` must have for it; a new field is a
new row. What a codec recognises without modelling it, and says that it changes the answer, is beyond any agent: refused
by name, by its row or for want of one. Unknown members are ignored, and their names given back to be reported. Null
counts as absent: decoders leave it out. Hints (sampling beside temperature and top_p, seed, service tier, user,
metadata) are in `request.body` for agents that care.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

import msgspec

from turnout.agents.permission import IMAGE_TOOL, asks_for_images
from turnout.model import (
    AnyPart,
    Body,
    Extra,
    Info,
    Media,
    Opaque,
    ProtocolName,
    Request,
    Text,
    ToolResult,
    V,
)
from turnout.model.errors import InvalidRequest, Unsupported
from turnout.wire.codec import FORM

CHAT: ProtocolName = "openai-chat"
RESPONSES: ProtocolName = "openai-responses"
MESSAGES: ProtocolName = "anthropic-messages"
GEMINI: ProtocolName = "gemini"

NEVER = "never"
"""The need that no agent meets."""


class Row(V, frozen=True, kw_only=True):
    """`field` of `protocol` asks for `feature`, for which an agent must have what `needs` names."""

    field: str
    protocol: ProtocolName
    feature: str
    needs: str


def _rows(feature: str, needs: str, fields: Mapping[ProtocolName, str]) -> tuple[Row, ...]:
    return tuple(
        Row(field=field, protocol=protocol, feature=feature, needs=needs)
        for protocol, field in fields.items()
    )


def _members(protocol: ProtocolName, *names: str) -> tuple[Row, ...]:
    return tuple(Row(field=name, protocol=protocol, feature=f"member {name}", needs=NEVER) for name in names)


_ALL: dict[ProtocolName, str] = {CHAT: "model", RESPONSES: "model", MESSAGES: "model", GEMINI: "model"}
_TOOLS: dict[ProtocolName, str] = dict.fromkeys(_ALL, "tools")
_MODALITIES: dict[ProtocolName, str] = {CHAT: "modalities", GEMINI: "generationConfig.responseModalities"}

ROWS: tuple[Row, ...] = (
    *_rows(
        "image in",
        "input image",
        {CHAT: "image_url", RESPONSES: "input_image", MESSAGES: "image", GEMINI: "inlineData"},
    ),
    *_rows("audio in", "input audio", {CHAT: "input_audio", GEMINI: "inlineData"}),
    *_rows("audio in", NEVER, {RESPONSES: "input_audio", MESSAGES: "audio"}),
    *_rows("video in", "input video", {CHAT: "video_url", GEMINI: "inlineData"}),
    *_rows(
        "document in",
        "input document",
        {CHAT: "file", RESPONSES: "input_file", MESSAGES: "document", GEMINI: "inlineData"},
    ),
    *_rows("tools", "tools", _TOOLS),
    *_rows("image tool", "image generation", {RESPONSES: "tools"}),
    *_rows("hosted tools", NEVER, _TOOLS),
    *_rows(
        "forced call",
        "client tools",
        {
            CHAT: "tool_choice",
            RESPONSES: "tool_choice",
            MESSAGES: "tool_choice",
            GEMINI: "toolConfig",
        },
    ),
    *_rows("parallel calls", "tools", {CHAT: "parallel_tool_calls", RESPONSES: "parallel_tool_calls"}),
    *_rows("text out", "output text", {**_ALL, **_MODALITIES}),
    *_rows("audio out", "output audio", _MODALITIES),
    *_rows("image out", "output image", _MODALITIES),
    *_rows("voice", "output audio", {CHAT: "audio"}),
    *_rows("continuation", "continuation", {RESPONSES: "previous_response_id"}),
    *_rows("conversation", NEVER, {RESPONSES: "conversation"}),
    *_rows("background", NEVER, {RESPONSES: "background"}),
    *_rows("any", "no user interface", _ALL),
    *_members(
        CHAT,
        "n",
        "logprobs",
        "top_logprobs",
        "logit_bias",
        "prediction",
        "functions",
        "function_call",
        "web_search_options",
        "moderation",
        "response_format",
        "modalities",
    ),
    *_members(
        RESPONSES,
        "prompt",
        "context_management",
        "background_options",
        "max_tool_calls",
        "top_logprobs",
        "moderation",
        "include",
        "text",
    ),
    *_members(MESSAGES, "container", "inference_geo", "mcp_servers", "output_format", "thread"),
    *_members(
        GEMINI,
        "cachedContent",
        "modelArmorConfig",
        "generationConfig/candidateCount",
        "generationConfig/speechConfig",
        "generationConfig/imageConfig",
        "generationConfig/routingConfig",
        "generationConfig/translationConfig",
    ),
)

_NEEDS: dict[str, Callable[[Info], bool]] = {
    NEVER: lambda info: False,
    "input image": lambda info: "image" in info.input,
    "input audio": lambda info: "audio" in info.input,
    "input video": lambda info: "video" in info.input,
    "input document": lambda info: "document" in info.input,
    "output text": lambda info: "text" in info.output,
    "output audio": lambda info: "audio" in info.output,
    "output image": lambda info: "image" in info.output,
    "tools": lambda info: info.tools,
    "client tools": lambda info: info.client_tools,
    "image generation": lambda info: info.image_generation,
    "continuation": lambda info: info.continuation,
    "no user interface": lambda info: info.extensions.get("x-ui") is not True,
}


def _forces(body: Body) -> bool:
    choice = body.tool_choice
    return choice is not None and choice.mode == "required" and set(choice.names) != {IMAGE_TOOL}


def _parts(body: Body) -> Iterator[AnyPart]:
    for message in body.messages:
        for part in message.parts:
            yield part
            if isinstance(part, ToolResult):
                yield from part.parts


def _holds(body: Body, kind: str) -> bool:
    for message in body.messages:
        for part in message.parts:
            if type(part) is Text:
                continue
            inner = part.parts if isinstance(part, ToolResult) else (part,)
            if any(isinstance(one, Media) and one.kind == kind for one in inner):
                return True
    return False


_ASKS: dict[str, Callable[[Body], bool]] = {
    "any": lambda body: True,
    "image in": lambda body: _holds(body, "image"),
    "audio in": lambda body: _holds(body, "audio"),
    "video in": lambda body: _holds(body, "video"),
    "document in": lambda body: _holds(body, "document"),
    "tools": lambda body: any(tool.kind != "hosted" for tool in body.tools),
    "image tool": asks_for_images,
    "hosted tools": lambda body: any(
        tool.kind == "hosted" and tool.name != IMAGE_TOOL for tool in body.tools
    ),
    "forced call": _forces,
    "parallel calls": lambda body: body.parallel is True,
    "text out": lambda body: "text" in body.output,
    "audio out": lambda body: "audio" in body.output,
    "image out": lambda body: "image" in body.output,
    "voice": lambda body: body.voice is not None,
    "continuation": lambda body: body.previous is not None,
    "conversation": lambda body: body.conversation is not None,
    "background": lambda body: body.background,
}


Check: TypeAlias = tuple[str, Callable[[Body], bool], Callable[[Info], bool]]


def _checks(protocol: ProtocolName | None) -> tuple[Check, ...]:
    """The rows of one protocol, `None` for all, as what is done for each request.

    Members have none: codecs tell which of them change the answer, and `_ignored` refuses these.
    """
    own = [row for row in ROWS if protocol in (None, row.protocol) and row.feature in _ASKS]
    return tuple((row.field, _ASKS[row.feature], _NEEDS[row.needs]) for row in own)


_CHECKS: dict[ProtocolName | None, tuple[Check, ...]] = {
    protocol: _checks(protocol) for protocol in (None, *_ALL)
}


def check(info: Info, protocol: ProtocolName | None, request: Request) -> tuple[str, ...]:
    """See that an agent with `info` can honour a request; gives the names of what is ignored.

    `protocol` is the client's, `None` for a request that the application made itself.

    Raises:
        Unsupported: the request asks for what the agent lacks; `param` names the field.
        InvalidRequest: a schema or audio controls are none.
    """
    body = request.body
    for field, asks, has in _CHECKS.get(protocol) or _checks(protocol):
        if asks(body) and not has(info):
            raise Unsupported(field, f"{field} is not supported by the model {request.model!r}")
    _check_format(body, protocol)
    if protocol == CHAT and "audio" in body.output:
        _check_voice(body.voice)
    return tuple(dict.fromkeys(_ignored(body)))


# ---- what no row is about --------------------------------------------------------------------------------------------


def _ignored(body: Body) -> Iterator[str]:
    """The names of unknown members.

    Raises:
        Unsupported: one is known to change the answer, or the history holds what only its maker understands.
    """
    for part in _parts(body):
        if isinstance(part, Opaque):
            raise Unsupported(part.kind)
    hosted = [tool for tool in body.tools if tool.kind != "hosted"]
    extras: Iterable[Extra | None] = (
        body.extra,
        *(tool.extra for tool in hosted),
        *(message.extra for message in body.messages),
        *(part.extra for part in _parts(body)),
    )
    for extra in extras:
        if extra is None:
            continue
        if extra.must:
            name = min(extra.must).removeprefix("/")
            raise Unsupported(name, f"{name} is not supported by this model")
        yield from (name for name in extra.members if not name.startswith(FORM))


_FORMAT: dict[ProtocolName | None, str] = {
    CHAT: "response_format.json_schema",
    RESPONSES: "text.format",
    MESSAGES: "output_config.format",
    GEMINI: "generationConfig.responseJsonSchema",
}
_NAMED = (CHAT, RESPONSES)
"""Protocols whose schemas must have a name."""


def _check_format(body: Body, protocol: ProtocolName | None) -> None:
    shape = body.format
    if shape is None or shape.kind != "json_schema":
        return
    field = _FORMAT.get(protocol, "format")
    if protocol in _NAMED and not shape.name:
        raise InvalidRequest(f"{field}.name is required", param=f"{field}.name")
    if shape.schema is None:
        if protocol in _NAMED:
            raise InvalidRequest(f"{field}.schema is required", param=f"{field}.schema")
        return
    import jsonschema_rs

    try:
        jsonschema_rs.validator_for(msgspec.json.decode(shape.schema))
    except (ValueError, TypeError, msgspec.DecodeError):
        raise InvalidRequest(f"{field}.schema is no JSON Schema", param=f"{field}.schema") from None


_FORMATS = ("wav", "aac", "mp3", "flac", "opus", "pcm16")


class _Voice(msgspec.Struct):
    """The members of `audio` that are needed for a sound (openai 3.57, `ChatCompletionAudioParam`)."""

    voice: str | dict[str, str]
    format: str


def _check_voice(voice: str | None) -> None:
    try:
        controls = msgspec.json.decode(voice or "null", type=_Voice)
    except msgspec.DecodeError:
        raise InvalidRequest("audio needs a voice and a format", param="audio") from None
    if controls.format not in _FORMATS:
        raise InvalidRequest(f"audio.format is one of {', '.join(_FORMATS)}", param="audio.format")
