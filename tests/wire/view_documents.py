"""Chat Completions documents as JSON text, with every spelling that a sender may choose."""

import json

from hypothesis import strategies as st

Texts = st.SearchStrategy[str]

SPACE = st.sampled_from(["", "", "", " ", "\n", "\t \r\n"])
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
STRINGS = st.one_of(
    st.sampled_from(
        [
            '""',
            '"hi"',
            r'"caf\u00e9"',
            r'"\ud83e\udd80"',
            r'"a\"b\\\/\n"',
            r'"\u0000"',
            '"日本 🦀"',
            r'"\u006dodel"',
        ]
    ),
    WORDS.map(json.dumps),
)
NUMBERS = st.sampled_from(["0", "1", "-0", "1.0", "1e3", "0.10", "-2.5E-7", "12345678901234567890", "7"])
WHOLE = st.sampled_from(["0", "1", "-0", "16", "1.0", "1e3", "2E+2", "12345678901234567890"])
FLAGS = st.sampled_from(["true", "false", "null"])


def objects(*members: tuple[str, Texts], always: tuple[str, ...] = (), more: bool = True) -> Texts:
    """Objects with any choice of these members, and others, in any order."""

    @st.composite
    def build(draw: st.DrawFn) -> str:
        named = [(name, value) for name, value in members if name in always or draw(st.booleans())]
        pairs = [(f'"{name}"', draw(value)) for name, value in named]
        if more and draw(st.integers(0, 2)) == 0:
            known = {name for name, _ in members}
            others = draw(st.dictionaries(WORDS.filter(lambda word: word not in known), ANY, max_size=2))
            pairs += [(json.dumps(name), value) for name, value in others.items()]
        pairs = draw(st.permutations(pairs))
        a, b = draw(SPACE), draw(SPACE)
        return "{" + a + f"{b},{a}".join(f"{name}{b}:{a}{value}" for name, value in pairs) + b + "}"

    return build()


def lists(items: Texts, max_size: int = 3) -> Texts:
    return st.builds(
        lambda space, parts: "[" + f"{space},".join(parts) + space + "]",
        SPACE,
        st.lists(items, max_size=max_size),
    )


def maybe(texts: Texts) -> Texts:
    return st.one_of(texts, texts, st.just("null"))


ANY: Texts = st.recursive(
    STRINGS | NUMBERS | FLAGS,
    lambda inner: (
        lists(inner, 2) | st.builds(lambda key, value: f'{{"{key}": {value}}}', st.sampled_from("abc"), inner)
    ),
    max_leaves=4,
)

IMAGES = objects(("url", STRINGS), ("detail", maybe(STRINGS)))
CACHE = objects(("type", st.just('"ephemeral"')), ("ttl", maybe(STRINGS)))
PARTS = objects(
    ("type", st.sampled_from(['"text"', '"text"', '"image_url"', '"input_audio"', "null"])),
    ("text", maybe(STRINGS)),
    ("image_url", maybe(IMAGES)),
    ("cache_control", maybe(CACHE)),
)
CONTENTS = maybe(STRINGS | lists(PARTS))
FUNCTION_CALLS = objects(("name", STRINGS), ("arguments", maybe(STRINGS)), always=("arguments",))
TOOL_CALLS = objects(("id", maybe(STRINGS)), ("type", STRINGS), ("function", maybe(FUNCTION_CALLS)))
FUNCTIONS = objects(("name", STRINGS), ("description", maybe(STRINGS)), ("parameters", ANY))
TOOLS = objects(("type", STRINGS), ("function", maybe(FUNCTIONS)))
ROLES = st.sampled_from(
    [f'"{role}"' for role in ("user", "system", "developer", "assistant", "function", "tool", "critic")]
)
MESSAGES = objects(
    ("role", ROLES),
    ("content", CONTENTS),
    ("tool_calls", maybe(lists(TOOL_CALLS))),
    ("tool_call_id", maybe(STRINGS)),
    ("name", maybe(STRINGS)),
)
STREAM_OPTIONS = objects(("include_usage", FLAGS))
REQUESTS = objects(
    ("model", maybe(STRINGS)),
    ("stream", FLAGS),
    ("stream_options", maybe(STREAM_OPTIONS)),
    ("messages", lists(MESSAGES)),
    ("tools", maybe(lists(TOOLS))),
    ("tool_choice", ANY),
    ("parallel_tool_calls", FLAGS),
    ("max_tokens", maybe(WHOLE)),
    ("max_completion_tokens", maybe(WHOLE)),
    ("stop", ANY),
)

USAGES = objects(
    ("prompt_tokens", maybe(WHOLE)),
    ("completion_tokens", WHOLE),
    ("total_tokens", WHOLE),
    ("prompt_tokens_details", maybe(objects(("cached_tokens", maybe(WHOLE))))),
)
FINISH = maybe(st.sampled_from(['"stop"', '"length"', '"tool_calls"', '"content_filter"', '"eos"', '""']))
CHOICES = objects(("index", WHOLE), ("message", maybe(MESSAGES)), ("finish_reason", FINISH))
COMPLETIONS = objects(
    ("id", STRINGS),
    ("object", maybe(STRINGS)),
    ("created", WHOLE),
    ("model", maybe(STRINGS)),
    ("choices", maybe(lists(CHOICES))),
    ("usage", maybe(USAGES)),
)
FUNCTION_DELTAS = objects(("name", maybe(STRINGS)), ("arguments", maybe(STRINGS)))
CALL_DELTAS = objects(
    ("index", WHOLE), ("id", maybe(STRINGS)), ("type", maybe(STRINGS)), ("function", maybe(FUNCTION_DELTAS))
)
DELTAS = objects(
    ("role", maybe(STRINGS)), ("content", maybe(STRINGS)), ("tool_calls", maybe(lists(CALL_DELTAS)))
)
CHUNK_CHOICES = objects(("index", WHOLE), ("delta", maybe(DELTAS)), ("finish_reason", FINISH))
CHUNKS = objects(
    ("id", STRINGS),
    ("object", maybe(STRINGS)),
    ("created", WHOLE),
    ("model", maybe(STRINGS)),
    ("choices", maybe(lists(CHUNK_CHOICES))),
    ("usage", maybe(USAGES)),
)
