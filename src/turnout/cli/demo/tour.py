"""The demo's sample requests: sent over real HTTP, each with the lane that it must take."""

import asyncio
import http.client
import json
import time
from typing import Literal

from turnout.model import V

from .speakers import Said, Speaker

Lane = Literal["action", "confirm", "model"]


class Stop(V, frozen=True, kw_only=True):
    """One sample request; `follows`: in the conversation of the one before, `tool`: a tool's result comes last."""

    text: str
    lane: Lane
    stream: bool = False
    follows: bool = False
    tool: bool = False


class Seen(V, frozen=True, kw_only=True):
    """What a sample request showed; `milliseconds` is the client's wall clock, `asked` whether the model was."""

    stop: Stop
    protocol: str
    turns: tuple[Said, ...]
    lane: str
    actions: str
    reply: str
    milliseconds: float
    asked: bool

    @property
    def right(self) -> bool:
        """Whether it took the lane that it must take, asked the model only there, and was answered."""
        lane = self.stop.lane
        return self.lane == lane and self.asked == (lane == "model") and bool(self.reply)


TOUR = (
    Stop(text="Which invoices of Acme are open?", lane="action"),
    Stop(text="Create an invoice for Globex over 310.40 euros for March", lane="action"),
    Stop(text="Please record a payment of 480.50 euros for INV-1002", lane="action", stream=True),
    Stop(text="Record a payment of 9999 euros for INV-1001", lane="action"),
    Stop(text="Refund 20 euros on INV-1002", lane="confirm"),
    Stop(text="Yes, please", lane="action", stream=True, follows=True),
    Stop(text="Write a friendly reminder to Acme, please", lane="model"),
    Stop(text="How do I create an invoice?", lane="model", stream=True),
    Stop(text="Do not record a payment of 5 euros for INV-1001", lane="model"),
    Stop(text="Which invoices of Acme are open?", lane="model", tool=True),
)


class Ride(V, frozen=True, kw_only=True):
    """An answer to a sample request, as its client saw it."""

    reply: str
    lane: str
    actions: str
    milliseconds: float


def turns(stop: Stop, before: Seen | None) -> tuple[Said, ...]:
    """The conversation that a stop sends."""
    said = Said(role="user", text=stop.text)
    if stop.follows and before is not None:
        return (*before.turns, Said(role="assistant", text=before.reply), said)
    return (said, Said(role="tool", text="nothing of note", tool=True)) if stop.tool else (said,)


async def ride(stop: Stop, conversation: tuple[Said, ...], speaker: Speaker, port: int) -> Ride:
    """Send one sample request in a protocol.

    Raises:
        RuntimeError: the gateway answered with an error.
    """
    return await asyncio.to_thread(_post, stop, conversation, speaker, port)


def _post(stop: Stop, conversation: tuple[Said, ...], speaker: Speaker, port: int) -> Ride:
    body = json.dumps(speaker.body(conversation, stop.stream))
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    before = time.perf_counter()
    try:
        path = (stop.stream and speaker.stream_path) or speaker.path
        connection.request("POST", path, body, {"content-type": "application/json", **speaker.headers})
        response = connection.getresponse()
        data = response.read().decode()
    finally:
        connection.close()
    milliseconds = (time.perf_counter() - before) * 1000
    if response.status != 200:
        raise RuntimeError(f"the gateway answered {response.status}: {data}")
    return Ride(
        reply=speaker.words(data, stop.stream),
        lane=response.getheader("x-turnout-lane", ""),
        actions=response.getheader("x-turnout-actions", ""),
        milliseconds=milliseconds,
    )
