"""A Postgres server of the tests' own, thrown away after them."""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest


def _binaries() -> Path | None:
    """The folder of the newest `initdb` and `postgres` of this machine."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    known = shutil.which("initdb")
    return None if known is None else Path(known).resolve().parent


def _user() -> dict[str, Any]:
    """The server refuses to run as root: then it runs as its own user, else as nobody."""
    if os.name != "posix" or os.geteuid() != 0:
        return {}
    import pwd

    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    return {}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def running(*settings: str) -> Generator[str]:
    """The address of a new server; tests skip, visibly, where there is none to run."""
    binaries = _binaries()
    if binaries is None:
        pytest.skip("Postgres is not here (Debian: postgresql)")
    user = _user()
    folder = Path(tempfile.mkdtemp(prefix="turnout-postgres-"))
    if user:
        os.chown(folder, user["user"], user["group"])
    options: dict[str, Any] = {
        "cwd": folder,
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.STDOUT,
        **user,
    }
    data = folder / "data"
    control = [str(binaries / "pg_ctl"), "-D", str(data), "-l", str(folder / "log"), "-w", "-t", "60"]
    port = _free_port()
    started = [
        f"-p {port}",
        "-c listen_addresses=127.0.0.1",
        f"-c unix_socket_directories={folder}",
        *settings,
    ]
    try:
        initdb = [
            str(binaries / "initdb"),
            "-D",
            str(data),
            "-U",
            "turnout",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-sync",
        ]
        subprocess.run(initdb, check=True, **options)
        try:
            subprocess.run([*control, "-o", " ".join(started), "start"], check=True, **options)
            yield f"postgres://turnout@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=False, **options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def emptied(url: str, name: str) -> str:
    """The address of the same database where it is empty: in a schema `name` of its own."""
    import asyncio

    import asyncpg  # pyright: ignore[reportMissingTypeStubs]

    async def make() -> None:
        connection = await asyncpg.connect(url)
        await connection.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE; CREATE SCHEMA {name}")
        await connection.close()

    asyncio.run(make())
    return f"{url}?search_path={name}"
