"""A port with one method takes any form of function."""

import asyncio
import functools
import inspect
from collections.abc import Awaitable
from typing import Any

import pytest

from turnout.model import as_async


def sync_function(a: int, b: int) -> int:
    return a + b


async def async_function(a: int, b: int) -> int:
    await asyncio.sleep(0)
    return a + b


def returns_awaitable(a: int, b: int) -> Awaitable[int]:
    return async_function(a, b)


class Methods:
    """An object with methods, and no call."""

    not_callable = 3

    def sync_method(self, a: int, b: int) -> int:
        return a + b

    async def async_method(self, a: int, b: int) -> int:
        return a + b

    @staticmethod
    def static_method(a: int, b: int) -> int:
        return a + b

    @classmethod
    async def class_method(cls, a: int, b: int) -> int:
        return a + b


class SyncCall:
    def __call__(self, a: int, b: int) -> int:
        return a + b


class AsyncCall:
    async def __call__(self, a: int, b: int) -> int:
        return a + b


class Both(AsyncCall):
    not_callable = 3

    async def decide(self, a: int, b: int) -> int:
        return 10 * (a + b)


FORMS: list[Any] = [
    sync_function,
    async_function,
    returns_awaitable,
    lambda a, b: a + b,
    functools.partial(sync_function, 1),
    functools.partial(async_function, 1),
    functools.partial(AsyncCall(), 1),
    SyncCall(),
    AsyncCall(),
    Methods().sync_method,
    Methods().async_method,
    Methods.static_method,
    Methods.class_method,
]


@pytest.mark.parametrize("form", FORMS)
async def test_every_form_of_function_is_taken(form: Any) -> None:
    arguments = (2,) if isinstance(form, functools.partial) else (1, 2)
    assert await as_async(form)(*arguments) == 3


@pytest.mark.parametrize("name", ["sync_method", "async_method", "static_method", "class_method"])
async def test_an_object_with_the_method_is_taken(name: str) -> None:
    assert await as_async(Methods(), "missing", "not_callable", name)(1, 2) == 3


async def test_the_named_method_comes_before_the_call_and_the_call_before_nothing() -> None:
    assert await as_async(Both(), "decide")(1, 2) == 30
    assert await as_async(Both(), "missing")(1, 2) == 3
    assert await as_async(Both(), "not_callable")(1, 2) == 3


@pytest.mark.parametrize("port", [async_function, Methods().async_method, AsyncCall()])
def test_what_is_async_already_costs_nothing_more(port: Any) -> None:
    assert as_async(port) is port


def test_what_is_returned_is_a_function_that_gives_an_awaitable() -> None:
    result = as_async(sync_function)(1, 2)
    assert inspect.isawaitable(result)
    assert asyncio.run(_await(result)) == 3


async def _await(result: Awaitable[Any]) -> Any:
    return await result


@pytest.mark.parametrize(
    ("port", "methods", "message"),
    [
        (3, (), "int is not a function"),
        (None, ("classify",), "NoneType is not a function or an object with classify"),
        (Methods(), ("missing", "not_callable"), "Methods is not a function or an object with missing or"),
        (AsyncCall, (), "AsyncCall is a class; give an instance"),
        (Methods, ("sync_method",), "Methods is a class; give an instance"),
    ],
)
def test_what_is_no_port_is_refused_by_its_type(port: Any, methods: tuple[str, ...], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        as_async(port, *methods)


def test_refusing_a_port_does_not_print_it() -> None:
    class Keyed:
        def __repr__(self) -> str:
            return "sk-very-secret"

    with pytest.raises(TypeError) as caught:
        as_async(Keyed())
    assert "secret" not in str(caught.value)


async def test_an_exception_of_a_port_is_passed_on() -> None:
    def fails(*_: Any) -> None:
        raise LookupError("no such thing")

    with pytest.raises(LookupError):
        await as_async(fails)(1)
