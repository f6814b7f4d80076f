"""What all tests share: async tests, handed data, and the check that nothing is left open (law 9).

The repository's root is on the import path of the tests (`pythonpath` in pyproject.toml), so that any test may
write `from tests.model.strategies import answers`.
"""

import asyncio
import functools
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.leftovers import Leftovers

SHARED = Path(__file__).resolve().parents[1].parent / "shared"
SECONDS = 10
"""How long an `async def` test may take."""

settings.register_profile("quick", deadline=None, max_examples=50)
settings.register_profile("thorough", deadline=None, max_examples=2_000)
settings.load_profile("quick")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of handed data; tests that need it skip, visibly, where it is missing."""
    if not SHARED.is_dir():
        pytest.skip("the folder ../shared is not here")
    return SHARED


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """Law 9: after each test every reply is closed, every task has ended, every event loop is closed."""
    leftovers = Leftovers()
    with pytest.MonkeyPatch.context() as patch:
        leftovers.watch(patch)
        yield
    if found := leftovers.found():
        pytest.fail("left behind:\n" + "\n".join(found), pytrace=False)


def _bounded(function: Callable[..., Any]) -> Callable[..., None]:
    async def run(**arguments: Any) -> None:
        async with asyncio.timeout(SECONDS):
            await function(**arguments)

    @functools.wraps(function)
    def call(**arguments: Any) -> None:
        asyncio.run(run(**arguments))

    return call


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run `async def` tests, and those under `@given`, each in an event loop of its own."""
    function: Any = pyfuncitem.obj
    if hasattr(function, "hypothesis"):
        handle = function.hypothesis
        if inspect.iscoroutinefunction(handle.inner_test):
            handle.inner_test = _bounded(handle.inner_test)
        return None
    if not inspect.iscoroutinefunction(function):
        return None
    wanted = pyfuncitem._fixtureinfo.argnames
    _bounded(function)(**{name: pyfuncitem.funcargs[name] for name in wanted})
    return True
