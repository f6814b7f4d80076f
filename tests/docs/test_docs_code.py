"""The code in the documentation runs: each file's Python blocks, in order, in one module."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILES = sorted(path for path in DOCS.glob("*.md") if BLOCK.search(path.read_text("utf-8")))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_code_of_a_page_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = path.read_text("utf-8")
    module = ModuleType(f"docs_{path.stem.replace('-', '_')}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for block in BLOCK.finditer(text):
        above = text.count("\n", 0, block.start(1))
        code = compile(
            "\n" * above + block[1], str(path), "exec"
        )  # the lines of a traceback are the page's own
        exec(code, vars(module))


def test_the_page_on_actions_is_among_them() -> None:
    assert "actions" in {path.stem for path in FILES}
