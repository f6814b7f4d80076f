"""The benchmark of the server measures what it says; its figures are for the machine at hand."""

import importlib.util
from pathlib import Path

import pytest

FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "serve.py"


@pytest.mark.states("L-294")
async def test_the_benchmark_gives_time_and_memory_of_a_request_in_each_case() -> None:
    spec = importlib.util.spec_from_file_location("benchmark_of_the_server", FILE)
    assert spec is not None
    assert spec.loader is not None
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    figures = {name: (us, held) async for name, us, held in bench.measured(0.001)}
    assert list(figures) == list(bench.apps())
    floor = figures.pop("floor (no server)")
    assert all(0 < us < 1e5 and floor[1] < held < 1e6 for us, held in figures.values())
