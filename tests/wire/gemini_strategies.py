"""Hypothesis strategies for the Gemini API as it is on the wire: requests, answers and streams."""

import json
from typing import Any

from hypothesis import strategies as st

words = st.text(max_size=10)
names = st.text(alphabet="abc_9é", min_size=1, max_size=6)
data = st.sampled_from(["QUJD", "iVBORw0KGgo="])
numbers = st.integers(0, 1000)
objects = st.dictionaries(
    names, st.one_of(words, numbers, st.none(), st.lists(numbers, max_size=2)), max_size=3
)


def rows(
    required: dict[str, Any], optional: dict[str, Any] | None = None
) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with some of the optional fields."""
    return st.fixed_dictionaries(required, optional=optional or {})


def _snake(name: str) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)


@st.composite
def spelled(draw: st.DrawFn, row: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    """The object with each field in either spelling."""
    return {(_snake(name) if draw(st.booleans()) else name): value for name, value in draw(row).items()}


signed = {"thoughtSignature": data, "partMetadata": objects}
media = st.one_of(
    spelled(rows({"inlineData": spelled(rows({"mimeType": st.just("image/png"), "data": data}))}, signed)),
    spelled(
        rows(
            {
                "fileData": spelled(
                    rows(
                        {
                            "fileUri": st.sampled_from(
                                ["https://x.test/a.png", "gs://b/c.pdf", "https://x.test/y"]
                            )
                        },
                        {"mimeType": st.sampled_from(["image/png", "audio/wav"]), "displayName": words},
                    )
                )
            },
            signed,
        )
    ),
)
text_parts = st.one_of(
    rows({"text": words}), spelled(rows({"text": words}, {"thought": st.booleans(), **signed}))
)
opaque_parts = st.one_of(
    rows({"executableCode": rows({"language": st.just("PYTHON"), "code": words})}),
    rows({"codeExecutionResult": rows({"outcome": st.just("OUTCOME_OK")})}, {"thoughtSignature": data}),
    rows({"toolCall": rows({"toolType": words, "id": words})}),
)
call_parts = spelled(
    rows({"functionCall": rows({"name": names}, {"args": objects, "id": names})}, {"thoughtSignature": data})
)
responses = st.one_of(
    st.none(),
    rows({"output": words}),
    rows({"result": st.one_of(words, objects)}),
    rows({"error": words}),
    objects,
)
result_parts = spelled(
    rows(
        {
            "functionResponse": spelled(
                rows(
                    {"name": names},
                    {
                        "id": names,
                        "response": responses,
                        "parts": st.lists(media, max_size=1),
                        "scheduling": st.just("SILENT"),
                    },
                )
            )
        }
    )
)
user_contents = rows(
    {"parts": st.lists(st.one_of(text_parts, media, result_parts, opaque_parts), max_size=3)},
    {"role": st.sampled_from(["user", "function", "tool"])},
)
model_contents = rows(
    {
        "role": st.just("model"),
        "parts": st.lists(st.one_of(text_parts, call_parts, opaque_parts, media), max_size=3),
    }
)
schemas = st.sampled_from(
    [
        {"type": "OBJECT", "properties": {"a": {"type": "STRING", "nullable": True}}, "required": ["a"]},
        {"type": "ARRAY", "items": {"type": "INTEGER"}, "max_items": "3"},
        {"anyOf": [{"type": "STRING"}, {"type": "NUMBER"}], "nullable": True},
        {},
    ]
)
declarations = spelled(
    rows(
        {"name": names},
        {
            "description": words,
            "parameters": schemas,
            "parametersJsonSchema": st.sampled_from([{"type": "object"}, {}, {"$ref": "#/nowhere"}]),
            "response": schemas,
            "behavior": st.just("BLOCKING"),
        },
    )
)
tools = st.lists(
    st.one_of(
        rows({"functionDeclarations": st.lists(declarations, max_size=2)}),
        rows({"function_declarations": declarations}),
        rows({"googleSearch": objects}),
        rows({"googleSearch": st.just({}), "urlContext": st.just({})}),
    ),
    max_size=2,
)
thinking = spelled(
    rows(
        {},
        {
            "includeThoughts": st.booleans(),
            "thinkingBudget": st.sampled_from([-1, 0, 512]),
            "thinkingLevel": st.sampled_from(["LOW", "high", "THINKING_LEVEL_UNSPECIFIED"]),
        },
    )
)
configs = spelled(
    rows(
        {},
        {
            "temperature": st.sampled_from([0, 0.5, 1.0]),
            "topP": st.floats(0, 1),
            "topK": st.sampled_from([1, 40.0]),
            "seed": numbers,
            "maxOutputTokens": st.sampled_from([5, "7"]),
            "stopSequences": st.lists(words, max_size=2),
            "candidateCount": st.integers(1, 2),
            "responseLogprobs": st.booleans(),
            "responseModalities": st.lists(st.sampled_from(["TEXT", "Image", 1, "SMELL"]), max_size=2),
            "responseMimeType": st.sampled_from(["application/json", "text/plain", "text/x.enum"]),
            "responseSchema": schemas,
            "responseJsonSchema": st.just({"type": "object"}),
            "thinkingConfig": st.none() | thinking,
            "speechConfig": objects,
            "mediaResolution": st.just("MEDIA_RESOLUTION_LOW"),
        },
    )
)
choices = spelled(
    rows(
        {},
        {
            "mode": st.sampled_from(["AUTO", "any", "NONE", "VALIDATED", "MODE_UNSPECIFIED", 2]),
            "allowedFunctionNames": st.lists(names, max_size=2),
            "streamFunctionCallArguments": st.booleans(),
        },
    )
)
requests = spelled(
    rows(
        {"contents": st.lists(st.one_of(user_contents, model_contents), min_size=1, max_size=4)},
        {
            "systemInstruction": rows({"parts": st.lists(text_parts, max_size=2)}, {"role": st.just("user")}),
            "tools": tools,
            "toolConfig": spelled(
                rows(
                    {}, {"functionCallingConfig": choices, "includeServerSideToolInvocations": st.booleans()}
                )
            ),
            "generationConfig": configs,
            "safetySettings": st.just([{"category": 10, "threshold": 3}]),
            "cachedContent": words,
            "serviceTier": st.sampled_from(["standard", "FLEX", "unspecified"]),
            "store": st.booleans(),
            "labels": objects,
            "model": words,
        },
    )
)

# ---- answers ---------------------------------------------------------------------------------------------------------

usages = st.none() | rows(
    {},
    {
        "promptTokenCount": numbers,
        "candidatesTokenCount": numbers,
        "thoughtsTokenCount": numbers,
        "cachedContentTokenCount": numbers,
        "toolUsePromptTokenCount": numbers,
        "totalTokenCount": numbers,
        "trafficType": st.just("ON_DEMAND"),
    },
)
reasons = st.sampled_from(
    ["STOP", "MAX_TOKENS", "SAFETY", "LANGUAGE", "OTHER", "CONTINUATION", "MODEL_ARMOR", "NEW", 1, 2]
)
grounding = st.sampled_from(
    [
        {
            "groundingChunks": [{"web": {"uri": "https://a.test", "title": "A"}}, {"web": {}}],
            "groundingSupports": [
                {"segment": {"endIndex": 1}, "groundingChunkIndices": [0, 7]},
                {"segment": {"endIndex": 999}, "groundingChunkIndices": [0]},
            ],
        },
        {"webSearchQueries": ["q"]},
    ]
)
answer_parts = st.lists(st.one_of(text_parts, text_parts, call_parts, opaque_parts, media), max_size=4)


@st.composite
def _answer(draw: st.DrawFn) -> dict[str, Any]:
    candidate: dict[str, Any] = {
        "content": {"role": "model", "parts": draw(answer_parts)},
        "finishReason": draw(reasons),
        **draw(
            rows(
                {},
                {
                    "index": st.just(0),
                    "safetyRatings": st.just([{"category": "X"}]),
                    "groundingMetadata": grounding,
                    "citationMetadata": st.just(
                        {"citationSources": [{"uri": "https://c.test", "endIndex": 1}]}
                    ),
                    "finishMessage": words,
                    "avgLogprobs": st.just(-0.5),
                },
            )
        ),
    }
    whole: dict[str, Any] = {"candidates": [candidate], "responseId": "r1", "modelVersion": "m1"}
    usage = draw(usages)
    if usage is not None:
        whole["usageMetadata"] = usage
    if draw(st.booleans()):
        whole["createTime"] = "2026-04-02T17:03:50.399550Z"
    return whole


answers = _answer()


@st.composite
def _stream(draw: st.DrawFn) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """An answer, and pieces that say the same."""
    whole = draw(answers)
    (candidate,) = whole["candidates"]
    pieces: list[dict[str, Any]] = []
    shared = {name: whole[name] for name in ("responseId", "modelVersion", "createTime") if name in whole}
    for part in _cut(draw, candidate["content"]["parts"]):
        content = {"role": "model", "parts": [part]}
        pieces.append({"candidates": [{"content": content, "index": 0}], **shared})
    last = {name: value for name, value in candidate.items() if name != "content"}
    if not pieces or draw(st.booleans()):
        parts: list[Any] = [{"text": ""}] if candidate["content"]["parts"] else []
        last["content"] = {"role": "model", "parts": parts}
        pieces.append({"candidates": [last], **shared})
    else:
        pieces[-1]["candidates"][0].update(last)
    if "usageMetadata" in whole:
        pieces[-1]["usageMetadata"] = whole["usageMetadata"]
    return whole, pieces


def _cut(draw: st.DrawFn, parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The parts, plain texts and thoughts in pieces."""
    cut: list[dict[str, Any]] = []
    for part in parts:
        words = part.get("text")
        plain = not {"thoughtSignature", "thought_signature", "partMetadata", "part_metadata"} & part.keys()
        if isinstance(words, str) and plain and words:
            at = draw(st.integers(0, len(words)))
            cut += [{**part, "text": words[:at]}, {**part, "text": words[at:]}]
        else:
            cut.append(part)
    return cut


streams = _stream()


def as_events(pieces: list[dict[str, Any]], *, end: str = "\r\n") -> bytes:
    """Pieces as server-sent events."""
    return "".join(f"data: {json.dumps(piece)}{end}{end}" for piece in pieces).encode()
