"""What an encoder leaves out, so that nothing is dropped in silence."""

from turnout.model import Extra, Opaque, ProtocolName
from turnout.model.errors import Unsupported
from turnout.wire.codec import foreign


class Losses:
    """Names of what was left out in `protocol`, each once, in the order of first loss."""

    def __init__(self, protocol: ProtocolName) -> None:
        self._protocol: ProtocolName = protocol
        self._names: dict[str, None] = {}

    def add(self, name: str) -> None:
        """Note that `name` was left out."""
        self._names[name] = None

    def of_extra(self, extra: Extra | None) -> None:
        """Note the members of another protocol's `extra`.

        Raises:
            Unsupported: one of them changes the answer.
        """
        if extra is not None:
            for name in foreign(extra, self._protocol):
                self._names[name] = None

    def of_opaque(self, part: Opaque) -> None:
        """Note that a block of another protocol is left out of an answer.

        Raises:
            Unsupported: the client would have to answer it, or it is the answer; its decoder says so by a `must`.
        """
        if part.extra is not None and part.extra.must:
            raise Unsupported(part.kind)
        self._names[part.kind] = None

    @property
    def names(self) -> tuple[str, ...]:
        """All names."""
        return tuple(self._names)
