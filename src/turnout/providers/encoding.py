"""Undoing a content coding, where an answer must be read rather than passed on."""

import zlib
from typing import Any

from turnout.model import Batch, Decoder
from turnout.model.errors import BrokenStream, TurnoutError

IDENTITY = frozenset({"", "identity"})


class Inflater:
    """Undoes `gzip` or `deflate`, piece by piece; `limit` bounds what one piece may grow to, in bytes.

    Raises:
        BrokenStream: the coding is another one, or the bytes are not of it.
    """

    def __init__(self, coding: str, limit: int = 67_108_864) -> None:
        name = coding.strip().lower()
        if name not in {"gzip", "x-gzip", "deflate"}:
            raise BrokenStream(
                f"the provider's answer has a content coding that was not asked for: {name[:40]}"
            )
        self._limit = limit
        self._gzip = name != "deflate"
        self._head = b""
        self._zlib: Any = zlib.decompressobj(16 + zlib.MAX_WBITS) if self._gzip else None

    def feed(self, data: bytes) -> bytes:
        """The plain bytes that `data` completes."""
        if self._zlib is None:
            data = self._head + data
            if len(data) < 2:
                self._head = data
                return b""
            # many servers send deflate without its zlib frame (RFC 1950 section 2.2 tells the two apart)
            framed = data[0] & 15 == 8 and (data[0] * 256 + data[1]) % 31 == 0
            self._zlib = zlib.decompressobj(zlib.MAX_WBITS if framed else -zlib.MAX_WBITS)
        out = self._inflate(data)
        while self._gzip and self._zlib.eof and self._zlib.unused_data:  # gzip members may follow each other
            rest = self._zlib.unused_data
            self._zlib = zlib.decompressobj(16 + zlib.MAX_WBITS)
            out += self._inflate(rest)
        return out

    def _inflate(self, data: bytes) -> bytes:
        try:
            out: bytes = self._zlib.decompress(data, self._limit)
        except zlib.error as error:
            raise BrokenStream("the provider's answer does not match its content coding") from error
        if self._zlib.unconsumed_tail:
            raise BrokenStream("the provider's answer grows too much when its content coding is undone")
        return out

    def close(self) -> None:
        """The end of the bytes.

        Raises:
            BrokenStream: they were cut.
        """
        if self._zlib is None or not self._zlib.eof:
            raise BrokenStream("the provider's answer was cut")


class Unpacking:
    """A decoder of an answer that has a content coding."""

    def __init__(self, decoder: Decoder, coding: str) -> None:
        self._decoder = decoder
        self._coding = coding
        self._inflater: Inflater | None = None
        self._over = False

    def feed(self, data: bytes) -> Batch:
        """The events that `data` completes."""
        if self._over:
            return ()
        try:
            if self._inflater is None:
                self._inflater = Inflater(self._coding)
            return self._decoder.feed(self._inflater.feed(data))
        except BrokenStream as error:
            return self.fail(error)

    def close(self) -> Batch:
        """The events that the end of the bytes completes."""
        if self._over:
            return ()
        try:
            if self._inflater is not None:
                self._inflater.close()
        except BrokenStream as error:
            return self.fail(error)
        return self._decoder.close()

    def fail(self, error: TurnoutError) -> Batch:
        """The events of an answer that broke with `error`."""
        self._over = True
        return self._decoder.fail(error)
