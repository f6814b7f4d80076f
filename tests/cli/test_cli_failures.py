"""What the terminal is told of failures: where, and nothing of what was said."""

import pytest

from tests.serve.serve_call import call
from turnout import App
from turnout.cli.failures import in_one_line
from turnout.cli.serve import _prepare
from turnout.errors import ProviderError

SECRET = "what the user said"
ASKED = {"model": "m", "messages": [{"role": "user", "content": "boom"}]}


def failing() -> App:
    app = App()

    @app.action(patterns=["boom"])
    def boom() -> None:
        """Fail."""
        raise ValueError(SECRET)

    assert boom.__doc__ == "Fail."
    return app


@pytest.mark.parametrize("tracebacks", [False, True])
async def test_a_failure_is_told_with_its_place_and_its_text_only_on_demand(
    tracebacks: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    app = failing()
    app.reason_with(lambda request: "hi")
    _prepare(app, tracebacks)
    made = await call(app, body=ASKED)
    assert made.status == 502
    told = capsys.readouterr().err
    assert made.headers["x-request-id"] in told
    assert "ValueError" in told
    assert "test_cli_failures.py" in told
    assert (SECRET in told) is tracebacks
    assert tracebacks or told.count("\n") == 1


async def test_an_application_with_a_hook_of_its_own_is_left_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    app = failing()
    app.reason_with(lambda request: "hi")
    seen: list[BaseException] = []
    app.on_error = lambda error, about: seen.append(error)
    _prepare(app, tracebacks=False)
    await call(app, body=ASKED)
    assert [type(error.__cause__) for error in seen] == [ValueError]
    assert capsys.readouterr().err == ""


async def test_what_is_the_clients_fault_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    app = failing()
    app.reason_with(lambda request: "hi")
    _prepare(app, tracebacks=True)
    assert (await call(app, body={"model": "m", "messages": "x"})).status == 400
    assert capsys.readouterr().err == ""


def test_a_line_names_the_causes_and_ends() -> None:
    error: BaseException = ProviderError("the provider could not be reached")
    assert in_one_line(error) == "the provider could not be reached"
    error.__cause__ = OSError(SECRET)
    assert in_one_line(error) == "the provider could not be reached <- OSError"
    error.__cause__.__cause__ = error  # a circle
    assert in_one_line(error).count("<-") == 5
