"""The small pieces: keys, addresses, presets, content codings, retries, lists of models."""

import gzip
import json
import zlib
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.model import Batch, Failed, Finish, Headers, Request, Source
from turnout.model.errors import BrokenStream, InvalidRequest, Misconfigured, ProviderError, Unauthenticated
from turnout.providers import PRESETS, Backoff, Secret, read_key
from turnout.providers.address import PATHS, Address
from turnout.providers.auth import client_key, key_header, load_hook
from turnout.providers.encoding import Inflater, Unpacking
from turnout.providers.failure import Redactor
from turnout.providers.retries import asked_pause, may_repeat
from turnout.wire.openai_models import decode_models

# ---- keys --------------------------------------------------------------------------------------------------------


@pytest.mark.states("T-074")
def test_a_secret_shows_nothing_of_itself():
    secret = Secret(" sk-very-secret\n")
    assert secret.reveal() == "sk-very-secret"
    assert "very" not in f"{secret!r}{secret!s}{[secret]}"
    assert secret == Secret("sk-very-secret") != Secret("other")
    assert not Secret("  ")
    assert hash(secret) == hash(Secret("sk-very-secret"))


def test_a_key_is_read_from_where_it_is_said_to_be(tmp_path: Path):
    place = tmp_path / "key"
    place.write_text("from-file\n")
    assert read_key(f"file:{place}").reveal() == "from-file"
    assert read_key("env:K", {"K": "from-env"}).reveal() == "from-env"
    assert read_key("sk-literal").reveal() == "sk-literal"


@pytest.mark.parametrize("reference", ["env:MISSING", "file:/no/such/file", "env:BLANK"])
def test_a_key_that_is_not_there_is_named_by_its_place(reference: str):
    with pytest.raises(Misconfigured) as caught:
        read_key(reference, {"BLANK": "  "})
    assert reference.partition(":")[2] in str(caught.value)


def test_an_empty_key_file_is_an_error(tmp_path: Path):
    (tmp_path / "key").write_text("\n")
    with pytest.raises(Misconfigured, match="empty"):
        read_key(f"file:{tmp_path / 'key'}")


def test_each_scheme_has_its_header():
    assert key_header("bearer", "k") == (("authorization", "Bearer k"),)
    assert key_header("x-api-key", "k") == (("x-api-key", "k"),)
    assert key_header("api-key", "k") == (("api-key", "k"),)
    assert key_header("none", "k") == key_header("bearer", "") == ()


def test_a_key_that_could_break_a_header_is_refused_without_showing_it():
    with pytest.raises(Misconfigured) as caught:
        key_header("bearer", "sk\r\nx: y")
    assert "sk" not in str(caught.value)


@pytest.mark.parametrize(
    "headers",
    [{"authorization": "Bearer c"}, {"authorization": "bearer  c"}, {"x-api-key": "c"}, {"api-key": "c"}],
)
def test_the_callers_own_credentials_are_found(headers: dict[str, str]):
    source = Source(protocol="openai-chat", body=b"", headers=Headers.of(headers))
    assert client_key(Request(source=source)) == "c"


@pytest.mark.parametrize("request_", [Request(), Request(source=Source(protocol="openai-chat", body=b""))])
def test_a_caller_without_credentials_is_told_so(request_: Request):
    with pytest.raises(Unauthenticated):
        client_key(request_)


@pytest.mark.parametrize("reference", ["no.such.module:f", "json:nothing", "json:__name__", ":f"])
def test_a_hook_that_cannot_be_loaded_is_named(reference: str):
    with pytest.raises(Misconfigured) as caught:
        load_hook(reference)
    assert reference in str(caught.value)


def test_secrets_are_taken_out_of_bytes_and_nothing_else_is():
    redactor = Redactor(("sk-12345678", "sk-12345678-longer", "short", ""))
    plain = b"nothing here, short words stay"
    assert redactor.clean(plain) is plain
    assert redactor.clean(b"a sk-12345678-longer b sk-12345678 c") == b"a *** b *** c"
    assert "1234" not in repr(redactor)


# ---- addresses ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "joined"),
    [
        ("http://h", "http://h/chat/completions"),
        ("http://h/", "http://h/chat/completions"),
        ("https://h:8443/v1", "https://h:8443/v1/chat/completions"),
        (" https://h/v1// ", "https://h/v1/chat/completions"),
        ("https://h/v1/chat/completions", "https://h/v1/chat/completions"),
        ("https://h/v1/chat/completions/", "https://h/v1/chat/completions"),
        ("http://[::1]:9/a%20b", "http://[::1]:9/a%20b/chat/completions"),
        ("http://h/chat", "http://h/chat/chat/completions"),
    ],
)
def test_a_base_address_is_joined_with_the_path_once(base: str, joined: str):
    assert Address(base, "/chat/completions").call("m") == joined


@pytest.mark.parametrize(
    ("base", "joined"),
    [
        ("https://r", "https://r/openai/v1/chat/completions"),
        ("https://r/openai", "https://r/openai/v1/chat/completions"),
        ("https://r/openai/v1/", "https://r/openai/v1/chat/completions"),
        ("https://r/proxy/openai", "https://r/proxy/openai/v1/chat/completions"),
    ],
)
def test_a_root_is_there_once(base: str, joined: str):
    assert Address(base, "/chat/completions", root="/openai/v1").call("m") == joined


def test_a_model_in_the_path_stays_one_segment():
    address = Address(
        "https://r", "/deployments/{model}/chat/completions", root="/openai", query="api-version=1"
    )
    assert address.call("my model/../x?y#z") == (
        "https://r/openai/deployments/my%20model%2F..%2Fx%3Fy%23z/chat/completions"
    )
    assert address.query == "api-version=1"
    for name in ("", ".", ".."):
        with pytest.raises(InvalidRequest):
            address.call(name)


def test_a_query_of_the_base_address_is_kept():
    address = Address("https://r/v1?a=1", "/chat/completions", query="b=2")
    assert (address.call("m"), address.query) == ("https://r/v1/chat/completions", "a=1&b=2")
    assert address.models() == "https://r/v1/models"


@pytest.mark.parametrize("base", ["", "h/v1", "ftp://h", "http://", "http://[", "http://h:port"])
def test_what_is_no_address_is_refused(base: str):
    with pytest.raises(Misconfigured, match="base_url"):
        Address(base, "/x")


def test_credentials_in_an_address_are_refused_and_not_shown():
    with pytest.raises(Misconfigured) as caught:
        Address("https://me:hunter2@h/v1", "/x")
    assert "hunter2" not in str(caught.value)


# ---- presets -----------------------------------------------------------------------------------------------------


@pytest.mark.states("P-193")
@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_has_an_address_or_asks_for_one(name: str):
    preset = PRESETS[name]
    address = Address(
        preset.base_url or "https://r.example", preset.path or PATHS[preset.protocol], root=preset.root
    )
    ends = {"gemini": "/models/m:generateContent", "anthropic-messages": "/messages"}
    assert address.call("m").endswith(ends.get(preset.protocol, "/chat/completions"))
    remote = preset.base_url.startswith("https://")
    assert remote == bool(preset.key_env) or not preset.base_url


def test_the_documentation_lists_every_preset():
    text = (Path(__file__).parents[2] / "docs" / "providers.md").read_text("utf-8")
    rows = {line.split("|")[1].strip(" `"): line for line in text.splitlines() if line.startswith("| `")}
    for name, preset in PRESETS.items():
        for fact in (preset.title, preset.base_url, preset.key_env):
            assert fact in rows[name]


# ---- content codings ---------------------------------------------------------------------------------------------


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


PACKERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    " Deflate": raw_deflate,
    "GZIP": lambda data: gzip.compress(data[:3], mtime=0) + gzip.compress(data[3:], mtime=0),
}


@given(st.binary(max_size=400), st.sampled_from(sorted(PACKERS)), st.integers(1, 50))
def test_a_coding_is_undone_however_its_bytes_are_cut(data: bytes, coding: str, step: int):
    packed = PACKERS[coding](data)
    inflater = Inflater(coding)
    plain = b"".join(inflater.feed(packed[at : at + step]) for at in range(0, len(packed), step))
    inflater.close()
    assert plain == data


def test_a_cut_coding_is_not_an_end():
    inflater = Inflater("gzip")
    inflater.feed(gzip.compress(b"text", mtime=0)[:-3])
    with pytest.raises(BrokenStream):
        inflater.close()


def test_a_coding_that_explodes_is_stopped():
    with pytest.raises(BrokenStream, match="grows"):
        Inflater("gzip", limit=1000).feed(gzip.compress(bytes(100_000)))


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip, br"])
def test_a_coding_nobody_asked_for_is_refused(coding: str):
    with pytest.raises(BrokenStream):
        Inflater(coding)


class Collecting:
    """A decoder that keeps what it gets."""

    def __init__(self) -> None:
        self.data = b""

    def feed(self, data: bytes) -> Batch:
        self.data += data
        return ()

    def close(self) -> Batch:
        return (Finish(stop="end"),)

    def fail(self, error: Any) -> Batch:
        return (Failed(error=error),)


def test_a_decoder_behind_a_coding_sees_plain_bytes():
    inner = Collecting()
    unpacking = Unpacking(inner, "gzip")
    packed = gzip.compress(b"events", mtime=0)
    assert unpacking.feed(packed[:7]) == unpacking.feed(packed[7:]) == ()
    assert unpacking.close() == (Finish(stop="end"),)
    assert inner.data == b"events"


@pytest.mark.parametrize(
    ("coding", "data"),
    [("br", b"x"), ("gzip", b"not gzip at all"), ("gzip", gzip.compress(b"x", mtime=0)[:-2])],
)
def test_trouble_with_a_coding_is_one_failure(coding: str, data: bytes):
    unpacking = Unpacking(Collecting(), coding)
    events = (*unpacking.feed(data), *unpacking.feed(data[:0]), *unpacking.close())
    assert [type(event) for event in events] == [Failed]
    assert isinstance(events[0], Failed)
    assert isinstance(events[0].error, BrokenStream)


# ---- retries -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_these_statuses_invite_another_try(status: int):
    assert may_repeat(status, Headers())
    assert not may_repeat(status, Headers.of({"x-should-retry": "false"}))


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422])
def test_these_statuses_do_not(status: int):
    assert not may_repeat(status, Headers())
    assert may_repeat(status, Headers.of({"x-should-retry": "TRUE"}))


@pytest.mark.states("T-073")
@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "9", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": formatdate(1_000_030, usegmt=True)}, 30.0),
        ({"retry-after": formatdate(999_000, usegmt=True)}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
    ],
)
def test_the_pause_that_an_answer_asks_for(headers: dict[str, str], seconds: float | None):
    assert asked_pause(Headers.of(headers), 1_000_000) == seconds


@given(st.integers(0, 40), st.floats(0, 1))
def test_pauses_grow_to_a_bound_and_are_never_negative(attempt: int, share: float):
    backoff = Backoff()
    assert 0 < backoff.pause(attempt, share) <= backoff.longest
    assert backoff.pause(attempt, 0) <= backoff.pause(attempt + 1, 0)


# ---- models ------------------------------------------------------------------------------------------------------


@pytest.mark.states("T-064")
def test_sizes_and_abilities_are_found_under_the_names_that_providers_use():
    rows = [
        {"id": "a", "object": "model", "created": 5, "owned_by": "me"},
        {"id": "b", "context_length": 100, "top_provider": {"max_completion_tokens": 10},
         "architecture": {"input_modalities": ["text", "image"]}, "supported_parameters": ["tools", "reasoning"]},
        {"id": "c", "max_model_len": 7.0, "capabilities": {"function_calling": False, "vision": True}},
        {"id": "d", "context_window": 9, "max_completion_tokens": 3, "created": None, "owned_by": 4},
    ]  # fmt: skip
    a, b, c, d = decode_models(json.dumps({"object": "list", "data": rows}).encode())
    assert (a.id, a.created, a.owned_by, a.context_window, a.supports_tools) == ("a", 5, "me", None, None)
    assert (b.context_window, b.max_tokens) == (100, 10)
    assert (b.supports_tools, b.supports_vision, b.supports_thinking) == (True, True, True)
    assert (c.context_window, c.supports_tools, c.supports_vision) == (7, False, True)
    assert (d.context_window, d.max_tokens, d.created, d.owned_by) == (9, 3, 0, "")


def test_a_bare_list_and_rows_without_names_are_read():
    assert [model.id for model in decode_models(b'[{"id":"x"},{"id":""},{"name":"y"},3,null]')] == ["x"]


@pytest.mark.states("T-076")
@pytest.mark.parametrize("data", [b"", b"<html>", b'{"data":{}}', b'"x"', b"null"])
def test_what_is_no_list_of_models_is_a_providers_error(data: bytes):
    with pytest.raises(ProviderError):
        decode_models(data)
