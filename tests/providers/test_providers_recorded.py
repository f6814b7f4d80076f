"""Recorded answers of all providers that speak Chat Completions pass through untouched."""

import json
from pathlib import Path
from typing import Any

import pytest
from incoming import incoming, question
from upstream import Call, Wire, runs, upstream

from turnout.providers import Provider

KEPT = ("content-type", "x-request-id", "retry-after", "x-ratelimit-remaining-tokens")


def recordings(shared: Path) -> list[dict[str, Any]]:
    cases = [json.loads(path.read_text("utf-8")) for path in sorted((shared / "corpus/cases").glob("*-chat/*.json"))
             if not path.name.endswith(".expected.json")]  # fmt: skip
    return [case for case in cases if case["response"]["body_kind"] in {"json", "sse", "text", "empty"}]


@pytest.mark.states("P-193", "P-195", "P-197")
@pytest.mark.parametrize("retries", [0, 1])
def test_every_recorded_answer_comes_back_byte_for_byte(shared: Path, retries: int):
    cases = {case["id"]: case for case in recordings(shared)}

    def body_of(case: dict[str, Any]) -> bytes:
        body = case["response"].get("body")
        return json.dumps(body).encode() if case["response"]["body_kind"] == "json" else (body or "").encode()

    async def script(call: Call, wire: Wire) -> None:
        response = cases[call.headers["x-case"]]["response"]
        data = body_of(cases[call.headers["x-case"]])
        headers = {**response["headers"], "set-cookie": "a=b"}
        if response["body_kind"] != "sse":
            await wire.whole(response["status"], data, headers)
            return
        await wire.head(response["status"], {**headers, "transfer-encoding": "chunked"})
        for piece in data.splitlines(keepends=True):
            await wire.chunk(piece)
        await wire.end()

    async def no_pause(_: float) -> None: ...

    @runs
    async def check() -> None:
        async with upstream(script) as up:
            options: dict[str, Any] = {"forward_headers": ["x-case"], "retries": retries, "sleep": no_pause}
            async with Provider("up", "openai-chat", up.url, **options) as main:
                for name, case in cases.items():
                    recorded = case["response"]
                    stream = recorded["body_kind"] == "sse"
                    async with await main(incoming(question(stream=stream), {"x-case": name})) as reply:
                        assert reply.relay is not None, name
                        data = b"".join([piece async for piece in reply.relay])
                    assert (reply.status, data) == (recorded["status"], body_of(case)), name
                    assert "set-cookie" not in reply.headers
                    for header in KEPT:
                        if header in recorded["headers"]:
                            assert reply.headers.get(header) == recorded["headers"][header], name

    assert len(cases) > 100
    check()
