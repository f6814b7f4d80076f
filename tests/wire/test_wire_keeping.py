"""Whether anything of a request is kept, read over its bytes: true only where its decoded body says the same."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.wire.chat_strategies import bodies as chats
from tests.wire.test_responses_request import requests as responses
from turnout.model import ProtocolName, Source
from turnout.wire.codec import codec

keeping = st.fixed_dictionaries(
    {},
    optional={
        "store": st.sampled_from([True, False, None]),
        "previous_response_id": st.sampled_from(["resp_1", None]),
        "conversation": st.sampled_from(["conv_1", {"id": "conv_1"}, None]),
        "background": st.sampled_from([True, False, None]),
    },
)


def left(protocol: ProtocolName, wire: Any, default: bool = False) -> bool:
    data = wire if isinstance(wire, bytes) else json.dumps(wire).encode()
    return codec(protocol).leaves_nothing(Source(protocol=protocol, body=data), default)


def is_left(protocol: ProtocolName, wire: Any, default: bool) -> bool:
    """What the decoded body says."""
    body = codec(protocol).decode_request(Source(protocol=protocol, body=json.dumps(wire).encode()))
    continues = body.previous is not None or body.conversation is not None or body.background
    return not continues and not (default if body.store is None else body.store)


@given(responses, keeping, st.booleans())
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=100)
def test_of_responses_it_says_what_the_body_says(wire: Any, more: Any, default: bool) -> None:
    wire = {**wire, **more}
    assert left("openai-responses", wire, default) == is_left("openai-responses", wire, default)


@given(chats, keeping, st.booleans())
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=100)
def test_of_chats_it_says_no_more_than_the_body_says(wire: Any, more: Any, default: bool) -> None:
    plain = {name: value for name, value in {**wire, **more}.items() if name not in FOREIGN}
    assert left("openai-chat", plain, default) == is_left("openai-chat", plain, default)
    # Of members that only Responses have, decoding says what they are.
    assert left("openai-chat", {**wire, **more}, default) <= is_left("openai-chat", {**wire, **more}, default)


FOREIGN = ("previous_response_id", "conversation", "background")


@pytest.mark.parametrize("protocol", ["openai-chat", "openai-responses"])
@pytest.mark.parametrize(
    ("body", "default", "expected"),
    [
        (b'{"model":"m"}', False, True),
        (b'{"model":"m"}', True, False),
        (b'{"store":false}', True, True),
        (b'{"st\\u006fre":true}', False, False),
        (b'{"store":false,"store":true}', False, False),
        (b'{"input":{"store":true}}', False, True),
        (b'{"store":"yes"}', False, False),
        (b'{"store":tr', False, False),
        (b'{"a":"\xff","store":1', False, False),
        (b"[]", False, False),
    ],
)
def test_what_cannot_be_read_over_is_left_to_decoding(
    protocol: Any, body: bytes, default: bool, expected: bool
) -> None:
    assert left(protocol, body, default) is expected


@pytest.mark.parametrize("protocol", ["anthropic-messages", "gemini"])
def test_a_protocol_that_says_nothing_of_it_has_the_default(protocol: Any) -> None:
    assert (left(protocol, b"{}", False), left(protocol, b"{}", True)) == (True, False)
