"""What is written of turns and responses, and what is told of it."""

from typing import Final

from turnout.model import V
from turnout.model.errors import StoreFailed

DAY_S: Final = 86_400.0


class Policy(V, frozen=True, kw_only=True):
    """What a store keeps, and what it lets runs do.

    `retention_s`: seconds for which a retained response can be read and continued, `math.inf` for ever. `key_s`:
    seconds for which an idempotency key stands for its first request. `run_timeout` (seconds) and `activity` are
    those of each `Acceptance`.
    """

    retention_s: float = 30 * DAY_S
    key_s: float = DAY_S
    run_timeout: float = 0.0
    activity: bool = False


class Opening(V, frozen=True, kw_only=True):
    """A turn that is accepted: the `id` of its response, who owns it, and until when (Unix seconds) it is kept.

    `key` is the digest of owner and idempotency key, `""` without one; `fingerprint` that of what was asked under it.
    """

    id: str
    owner: str
    retain: bool
    now: float
    expires: float
    key: str = ""
    fingerprint: str = ""
    key_expires: float = 0.0


COLUMNS: Final = "id, owner, retain, expires, key, fingerprint, key_expires, process"
"""The columns of a database that `columns` fills."""


def columns(opening: Opening, process: str) -> tuple[str | float | None, ...]:
    """The row of a turn that `process` runs."""
    return (
        opening.id,
        opening.owner,
        opening.retain,
        opening.expires,
        opening.key or None,
        opening.fingerprint,
        opening.key_expires,
        process,
    )


class Standing(V, frozen=True, kw_only=True):
    """The turn that a key stands for already; `ended` when its response is there to be replayed."""

    id: str
    fingerprint: str
    ended: "Written | None" = None


class Written(V, frozen=True, kw_only=True):
    """A response in the form in which it is kept, in one piece or with the message of its answer apart."""

    body: bytes
    answer: bytes | None = None


class Ending(V, frozen=True, kw_only=True):
    """What is written when a run has ended.

    `free`: the key stands for nothing any more. Retained, `messages` are those of the turn, which follow the history
    of `previous`, and `written.answer` follows them.
    """

    opening: Opening
    written: Written
    free: bool
    previous: str | None = None
    messages: tuple[bytes, ...] = ()

    @property
    def told(self) -> tuple[bytes, ...]:
        """The messages that it adds to the history of `previous`."""
        answer = self.written.answer
        return self.messages if answer is None else (*self.messages, answer)


class GivenAway(StoreFailed):
    """A run has nothing to end: it has ended before, or its key was given to another one."""


def given_away() -> GivenAway:
    """The error of a run that has nothing to end."""
    return GivenAway("turnout: this run has ended before, or was given up for lost")
