"""Sends recorded requests of the other protocols, translated, to a server that judges them by OpenAI's specification.

Run by `.ci/stdy`, which starts that server: through.py URL SHARED [EVERY]. EVERY takes each so manieth request. A
request passes if the server marks it as valid, or if its fault is one of those that are argued.
"""

import asyncio
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.providers.outgoing import MAKERS, Asked, captured, path_of, recorded
from turnout.model import ProtocolName, Reply
from turnout.model.errors import InvalidRequest, Unsupported
from turnout.providers import Provider, provider

BROKEN: dict[ProtocolName, Any] = {
    "openai-chat": {"model": "m", "messages": [{"role": "judge", "content": "hi"}]},
    "openai-responses": {"model": "m", "input": [{"type": "message", "role": "judge", "content": "hi"}]},
}
"""Requests that the server must not take, or it judges nothing."""

ARGUED = (
    ("", "body.top_p", "a number that the client's own protocol does not take either; the service says so"),
    ("", "body.service_tier", "a word of the client's own provider, which only the service can judge"),
    ("video-url", "body.messages", "a video, which other providers of Chat take as `video_url`"),
)
"""What is in the request's name, the place of a fault that is none, and why."""


def faults(reply: Reply) -> list[str]:
    """What the server has against a request: `path: message`."""
    found: list[str] = []
    at = 1
    while (path := reply.headers.get(f"x-steady-error-{at}-path")) is not None:
        found.append(f"{path}: {reply.headers.get(f'x-steady-error-{at}-message')}")
        at += 1
    if not found and reply.headers.get("x-steady-request-valid") != "true":
        found.append(f"status {reply.status} without a judgement")
    return found


def argued(name: str, fault: str) -> bool:
    """Whether a fault of the request of this name is none."""
    return any(part in name and fault.startswith(place) for part, place, _ in ARGUED)


async def judged(upstream: Provider, asked: Asked) -> list[str] | None:
    """The faults of one request, `None` when it is not sent at all."""
    try:
        reply = await upstream(asked.request())
    except (InvalidRequest, Unsupported):
        return None
    async with reply:
        return faults(reply)


async def main(url: str, shared: Path, every: int) -> int:
    """Send the sample, and tell what is wrong with it."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    sample = [*recorded(shared), *captured(shared)][::every]
    for protocol, broken in BROKEN.items():
        preset, model = MAKERS[protocol]
        async with provider(
            preset, protocol=protocol, base_url=url, api_key="k", model=model, root=""
        ) as made:
            if not await judged(made, Asked("broken", protocol, path_of(protocol), broken)):
                wrong.append(f"the server takes a broken request of {protocol}")
            for asked in sample:
                if asked.protocol == protocol:
                    continue
                found = await judged(made, asked)
                left = [fault for fault in found or () if not argued(asked.name, fault)]
                counts[f"{protocol} {'refused' if found is None else 'wrong' if left else 'valid'}"] += 1
                wrong += [f"{asked.name} to {protocol}: {fault}" for fault in left]
    print(*wrong, sep="\n")
    print(", ".join(f"{name}: {count}" for name, count in sorted(counts.items())))
    return 1 if wrong or not counts["openai-chat valid"] or not counts["openai-responses valid"] else 0


if __name__ == "__main__":
    where, folder, *more = sys.argv[1:]
    sys.exit(asyncio.run(main(where, Path(folder), int(more[0]) if more else 3)))
