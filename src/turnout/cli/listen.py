"""A uvicorn server that says when it listens and on which port."""

import asyncio
import contextlib
import gc
from collections.abc import AsyncGenerator, Callable, Generator
from typing import Any, Final

import uvicorn

import turnout.providers.http  # noqa: F401 -- loaded before the first request, not by it

from .patience import Patience


def settings(app: Any, host: str, port: int, **more: Any) -> uvicorn.Config:
    """How all our servers are run: quiet, without WebSockets, trusting no forwarded headers."""
    options: dict[str, Any] = {
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,
        "ws": "none",
        "http": Patience,
        "timeout_graceful_shutdown": 10,
    }
    return uvicorn.Config(app, host=host, port=port, **options | more)


_GENERATIONS: Final = (20_000, 20, 50)


def settle_memory() -> None:
    """Keep the garbage collector away from what was loaded at start, and call it less often afterwards.

    Requests leave next to no cycles behind, so that frequent collections find nothing; reference counting frees
    what they held.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GENERATIONS)


class Listener(uvicorn.Server):
    """Calls `ready` with the bound port as soon as connections are accepted."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[int], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: Any = None) -> None:
        """Start as uvicorn does, then tell."""
        await super().startup(sockets)
        if self.started:
            port = self.servers[0].sockets[0].getsockname()[1]
            settle_memory()
            self._ready(port)


class _Background(Listener):
    """A listener beside others in one loop: it leaves the process's signals alone."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Capture none."""
        yield


@contextlib.asynccontextmanager
async def listening(app: Any, host: str, port: int, **more: Any) -> AsyncGenerator[int]:
    """Serve `app` while the block runs; gives the bound port. `more` are settings of uvicorn's.

    Raises:
        OSError: the address cannot be bound.
    """
    bound: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    server = _Background(settings(app, host, port, **more), bound.set_result)
    task = asyncio.create_task(_serve(server, bound))
    try:
        yield await bound
    finally:
        server.should_exit = True
        await task


async def _serve(server: uvicorn.Server, bound: asyncio.Future[int]) -> None:
    try:
        await server.serve()
    except SystemExit:
        # uvicorn ends the process when it cannot bind; here that is only one server's failure
        pass
    if not bound.done():
        bound.set_exception(OSError(f"cannot listen on {server.config.host}:{server.config.port}"))
