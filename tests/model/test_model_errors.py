"""One tree of errors: what clients are shown, what compares, what never leaks."""

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given

import turnout.errors
from tests.model.strategies import answers, turnout_errors
from turnout.model import Answer, errors
from turnout.model.errors import (
    BrokenStream,
    ProviderError,
    RunInProgress,
    StageError,
    TurnoutError,
    Unsupported,
)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.TurnoutError("m"), 500),
        (errors.InvalidRequest("m"), 400),
        (errors.Unsupported("n"), 400),
        (errors.TooLarge("m"), 413),
        (errors.UnsupportedMediaType("m"), 415),
        (errors.Unauthenticated("m"), 401),
        (errors.Forbidden("m"), 403),
        (errors.NotFound("m"), 404),
        (errors.MethodNotAllowed("m"), 405),
        (errors.Conflict("m"), 409),
        (errors.RunInProgress("m", response_id="r"), 409),
        (errors.OutcomeUnknown("m", response_id="r"), 409),
        (errors.ProviderError("m"), 502),
        (errors.BrokenStream("m"), 502),
        (errors.StageError("classify"), 502),
        (errors.AgentFailed("m"), 500),
        (errors.ConcurrentEmit("m"), 500),
        (errors.EmitClosed("m"), 500),
        (errors.BadOutput("m"), 500),
        (errors.OutputTooLarge("m"), 500),
        (errors.RunTimedOut("m"), 504),
        (errors.Cancelled("m"), 499),
        (errors.StoreFailed("m"), 500),
        (errors.CatalogFailed("m"), 500),
        (errors.Misconfigured("m"), 500),
    ],
)
def test_each_error_has_its_status(error: TurnoutError, status: int) -> None:
    assert error.status == status


@pytest.mark.parametrize(
    ("given", "status", "retryable"),
    [
        ({}, 502, False),
        ({"kind": "timeout"}, 504, True),
        ({"kind": "timeout", "status_code": 408}, 408, True),
        ({"kind": "rate_limit", "status_code": 429}, 429, True),
        ({"kind": "overloaded", "status_code": 529}, 529, True),
        ({"kind": "rate_limit", "status_code": 429, "retryable": False}, 429, False),
        ({"kind": "auth", "status_code": 401}, 401, False),
        ({"kind": "auth", "status_code": 401, "status": 502}, 502, False),
        ({"status_code": 200}, 502, False),
        ({"status_code": 302}, 502, False),
        ({"status_code": 999}, 502, False),
        ({"status_code": 600, "kind": "timeout"}, 504, True),
    ],
)
def test_an_upstreams_status_is_shown_if_it_is_an_errors(given: Any, status: int, retryable: bool) -> None:
    error = ProviderError("m", **given)
    assert (error.status, error.retryable) == (status, retryable)
    assert error.status_code == given.get("status_code")


@given(error=turnout_errors)
def test_an_error_equals_its_copies_and_no_other_kind(error: TurnoutError) -> None:
    for other in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert other == error
        assert hash(other) == hash(error)
        assert str(other) == str(error)
        assert vars(other).keys() == vars(error).keys()
    assert error != str(error)
    assert error != errors.DeliveryError()


@given(error=turnout_errors)
def test_every_public_field_counts(error: TurnoutError) -> None:
    for name in ("status", "type", "code", "param", "message", "retryable", "retry_after", "may_have_acted"):
        other = copy.copy(error)
        setattr(other, name, object())
        assert other != error, name
    other = copy.copy(error)
    other.metadata = {**error.metadata, "another": "value"}
    assert other != error


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ProviderError("m", kind="auth", status=502), ProviderError("m", kind="provider", status=502)),
        (ProviderError("m", status_code=200), ProviderError("m", status_code=None)),
        (RunInProgress("m", response_id="a"), RunInProgress("m", response_id="b")),
        (errors.OutcomeUnknown("m", response_id="a"), errors.OutcomeUnknown("m", response_id="b")),
        (StageError("classify"), StageError("execute")),
        (errors.BadOutput("m", code="x"), errors.OutputTooLarge("m", code="x")),
    ],
)
def test_errors_that_tell_something_else_are_not_equal(one: TurnoutError, other: TurnoutError) -> None:
    assert one != other


@given(partial=answers)
def test_what_a_broken_stream_carries_is_private(partial: Answer) -> None:
    error = BrokenStream("cut", partial=partial)
    assert error == BrokenStream("cut")
    assert error.retryable
    assert repr(error) == "BrokenStream('cut')"
    assert error.args == ("cut",)


def test_the_cause_is_private() -> None:
    cause = ValueError("sk-very-secret")
    with pytest.raises(StageError) as caught:
        raise StageError("execute", may_have_acted=True) from cause
    error = caught.value
    assert error.__cause__ is cause
    assert "secret" not in f"{error} {error!r} {error.public()}"
    assert (error.message, error.stage, error.may_have_acted) == ("turnout: execute: failed", "execute", True)


def test_what_is_unsupported_is_named() -> None:
    assert (Unsupported("n").param, Unsupported("n").message) == ("n", "n is not supported here")
    assert Unsupported("n", "one answer at a time").message == "one answer at a time"


def test_an_error_says_what_its_maker_says() -> None:
    error = TurnoutError("m", status=418, type="teapot", code="c", retryable=True, metadata={"a": "b"})
    assert (error.status, error.type, error.code, error.retryable) == (418, "teapot", "c", True)
    assert error.metadata == {"a": "b"}


def test_nothing_of_one_error_is_shared_with_another() -> None:
    TurnoutError("a").metadata["x"] = "y"
    assert TurnoutError("b").metadata == {}


def test_applications_find_every_error() -> None:
    tree = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, Exception) and value.__module__ == errors.__name__
    }
    assert set(turnout.errors.__all__) == tree | {"is_delivery"}
    assert all(getattr(turnout.errors, name) is getattr(errors, name) for name in tree)
