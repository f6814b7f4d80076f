"""Who of those that share a file is still there.

Strategy: each owner holds a lock that the operating system lets go of when the process ends, however it ends. The
lock is SQLite's own, on a small file of the owner's beside the shared one, so that it works wherever SQLite does.
No clock is involved: a process that is slow is not taken for dead, one that was killed is noticed at once.
"""

import contextlib
import sqlite3
import time
from pathlib import Path

_SUFFIX = ".run"
_STRAY_S = 60.0
"""Age in seconds from which on a file that nobody holds is litter rather than one about to be locked."""


class Presence:
    """Says that `owner` is there, until it is closed or the process ends.

    Raises:
        sqlite3.Error: the file cannot be made or locked.
    """

    def __init__(self, shared: Path, owner: str) -> None:
        self._path = _path(shared, owner)
        self._lock = sqlite3.connect(self._path, isolation_level=None, timeout=0)
        try:
            self._lock.execute("BEGIN EXCLUSIVE")
        except BaseException:
            self._lock.close()
            raise

    def close(self) -> None:
        """Be gone."""
        self._lock.close()
        self._path.unlink(missing_ok=True)


def is_present(shared: Path, owner: str) -> bool:
    """Whether `owner` is there; the traces of one that is not are removed."""
    path = _path(shared, owner)
    if not path.exists():
        return False
    try:
        lock = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=0
        )
        with contextlib.closing(lock):
            lock.execute("BEGIN EXCLUSIVE")
            lock.execute("ROLLBACK")
    except sqlite3.OperationalError:
        return path.exists()
    path.unlink(missing_ok=True)
    return False


def sweep(shared: Path) -> None:
    """Remove the traces of owners that ended without a word."""
    for path in shared.parent.glob(f"{shared.name}-*{_SUFFIX}"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _STRAY_S:
                is_present(shared, path.name[len(shared.name) + 1 : -len(_SUFFIX)])


def _path(shared: Path, owner: str) -> Path:
    return shared.with_name(f"{shared.name}-{owner}{_SUFFIX}")
