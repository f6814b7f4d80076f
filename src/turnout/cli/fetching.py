"""One package, fetched by the user's own installer: pinned, checked by its digest, and without its dependencies.

Strategy: turnout has no way of its own to the package index. What `uv` or `pip` are set up with (a mirror, a proxy,
credentials, no network at all) holds here too. The package is put into a folder of its own and never installed.
"""

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from turnout.model import V
from turnout.model.errors import Misconfigured


class Package(V, frozen=True, kw_only=True):
    """A release of a package; `sha256` is that of its wheel, in hex."""

    name: str
    version: str
    sha256: str

    @property
    def requirement(self) -> str:
        """The line that names it and nothing else."""
        return f"{self.name}=={self.version} --hash=sha256:{self.sha256}"


def fetch(package: Package, into: Path, installer: Sequence[str] | None = None) -> None:
    """Unpack the package into the empty folder `into`; `installer` is how the user's own is started.

    Raises:
        Misconfigured: there is no installer, or it did not get the package; with its own last words.
    """
    command = installer or find_installer()
    wanted = into.with_name(f"{into.name}.txt")
    wanted.write_text(f"{package.requirement}\n", encoding="utf-8")
    options = ("--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes", "--target", str(into))
    try:
        done = subprocess.run(  # noqa: S603 -- the user's own installer, with a pinned requirement
            [*command, "install", *options, "--requirement", str(wanted)],
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        wanted.unlink()
    if done.returncode != 0:
        said = " ".join((done.stderr or done.stdout).split())
        raise Misconfigured(
            f"{package.name} {package.version} could not be fetched: {said[:400]}; "
            "on a machine that has it, say --from PATH"
        )


def find_installer() -> tuple[str, ...]:
    """How to start the installer of this environment: its own `pip`, else `uv`.

    Raises:
        Misconfigured: there is neither.
    """
    if importlib.util.find_spec("pip") is not None:
        return sys.executable, "-m", "pip", "--disable-pip-version-check"
    uv = shutil.which("uv")
    if uv is None:
        raise Misconfigured("there is neither pip nor uv to fetch the encoder with; say --from PATH")
    return uv, "pip"
