"""The sandbox runs an agent from a fresh state of its own, against a gateway on loopback with a fixed token."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import canned_model

SANDBOX = Path(__file__).resolve().parents[2] / "examples" / "sandbox" / "sandbox.py"

AGENT = """#!{python}
import json, os, pathlib, sys, urllib.request
home = pathlib.Path(os.environ["HOME"])
provider = json.loads((home / ".openclaw" / "openclaw.json").read_text())["models"]["providers"]["gateway"]
message = sys.argv[sys.argv.index("--message") + 1]
messages = [{{"role": "user", "content": message}}]
body = json.dumps({{"model": provider["models"][0]["id"], "messages": messages}}).encode()
headers = {{"content-type": "application/json", "authorization": "Bearer " + provider["apiKey"]}}
with urllib.request.urlopen(urllib.request.Request(provider["baseUrl"] + "/chat/completions", body, headers)) as answer:
    said = json.load(answer)["choices"][0]["message"]["content"]
names = sorted(p.name for p in home.iterdir())
seen = {{"home": str(home), "in_home": names, "base": provider["baseUrl"], "said": said,
        "sent": body.decode()}}
pathlib.Path("{report}").write_text(json.dumps(seen))
"""


class Small:
    """A small model that picks the action for a greeting and words its result."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(canned_model, "message", self.message)
        monkeypatch.setattr(canned_model, "scene", json.dumps)

    def message(self, name: str) -> tuple[dict[str, Any], str]:
        request = json.loads(name)
        return {"role": "assistant", "content": self.said(request)}, "stop"

    def said(self, request: dict[str, Any]) -> str:
        asked = json.dumps(request["messages"])
        if "response_format" not in request:
            return "from the model" if "list the files" in asked else "Hello, world!"
        if "verdict" in json.dumps(request["response_format"]):
            greets = "say hello" in asked
            wanted = ["say_hello_world"] if greets else []
            return json.dumps({"actions": wanted, "verdict": "asked" if greets else "none"})
        return json.dumps({"whom": None})


def visit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: str, *options: str, port: str = "0"
) -> dict[str, Any]:
    Small(monkeypatch)
    server = canned_model.start()
    agent, report = tmp_path / "agent", tmp_path / "report.json"
    agent.write_text(AGENT.format(python=sys.executable, report=report))
    agent.chmod(0o755)
    environment = {
        **os.environ,
        "MODEL_URL": f"http://127.0.0.1:{server.server_address[1]}/v1",
        "MODEL_KEY": "sk-test",
        "HOME": str(tmp_path / "mine"),
    }
    command = [sys.executable, str(SANDBOX), message, "--agent", str(agent), "--port", port, *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    server.shutdown()
    server.server_close()
    assert done.returncode == 0, done.stderr
    return {**json.loads(report.read_text()), "gateway": done.stderr}


@pytest.mark.states("P-199", "P-202")
def test_the_action_answers_and_its_words_come_from_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert visit(tmp_path, monkeypatch, "say hello")["said"] == "Hello, world!"
    assert len(canned_model.Handler.requests) == 3  # select, extract, synthesize: one call each


@pytest.mark.states("P-199")
def test_all_else_goes_to_the_model_as_it_was_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert visit(tmp_path, monkeypatch, "list the files")["said"] == "from the model"
    last = json.loads(canned_model.Handler.requests[-1]["body"])
    assert last["messages"] == [{"role": "user", "content": "list the files"}]


@pytest.mark.states("P-199", "P-202")
def test_with_rules_the_action_answers_without_any_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = visit(tmp_path, monkeypatch, "say hello", "--rules")
    assert seen["said"] == "Hello, world!"
    assert seen["gateway"] == "gateway: action (say_hello_world succeeded)\n"
    assert canned_model.Handler.requests == []


@pytest.mark.states("P-199")
@pytest.mark.parametrize("options", [(), ("--rules",)], ids=["model", "rules"])
def test_a_task_goes_to_the_model_byte_for_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    seen = visit(tmp_path, monkeypatch, "list the files", *options)
    assert seen["gateway"].startswith("gateway: model (")
    assert canned_model.Handler.requests[-1]["body"] == seen["sent"]


@pytest.mark.states("P-200", "P-201")
@pytest.mark.skipif(shutil.which("openclaw") is None, reason="openclaw is not installed")
@pytest.mark.timeout(300)
def test_a_real_agent_gets_its_greeting_from_the_action(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Small(monkeypatch)
    server = canned_model.start()
    environment = {
        **os.environ,
        "MODEL_URL": f"http://127.0.0.1:{server.server_address[1]}/v1",
        "MODEL_KEY": "sk-test",
        "HOME": str(tmp_path / "mine"),
    }
    command = [sys.executable, str(SANDBOX), "say hello", "--rules", "--port", "0"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)
    server.shutdown()
    server.server_close()
    assert done.returncode == 0, done.stderr
    assert "Hello, world!" in done.stdout
    assert "gateway: action (say_hello_world succeeded)" in done.stderr
    assert canned_model.Handler.requests == []
    assert not (tmp_path / "mine").exists()


@pytest.mark.states("P-201")
def test_the_agent_starts_from_a_fresh_home_and_the_gateway_is_on_loopback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = visit(tmp_path, monkeypatch, "say hello")
    assert seen["in_home"] == [".openclaw"]
    assert seen["base"].startswith("http://127.0.0.1:")
    assert not Path(seen["home"]).exists()
    assert not (tmp_path / "mine").exists()


def test_an_agent_that_is_not_there_is_named(tmp_path: Path) -> None:
    command = [sys.executable, str(SANDBOX), "hi", "--agent", str(tmp_path / "none")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "is not installed" in done.stderr
