"""What an encoder of Chat Completions leaves out."""

from turnout.model import AnyPart, Text
from turnout.wire import losses

from .members import PROTOCOL


class Losses(losses.Losses):
    """Names of what this protocol has no place for."""

    def __init__(self) -> None:
        super().__init__(PROTOCOL)

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
