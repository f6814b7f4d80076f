"""A sandbox: a real coding agent, from a fresh state of its own, in front of a gateway with one action.

    python sandbox.py "say hello"                      answered by the action, the model is not asked
    python sandbox.py "what is in this folder?"        passed on to the model, untouched

The agent is OpenClaw (`npm install openclaw`); any program that reads the same settings will do (`--agent PATH`). It
runs with an empty home folder that is deleted afterwards, so your own settings are neither read nor written. The
gateway listens on loopback only and wants a fixed token. The model is the one that MODEL_PRESET or MODEL_URL,
MODEL_KEY and MODEL_NAME describe, for the reasoning as well as for the small steps around the action. With --rules
the action's own pattern and template take these steps, and a greeting costs no call at all.

Of each of the agent's requests it says which way it went.
"""

import argparse
import asyncio
import json
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn

import turnout
from turnout import llm
from turnout.actions import TemplateSynthesizer
from turnout.model import Decision, Request
from turnout.serve.door import require_token

TOKEN = "sandbox-token"
MODEL = os.environ.get("MODEL_NAME", "gpt-6-luna")


@turnout.action(
    id="say_hello_world",
    patterns=[r"(say hello|greet)( to)?( (?P<whom>\w+))?"],
    template="Hello, {whom}!",
    examples=["say hello", "greet Ada"],
)
def say_hello_world(whom: str = "world") -> dict[str, str]:
    """Say hello to somebody."""
    return {"whom": whom}


def note(_request: Request, decision: Decision) -> None:
    """Say which way a request went."""
    done = ", ".join(f"{result.action_id} {result.status}" for result in decision.results)
    print(f"gateway: {decision.lane} ({done or decision.reason})", file=sys.stderr)


def gateway(rules: bool = False) -> turnout.App:
    """One action, chosen, filled in and worded by a model or by rules, and the same model for everything else."""
    model = turnout.provider(
        os.environ.get("MODEL_PRESET", "openai-chat" if "MODEL_URL" in os.environ else "openai"),
        base_url=os.environ.get("MODEL_URL"),
        api_key=os.environ.get("MODEL_KEY", ""),
    )
    if rules:
        app = turnout.App(on_decision=note)
    else:
        app = turnout.App(
            classifier=llm.Classifier.of(llm.Selector(model, model=MODEL), llm.Extractor(model, model=MODEL)),
            synthesizer=llm.Synthesizer(model, model=MODEL, fallback=TemplateSynthesizer()),
            on_decision=note,
        )
    app.add(say_hello_world)
    app.reason_with(model)
    return app


@asynccontextmanager
async def serving(app: turnout.App, port: int) -> AsyncGenerator[int]:
    """The gateway on loopback while the block runs; gives its port (0 picks a free one)."""
    config = uvicorn.Config(
        require_token(app, [TOKEN]), host="127.0.0.1", port=port, log_level="error", ws="none"
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    try:
        while not server.started:
            if task.done():
                raise OSError(f"cannot listen on port {port}")
            await asyncio.sleep(0.02)
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await task


def settings(home: Path, workspace: Path, port: int) -> None:
    """Write the agent's settings into its own home: one provider, which is the gateway."""
    model = {"id": MODEL, "name": MODEL, "input": ["text"], "contextWindow": 128_000, "maxTokens": 8_192}
    provider = {
        "baseUrl": f"http://127.0.0.1:{port}/v1",
        "apiKey": TOKEN,
        "api": "openai-completions",
        "models": [model],
    }
    folder = home / ".openclaw"
    folder.mkdir()
    defaults = {"model": {"primary": f"gateway/{MODEL}"}, "workspace": str(workspace)}
    written = {
        "models": {"mode": "replace", "providers": {"gateway": provider}},
        "agents": {"defaults": defaults},
    }
    (folder / "openclaw.json").write_text(json.dumps(written))


async def run(message: str, agent: str, port: int, rules: bool = False) -> int:
    """Send one message through the agent; its exit status."""
    with tempfile.TemporaryDirectory(prefix="sandbox-") as made:
        home, workspace = Path(made) / "home", Path(made) / "work"
        home.mkdir()
        workspace.mkdir()
        async with serving(gateway(rules), port) as bound:
            settings(home, workspace, bound)
            process = await asyncio.create_subprocess_exec(
                agent, "agent", "--local", "--session-id", "sandbox", "--message", message,
                cwd=workspace, env={"PATH": os.environ["PATH"], "HOME": str(home)},
            )  # fmt: skip
            try:
                return await process.wait()
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description="A coding agent in front of a gateway with one action.")
    parser.add_argument("message", nargs="?", default="say hello")
    parser.add_argument("--agent", default="openclaw", help="the agent's program")
    parser.add_argument("--port", type=int, default=8787, help="port of the gateway on loopback; 0 picks one")
    parser.add_argument("--rules", action="store_true", help="choose and word the action without a model")
    given = parser.parse_args()
    agent = shutil.which(str(given.agent))
    if agent is None:
        print(
            f"{given.agent} is not installed: npm install --global openclaw, or say --agent PATH",
            file=sys.stderr,
        )
        return 2
    return asyncio.run(run(str(given.message), agent, int(given.port), bool(given.rules)))


if __name__ == "__main__":
    sys.exit(main())
