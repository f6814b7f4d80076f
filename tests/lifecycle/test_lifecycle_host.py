"""The host application of the recorded faults keeps, delays, refuses and replays as a scenario says."""

import asyncio
from typing import Any

import pytest

from tests.faults.host import build
from tests.serve.serve_call import Call, call

SCENARIO: dict[str, Any] = {
    "agents": ["m"],
    "agent": ["emit:ok"],
    "store": {"delay_ms": 0, "load_raises": None},
    "replay": None,
    "owner_header": "x-owner",
}
ASK = {"model": "m", "input": "hi"}


async def test_a_turn_is_continued_by_its_owner_at_the_moment_it_is_told() -> None:
    app = build({**SCENARIO, "store": {"delay_ms": 30, "load_raises": None}})
    headers = {"content-type": "application/json", "x-owner": "a"}
    made = await call(app, "/v1/responses", {**ASK, "stream": True}, headers=headers)
    told = made.body.decode()
    response_id = told[told.index('"id":"') + 6 :].partition('"')[0]
    assert "response.completed" in told
    follow: dict[str, Any] = {**ASK, "previous_response_id": response_id}
    assert (await call(app, "/v1/responses", follow, headers=headers)).status == 200
    other = {**headers, "x-owner": "b"}
    assert (await call(app, "/v1/responses", follow, headers=other)).status == 404


async def test_a_store_whose_history_breaks_says_nothing_of_the_cause() -> None:
    app = build({**SCENARIO, "store": {"delay_ms": 0, "load_raises": "password=hunter2"}})
    made = await call(app, "/v1/responses", {**ASK, "previous_response_id": "resp_1"})
    assert made.status == 500
    assert b"hunter2" not in made.body


@pytest.mark.parametrize("stream", [False, True])
async def test_a_replayed_turn_has_the_saved_items(stream: bool) -> None:
    saved = {
        "type": "message",
        "id": "msg_saved",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": "as before", "annotations": []}],
    }
    made: Call = await asyncio.wait_for(
        call(build({**SCENARIO, "replay": [saved]}), "/v1/responses", {**ASK, "stream": stream}), 5
    )
    assert made.status == 200
    assert b'"id":"msg_saved"' in made.body
    assert b"as before" in made.body
