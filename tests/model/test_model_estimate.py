"""How many tokens a request may have, where nobody can be asked."""

import pytest

from turnout.model import (
    Body,
    Extension,
    Extra,
    Inline,
    Media,
    Message,
    Opaque,
    OutputFormat,
    Refusal,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolResult,
    estimate_tokens,
)
from turnout.model.estimate import MEDIA_TOKENS, MESSAGE_TOKENS

PICTURE = Media(kind="image", source=Inline(media_type="image/png", data="A" * 9_000))


def estimate(*parts, **fields) -> int:
    return estimate_tokens(Body(messages=(Message(role="user", parts=parts),), **fields)) - MESSAGE_TOKENS


@pytest.mark.parametrize(
    "part",
    [
        Text(text="word" * 10),
        Refusal(text="word" * 10),
        Thinking(text="word" * 4, summary=("word" * 6,)),
        ToolCall(call_id="c", name="word", arguments="word" * 9),
        ToolResult(call_id="c", parts=(Text(text="word" * 10),)),
        Opaque(protocol="gemini", kind="k", body="word" * 10),
        Media(kind="document", source=Inline(media_type="text/plain", data="word" * 10)),
    ],
)
def test_four_bytes_of_text_are_a_token_wherever_they_stand(part) -> None:
    media = MEDIA_TOKENS if isinstance(part, Media) else 0
    assert estimate(part) == 10 + media


def test_a_picture_costs_the_same_however_large_it_is() -> None:
    assert estimate(PICTURE) == MEDIA_TOKENS
    assert estimate(ToolResult(call_id="c", parts=(PICTURE, PICTURE))) == 2 * MEDIA_TOKENS
    assert estimate(Extension(name="ui", data="{}" * 50)) == 0


def test_tools_and_the_form_of_the_answer_count() -> None:
    extra = Extra(protocol="openai-chat", members={"x": "word"})
    tool = Tool(name="word", description="word", parameters="word", format="word", extra=extra)
    assert estimate(Text(text=""), tools=(tool, Tool(name="word"))) == 6
    assert estimate(Text(text=""), format=OutputFormat(kind="json_schema", schema="word")) == 1
    assert estimate(Text(text=""), format=OutputFormat(kind="json")) == 0


def test_an_empty_request_has_a_token() -> None:
    assert estimate_tokens(Body(messages=())) == 1


def test_characters_beyond_ascii_count_by_their_bytes() -> None:
    assert estimate(Text(text="é" * 20)) == 10
    assert estimate(Text(text="\ud800")) == 1
