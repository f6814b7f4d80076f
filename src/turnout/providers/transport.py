"""The one seam to the network: what a provider asks of it, and how it says that there was no answer.

Strategy: a transport moves bytes and knows no protocol. A response gives what came as it came, and never ends
quietly when it was cut. `turnout.providers.http` is the transport that is used unless another one is given.
"""

from collections.abc import Iterable
from typing import Protocol, TypeAlias

from turnout.model.errors import ProviderError

RawHeaders: TypeAlias = tuple[tuple[bytes, bytes], ...]
"""Header names and values as they came, names in any case."""


class Response(Protocol):
    """An answer under way; whoever took it closes it."""

    status: int
    headers: RawHeaders
    length: int | None
    """Size of the whole body in bytes as it crosses the wire, `None` when it was not announced."""

    async def read(self) -> bytes:
        """What has come since the last read, waiting for something; `b""` at the end.

        Bytes are as sent: a content coding is not undone. Being cancelled loses nothing and closes nothing.

        Raises:
            BrokenStream: the body was cut.
            ProviderError: nothing came for too long (kind `timeout`).
        """
        ...

    @property
    def ended(self) -> bool:
        """Whether all of the body has been read."""
        ...

    def close(self) -> None:
        """Let go of the connection: kept for later calls if the body has ended, else cut at once."""
        ...


class Transport(Protocol):
    """Sends one call and hands back its answer as soon as there are headers."""

    async def send(self, method: str, url: str, headers: Iterable[tuple[str, str]], body: bytes) -> Response:
        """Make one call; redirects are not followed, cookies neither kept nor sent.

        Being cancelled cuts the connection at once.

        Raises:
            ProviderError: there was no answer; kind `timeout` when it took too long, else `provider`.
            Misconfigured: a header or the address cannot be sent.
        """
        ...

    async def aclose(self) -> None:
        """Close all connections of the running event loop."""
        ...


def no_answer(message: str, *, late: bool = False) -> ProviderError:
    """The error of a call that got no answer at all, safe to try again; `late`: it took too long."""
    return ProviderError(message, kind="timeout" if late else "provider", retryable=True)
