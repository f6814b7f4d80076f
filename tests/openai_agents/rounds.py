"""The OpenAI Agents SDK against `turnout serve` over a scripted model of each of four protocols.

Run by `.ci/agents` in an environment of its own, with the Python that has turnout in PYTHON. Each round is an agent
that is asked for the weather, calls its tool for two cities at once and reads the results, whole and streamed, over
both of the SDK's model classes; then one that gives its answer in a form.
"""

# pyright: reportMissingImports=false, reportUntypedFunctionDecorator=false, reportAttributeAccessIssue=false
# the SDK is in an environment of its own

import asyncio
import json
import os
import subprocess
import tempfile
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agents import (
    Agent,
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI
from pydantic import BaseModel

ROOT = Path(__file__).parents[2]
PYTHON = os.environ["PYTHON"]
UPSTREAMS = ("openai-chat", "openai-responses", "anthropic-messages", "gemini")
KINDS: dict[str, Any] = {"chat": OpenAIChatCompletionsModel, "responses": OpenAIResponsesModel}


class Weather(BaseModel):
    """A form to answer in."""

    city: str
    degrees: int


@contextmanager
def started(folder: Path, *arguments: str) -> Generator[str]:
    """A Python program that says where it is in the last word of its first line."""
    environment = {**os.environ, "UP_KEY": "sk-upstream"}
    command = [PYTHON, *arguments]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        yield child.stdout.readline().decode().split()[-1]
        child.terminate()


@contextmanager
def served() -> Generator[tuple[str, str]]:
    """The addresses of the gateway and of the model behind it."""
    with tempfile.TemporaryDirectory() as name, started(ROOT, "tests/e2e/scripted_model.py") as port:
        model, folder = f"http://127.0.0.1:{port}", Path(name)
        rows = [
            f'[providers.{each}]\nprotocol = "{each}"\nbase_url = "{model}/v1"\napi_key = "env:UP_KEY"\n'
            f'[models."{each}"]\nprovider = "{each}"\n'
            for each in UPSTREAMS
        ]
        (folder / "turnout.toml").write_text("".join(rows))
        with started(folder, "-m", "turnout", "serve", "turnout.toml", "--port", "0") as gateway:
            yield gateway, model


def last(model: str) -> str:
    """What the model was asked last."""
    with urllib.request.urlopen(f"{model}/seen", timeout=5) as answer:
        return json.dumps(json.load(answer)[-1])


async def finished(agent: Agent[Any], words: str, *, stream: bool) -> Any:
    """What an agent answers in the end."""
    if not stream:
        return (await Runner.run(agent, words)).final_output
    run = Runner.run_streamed(agent, words)
    kinds = [event.type async for event in run.stream_events()]
    assert "raw_response_event" in kinds
    return run.final_output


async def main() -> None:
    """All rounds."""
    set_tracing_disabled(True)
    asked: list[str] = []

    @function_tool
    def look(city: str) -> str:
        """Look at the weather."""
        asked.append(city)
        return "sun 7"

    rounds = 0
    with served() as (gateway, model):
        async with AsyncOpenAI(base_url=f"{gateway}/v1", api_key="sk-client", max_retries=0) as client:
            for upstream in UPSTREAMS:
                for kind, made in KINDS.items():
                    for stream in (False, True):
                        name = f"{kind} over {upstream}, {'streamed' if stream else 'whole'}"
                        speaking = made(model=upstream, openai_client=client)
                        settings = ModelSettings(store=False)
                        asked.clear()
                        agent = Agent(name="a", model=speaking, tools=[look], model_settings=settings)
                        assert await finished(agent, "weather?", stream=stream) == "It is sunny.", name
                        assert sorted(asked) == ["Oslo", "Rome"], name
                        assert last(model).count("sun 7") == 2, name
                        agent = Agent(name="b", model=speaking, output_type=Weather, model_settings=settings)
                        answer = await finished(agent, "json please", stream=stream)
                        assert answer == Weather(city="Rome", degrees=21), name
                        rounds += 1
    print(f"{rounds} rounds passed")


if __name__ == "__main__":
    asyncio.run(main())
