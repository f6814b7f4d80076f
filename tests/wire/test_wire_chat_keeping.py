"""A chat that a store keeps goes to its provider without `store`, in its own bytes where that can be done."""

import json

import pytest

from turnout.model import Request, Source, lane
from turnout.wire.chat import CODEC
from turnout.wire.chat.keeping import without_store

REST = b'"model": "m", "messages": [{"role": "user", "content": "say \\"store\\": true"}]'


def asked(body: bytes) -> Request:
    source = Source(protocol="openai-chat", body=body)
    return Request(model="m", source=source, decode=lambda: CODEC.decode_request(source))


@pytest.mark.parametrize(
    ("body", "sent"),
    [
        (b'{"store":true,%b}', b"{%b}"),
        (b'{"store" : false ,\n %b}', b"{%b}"),
        (b'{%b, "store": true}', b"{%b}"),
        (b'{%b ,"store": true\n}', b"{%b}"),
        (b'{%b, "store": true, "n": 1.0}', b'{%b, "n": 1.0}'),
    ],
)
def test_every_other_byte_goes_out_as_it_came(body: bytes, sent: bytes) -> None:
    request = CODEC.unkept(asked(body % REST))
    assert lane(request, "openai-chat") == "bytes"
    assert request.source is not None
    assert json.loads(request.source.body) == json.loads(sent % REST)
    assert request.source.body.replace(b" ", b"").replace(b"\n", b"") == (sent % REST).replace(b" ", b"")
    assert request.body == CODEC.decode_request(request.source)
    assert request.body.store is None


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b'{"store":true,"store":true,%b}', id="twice"),
        pytest.param(b'{"st\\u006fre":true,%b}', id="spelled with an escape"),
        pytest.param(b'{"st\\u006fre":true,"x":{"store":true},%b}', id="only inside another member"),
        pytest.param(b'{"store":true,"x":{"store":true},%b}', id="inside another member, too"),
        pytest.param(b'{"store":true,"x":"store",%b}', id="as a word, too"),
    ],
)
def test_a_request_that_spells_it_in_an_unusual_way_is_written_anew(body: bytes) -> None:
    assert without_store(body % REST) is None
    request = CODEC.unkept(asked(body % REST))
    assert request.body.store is None
    assert lane(request, "openai-chat") == "rewrite"


def test_a_request_that_says_nothing_of_it_stays_as_it_is() -> None:
    request = asked(b"{%b}" % REST)
    assert CODEC.unkept(request) is request


def test_what_is_no_json_is_left_alone() -> None:
    assert without_store(b'{"store":true') is None
