"""What an encoder leaves out, so that nothing is dropped in silence."""

from turnout.model import AnyPart, Extra, Text
from turnout.wire.codec import foreign

from .members import PROTOCOL


class Losses:
    """Names of what was left out, each once, in the order of first loss."""

    def __init__(self) -> None:
        self._names: dict[str, None] = {}

    def add(self, name: str) -> None:
        """Note that `name` was left out."""
        self._names[name] = None

    def of_extra(self, extra: Extra | None) -> None:
        """Note the members of another protocol's `extra`.

        Raises:
            Unsupported: one of them changes the answer.
        """
        for name in foreign(extra, PROTOCOL):
            self._names[name] = None

    def of_part(self, part: AnyPart) -> None:
        """Note what a part carries beside its content and this protocol has no place for.

        Raises:
            Unsupported: it carries what changes the answer.
        """
        self.of_extra(part.extra)
        if part.seal is not None:
            self.add("signature")
        if isinstance(part, Text) and part.citations:
            self.add("citations")

    @property
    def names(self) -> tuple[str, ...]:
        """All names."""
        return tuple(self._names)
