"""A gateway as users start it, in a process of its own, in front of a canned model."""

import http.server
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e import canned_model

DESK = '''
import turnout

app_ran = []

@turnout.action(patterns=[r"(which|what) invoices of (?P<customer>\\w+) are open"], template="{customer}: {numbers}")
def open_invoices(customer: str) -> dict[str, str]:
    """List the unpaid invoices of a customer."""
    return {"customer": customer, "numbers": "INV-1001, INV-1002"}

@turnout.action(patterns=[r"book (?P<amount>[\\d.]+) on (?P<number>INV-\\d+)"], template="Booked {amount} on {number}.")
def book(amount: float, number: str) -> dict[str, object]:
    """Book a payment on an invoice."""
    return {"amount": amount, "number": number}
'''

CONFIG = """
[providers.up]
protocol = "openai-chat"
base_url = "http://127.0.0.1:{port}/v1"
api_key = "env:UP_KEY"

[models."renamed"]
provider = "up"
model = "other"

[models."canned"]
provider = "up"

[models."*"]
provider = "up"

[app]
load = ["desk"]
"""


@pytest.fixture
def model() -> Iterator[http.server.ThreadingHTTPServer]:
    """A canned model on a free port."""
    server = canned_model.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def gateway(model: http.server.ThreadingHTTPServer, tmp_path: Path) -> Iterator[str]:
    """The base URL of `turnout serve` in front of the canned model, with two actions."""
    (tmp_path / "desk.py").write_text(DESK)
    (tmp_path / "turnout.toml").write_text(CONFIG.format(port=model.server_address[1]))
    command = [sys.executable, "-m", "turnout", "serve", "turnout.toml", "--port", "0"]
    environment = {**os.environ, "UP_KEY": "sk-upstream"}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("turnout: serving http://127.0.0.1:"), line
        yield line.split()[-1]
        process.terminate()
        process.wait(15)
