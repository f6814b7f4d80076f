"""Each example runs as it stands, served by a real server in front of a canned model."""

import importlib.util
import json
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from tests.e2e import canned_model

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    server = canned_model.start()
    monkeypatch.setenv("MODEL_URL", f"http://127.0.0.1:{server.server_address[1]}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    yield
    server.shutdown()
    server.server_close()


def load(name: str) -> Any:
    path = EXAMPLES / name / "app.py"
    spec = importlib.util.spec_from_file_location(f"example_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@contextmanager
def served(app: Any) -> Generator[str]:
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", ws="none"))
    started = threading.Event()
    startup = server.startup

    async def tell(sockets: Any = None) -> None:
        await startup(sockets)
        started.set()

    server.startup = tell  # type: ignore[method-assign]
    thread = threading.Thread(target=server.run)
    thread.start()
    assert started.wait(20)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(20)


def ask(base: str, text: str, **headers: str) -> str:
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": text}]}).encode()
    request = urllib.request.Request(
        f"{base}/v1/chat/completions", body, {"content-type": "application/json", **headers}
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


@pytest.mark.states("P-198", "L-292")
@pytest.mark.usefixtures("model")
def test_basic_answers_one_action_without_any_model_and_asks_it_for_the_rest() -> None:
    with served(load("basic").app) as base:
        assert ask(base, "say hello to Ada") == "Hello, Ada!"
        assert canned_model.Handler.requests == []
        assert ask(base, "what is love") == "Hello from the model"


@pytest.mark.usefixtures("model")
def test_mount_answers_behind_the_applications_own_authentication() -> None:
    with served(load("mount").api) as base:
        with pytest.raises(urllib.error.HTTPError) as refused:
            ask(f"{base}/ai", "show my orders")
        refused.value.close()
        assert refused.value.code == 401
        ada = ask(f"{base}/ai", "show my orders", authorization="Bearer session-of-ada")
        bob = ask(f"{base}/ai", "show my orders", authorization="Bearer session-of-bob")
        assert (ada, bob) == ("You ordered: bolts, nuts.", "You ordered: nothing yet.")
        assert ask(f"{base}/ai", "hi", authorization="Bearer session-of-ada") == "Hello from the model"
