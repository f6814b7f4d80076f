"""Hypothesis strategies for the values of `turnout.model`; other rooms import them as `tests.model.strategies`.

Everything is grammatical: `tellings(answer)` is any stream of events that says `answer`, with interleaved parts,
deltas cut anywhere and things beside the text in any place that the grammar allows.
"""

import json
from collections.abc import Callable
from typing import Any, get_args

import msgspec
from hypothesis import strategies as st

from turnout.model import (
    Amend,
    Answer,
    AnyPart,
    Batch,
    Body,
    Cache,
    Citation,
    Context,
    Delta,
    Event,
    Extension,
    Extra,
    Failed,
    File,
    Finish,
    Headers,
    Inline,
    Media,
    Message,
    Opaque,
    OutputFormat,
    PartEnd,
    PartStart,
    ProtocolName,
    Reasoning,
    Refusal,
    Request,
    Seal,
    Signal,
    Source,
    Start,
    Stop,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Unknown,
    Url,
    Usage,
    UsageSeen,
    errors,
)

SAMPLE_NAMES: tuple[str, ...] = ("a", "b", "name", "größe", "x-y")


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """`None`, for unsaid, or a value."""
    return st.none() | values


def given_some(
    kind: Callable[..., Any], required: dict[str, Any], /, **optional: Any
) -> st.SearchStrategy[Any]:
    """Values of `kind` that say all of `required` and any of `optional`."""
    return st.fixed_dictionaries(required, optional=optional).map(lambda fields: kind(**fields))


texts = st.text(max_size=12)
words = st.text(alphabet="abcxyz0189_-é", min_size=1, max_size=8)
counts = st.integers(min_value=0, max_value=10**9)
protocols: st.SearchStrategy[ProtocolName] = st.sampled_from(get_args(ProtocolName))

json_values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=5,
)
json_objects = st.dictionaries(words, json_values, max_size=3)
_separators = st.sampled_from([(",", ":"), (", ", ": "), (" ,", " :")])
json_texts = st.builds(lambda value, by: json.dumps(value, separators=by), json_values, _separators)
json_object_texts = st.builds(lambda value, by: json.dumps(value, separators=by), json_objects, _separators)
metadata = st.dictionaries(words, texts, max_size=3)

caches = st.builds(Cache, ttl=maybe(st.sampled_from(["5m", "30m", "1h", "12h"])))
seals = st.builds(
    Seal,
    issuer=words,
    kind=st.sampled_from(["signature", "redacted", "encrypted"]),
    data=st.text(max_size=20),
)


@st.composite
def _extras(draw: st.DrawFn, of: st.SearchStrategy[ProtocolName] = protocols) -> Extra:
    members = draw(st.dictionaries(st.sampled_from(SAMPLE_NAMES), json_texts, min_size=1, max_size=3))
    must = draw(st.sets(st.sampled_from(sorted(members)))) if members else set[str]()
    return Extra(protocol=draw(of), members=members, must=frozenset(must))


extras = _extras()

# ---- parts

_common: dict[str, Any] = {"id": words, "item": words, "cache": caches, "seal": seals, "extra": extras}
citations = given_some(
    Citation,
    {"kind": words},
    url=words.map(lambda word: f"https://example.test/{word}"),
    title=texts,
    quote=texts,
    start=counts,
    end=counts,
    extra=extras,
)
inlines = st.builds(
    Inline,
    media_type=st.sampled_from(["image/png", "audio/wav"]),
    data=st.text(alphabet="abcdWXYZ09+/=", max_size=16),
)
urls = given_some(Url, {"url": words.map(lambda word: f"https://example.test/{word}")}, media_type=words)
files = given_some(File, {"ref": words}, owner=protocols, media_type=words)

text_parts = given_some(
    Text, {"text": texts}, citations=st.lists(citations, max_size=2).map(tuple), **_common
)
thinking_parts = given_some(
    Thinking, {}, text=texts, summary=st.lists(texts, max_size=3).map(tuple), **_common
)
refusals = given_some(Refusal, {"text": texts}, category=words, **_common)
media = given_some(
    Media,
    {"kind": st.sampled_from(["image", "audio", "video", "document"]), "source": inlines | urls | files},
    name=words,
    detail=words,
    transcript=texts,
    context=texts,
    **_common,
)
tool_calls = given_some(
    ToolCall,
    {"call_id": words, "name": words},
    arguments=json_object_texts,
    namespace=words,
    **_common,
) | given_some(
    ToolCall, {"call_id": words, "name": words, "kind": st.just("custom"), "arguments": words}, **_common
)
opaques = given_some(Opaque, {"protocol": protocols, "kind": words, "body": json_object_texts}, **_common)
extensions = given_some(Extension, {"name": words, "data": json_texts}, **_common)
tool_results = given_some(
    ToolResult,
    {"call_id": words},
    parts=st.lists(text_parts | media, max_size=2).map(tuple),
    is_error=st.booleans(),
    name=words,
    structured=json_texts,
    kind=st.sampled_from(["function", "custom"]),
    **_common,
)
answer_parts: st.SearchStrategy[AnyPart] = st.one_of(
    text_parts, thinking_parts, refusals, media, tool_calls, tool_results, opaques, extensions
)

# ---- usage and answers

usages = given_some(
    Usage,
    {},
    **dict.fromkeys(
        ("input", "cache_read", "cache_write", "cache_write_1h", "output", "reasoning"), maybe(counts)
    ),
    detail=st.dictionaries(st.sampled_from(SAMPLE_NAMES), counts, max_size=3),
    estimated=st.booleans(),
)
stops: st.SearchStrategy[Stop] = st.sampled_from(get_args(Stop))
answers: st.SearchStrategy[Answer] = given_some(
    Answer,
    {"parts": st.lists(answer_parts, max_size=4).map(tuple), "stop": stops},
    id=words,
    model=words,
    created=counts,
    stop_sequence=words,
    usage=usages,
    stop_raw=words,
    metadata=metadata,
    extra=extras,
)

# ---- requests

messages: st.SearchStrategy[Message] = given_some(
    Message,
    {
        "role": st.sampled_from(["system", "developer", "user"]),
        "parts": st.lists(text_parts | media | extensions, min_size=1, max_size=3).map(tuple),
    },
    name=words,
    id=words,
    phase=words,
    extra=extras,
)


@st.composite
def _turns(draw: st.DrawFn) -> tuple[Message, ...]:
    """What the assistant said, and the results of all its calls in one message."""
    parts = draw(st.lists(text_parts | thinking_parts | refusals | tool_calls, min_size=1, max_size=4))
    said = Message(role="assistant", parts=tuple(parts))
    calls = [part for part in parts if isinstance(part, ToolCall)]
    if not calls:
        return (said,)
    results = [
        msgspec.structs.replace(draw(tool_results), call_id=call.call_id, kind=call.kind) for call in calls
    ]
    return (said, Message(role="tool", parts=tuple(results)))


histories: st.SearchStrategy[tuple[Message, ...]] = st.lists(
    messages.map(lambda message: (message,)) | _turns(), min_size=1, max_size=4
).map(lambda turns: tuple(message for turn in turns for message in turn))
tools = given_some(
    Tool,
    {"name": words},
    description=texts,
    parameters=json_object_texts,
    kind=st.sampled_from(["function", "custom", "hosted"]),
    strict=st.booleans(),
    output_schema=json_object_texts,
    format=json_object_texts,
    namespace=words,
    cache=caches,
    extra=extras,
)
_fractions = st.floats(min_value=0, max_value=2, allow_nan=False)
bodies: st.SearchStrategy[Body] = given_some(
    Body,
    {"messages": histories},
    tools=st.lists(tools, max_size=2).map(tuple),
    tool_choice=given_some(
        ToolChoice,
        {"mode": st.sampled_from(["auto", "none", "required"])},
        names=st.lists(words, max_size=2).map(tuple),
    ),
    parallel=st.booleans(),
    max_tokens=counts,
    temperature=_fractions,
    top_p=_fractions,
    top_k=counts,
    presence_penalty=_fractions,
    frequency_penalty=_fractions,
    seed=counts,
    stop=st.lists(words, max_size=2).map(tuple),
    format=given_some(
        OutputFormat,
        {"kind": st.sampled_from(["text", "json", "json_schema"])},
        name=words,
        schema=json_object_texts,
        strict=st.booleans(),
        description=texts,
    ),
    reasoning=given_some(
        Reasoning,
        {},
        mode=st.sampled_from(["off", "on", "adaptive"]),
        effort=st.sampled_from(["none", "low", "high"]),
        budget=counts,
        show=st.sampled_from(["full", "summary", "omitted"]),
    ),
    verbosity=st.sampled_from(["low", "medium", "high"]),
    output=st.frozensets(st.sampled_from(["text", "audio", "image"]), min_size=1),
    voice=json_object_texts,
    previous=words,
    conversation=words,
    store=st.booleans(),
    background=st.booleans(),
    metadata=metadata,
    user=words,
    service_tier=words,
    cache=caches,
    want_usage=st.booleans(),
    extensions=st.dictionaries(words, json_texts, max_size=2),
    extra=extras,
)
header_items = st.lists(
    st.tuples(
        st.text(alphabet="abcDEFxyz-", min_size=1, max_size=8),
        st.text(
            alphabet=st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f"),
            max_size=12,
        ),
    ),
    max_size=5,
)
headers: st.SearchStrategy[Headers] = header_items.map(Headers.of)
sources: st.SearchStrategy[Source] = given_some(
    Source,
    {"protocol": protocols, "body": st.binary(max_size=20)},
    headers=headers,
    path=words.map(lambda word: f"/{word}"),
    query=words,
    version=words,
)
requests: st.SearchStrategy[Request] = given_some(
    Request,
    {"body": bodies},
    model=words,
    stream=st.booleans(),
    source=maybe(sources),
    context=words.map(lambda word: Context(request_id=word)),
)

# ---- errors

_told: dict[str, Any] = {
    "code": words,
    "param": words,
    "retryable": st.booleans(),
    "retry_after": st.floats(min_value=0, max_value=600),
    "metadata": metadata,
    "may_have_acted": st.booleans(),
}
_plain_errors = st.sampled_from(
    [
        errors.TurnoutError,
        errors.InvalidRequest,
        errors.TooLarge,
        errors.UnsupportedMediaType,
        errors.Unauthenticated,
        errors.Forbidden,
        errors.NotFound,
        errors.MethodNotAllowed,
        errors.Conflict,
        errors.AgentFailed,
        errors.ConcurrentEmit,
        errors.EmitClosed,
        errors.BadOutput,
        errors.OutputTooLarge,
        errors.RunTimedOut,
        errors.Cancelled,
        errors.StoreFailed,
        errors.CatalogFailed,
        errors.Misconfigured,
    ]
)
provider_errors = given_some(
    errors.ProviderError,
    {"message": texts},
    kind=st.sampled_from(get_args(errors.ProviderErrorKind)),
    status_code=st.sampled_from([200, 302, 400, 401, 429, 500, 529, 599, 999]),
    type=words,
    **_told,
)
turnout_errors: st.SearchStrategy[errors.TurnoutError] = st.one_of(
    _plain_errors.flatmap(
        lambda kind: given_some(kind, {"message": texts}, status=st.integers(400, 599), type=words, **_told)
    ),
    provider_errors,
    given_some(errors.Unsupported, {"param": words}, message=words),
    given_some(errors.BrokenStream, {"message": texts}, partial=answers),
    given_some(errors.RunInProgress, {"message": texts, "response_id": words}, metadata=metadata),
    given_some(
        errors.StageError,
        {"stage": st.sampled_from(get_args(errors.Stage))},
        message=words,
        may_have_acted=st.booleans(),
    ),
)

# ---- streams


@st.composite
def _cuts(draw: st.DrawFn, text: str) -> list[str]:
    """`text` in pieces, some of which may be empty; at least one piece."""
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=3)))
    return [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]


@st.composite
def _grown(draw: st.DrawFn, index: int, text: str, to: Any = "text", at: int = 0) -> tuple[str, list[Event]]:
    """What of a field is there at the start, and the deltas that bring the rest."""
    first, *rest = draw(_cuts(text))
    return first, [Delta(index=index, text=piece, to=to, at=at) for piece in rest]


@st.composite
def _payload(draw: st.DrawFn, index: int, part: AnyPart) -> tuple[dict[str, Any], list[Event]]:
    """The fields that a part starts with, and the deltas that bring the rest of them."""
    shell: dict[str, Any] = {}
    later: list[Event] = []
    match part:
        case Text() | Refusal():
            shell["text"], later = draw(_grown(index, part.text))
        case Thinking():
            shell["text"], later = draw(_grown(index, part.text))
            known = draw(st.integers(0, len(part.summary)))
            shell["summary"] = part.summary[:known]
            for at, summary in enumerate(part.summary[known:], known):
                pieces = draw(_cuts(summary))
                later += [Delta(index=index, text=piece, to="summary", at=at) for piece in pieces]
        case ToolCall():
            shell["arguments"], later = draw(_grown(index, part.arguments, "arguments"))
        case Extension():
            shell["data"], later = draw(_grown(index, part.data, "data"))
        case Media():
            return draw(_media_payload(index, part))
        case _:
            pass
    return shell, later


@st.composite
def _media_payload(draw: st.DrawFn, index: int, part: Media) -> tuple[dict[str, Any], list[Event]]:
    shell: dict[str, Any] = {}
    later: list[Event] = []
    if isinstance(part.source, Inline):
        data, later = draw(_grown(index, part.source.data, "data"))
        shell["source"] = msgspec.structs.replace(part.source, data=data)
    if part.transcript is not None:
        shell["transcript"], more = draw(_grown(index, part.transcript, "transcript"))
        later = draw(interleaved([later, more]))
    return shell, later


@st.composite
def _beside(draw: st.DrawFn, index: int, part: AnyPart) -> tuple[dict[str, Any], list[Event]]:
    """The fields that a part starts with, and what comes beside its text."""
    shell: dict[str, Any] = {}
    later: list[Event] = []
    if isinstance(part, Text):
        known = draw(st.integers(0, len(part.citations)))
        shell["citations"] = part.citations[:known]
        later += [Amend(index=index, citation=citation) for citation in part.citations[known:]]
    if part.seal is not None and draw(st.booleans()):
        shell["seal"] = msgspec.structs.replace(part.seal, data="") if draw(st.booleans()) else None
        later.append(Amend(index=index, seal=part.seal))
    if part.extra is not None and draw(st.booleans()):
        shell["extra"] = None
        later.append(Amend(index=index, extra=part.extra))
    return shell, later


_FIELD: dict[type, Any] = {
    Text: "text",
    Refusal: "text",
    Thinking: "text",
    ToolCall: "arguments",
    Media: "transcript",
    Extension: "data",
}


@st.composite
def _told_part(draw: st.DrawFn, index: int, part: AnyPart) -> list[Event]:
    """The events of one part, in the order in which they must come."""
    shell, deltas = draw(_payload(index, part))
    more, amends = draw(_beside(index, part))
    start = PartStart(index=index, part=msgspec.structs.replace(part, **shell, **more))
    events = draw(interleaved([deltas, amends]))
    if draw(st.integers(0, 4)):
        return [start, *events, PartEnd(index=index)]
    # The maker states the whole at the end, and it wins over anything said before.
    to = _FIELD.get(type(part))
    wrong = [] if to is None else [Delta(index=index, text="?", to=to)]
    return [start, *events, *wrong, PartEnd(index=index, whole=part)]


@st.composite
def interleaved(draw: st.DrawFn, lists: list[list[Event]]) -> list[Event]:
    """All the lists as one, each in its own order, starts of parts in the order of their indexes."""
    waiting = [list(events) for events in lists if events]
    merged: list[Event] = []
    started = 0
    while waiting:
        ready = [
            events for events in waiting if not isinstance(events[0], PartStart) or events[0].index == started
        ]
        events = draw(st.sampled_from(ready))
        event = events.pop(0)
        started += isinstance(event, PartStart)
        merged.append(event)
        waiting = [events for events in waiting if events]
    return merged


signals: st.SearchStrategy[Event] = st.builds(
    Signal,
    kind=st.sampled_from(
        ["activity", "state", "state_delta", "messages", "step_start", "step_end", "custom"]
    ),
    name=words,
    data=json_texts,
)
unknowns: st.SearchStrategy[Event] = st.builds(
    Unknown, protocol=protocols, kind=words, body=json_object_texts
)


@st.composite
def tellings(draw: st.DrawFn, answer: Answer) -> list[Event]:
    """Any grammatical stream of events that says `answer`."""
    parts = [draw(_told_part(index, part)) for index, part in enumerate(answer.parts)]
    usage: list[Event] = [UsageSeen(usage=answer.usage)] if answer.usage != Usage() else []
    if usage and draw(st.booleans()):
        early = msgspec.structs.replace(answer.usage, estimated=False)
        if early.output is not None:
            early = msgspec.structs.replace(early, output=0)
        usage.insert(0, UsageSeen(usage=early))
    noise = draw(st.lists(signals | unknowns, max_size=2))
    middle = draw(interleaved([*parts, usage, list(noise)]))
    early_extra = draw(st.booleans())
    return [
        Start(
            id=answer.id,
            model=answer.model,
            created=answer.created,
            extra=answer.extra if early_extra else None,
        ),
        *middle,
        Finish(
            stop=answer.stop,
            stop_sequence=answer.stop_sequence,
            stop_raw=answer.stop_raw,
            metadata=answer.metadata,
            extra=None if early_extra else answer.extra,
        ),
    ]


streams: st.SearchStrategy[list[Event]] = answers.flatmap(tellings)
"""Grammatical streams that finish."""


@st.composite
def _failing(draw: st.DrawFn) -> list[Event]:
    events = draw(streams)
    cut = draw(st.integers(0, len(events) - 1))
    return [*events[:cut], Failed(error=draw(turnout_errors))]


failing_streams: st.SearchStrategy[list[Event]] = _failing()
"""Grammatical streams that fail, at any place."""


@st.composite
def batchings(draw: st.DrawFn, events: list[Event]) -> list[Batch]:
    """The same events in any batches, none of them empty."""
    places = sorted(draw(st.sets(st.integers(1, len(events) - 1)))) if len(events) > 1 else []
    return [tuple(events[start:end]) for start, end in zip([0, *places], [*places, len(events)], strict=True)]
