"""How services that speak this protocol differ, as rows of one table."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from turnout.wire.codec import Dialect


class GeminiDialect(Dialect, frozen=True, kw_only=True):
    """A service's use of the protocol.

    `late_system` says what becomes of system messages behind the first other one, for which there is no place: a
    marked turn of the user, or a refusal. `whole_count`: a call that counts tokens takes the whole request inside
    `generateContentRequest` (the Gemini API), else its fields as they are (Vertex AI).
    """

    OPTIONS: ClassVar[frozenset[str]] = frozenset({"late_system"})

    late_system: Literal["user", "refuse"] = "user"
    whole_count: bool = True


PLAIN = GeminiDialect()

DIALECTS: Mapping[str, GeminiDialect] = {
    row.name: row for row in (PLAIN, GeminiDialect(name="vertex", whole_count=False))
}
