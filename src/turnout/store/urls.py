"""A store by its address."""

from pathlib import Path

from turnout.model import Ledger

from .memory import MemoryLedger
from .sqlite import SQLiteLedger

_SQLITE = "sqlite:///"


def ledger(url: str) -> Ledger:
    """The ledger at `url`: `memory:`, or `sqlite:///PATH` (a relative path; an absolute one begins with a fourth `/`).

    Raises:
        ValueError: `url` is neither, or the file's folder does not exist.
    """
    if url == "memory:":
        return MemoryLedger()
    if not url.startswith(_SQLITE) or url == _SQLITE:
        raise ValueError("expected memory: or sqlite:///PATH")
    path = Path(url.removeprefix(_SQLITE))
    if not path.parent.is_dir():
        raise ValueError(f"the folder {path.parent} does not exist")
    return SQLiteLedger(path)
