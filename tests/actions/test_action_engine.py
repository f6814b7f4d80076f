"""What running gives: results for the user, exceptions for the operator, and effects only when all is right."""

import asyncio
import contextvars
import datetime as dt
import functools
import threading
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Literal

import msgspec
import pytest

from turnout.actions import Actions, Failed, Unencodable, action
from turnout.model import (
    ActionIntent,
    ActionResult,
    AgentIdentity,
    Context,
    Engine,
    Request,
    User,
)

ran: contextvars.ContextVar[list[Any]] = contextvars.ContextVar("ran")


@pytest.fixture(autouse=True)
def log() -> list[Any]:
    """What the actions of a test did, in order."""
    effects: list[Any] = []
    ran.set(effects)
    return effects


def execute(
    engine: Actions, *intents: ActionIntent, request: Request | None = None
) -> tuple[ActionResult, ...]:
    async def bounded() -> tuple[ActionResult, ...]:
        async with asyncio.timeout(5):
            return await engine.execute(request or Request(), intents)

    return asyncio.run(bounded())


def intent(action_id: str, **params: Any) -> ActionIntent:
    return ActionIntent(action_id=action_id, params=params)


@action
async def pay(invoice: str, amount: Decimal, currency: Literal["EUR", "USD"] = "EUR") -> dict[str, Any]:
    """Pay an invoice."""
    ran.get().append(("pay", invoice, amount, currency))
    return {"paid": amount}


@action
def ping() -> None:
    """Do nothing at all."""
    ran.get().append("ping")


@action
def blocked(customer: str) -> None:
    """Find that it cannot be done."""
    raise Failed("This customer is blocked.", customer=customer)


@action
def broken() -> None:
    """Fail as systems fail."""
    ran.get().append("broken")
    raise ConnectionError("db.internal:5432 refused")


@pytest.mark.states("P-007", "P-066")
def test_it_is_an_engine() -> None:
    assert isinstance(Actions(ping), Engine)


@pytest.mark.states("P-009")
def test_the_same_parameters_have_the_same_effect(log: list[Any]) -> None:
    engine = Actions(pay)
    for _ in range(3):
        execute(engine, intent("pay", invoice="R-1", amount="12.50", currency="eur"))
    assert log == [("pay", "R-1", Decimal("12.50"), "EUR")] * 3


@pytest.mark.states("P-010", "P-047", "P-058")
def test_an_invented_id_runs_nothing_and_says_so(log: list[Any]) -> None:
    (result,) = execute(Actions(pay, ping), intent("drop_tables", now=True))
    assert result == ActionResult(
        action_id="drop_tables", status="failed", data={"error": "there is no such action"}
    )
    assert log == []


@pytest.mark.states("P-058")
def test_one_answer_names_everything_that_is_wrong(log: list[Any]) -> None:
    (result,) = execute(Actions(pay), intent("pay", amount="1,000", currency="GBP", note="x", ctx=1))
    assert result.status == "failed"
    assert result.data == {
        "error": "missing: invoice; invalid: amount (expected a number in plain digits such as 1250.50), "
        "currency (expected one of EUR, USD); unknown: note, ctx",
        "missing": ["invoice"],
        "invalid": {
            "amount": "expected a number in plain digits such as 1250.50",
            "currency": "expected one of EUR, USD",
        },
        "unknown": ["note", "ctx"],
    }
    assert log == []


@pytest.mark.states("P-056", "P-062")
def test_several_actions_give_one_result_each_in_order_and_a_refusal_stops_none(log: list[Any]) -> None:
    results = execute(
        Actions(pay, ping, blocked),
        intent("ping"),
        intent("pay"),
        intent("nothing"),
        intent("blocked", customer="Acme"),
        intent("pay", invoice="R-1", amount=3),
        intent("ping"),
    )
    assert [(result.action_id, result.status) for result in results] == [
        ("ping", "succeeded"),
        ("pay", "failed"),
        ("nothing", "failed"),
        ("blocked", "failed"),
        ("pay", "succeeded"),
        ("ping", "succeeded"),
    ]
    assert log == ["ping", ("pay", "R-1", Decimal(3), "EUR"), "ping"]
    assert execute(Actions(ping)) == ()


@pytest.mark.states("P-057")
def test_an_exception_is_the_systems_and_stops_what_comes_after(log: list[Any]) -> None:
    with pytest.raises(ConnectionError, match="refused"):
        execute(Actions(ping, broken), intent("ping"), intent("broken"), intent("ping"))
    assert log == ["ping", "broken"]


def test_a_failure_in_the_users_terms_is_a_result_whether_raised_or_returned() -> None:
    @action
    async def refuse(how: str) -> Failed:
        failed = Failed("No stock.", left=Decimal("0.5"), error="hidden")
        if how == "raise":
            raise failed
        return failed

    results = execute(Actions(refuse), intent("refuse", how="raise"), intent("refuse", how="return"))
    for result in results:
        assert (result.status, result.data) == ("failed", {"error": "No stock.", "left": "0.5"})


@pytest.mark.states("P-060", "P-061", "P-063", "P-064")
def test_a_result_made_by_the_action_stays_as_it_is() -> None:
    @action
    def start() -> ActionResult:
        return ActionResult(
            action_id="start", status="queued", execution_id="task-7", data={"eta": dt.date(2026, 1, 2)}
        )

    @action
    def quiet() -> ActionResult:
        return ActionResult(action_id="quiet", status="asleep")

    first, second = execute(Actions(start, quiet), intent("start"), intent("quiet"))
    assert msgspec.to_builtins(first) == {
        "action_id": "start",
        "status": "queued",
        "execution_id": "task-7",
        "data": {"eta": "2026-01-02"},
    }
    assert msgspec.to_builtins(second) == {"action_id": "quiet", "status": "asleep"}


@pytest.mark.states("P-059", "P-065")
def test_intents_and_results_leave_out_what_is_empty() -> None:
    assert msgspec.to_builtins(intent("ping")) == {"action_id": "ping"}
    assert msgspec.to_builtins(execute(Actions(ping), intent("ping"))[0]) == {
        "action_id": "ping",
        "status": "succeeded",
    }


def test_the_gateways_own_values_are_injected_and_never_parameters() -> None:
    @action
    async def whoami(n: int, request: Request, ctx: Context, user: User, agent: AgentIdentity) -> list[Any]:
        return [n, request.model, ctx.request_id, user.id, agent.id]

    engine = Actions(whoami)
    (found,) = asyncio.run(engine.descriptors(Request()))
    assert found.schema is not None
    assert set(found.schema["properties"]) == {"n"}
    context = Context(request_id="r1").with_(User(id="ada"))
    request = Request(model="m", context=context)
    (result,) = execute(engine, intent("whoami", n=1), request=request)
    assert result.data == {"result": [1, "m", "r1", "ada", ""]}
    (result,) = execute(engine, intent("whoami", n=1, user={"id": "root"}), request=request)
    assert result.data is not None
    assert result.data["unknown"] == ["user"]


def test_parameters_stay_the_intents_own() -> None:
    asked = intent("whoami", n="1")

    @action
    async def whoami(n: int, ctx: Context) -> None: ...

    execute(Actions(whoami), asked)
    assert asked.params == {"n": "1"}


def test_sync_functions_run_in_a_thread_with_the_callers_context_variables(log: list[Any]) -> None:
    where: list[threading.Thread] = []

    @action
    def sync() -> None:
        where.append(threading.current_thread())
        ran.get().append("sync")

    @action
    async def inline() -> None:
        where.append(threading.current_thread())

    execute(Actions(sync, inline), intent("sync"), intent("inline"))
    assert where[0] is not threading.main_thread()
    assert where[1] is threading.main_thread()
    assert log == ["sync"]


def test_a_sync_function_that_gives_an_awaitable_is_awaited() -> None:
    async def inner() -> int:
        return 3

    @action
    @functools.wraps(inner)
    def outer() -> Any:
        return inner()

    assert execute(Actions(outer), intent("inner"))[0].data == {"result": 3}


def test_stop_iteration_in_a_thread_is_an_error_and_no_hang() -> None:
    @action
    def empty() -> Any:
        return next(iter([]))

    with pytest.raises(RuntimeError, match="StopIteration"):
        execute(Actions(empty), intent("empty"))


def test_cancelling_reaches_an_async_action_and_is_not_swallowed(log: list[Any]) -> None:
    started = asyncio.Event()

    @action
    async def wait() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            log.append("cleaned")

    async def scenario() -> None:
        async with asyncio.timeout(5):
            task = asyncio.create_task(Actions(wait).execute(Request(), (intent("wait"), intent("wait"))))
            await started.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(scenario())
    assert log == ["cleaned"]


def test_cancelling_leaves_a_running_thread_to_its_end(log: list[Any]) -> None:
    started, release, ended = threading.Event(), threading.Event(), threading.Event()

    @action
    def slow() -> None:
        started.set()
        release.wait(5)
        log.append("ended")
        ended.set()

    async def scenario() -> None:
        async with asyncio.timeout(5):
            task = asyncio.create_task(Actions(slow).execute(Request(), (intent("slow"),)))
            await asyncio.to_thread(started.wait, 5)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert log == []
            release.set()
            await asyncio.to_thread(ended.wait, 5)

    asyncio.run(scenario())
    assert log == ["ended"]


# ---- narrowing ---------------------------------------------------------------------------------------------------


def is_ada(request: Request) -> bool:
    return request.context.get(User, User()).id == "ada"


async def is_ada_async(request: Request) -> bool:
    return is_ada(request)


ADA = Request(context=Context().with_(User(id="ada")))


@pytest.mark.states("P-055", "P-010")
@pytest.mark.parametrize("when", [is_ada, is_ada_async])
def test_an_action_that_is_not_for_a_request_is_neither_described_nor_run(
    when: Callable[[Request], Any], log: list[Any]
) -> None:
    @action(when=when)
    async def secret() -> None:
        log.append("secret")

    engine = Actions(ping, secret)
    assert [one.id for one in asyncio.run(engine.descriptors(Request()))] == ["ping"]
    assert [one.id for one in asyncio.run(engine.descriptors(ADA))] == ["ping", "secret"]
    (hidden,) = execute(engine, intent("secret"))
    (invented,) = execute(engine, intent("secreu"))
    assert hidden.data == invented.data
    assert log == []
    assert execute(engine, intent("secret"), request=ADA)[0].status == "succeeded"
    assert log == ["secret"]


@pytest.mark.states("P-055")
def test_the_engine_itself_may_narrow_by_request_and_descriptor(log: list[Any]) -> None:
    engine = Actions(ping, pay, allow=lambda request, found: found.id == "ping" or is_ada(request))
    assert [one.id for one in asyncio.run(engine.descriptors(Request()))] == ["ping"]
    results = execute(engine, intent("pay", invoice="1", amount=1), intent("ping"))
    assert [result.status for result in results] == ["failed", "succeeded"]
    assert log == ["ping"]


def test_both_ways_of_narrowing_must_agree() -> None:
    @action(when=is_ada)
    def secret() -> None: ...

    engine = Actions(secret, allow=lambda request, found: False)
    assert asyncio.run(engine.descriptors(ADA)) == ()


def test_a_narrowing_that_fails_is_the_systems_failure() -> None:
    @action(when=lambda request: 1 / 0 > 0)
    def odd() -> None: ...

    with pytest.raises(ZeroDivisionError):
        asyncio.run(Actions(odd).descriptors(Request()))
    with pytest.raises(ZeroDivisionError):
        execute(Actions(odd), intent("odd"))


# ---- what functions give back ------------------------------------------------------------------------------------


class Shade(msgspec.Struct):
    name: str
    price: Decimal = Decimal("1.50")


def given(value: Any) -> ActionResult:
    @action
    async def give() -> Any:
        return value

    return execute(Actions(give), intent("give"))[0]


@pytest.mark.states("P-062")
@pytest.mark.parametrize(
    ("value", "data"),
    [
        (None, None),
        (3, {"result": 3}),
        ("x", {"result": "x"}),
        (True, {"result": True}),
        (1.5, {"result": 1.5}),
        (10**30, {"result": 10**30}),
        (Decimal("1.50"), {"result": "1.50"}),
        (dt.date(2026, 1, 2), {"result": "2026-01-02"}),
        (dt.timedelta(minutes=1), {"result": "PT60S"}),
        ([Decimal("0.10"), None], {"result": ["0.10", None]}),
        ((), {"result": []}),
        ({"a": (1, (2,))}, {"a": [1, [2]]}),
        ({}, {}),
        ({"a": dt.time(1)}, {"a": "01:00:00"}),
        ({1: 2}, {"1": 2}),
        (Shade("red"), {"name": "red", "price": "1.50"}),
        ([Shade("red")], {"result": [{"name": "red", "price": "1.50"}]}),
    ],
)
def test_anything_that_json_can_carry_is_a_result(value: Any, data: Any) -> None:
    assert given(value) == ActionResult(action_id="give", status="succeeded", data=data)


def test_a_pydantic_model_is_a_result() -> None:
    from pydantic import BaseModel

    class Total(BaseModel):
        total: Decimal

    assert given(Total(total=Decimal("1.50"))).data == {"total": "1.50"}


def circle() -> list[Any]:
    round_: list[Any] = []
    round_.append(round_)
    return round_


@pytest.mark.states("P-057")
@pytest.mark.parametrize(
    "value",
    [
        object(),
        1j,
        {"a": object()},
        {(1, 2): 3},
        range(3),
        float("nan"),
        {"a": [float("inf")]},
        circle(),
        "half a character: \ud800",
        Failed("x", a=object()),
        ActionResult(action_id="give", status="ok", data={"a": object()}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_json_cannot_carry_is_a_failure_that_names_the_action(value: Any) -> None:
    with pytest.raises(Unencodable, match="'give'"):
        given(value)
