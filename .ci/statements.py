"""Writes docs/statements.md from the tests' markers; with --check it only says whether the page is up to date.

A test proves statements by `@pytest.mark.states("P-014")`, and names a knowing deviation by
`@pytest.mark.deviates("P-014", "why")`.
"""

import ast
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "statements.md"
DOCUMENTS = {
    "P": ("The control plane", 205),
    "T": ("The provider interface", 78),
    "L": ("The protocol server", 295),
}


def markers(path: Path) -> list[tuple[str, str, list[str]]]:
    """(marker, test, arguments) for each marked test in one file."""
    found: list[tuple[str, str, list[str]]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Attribute):
                name = decorator.func.attr
                if name in {"states", "deviates"}:
                    arguments = [str(a.value) for a in decorator.args if isinstance(a, ast.Constant)]
                    found.append((name, f"{path.relative_to(ROOT)}::{node.name}", arguments))
    return found


def page() -> str:
    """The whole page."""
    proven: dict[str, list[str]] = defaultdict(list)
    deviating: dict[str, str] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for kind, test, arguments in markers(path):
            if kind == "states":
                for identifier in arguments:
                    proven[identifier].append(test)
            else:
                deviating[arguments[0]] = arguments[1] if len(arguments) > 1 else ""
                proven[arguments[0]].append(test)
    out = [
        "# Statements",
        "",
        "What the product promises is written down as numbered statements. This page is made from the tests by",
        "`.ci/statements.py`: it says which test proves which statement, and which are answered otherwise, and why.",
        "",
    ]
    for letter, (title, count) in DOCUMENTS.items():
        own = sorted(identifier for identifier in proven if identifier.startswith(f"{letter}-"))
        if not own:
            continue
        out += [f"## {title} ({letter})", ""]
        if count:
            missing = [f"{letter}-{n:03}" for n in range(1, count + 1) if f"{letter}-{n:03}" not in proven]
            out += [f"{count - len(missing)} of {count} have a test.", ""]
            if missing:
                out += [f"Without a test: {', '.join(missing)}.", ""]
        out += ["| statement | test |", "| --- | --- |"]
        for identifier in own:
            tests = "<br>".join(f"`{test}`" for test in dict.fromkeys(proven[identifier]))
            note = f" (deviates: {deviating[identifier]})" if identifier in deviating else ""
            out.append(f"| {identifier}{note} | {tests} |")
        out.append("")
    return "\n".join(out)


def main() -> int:
    """Write the page, or compare it."""
    text = page()
    if "--check" in sys.argv:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
            print("docs/statements.md is not up to date: run .ci/statements.py")
            return 1
        return 0
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
