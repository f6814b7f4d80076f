"""The demo's sample requests: sent over real HTTP, each with the lane that it must take."""

import asyncio
import http.client
import json
import time
from typing import Any, Literal

from turnout.model import V

Lane = Literal["action", "model"]


class Stop(V, frozen=True, kw_only=True):
    """One sample request. `history` comes before the text, `after` follows it."""

    text: str
    lane: Lane
    stream: bool = False
    after: tuple[dict[str, Any], ...] = ()


class Seen(V, frozen=True, kw_only=True):
    """What a sample request showed; `milliseconds` is the client's wall clock."""

    stop: Stop
    protocol: str
    lane: Lane
    action: str
    reply: str
    milliseconds: float

    @property
    def right(self) -> bool:
        """Whether it took the lane that it must take, and was answered."""
        return self.lane == self.stop.lane and bool(self.reply)


_CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {
            "id": "call_1",
            "type": "function",
            "function": {"name": "read_file", "arguments": '{"path":"a.txt"}'},
        }
    ],
}
_RESULT = {"role": "tool", "tool_call_id": "call_1", "content": "nothing of note"}

TOUR = (
    Stop(text="Which invoices of Acme are open?", lane="action"),
    Stop(text="Create an invoice for Globex over 310.40 euros for March", lane="action"),
    Stop(text="Please record a payment of 480.50 euros for INV-1002", lane="action", stream=True),
    Stop(text="Record a payment of 9999 euros for INV-1001", lane="action"),
    Stop(text="What is the status of INV-1002?", lane="action", stream=True),
    Stop(text="Write a friendly reminder to Acme, please", lane="model"),
    Stop(text="How do I create an invoice?", lane="model", stream=True),
    Stop(text="Do not record a payment of 5 euros for INV-1001", lane="model"),
    Stop(text="Which invoices of Acme are open?", lane="model", after=(_CALL, _RESULT)),
)


async def ride(stop: Stop, port: int) -> tuple[str, str, float]:
    """The words of the reply to one sample request, the actions that it names, and its milliseconds."""
    messages = [{"role": "user", "content": stop.text}, *stop.after]
    body = json.dumps({"model": "demo", "messages": messages, "stream": stop.stream})
    before = time.perf_counter()
    text, actions = await asyncio.to_thread(_post, port, body, stop.stream)
    return text, actions, (time.perf_counter() - before) * 1000


def _post(port: int, body: str, stream: bool) -> tuple[str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("POST", "/v1/chat/completions", body, {"content-type": "application/json"})
        response = connection.getresponse()
        data = response.read().decode()
        if response.status != 200:
            raise RuntimeError(f"the gateway answered {response.status}: {data}")
        return (_streamed(data) if stream else _whole(data)), response.getheader("x-turnout-actions", "")
    finally:
        connection.close()


def _whole(data: str) -> str:
    return json.loads(data)["choices"][0]["message"]["content"]


def _streamed(data: str) -> str:
    lines = [line.removeprefix("data: ") for line in data.splitlines() if line.startswith("data: {")]
    deltas = (choice["delta"] for line in lines for choice in json.loads(line)["choices"])
    return "".join(delta.get("content") or "" for delta in deltas)
