"""What a provider would be sent, for requests as clients of any protocol make them."""

import contextlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from turnout.model import Headers, ProtocolName, Request, Source
from turnout.model.errors import ProviderError
from turnout.providers import provider
from turnout.providers.transport import Response, no_answer
from turnout.wire.codec import codec

PROTOCOLS: tuple[ProtocolName, ...] = ("openai-chat", "openai-responses", "anthropic-messages", "gemini")
_PATHS: dict[str, ProtocolName] = {
    "/chat/completions": "openai-chat",
    "/responses": "openai-responses",
    "/messages": "anthropic-messages",
    ":generateContent": "gemini",
    ":streamGenerateContent": "gemini",
}


class Asked(NamedTuple):
    """A client's call, and where it was found."""

    name: str
    protocol: ProtocolName
    path: str
    body: Any

    def request(self) -> Request:
        """The call as the server hands it on: peeked at, not decoded."""
        data = json.dumps(self.body).encode("utf-8", "surrogatepass")
        source = Source(protocol=self.protocol, body=data, headers=Headers.of({}), path=self.path)
        spoken = codec(self.protocol)
        model, stream = spoken.peek(source)
        return Request(
            model=model, stream=stream, source=source, decode=lambda: spoken.decode_request(source)
        )


def path_of(protocol: ProtocolName, model: str = "some-model", *, stream: bool = False) -> str:
    """Where a call of `protocol` goes."""
    if protocol != "gemini":
        return next(end for end, spoken in _PATHS.items() if spoken == protocol)
    return f"/models/{model}:{'streamGenerateContent' if stream else 'generateContent'}"


def recorded(shared: Path) -> Iterator[Asked]:
    """The requests to providers that were recorded, of the protocols that are spoken here."""
    for file in sorted(shared.glob("corpus/cases/*/*.json")):
        if file.name.endswith(".expected.json"):
            continue
        case = json.loads(file.read_text("utf-8"))
        call = case["request"]
        if case["response"]["status"] < 400 and "no_request" not in case["tags"]:
            yield from _asked(f"{file.parent.name}/{case['id']}", call["path"], call["body"])


def captured(shared: Path) -> Iterator[Asked]:
    """The requests that real clients made."""
    for file in sorted(shared.glob("captures/*/*.json")):
        call = json.loads(file.read_text("utf-8"))
        if call["method"] == "POST":
            yield from _asked(f"{file.parent.name}/{file.stem}", call["path"].partition("?")[0], call["body"])


def _asked(name: str, path: str, body: Any) -> Iterable[Asked]:
    ends: list[ProtocolName] = [spoken for end, spoken in _PATHS.items() if path.endswith(end)]
    if not ends or not isinstance(body, dict):
        return ()
    protocol = ends[0]
    ours = "/models/" + path.rpartition("/models/")[2] if protocol == "gemini" else path_of(protocol)
    if protocol == "anthropic-messages" and "model" not in body:  # hosted elsewhere: the model is in the path
        body = {**body, "model": "some-model"}
    return (Asked(name, protocol, ours, body),)


class Recorder:
    """A transport that keeps what it should send and gets no answer."""

    def __init__(self) -> None:
        self.body = b""

    async def send(self, method: str, url: str, headers: Iterable[tuple[str, str]], body: bytes) -> Response:
        self.body = body
        raise no_answer("kept")

    async def aclose(self) -> None: ...


MAKERS: dict[ProtocolName, tuple[str, str]] = {
    "openai-chat": ("openai", "gpt-6"),
    "openai-responses": ("openai", "gpt-6"),
    "anthropic-messages": ("anthropic", "claude-sonnet-5-5"),
    "gemini": ("gemini", "gemini-3.5-pro"),
}
"""The preset that stands for each protocol, and a model that it has."""


class Upstreams:
    """A provider of each protocol that sends nowhere."""

    def __init__(self, **options: Any) -> None:
        self._kept = Recorder()
        self._made = {
            protocol: provider(
                preset, protocol=protocol, api_key="k", model=model, transport=self._kept, **options
            )
            for protocol, (preset, model) in MAKERS.items()
        }

    async def sent(self, asked: Asked, protocol: str) -> Any:
        """What the provider of `protocol` would be sent.

        Raises:
            InvalidRequest, Unsupported: it would not be sent.
        """
        self._kept.body = b""
        with contextlib.suppress(ProviderError):
            await self._made[protocol](asked.request())
        return json.loads(self._kept.body)

    async def aclose(self) -> None:
        for made in self._made.values():
            await made.aclose()
