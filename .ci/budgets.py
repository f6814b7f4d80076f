"""Checks the size and start-up budgets; prints each figure and exits 1 when one is over."""

import ast
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILE_P90, FILE_MAX, FUNCTION_MAX = 400, 700, 60
IMPORT_MS, INSTALL_MB = 50, 60


def lines_of(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


def long_functions(path: Path) -> list[str]:
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            length = node.end_lineno - node.lineno + 1
            if length > FUNCTION_MAX:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name} has {length} lines")
    return found


def import_ms() -> float:
    """CPU milliseconds that `import turnout` costs in a fresh interpreter; the best of seven."""
    program = "import time; t = time.process_time(); import turnout; print((time.process_time() - t) * 1000)"
    runs = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, check=True) for _ in range(7)
    ]
    return min(float(run.stdout) for run in runs)


def install_mb() -> float:
    """Megabytes that a fresh environment of the core takes."""
    with tempfile.TemporaryDirectory() as folder:
        uv = Path(sys.executable).with_name("uv")
        command = str(uv) if uv.exists() else "uv"
        python = f"{folder}/env/bin/python"
        subprocess.run([command, "venv", "-q", f"{folder}/env", "--python", sys.executable], check=True)
        subprocess.run([command, "pip", "install", "-q", "--python", python, str(ROOT)], check=True)
        return (
            sum(
                f.stat().st_size for f in Path(folder, "env").rglob("*") if f.is_file() and not f.is_symlink()
            )
            / 1e6
        )


def main() -> int:
    """Measure, print, judge."""
    sources = sorted((ROOT / "src").rglob("*.py"))
    sizes = {path: lines_of(path) for path in sources}
    p90 = statistics.quantiles(sizes.values(), n=10)[-1] if len(sizes) > 1 else 0
    faults = [
        f"{path.relative_to(ROOT)} has {size} lines" for path, size in sizes.items() if size > FILE_MAX
    ] + [fault for path in sources for fault in long_functions(path)]
    milliseconds, megabytes = import_ms(), install_mb()
    print(
        f"files: p90 {p90:.0f} lines (at most {FILE_P90}), largest {max(sizes.values())} (at most {FILE_MAX})"
    )
    print(f"import turnout: {milliseconds:.1f} ms of CPU (less than {IMPORT_MS})")
    print(f"fresh environment: {megabytes:.0f} MB (less than {INSTALL_MB})")
    if p90 > FILE_P90:
        faults.append(f"the p90 of file sizes is {p90:.0f} lines")
    if milliseconds >= IMPORT_MS:
        faults.append("import turnout is too slow")
    if megabytes >= INSTALL_MB:
        faults.append("a fresh environment is too large")
    for fault in faults:
        print(f"over budget: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
