"""The tutorial can be followed word by word: its files and its commands, in its order, in an empty folder."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorial-classification.md"
BLOCK = re.compile(r"^```(python|toml|sh)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
APPLICATION = "def application("
ELSEWHERE = "Path(tempfile.mkdtemp())"


def follow(kind: str, block: str, folder: Path) -> list[list[str]]:
    """Write what a block says to write; the arguments for the interpreter that it says to run."""
    if kind == "toml":
        (folder / "turnout.toml").write_text(block, "utf-8")
        return []
    if kind == "sh":
        commands = [shlex.split(line) for line in block.splitlines()]
        assert {command[0] for command in commands} == {"turnout"}
        return [["-m", "turnout", *command[1:]] for command in commands]
    if APPLICATION in block:
        (folder / "billing.py").write_text(f"{block}\n\napp = application()\n", "utf-8")
        (folder / "steps.py").write_text("from billing import *\n", "utf-8")
        return []
    with (folder / "steps.py").open("a", encoding="utf-8") as steps:
        steps.write(block.replace(ELSEWHERE, 'Path(".")'))
    return [["steps.py"]]


def test_the_tutorial_can_be_followed_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TURNOUT_CACHE", str(tmp_path / "cache"))
    page = PAGE.read_text("utf-8")
    assert page.count(ELSEWHERE) == 1
    ran: list[str] = []
    for kind, block in BLOCK.findall(page):
        for arguments in follow(kind, block, tmp_path):
            done = subprocess.run(
                [sys.executable, *arguments],
                check=False,
                cwd=tmp_path,
                capture_output=True,
                text=True,
                timeout=60,
            )
            assert done.returncode == 0, (block, done.stdout, done.stderr)
            ran.append(arguments[2] if kind == "sh" else "python")
    assert [each for each in ran if each != "python"] == ["try", "eval", "eval", "calibrate", "try", "eval"]
