"""A host application for recorded fault cases, written with the public API alone.

`python host.py SCENARIO.json --port N` serves what the scenario describes: agents that play steps, or actions that a
stub picks and fills in, before an upstream model.
"""

import argparse
import asyncio
import builtins
import json
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import uvicorn

import turnout
from turnout.model import (
    Acceptance,
    ActionIntent,
    AnyPart,
    Context,
    Delta,
    Event,
    Finish,
    Message,
    PartEnd,
    PartStart,
    Reply,
    Request,
    Start,
    StoredResponse,
    Text,
    ToolCall,
    ToolResult,
    Turn,
)
from turnout.plane import CompositeClassifier
from turnout.store import MemoryStore
from turnout.wire import responses

_RAISE = re.compile(r"(\w+)\((['\"])(.*)\2\)")


class Play:
    """An agent that plays the scenario's steps, each as events."""

    def __init__(self, steps: list[str]) -> None:
        self._steps = [step.partition(":")[::2] for step in steps]

    async def __call__(self, request: Request) -> Reply:
        return Reply.of_events(self._events())

    async def _events(self) -> AsyncIterator[Event]:
        index, text = 0, -1
        yield Start()
        for kind, value in self._steps:
            if kind == "emit" and text < 0:
                text, index = index, index + 1
                yield PartStart(index=text, part=Text(text=""))
            if kind == "emit":
                yield Delta(index=text, text=value)
                continue
            if text >= 0:
                yield PartEnd(index=text)
                text = -1
            if kind == "raise":
                raise _error(value)
            for part in _tool(f"call_{index}", value, whole=kind == "tool"):
                yield PartStart(index=index, part=part)
                yield PartEnd(index=index)
                index += 1
        if text >= 0:
            yield PartEnd(index=text)
        yield Finish(stop="end")


def _tool(call_id: str, name: str, *, whole: bool) -> tuple[AnyPart, ...]:
    call = ToolCall(call_id=call_id, name=name, arguments="{}")
    return (call, ToolResult(call_id=call_id, parts=(Text(text="ok"),))) if whole else (call,)


def _error(spelled: str) -> Exception:
    found = _RAISE.fullmatch(spelled)
    name, _, text = found.groups() if found else ("RuntimeError", "", spelled)
    return getattr(builtins, name)(text)


class Delayed(MemoryStore):
    """The product's store, made slow, broken, or one that has answered every turn already."""

    def __init__(self, delay_ms: int, load_raises: str | None, replay: list[Any] | None) -> None:
        super().__init__()
        self._delay_s = delay_ms / 1000
        self._raises = load_raises
        self._replay = replay

    async def load(self, previous: str, context: Context, /) -> tuple[Message, ...]:
        if self._raises is not None:
            raise RuntimeError(self._raises)
        return await super().load(previous, context)

    async def accept(self, turn: Turn, /) -> Acceptance:
        accepted = await super().accept(turn)
        if self._replay is not None:
            row = {
                "id": accepted.response.id,
                "created_at": accepted.response.created,
                "status": "completed",
                "model": turn.request.model,
                "output": self._replay,
            }
            answer = responses.CODEC.decode_answer(json.dumps(row).encode(), responses.CODEC.dialects[""])
            return Acceptance(replay=StoredResponse(answer=answer))
        finish = accepted.finish
        if finish is None:
            return accepted

        async def later(stored: StoredResponse, error: Any) -> None:
            await asyncio.sleep(self._delay_s)
            await finish(stored, error)

        return msgspec.structs.replace(accepted, finish=later)


def journaled(name: str, schema: dict[str, Any] | None, delay_ms: int, journal: Path) -> Callable[..., Any]:
    """An action that notes each of its runs in `journal`."""

    async def run(**params: Any) -> dict[str, Any]:
        with journal.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"action": name, "params": params}) + "\n")
        await asyncio.sleep(delay_ms / 1000)
        return params

    async def run_bare() -> dict[str, Any]:
        return await run()

    described = name.replace("_", " ")
    if schema is None:
        return turnout.action(id=name, description=described)(run_bare)
    return turnout.action(id=name, description=described, schema=schema)(run)


def picking(selected: str, params: dict[str, Any]) -> CompositeClassifier:
    """A classifier whose stubs always pick the one action and always give these parameters."""

    def select(request: Request, descriptors: Any) -> Any:
        return tuple(found for found in descriptors if found.id == selected)

    def extract(request: Request, descriptors: Any) -> tuple[ActionIntent, ...]:
        return tuple(ActionIntent(action_id=found.id, params=params) for found in descriptors)

    return CompositeClassifier(select, extract)


def build(scenario: dict[str, Any]) -> turnout.App:
    """The application that a scenario describes."""
    said = scenario["store"]
    store = Delayed(said["delay_ms"], said["load_raises"], scenario["replay"])
    keeping: dict[str, Any] = {"user_header": scenario["owner_header"], "store": store, "store_default": True}
    if scenario["agent"] is not None:
        app = turnout.App(**keeping)
        for name in scenario["agents"]:
            app.model(name, Play(scenario["agent"]), actions=False)
        return app
    selected = scenario["select"]
    app = turnout.App(
        **keeping,
        classifier=picking(selected, scenario["extractor_returns"]) if selected else None,
    )
    journal = Path(scenario["journal"])
    for each in scenario["actions"]:
        app.add(journaled(each["name"], each["schema"], each["delay_ms"], journal))
    up, limit = scenario["upstream"], scenario["attempt_timeout_ms"]
    options = {"first_byte_s": limit / 1000} if limit else {}
    app.reason_with(
        turnout.provider(
            up["protocol"],
            base_url=up["base_url"],
            api_key=up["api_key"],
            retries=scenario["retries"],
            **options,
        )
    )
    return app


def main() -> None:
    """Serve the scenario until told to end."""
    parser = argparse.ArgumentParser()
    parser.add_argument("scenario", type=Path)
    parser.add_argument("--port", type=int, required=True)
    given = parser.parse_args()
    app = build(json.loads(given.scenario.read_text(encoding="utf-8")))
    uvicorn.run(app, host="127.0.0.1", port=given.port, log_level="warning")


if __name__ == "__main__":
    main()
