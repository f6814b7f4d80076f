"""HTTP headers as an immutable multi-map that shows no values when printed."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast, overload


class Headers:
    """Header names are case-insensitive and kept in lower case, order and repetition are kept.

    Values are secrets: `repr` shows names only.
    """

    __slots__ = ("raw",)

    raw: tuple[tuple[bytes, bytes], ...]

    def __init__(self, raw: Iterable[tuple[bytes, bytes]] = ()) -> None:
        _set_raw(self, tuple([(name.lower(), value) for name, value in raw]))

    @classmethod
    def of(cls, items: Mapping[str, str] | Iterable[tuple[str, str]]) -> "Headers":
        """Headers from text; names and values are encoded as latin-1, as HTTP does.

        Raises:
            ValueError: a name or value is not latin-1, or would end its line (the message names the header only).
        """
        pairs = cast("Mapping[str, str]", items).items() if isinstance(items, Mapping) else items
        return cls([(_line(name, name), _line(name, value)) for name, value in pairs])

    @classmethod
    def lower(cls, raw: Iterable[tuple[bytes, bytes]]) -> "Headers":
        """Headers whose names are in lower case already, as an ASGI server gives them."""
        headers = cls.__new__(cls)
        _set_raw(headers, tuple(raw))
        return headers

    @overload
    def get(self, name: str) -> str | None: ...
    @overload
    def get(self, name: str, default: str) -> str: ...
    def get(self, name: str, default: str | None = None) -> str | None:
        """The first value of `name`, else `default`."""
        wanted = name.lower().encode("latin-1", "replace")
        for key, value in self.raw:
            if key == wanted:
                return value.decode("latin-1")
        return default

    def get_all(self, name: str) -> tuple[str, ...]:
        """All values of `name`, in order."""
        wanted = name.lower().encode("latin-1", "replace")
        return tuple(value.decode("latin-1") for key, value in self.raw if key == wanted)

    def items(self) -> Iterator[tuple[str, str]]:
        """All names and values, in order."""
        for name, value in self.raw:
            yield name.decode("latin-1"), value.decode("latin-1")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("headers are immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("headers are immutable")

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        for name, _ in self.raw:
            yield name.decode("latin-1")

    def __len__(self) -> int:
        return len(self.raw)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Headers) and other.raw == self.raw

    def __hash__(self) -> int:
        return hash(self.raw)

    def __repr__(self) -> str:
        return f"Headers({', '.join(self)})"


# The slot's own setter goes past `__setattr__`; bound once, it costs half of what `object.__setattr__` does.
_set_raw: Any = Headers.__dict__["raw"].__set__


def _line(header: str, text: str) -> bytes:
    data = text.encode("latin-1", "ignore")
    if len(data) != len(text) or b"\r" in data or b"\n" in data or b"\0" in data:
        # No chained cause: an encoding error holds the value, which may be a secret.
        raise ValueError(f"the header {header!r} holds what HTTP cannot carry")
    return data


NO_HEADERS = Headers()
