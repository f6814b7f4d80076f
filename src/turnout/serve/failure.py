"""What a client is told of a failure, and who else is told.

Strategy: an error of turnout's own tree is public by design and shown as it is. Of anything else the client learns
nothing but that it failed; the cause goes to the application's hook. Nothing is logged here.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from turnout.model import Context, Headers, Reply, Request
from turnout.model.errors import DeliveryError, ProviderError, RunTimedOut, TurnoutError
from turnout.wire.codec import Codec

from .asgi import RawHeaders
from .exchange import Exchange

OnError: TypeAlias = Callable[[BaseException, Request | Context], Awaitable[None] | None]
"""The application's hook: the error as it was raised, and the request, or the context where there was none yet."""


class Visit:
    """What is known of one request so far, for who answers its failure: its `context`, what the hook is told `about`,
    the `headers` that any answer has, the `reply` to be closed, the request's `id`."""

    __slots__ = ("about", "context", "headers", "id", "reply")

    def __init__(self, context: Context, codec: Codec) -> None:
        self.context = context
        self.about: Request | Context = context
        self.id = context.request_id
        self.headers: RawHeaders = [(codec.request_id.encode(), self.id.encode())]
        self.reply: Reply | None = None


async def settle(
    work: Awaitable[BaseException | None],
    exchange: Exchange,
    codec: Codec,
    visit: Visit,
    hook: OnError | None,
) -> None:
    """Await what answers a request, and end the exchange whatever becomes of it.

    `work` gives the failure that the client has been told of after the status. What it raises becomes an error
    answer if nothing has been sent yet. A client that has left is no failure.
    """
    try:
        failure = await work
    except DeliveryError:
        return
    except asyncio.CancelledError as error:
        if exchange.left():
            return
        if exchange.cancelled():
            raise
        failure = error
    except Exception as error:  # the one place where all trouble ends
        failure = error
    finally:
        exchange.end()
        unclosed = await _close(visit.reply)
    if failure is None:
        failure = unclosed
    if failure is not None:
        await _tell(exchange, codec, failure, visit)
        await report(hook, failure, visit.about)


async def _close(reply: Reply | None) -> Exception | None:
    """Close the reply; what that raises is given back, since the client's answer doesn't depend on it."""
    if reply is None:
        return None
    try:
        await reply.aclose()
    except Exception as error:
        return error
    return None


async def _tell(exchange: Exchange, codec: Codec, failure: BaseException, visit: Visit) -> None:
    """Answer with the failure if nothing has been sent yet."""
    if exchange.started:
        return
    public = shown(failure)
    headers = visit.headers
    if public.status == 408:
        headers = [*headers, (b"connection", b"close")]
    try:
        await send_error(exchange, codec, public, headers, visit.id)
    except DeliveryError:
        return


def shown(error: BaseException) -> TurnoutError:
    """The error that a client may see instead of `error`.

    What a step raises outside the error tree may come from behind an action, so that it says: don't repeat.
    """
    if isinstance(error, TurnoutError):
        return error
    if isinstance(error, TimeoutError):
        public: TurnoutError = RunTimedOut("turnout: the answer took too long", may_have_acted=True)
    else:
        public = TurnoutError(
            "turnout: the request failed", status=502, code="control_plane_failed", may_have_acted=True
        )
    public.__cause__ = error
    return public


def is_clients_fault(error: BaseException) -> bool:
    """Whether only the client can do something about it; the hook is not told then."""
    return isinstance(error, TurnoutError) and error.status < 500 and not isinstance(error, ProviderError)


async def report(hook: OnError | None, error: BaseException, about: Request | Context) -> None:
    """Tell the hook, unless the fault is the client's; a hook that fails changes nothing."""
    if hook is None or is_clients_fault(error):
        return
    try:
        told = hook(error, about)
        if inspect.isawaitable(told):
            await told
    except Exception:  # there is nobody left to tell
        return


async def send_error(
    exchange: Exchange,
    codec: Codec,
    error: TurnoutError,
    extra: RawHeaders | None = None,
    request_id: str = "",
) -> None:
    """Answer with `error` in the protocol's own shape."""
    status, headers, data = codec.encode_error(error, request_id)
    await send_whole(exchange, status, [*headers.raw, *_hints(headers, error), *(extra or ())], data)


def _hints(headers: Headers, error: TurnoutError) -> RawHeaders:
    """What every protocol's clients should hear, where the codec has not said it: whether and when to repeat."""
    hints: RawHeaders = []
    if error.may_have_acted and "x-should-retry" not in headers:
        hints.append((b"x-should-retry", b"false"))
    if error.retry_after is not None and "retry-after" not in headers:
        hints.append((b"retry-after", f"{error.retry_after:g}".encode()))
    return hints


async def send_whole(exchange: Exchange, status: int, headers: RawHeaders, data: bytes) -> None:
    """Answer with a body that is there as a whole."""
    exchange.end()
    if b"content-length" in dict(headers):
        headers = [pair for pair in headers if pair[0] != b"content-length"]
    await exchange.start(status, [*headers, (b"content-length", b"%d" % len(data))])
    await exchange.write(data, last=True)
