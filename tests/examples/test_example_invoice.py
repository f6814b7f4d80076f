"""The invoice example, against a canned model behind a real socket: with a model for every step, and with none."""

import http.server
import importlib.util
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

from turnout.errors import StageError

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "invoice" / "app.py"
ASKED = "Create an invoice for Acme for March's work"
SELECTED = {"actions": ["billing.create_invoice"], "verdict": "asked"}
EXTRACTED = {"customer": "Acme", "month": "March"}
WORDED = "I made invoice R-ACME-MAR for Acme: 40 hours, 3,420.00 euros in all."


class Canned(http.server.BaseHTTPRequestHandler):
    """A chat model that answers in the form that it is asked for."""

    protocol_version = "HTTP/1.1"
    asked: ClassVar[list[dict[str, Any]]] = []
    answers: ClassVar[dict[str, str]] = {}

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the base class names it
        """Say nothing."""

    def do_POST(self) -> None:
        """Answer by the name of the form."""
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked.append(request)
        name = request.get("response_format", {}).get("json_schema", {}).get("name", "text")
        message = {"role": "assistant", "content": self.answers[name]}
        body = json.dumps(
            {
                "id": "c",
                "object": "chat.completion",
                "created": 1,
                "model": request["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12},
            }
        ).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def url() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Canned)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    Canned.asked.clear()
    Canned.answers = {
        "selection": json.dumps(SELECTED),
        "parameters": json.dumps(EXTRACTED),
        "text": WORDED,
    }
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("invoice_example", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.states("P-002", "P-203")
async def test_each_step_is_one_call_to_a_small_model(example: ModuleType, url: str) -> None:
    async with example.build(url, small="small") as app:
        answer = await app.process(ASKED, model="large")
    assert answer.text == WORDED
    assert [request["model"] for request in Canned.asked] == ["small", "small", "small"]
    select, extract, synthesize = Canned.asked
    assert "the customer's name" not in json.dumps(select)
    assert "the customer's name" in json.dumps(extract)
    assert "the month in which the work was done" in json.dumps(extract)
    assert "March's work" not in json.dumps(synthesize)
    assert '\\"total\\":\\"3420.00\\"' in json.dumps(synthesize)


@pytest.mark.states("P-002", "P-203")
async def test_the_same_works_without_any_model(example: ModuleType, url: str) -> None:
    async with example.build(url) as app:
        answer = await app.process(ASKED, model="large")
    assert answer.text == "Invoice R-ACME-MAR for Acme: 40 hours in March, 3,420.00 euros."
    assert Canned.asked == []


@pytest.mark.states("P-204")
async def test_an_invented_figure_is_never_shown(example: ModuleType, url: str) -> None:
    Canned.answers["text"] = "Your invoice R-ACME-MAR is over 3,400 euros."
    async with example.build(url, small="small") as app:
        answer = await app.process(ASKED, model="large")
    assert answer.text == "Invoice R-ACME-MAR for Acme: 40 hours in March, 3,420.00 euros."


async def test_what_is_no_action_goes_to_the_large_model(example: ModuleType, url: str) -> None:
    Canned.answers["selection"] = json.dumps({"actions": [], "verdict": "none"})
    async with example.build(url, small="small") as app:
        answer = await app.process("What is an invoice?", model="large")
    assert answer.text == WORDED
    assert [request["model"] for request in Canned.asked] == ["small", "large"]


async def test_a_model_that_is_away_is_an_error_and_no_invoice(example: ModuleType) -> None:
    async with example.build("http://127.0.0.1:9/v1", small="small") as app:
        with pytest.raises(StageError, match="classify"):
            await app.process(ASKED, model="large")
