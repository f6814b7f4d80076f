"""The file that SQLite stores share."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from turnout.store.sqlite_file import _Open


def test_a_new_file_that_another_process_is_making_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("CREATE TABLE begun (at)")
    other.execute("BEGIN IMMEDIATE")  # the lock for which SQLite does not wait by itself here
    with ThreadPoolExecutor(1) as writer:
        opening = writer.submit(_Open, path, "p")
        with pytest.raises(TimeoutError):
            opening.result(timeout=0.1)
        other.execute("COMMIT")
        other.close()
        writer.submit(opening.result(timeout=10).close).result()


def test_what_is_no_database_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to look like a file that holds something " * 20)
    with pytest.raises(sqlite3.DatabaseError):
        _Open(path, "p")
