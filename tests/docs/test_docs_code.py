"""The code in the documentation runs: each page's `python` blocks, in order, in one module.

A block that needs the network is a `py` block; what a page says a block prints is the `text` block after it.
"""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)
FILES = sorted(
    path for path in (ROOT / "README.md", *ROOT.glob("docs/*.md")) if BLOCK.search(path.read_text("utf-8"))
)


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_code_of_a_page_runs_and_prints_what_the_page_says(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("TURNOUT_CACHE", str(tmp_path))  # no encoder: a page shows what everybody gets
    text = path.read_text("utf-8")
    module = ModuleType(f"docs_{path.stem.replace('-', '_')}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for block in BLOCK.finditer(text):
        above = text.count("\n", 0, block.start(1))
        code = compile(
            "\n" * above + block[1], str(path), "exec"
        )  # the lines of a traceback are the page's own
        exec(code, vars(module))
        if block[2] is not None:
            assert capsys.readouterr().out == block[2]


def test_the_readme_and_the_page_on_actions_are_among_them() -> None:
    assert {"README", "actions"} <= {path.stem for path in FILES}


@pytest.mark.states("P-205")
def test_the_readme_warns_of_what_an_action_can_do() -> None:
    readme = " ".join((ROOT / "README.md").read_text("utf-8").split())
    assert "Validate in the function as if a stranger had called it" in readme
    assert "say `confirm=True` where it hurts" in readme
    assert "give the model behind no tools, or read-only ones" in readme
