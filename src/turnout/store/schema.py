"""The version of what stores write, in all kinds of them alike."""

from typing import Final

from turnout.model.errors import StoreFailed

SCHEMA: Final = 1
"""The version of the tables and of the values in them; a store of another version is not touched."""


def newer(version: int) -> StoreFailed:
    """The error of a store that a later version of turnout has made."""
    return StoreFailed(
        f"turnout: the store has schema {version}, this version knows {SCHEMA}; use the turnout that made it"
    )
