"""HTTP headers as an immutable multi-map that shows no values when printed."""

from collections.abc import Iterable, Iterator, Mapping
from typing import cast, overload


class Headers:
    """Header names are case-insensitive and kept in lower case, order and repetition are kept.

    Values are secrets: `repr` shows names only.
    """

    __slots__ = ("raw",)

    raw: tuple[tuple[bytes, bytes], ...]

    def __init__(self, raw: Iterable[tuple[bytes, bytes]] = ()) -> None:
        self.raw = tuple((name.lower(), value) for name, value in raw)

    @classmethod
    def of(cls, items: Mapping[str, str] | Iterable[tuple[str, str]]) -> "Headers":
        """Headers from text; names and values are encoded as latin-1, as HTTP does."""
        pairs = cast("Mapping[str, str]", items).items() if isinstance(items, Mapping) else items
        return cls((name.encode("latin-1"), value.encode("latin-1")) for name, value in pairs)

    @classmethod
    def lower(cls, raw: Iterable[tuple[bytes, bytes]]) -> "Headers":
        """Headers whose names are in lower case already, as an ASGI server gives them."""
        headers = cls.__new__(cls)
        headers.raw = tuple(raw)
        return headers

    @overload
    def get(self, name: str) -> str | None: ...
    @overload
    def get(self, name: str, default: str) -> str: ...
    def get(self, name: str, default: str | None = None) -> str | None:
        """The first value of `name`, else `default`."""
        wanted = name.lower().encode("latin-1")
        for key, value in self.raw:
            if key == wanted:
                return value.decode("latin-1")
        return default

    def get_all(self, name: str) -> tuple[str, ...]:
        """All values of `name`, in order."""
        wanted = name.lower().encode("latin-1")
        return tuple(value.decode("latin-1") for key, value in self.raw if key == wanted)

    def items(self) -> Iterator[tuple[str, str]]:
        """All names and values, in order."""
        for name, value in self.raw:
            yield name.decode("latin-1"), value.decode("latin-1")

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


NO_HEADERS = Headers()
