"""Recorded traffic of Anthropic Messages, and requests of real clients."""

import json
import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from turnout.model import Batch, Body, Finish, Headers, Limits, Opaque, Source, fold
from turnout.model.errors import InvalidRequest, Unsupported
from turnout.model.reducer import Reducer
from turnout.wire.anthropic import CODEC, DIALECTS
from turnout.wire.codec import Seed, codec

PLAIN = DIALECTS[""]
CHAT = codec("openai-chat")
SEED = Seed(id="msg_seed", created=1, model="seed")


def answers(shared: Path, kind: str) -> list[tuple[str, bytes]]:
    """Name and bytes of all recorded answers whose body is of `kind`."""
    found: list[tuple[str, bytes]] = []
    for folder in ("anthropic-messages", "local-messages", "vertex-anthropic"):
        for path in sorted((shared / "corpus" / "cases" / folder).glob("*.json")):
            case = json.loads(path.read_text())
            response = case.get("response", {})
            if response.get("status") == 200 and response["body_kind"] == kind:
                body = response["body"]
                found.append((path.stem, (body if isinstance(body, str) else json.dumps(body)).encode()))
    assert len(found) > 20
    return found


def requests(shared: Path) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Name, body and version of all recorded and captured requests."""
    for path in sorted((shared / "corpus" / "cases" / "anthropic-messages").glob("*.json")):
        case = json.loads(path.read_text())
        if "no_request" in case.get("tags", ["no_request"]):
            continue
        if isinstance(case["request"].get("body"), dict):
            headers = case["request"]["headers"]
            yield path.stem, case["request"]["body"], headers.get("anthropic-version", "")
    for path in sorted(shared.glob("captures/*/*POST_v1_messages*.json")):
        capture = json.loads(path.read_text())
        body = capture["body"]
        if isinstance(body, dict) and "messages" in body:
            headers = {str(name).lower(): value for name, value in dict(capture["headers"]).items()}
            yield f"{path.parent.name}/{path.stem}", body, str(headers.get("anthropic-version", ""))


def read(body: Any, version: str = "") -> Body:
    headers = Headers.of({"anthropic-version": version})
    data = json.dumps(body).encode()
    return CODEC.decode_request(Source(protocol="anthropic-messages", body=data, headers=headers))


def decoded(data: bytes, cuts: list[int] | None = None) -> Batch:
    decoder = CODEC.stream_decoder(PLAIN)
    places = [0, *(cuts or ()), len(data)]
    pieces = (data[start:end] for start, end in pairwise(places))
    events = [event for piece in pieces for event in decoder.feed(piece)]
    return (*events, *decoder.close())


def test_every_recorded_stream_is_read_in_normal_form_however_it_is_cut(shared: Path) -> None:
    chance = random.Random(5)
    for name, data in answers(shared, "sse"):
        events = decoded(data)
        assert isinstance(events[-1], Finish), name
        reducer = Reducer(Limits())
        checked = tuple(one for event in events for one in reducer.apply(event))
        assert fold(checked) == fold(events), name
        cuts = sorted(chance.randrange(len(data)) for _ in range(20))
        assert decoded(data, cuts) == events, name


def test_every_recorded_answer_is_written_again_without_a_loss(shared: Path) -> None:
    for name, data in answers(shared, "json"):
        first = CODEC.decode_answer(data, PLAIN)
        again, dropped = CODEC.encode_answer(first, SEED)
        assert dropped == (), name
        ours, theirs = json.loads(again), json.loads(data)
        kept = [block for block in theirs["content"] if block.get("text") != ""]
        assert len(ours["content"]) == len(kept), name
        assert CODEC.decode_answer(again, PLAIN).usage == first.usage, name
    for name, data in answers(shared, "sse"):
        events = decoded(data)
        written = CODEC.stream_encoder(SEED, True).encode(events)
        kinds = [type(part) for part in fold(events).parts if getattr(part, "text", "x") or part.seal]
        again = fold(decoded(written))
        assert [type(part) for part in again.parts] == kinds, name
        assert again.text == fold(events).text, name


def test_every_recorded_request_survives(shared: Path) -> None:
    count = 0
    for name, body, version in requests(shared):
        try:
            first = read(body, version)
        except InvalidRequest as error:
            pytest.fail(f"{name}: {error}")
        data, dropped = CODEC.encode_request(body.get("model", ""), False, first, PLAIN, False)
        written = json.loads(data)
        if body.get("max_tokens") is None:
            del written["max_tokens"]
        assert read(written) == first, name
        assert dropped == (), name
        count += 1
    assert count > 100


def test_agents_are_refused_nothing_by_a_chat_model(shared: Path) -> None:
    """Programs that people use climb down a ladder, or give up, when a request is refused."""
    agents = ("claude-code", "openclaw-messages", "pi-messages", "qwen-code-messages", "ai-sdk-messages")
    seen: set[str] = set()
    for name, body, version in requests(shared):
        if not name.startswith(agents):
            continue
        seen.add(name.partition("/")[0])
        data, _ = CHAT.encode_request("m", True, read(body, version), CHAT.dialects["openai"], True)
        wire = json.loads(data)
        CHAT.decode_request(Source(protocol="openai-chat", body=data))
        tools = [tool for tool in body.get("tools") or () if "type" not in tool or tool["type"] == "custom"]
        assert len(wire.get("tools", ())) == len(tools), name
    assert seen == set(agents)


def test_what_a_chat_model_cannot_do_is_refused_by_name(shared: Path) -> None:
    refused: set[str] = set()
    for _, body, version in requests(shared):
        try:
            CHAT.encode_request("m", False, read(body, version), CHAT.dialects[""], True)
        except Unsupported as error:
            refused.add(str(error.param))
    assert {"mcp_servers", "thread"} <= refused
    assert all(refused)


def test_blocks_that_nobody_names_are_kept_in_their_place(shared: Path) -> None:
    kinds = {
        part.kind
        for _, data in answers(shared, "sse")
        for part in fold(decoded(data)).parts
        if isinstance(part, Opaque)
    }
    assert {"server_tool_use", "web_search_tool_result"} <= kinds
