"""The benchmark of the control plane measures what it says; its figures are for the machine at hand."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.plane.plane_fakes import run

FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "plane.py"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_of_the_plane", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.states("P-012")
def test_the_benchmark_gives_a_figure_for_each_case(bench: ModuleType) -> None:
    figures = bench.measured(rounds=1, requests=200)
    assert [name for name, _ in figures] == [name for name, _, _ in bench.cases()]
    assert all(0 < nanoseconds < 1e7 for _, nanoseconds in figures)
    assert figures[0][0] == "a bare call"


@pytest.mark.states("P-012")
def test_each_case_takes_the_way_that_its_name_says(bench: ModuleType) -> None:
    lanes = {}
    for name, step, text in bench.cases():
        bench.REPLY.headers = type(bench.REPLY.headers)(())
        reply = run(step(bench.request(text)))
        lanes[name] = reply.headers.get("x-turnout-lane")
    acts = {name for name, lane in lanes.items() if lane == "action"}
    assert acts == {name for name in lanes if name.endswith("one acts")}
    assert {name for name, lane in lanes.items() if lane == "model"} == {
        name for name in lanes if "2 actions" in name and name not in acts
    }


def test_a_step_that_waits_is_not_measured(bench: ModuleType) -> None:
    class Waits:
        def __await__(self):  # type: ignore[no-untyped-def]
            yield

    async def waiting(_request: object) -> None:
        await Waits()

    with pytest.raises(RuntimeError):
        bench.cost(waiting, bench.request("x"), 1, 1)
