"""The command line as a user types it, each command in a process of its own."""

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e import canned_model

DESK = """
import turnout

@turnout.action(patterns=[r"pay (?P<amount>[\\d.]+) to (?P<whom>\\w+)", r"pay (?P<whom>\\w+)"])
def pay(amount: float, whom: str) -> str:
    \"\"\"Pay somebody.\"\"\"
    raise AssertionError("nothing may run here")

@turnout.action(patterns=[r"refund (?P<amount>[\\d.]+)"], confirm=True)
def refund(amount: float) -> str:
    \"\"\"Pay back.\"\"\"
    raise AssertionError("nothing may run here")

app = turnout.App()
app.add(pay, refund)
app.reason_with(turnout.provider("openai-chat", base_url="http://127.0.0.1:9/v1"))
nothing = 3
"""

UNTYPED = """
import turnout
app = turnout.App()

@app.action
def pay(amount):
    return amount
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "desk.py").write_text(DESK)
    return tmp_path


def run(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "turnout", *words],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def config(folder: Path, text: str) -> str:
    (folder / "t.toml").write_text(text)
    return "t.toml"


def test_the_demo_shows_both_lanes_and_ends_well(folder: Path) -> None:
    done = run(folder, "demo", "--exit", "--port", "0")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "billing.record_payment" in done.stdout
    assert "requests were answered by your own code" in done.stdout
    assert done.stderr == ""


def test_the_demo_says_when_its_port_is_taken(folder: Path) -> None:
    server = canned_model.start()
    done = run(folder, "demo", "--exit", "--port", str(server.server_address[1]))
    server.shutdown()
    server.server_close()
    assert done.returncode == 1
    assert "--port" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("workers", ["1", "2"])
def test_serve_says_when_its_port_is_taken(folder: Path, workers: str) -> None:
    server = canned_model.start()
    port = str(server.server_address[1])
    done = run(folder, "serve", "desk:app", "--port", port, "--workers", workers)
    server.shutdown()
    server.server_close()
    assert done.returncode == 1
    assert "in use" in done.stderr.lower()
    assert done.stderr.count("\n") == 1


def test_try_shows_the_action_its_parameters_and_the_grounds_and_runs_nothing(folder: Path) -> None:
    done = run(folder, "try", "pay 12.50 to ada", "desk:app")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("runs: pay(amount='12.50', whom='ada')")
    told = json.loads(run(folder, "try", "pay ada", "desk:app", "--json").stdout)
    assert told["candidates"][0]["missing"] == ["amount"]
    assert told["actions"] == [{"id": "pay", "params": {"whom": "ada"}}]


def test_try_says_when_the_user_is_asked_first(folder: Path) -> None:
    assert run(folder, "try", "refund 5", "desk:app").stdout.startswith(
        "after a yes, runs: refund(amount='5')"
    )
    assert json.loads(run(folder, "try", "refund 5", "desk:app", "--json").stdout)["confirm"] is True
    assert json.loads(run(folder, "try", "pay ada", "desk:app", "--json").stdout)["confirm"] is False


def test_try_says_that_a_text_goes_to_the_model_and_why(folder: Path) -> None:
    done = run(folder, "try", "how do I pay ada?", "desk:app")
    assert done.stdout.startswith("goes to the model\n  because ")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("serve", "none.toml"), "none.toml: cannot be read"),
        (("serve", "desk"), "expected a .toml file or module:app"),
        (("serve", "nowhere:app"), "cannot import nowhere"),
        (("serve", "desk:missing"), "desk has no 'missing'"),
        (("try", "x", "desk:nothing"), "desk:nothing: expected a turnout.App or another ASGI application"),
        (("try", "x", "desk:pay"), "expected a turnout.App, found function"),
        (("serve", "desk:nothing"), "found int"),
        (
            ("serve", "broken:app"),
            "cannot import broken: SyntaxError: '(' was never closed (broken.py, line 1)",
        ),
        (("serve", "raises:app"), "cannot import raises: KeyError: 'no' (at "),
        (("serve", "untyped:app"), "action untyped.pay: parameter 'amount' has no type"),
        (("serve", "untyped:app", "--workers", "2"), "action untyped.pay: parameter 'amount' has no type"),
        (("check", "untyped:app"), "action untyped.pay: parameter 'amount' has no type"),
        (("try", "x", "untyped:app"), "action untyped.pay: parameter 'amount' has no type"),
        (("check", "stars.toml"), 'stars.toml: models."a*b*": '),
        (("serve", "desk:app", "--host", "0.0.0.0"), "set [server] tokens, or say --open"),
        (
            ("check", "t.toml"),
            "t.toml: providers.up.api_key: the environment variable SURELY_UNSET is not set",
        ),
    ],
)
def test_a_wrong_target_is_one_line_and_status_2(folder: Path, words: tuple[str, ...], says: str) -> None:
    config(folder, '[providers.up]\npreset = "groq"\napi_key = "env:SURELY_UNSET"\n')
    (folder / "broken.py").write_text("app = (\n")
    (folder / "raises.py").write_text("{}['no']\n")
    (folder / "untyped.py").write_text(UNTYPED)
    (folder / "stars.toml").write_text(
        '[providers.up]\npreset = "ollama"\n[models."a*b*"]\nprovider = "up"\n'
    )
    (folder / "nothing").touch()
    (folder / "empty.toml").write_text('[server]\ntokens = ["file:nothing"]\n')
    done = run(folder, *words)
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_check_reaches_the_upstreams_and_names_those_that_fail(folder: Path) -> None:
    server = canned_model.start()
    base = f"http://127.0.0.1:{server.server_address[1]}/v1"
    up = f'[providers.up]\nprotocol = "openai-chat"\nbase_url = "{base}"\n[models."*"]\nprovider = "up"\n'
    down = '[providers.down]\nprotocol = "openai-chat"\nbase_url = "http://127.0.0.1:9/v1"\n'
    down += '[models.d]\nprovider = "down"\n'
    fine = run(folder, "check", config(folder, up))
    bad = run(folder, "check", config(folder, up + down))
    server.shutdown()
    server.server_close()
    assert (fine.returncode, "up: reachable" in fine.stdout) == (0, True), fine.stderr
    assert bad.returncode == 1
    assert "down: " in bad.stderr


@pytest.fixture
def many(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "turnout", "serve", "desk:app", "--port", "0", "--workers", "2"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1]
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def test_several_workers_serve_one_port(many: str) -> None:
    with urllib.request.urlopen(f"{many}/healthz", timeout=10) as answer:
        assert answer.status == 200


def test_tokens_are_asked_for(folder: Path) -> None:
    name = config(folder, '[server]\ntokens = ["env:TOKEN"]\n')
    command = [sys.executable, "-m", "turnout", "serve", name, "--port", "0"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, text=True, env={**os.environ, "TOKEN": "let-me-in"}
    ) as process:
        assert process.stdout is not None
        base = process.stdout.readline().split()[-1]
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{base}/v1/models", timeout=10)
        refused.value.close()
        allowed = urllib.request.Request(f"{base}/v1/models", headers={"authorization": "Bearer let-me-in"})
        with urllib.request.urlopen(allowed, timeout=10) as answer:
            assert answer.status == 200
        process.terminate()
        process.wait(15)
    assert refused.value.code == 401
