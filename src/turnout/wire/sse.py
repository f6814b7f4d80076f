"""Server-sent events: one incremental, byte-exact parser, and a writer. Source: WHATWG HTML, "Server-sent events".

Strategy: line ends become LF as the bytes come in, so that an event is what stands between two blank lines; whole
events are then cut out by `bytes.split`, and only the unusual ones are looked at line by line. A read that is made
of whole events of one data line each, which is what model servers send, is one split and one count. Data stays
bytes: nothing is decoded before a whole event is there, so a read may end inside a character.
"""

import re
from functools import lru_cache

import msgspec

from turnout.model.errors import BrokenStream

_BOM = b"\xef\xbb\xbf"
_END = b"\n\n"
_DATA = b"data: "
_EVENT = b"event: "
_NEXT = _END + _DATA
_SHORT = 100
_NAMED = re.compile(rb"^event: ([^\n]*)\ndata: ([^\n]*)\n\n", re.MULTILINE)


class Frame(msgspec.Struct, frozen=True, gc=False):
    """One event: its name (`""` when it has none) and its data lines joined by LF.

    `id` and `retry` serve reconnecting, which no model API offers; the parser reads over them.
    """

    event: str
    data: bytes


class Parser:
    """Cuts bytes into frames; however they were split into reads, the frames are the same.

    `limit` bounds one event in bytes, comments and field names included. When an event is over it, the frames
    before it are still returned and the next call raises; so the error comes after them for every way of cutting.
    """

    __slots__ = ("_after_cr", "_begun", "_broken", "_held", "_plain", "_size", "limit")

    def __init__(self, limit: int = 1_048_576) -> None:
        self.limit = limit
        self._held: list[bytes] = []  # pieces of the event that is not finished
        self._size = 0
        self._begun = False  # whether a byte order mark has been looked for
        self._after_cr = False  # the last byte was CR: an LF that follows belongs to it
        self._broken = False
        self._plain = False  # nothing above stands in the way of cutting the next read as it is

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that `data` completes.

        Raises:
            BrokenStream: one event is over the limit; every later call raises it too.
        """
        if self._plain and data.endswith(_END) and len(data) <= self.limit and data.find(b"\r") < 0:
            if data.startswith(_DATA):
                text = data[6:-2]
                if text.find(b"\n") < 0:
                    return [Frame("", text)]
                texts = text.split(_NEXT)
                if data.count(b"\n") == 2 * len(texts):
                    return [Frame("", text) for text in texts]
            elif data.startswith(_EVENT):
                found = _NAMED.findall(data)
                if data.count(b"\n") == 3 * len(found):  # so nothing stands between them
                    return [Frame(_text(name), text) for name, text in found]
        frames = self._feed(data)
        self._plain = self._begun and not (self._held or self._after_cr or self._broken)
        return frames

    def _feed(self, data: bytes) -> list[Frame]:
        if self._broken:
            raise self._too_large()
        if not self._begun:
            data = self._without_mark(data)
        if self._after_cr or b"\r" in data:
            data = self._with_lf(data)
        if self._held:
            if _END not in data and not (data[:1] == b"\n" and self._held[-1][-1:] == b"\n"):
                return self._hold(data, [])
            data = b"".join((*self._held, data))
            self._held.clear()
            self._size = 0
        blocks = data.split(_END)
        rest = blocks.pop()
        frames: list[Frame] = []
        for block in blocks:
            if len(block) > self.limit:
                return self._break(frames)
            if (frame := _frame(block)) is not None:
                frames.append(frame)
        return self._hold(rest, frames)

    def close(self) -> list[Frame]:
        """The event that the end of the bytes leaves unfinished, if it is surely whole.

        The standard discards it; some model servers end without the last blank line, or even the last line end,
        so it is returned when its last line is finished, or when its data is `[DONE]` or a complete JSON object or
        list. Those cannot be the beginning of something longer. A field that is not data and is cut is left out.
        Anything else was cut and gives nothing: whether the stream may end there is for its reader to say.

        Raises:
            BrokenStream: one event was over the limit.
        """
        if self._broken:
            raise self._too_large()
        rest = b"".join(self._held)
        self._held.clear()
        self._size = 0
        finished, _, tail = rest.rpartition(b"\n")
        frame = _frame(rest if tail.startswith(b"data") else finished)
        if frame is None or (tail and not _is_whole(frame.data)):
            return []
        return [frame]

    def _hold(self, rest: bytes, frames: list[Frame]) -> list[Frame]:
        if rest:
            self._held.append(rest)
            self._size += len(rest)
            # A line end at the end may turn out to be half of the blank line, which is not part of the event.
            if self._size - rest.endswith(b"\n") > self.limit:
                return self._break(frames)
        return frames

    def _break(self, frames: list[Frame]) -> list[Frame]:
        self._broken = True
        self._plain = False
        self._held.clear()
        if not frames:
            raise self._too_large()
        return frames

    def _too_large(self) -> BrokenStream:
        return BrokenStream(f"an event of the stream is larger than {self.limit} bytes")

    def _without_mark(self, data: bytes) -> bytes:
        data = b"".join((*self._held, data))
        self._held.clear()
        if len(data) < len(_BOM) and _BOM.startswith(data):
            self._held.append(data)
            return b""
        self._begun = True
        return data.removeprefix(_BOM)

    def _with_lf(self, data: bytes) -> bytes:
        if not data:
            return data
        ends_in_cr = data.endswith(b"\r")
        if self._after_cr:
            data = data.removeprefix(b"\n")
        self._after_cr = ends_in_cr
        return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _frame(block: bytes) -> Frame | None:
    """The event of the lines in `block`, `None` when it has no data."""
    head, found, text = block.partition(_DATA)
    if found and len(head) < _SHORT and b"\n" not in text:
        name = _name(head)
        if name is not None:
            return Frame(name, text)
    event = b""
    data: list[bytes] = []
    for line in block.split(b"\n"):
        name, _, value = line.partition(b":")
        if name == b"data":
            data.append(value.removeprefix(b" "))
        elif name == b"event":
            event = value.removeprefix(b" ")
    return Frame(event.decode("utf-8", "replace"), b"\n".join(data)) if data else None


@lru_cache(maxsize=256)
def _name(head: bytes) -> str | None:
    """The event's name, when nothing but its line stands before the data; a stream has few of them, many times."""
    if not head:
        return ""
    if head.startswith(_EVENT) and head.find(b"\n") == len(head) - 1:
        return _text(head[7:-1])
    return None


@lru_cache(maxsize=256)
def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")


def _is_whole(data: bytes) -> bool:
    """Whether data is complete for sure, although its line has no end."""
    if data.strip() == b"[DONE]":
        return True
    try:
        msgspec.json.decode(data, type=dict[str, msgspec.Raw] | list[msgspec.Raw])
    except (ValueError, RecursionError):  # both of msgspec's errors are ValueErrors
        return False
    return True


def write(data: bytes, event: str = "") -> bytes:
    """One event. Data of several lines becomes several data lines; a CR in it cannot be carried and becomes LF.

    Raises:
        ValueError: the event's name has a line end in it.
    """
    if b"\n" in data or b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", b"\ndata: ")
    if not event:
        return b"data: %b\n\n" % data
    if "\n" in event or "\r" in event:
        raise ValueError("the name of an event is one line")
    return b"event: %b\ndata: %b\n\n" % (event.encode(), data)


def comment(text: str) -> bytes:
    """A comment, which keeps a connection alive and which no client takes for an event."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "".join(f": {line}\n" for line in lines).encode() + b"\n"
