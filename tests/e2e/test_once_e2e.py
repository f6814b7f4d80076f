"""A gateway that is killed in the middle of an action: after its restart nothing runs again, and the client is told."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import openai
import pytest

DESK = '''
import asyncio, pathlib
import turnout
from turnout.store import SQLiteLedger

app = turnout.App(ledger=SQLiteLedger("turnout.db"))
app.reason_with(lambda request: "from the model")

@app.action(patterns=[r"pay (?P<amount>\\d+)"], template="Paid {amount}.")
async def pay(amount: int) -> dict[str, int]:
    """Pay."""
    with open("runs", "a") as runs:
        runs.write("pay\\n")
    if pathlib.Path("hold").exists():
        pathlib.Path("started").touch()
        await asyncio.Event().wait()
    return {"amount": amount}

@app.action(patterns=[r"refund (?P<amount>\\d+)"], template="Refunded {amount}.", confirm=True, ask="Refund {amount}?")
async def refund(amount: int) -> dict[str, int]:
    """Refund."""
    return await pay(amount)
'''


@contextlib.contextmanager
def gateway(folder: Path) -> Generator[tuple["subprocess.Popen[str]", openai.OpenAI]]:
    command = [sys.executable, "-m", "turnout", "serve", "desk:app", "--port", "0"]
    with subprocess.Popen(
        command, cwd=folder, env=dict(os.environ), stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("turnout: serving "), line
            with openai.OpenAI(base_url=f"{line.split()[-1]}/v1", api_key="k", max_retries=0) as client:
                yield process, client
        finally:
            process.kill()
            process.wait(10)


def ask(client: openai.OpenAI, *texts: str, key: str | None = None, retry: int = 0) -> str:
    messages: Any = [
        {"role": "assistant" if at % 2 else "user", "content": text} for at, text in enumerate(texts)
    ]
    headers = {"x-stainless-retry-count": str(retry)} | ({"Idempotency-Key": key} if key else {})
    answer = client.chat.completions.create(model="m", messages=messages, extra_headers=headers, timeout=10)
    return answer.choices[0].message.content or ""


def killed_in_the_middle(folder: Path, *texts: str, key: str | None) -> None:
    """Ask, and kill the gateway while the action runs."""
    (folder / "hold").touch()
    with gateway(folder) as (process, client):
        question = ask(client, texts[0]) if len(texts) == 1 and texts[0].startswith("refund") else ""
        if question:
            texts = (texts[0], question, "yes")
            (folder / "question").write_text(question)
        watcher = subprocess.Popen(
            [sys.executable, "-c", _KILL, str(folder / "started"), str(process.pid), str(int(signal.SIGKILL))]
        )
        with pytest.raises(openai.APIConnectionError):
            ask(client, *texts, key=key)
        assert watcher.wait(10) == 0
    (folder / "hold").unlink()


_KILL = """
import os, sys, time
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
os.kill(int(sys.argv[2]), int(sys.argv[3]))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "desk.py").write_text(DESK)
    return tmp_path


@pytest.mark.states("K46")
@pytest.mark.parametrize(("key", "retry"), [("k1", 0), (None, 1), (None, 0)])
def test_after_a_kill_the_action_is_not_run_again_and_the_client_is_told(
    folder: Path, key: str | None, retry: int
) -> None:
    killed_in_the_middle(folder, "pay 5", key=key)
    with gateway(folder) as (_, client):
        for _ in range(2):
            with pytest.raises(openai.ConflictError, match="may have been carried out") as caught:
                ask(client, "pay 5", key=key, retry=retry)
            assert caught.value.response.headers["x-should-retry"] == "false"
        assert (folder / "runs").read_text() == "pay\n"
        assert ask(client, "pay 6", key="k2") == "Paid 6."


@pytest.mark.states("K46")
def test_after_a_kill_a_second_yes_does_not_run_it_again(folder: Path) -> None:
    killed_in_the_middle(folder, "refund 5", key=None)
    with gateway(folder) as (_, client):
        with pytest.raises(openai.ConflictError, match="may have been carried out"):
            ask(client, "refund 5", (folder / "question").read_text(), "yes")
        assert (folder / "runs").read_text() == "pay\n"
