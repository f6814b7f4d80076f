"""The encoder: pieces of words, the forward pass against plain arithmetic, and weights on disk."""

import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.model.errors import Misconfigured
from turnout.system1.encoder.wordpiece import WordPiece, words

np = pytest.importorskip("numpy")

VOCABULARY = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "pay",
    "##ing",
    "##ment",
    "the",
    "bill",
    "##s",
    ",",
    "ü",
    "u",
    "日",
]
SIZE, HEADS, LAYERS, WIDE = 8, 2, 2, 16


def pieces(text: str, longest: int = 128) -> list[str]:
    return [VOCABULARY[at] for at in WordPiece(VOCABULARY, longest).ids(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Paying the bills", ["pay", "##ing", "the", "bill", "##s"]),
        ("payment,bill", ["pay", "##ment", ",", "bill"]),
        ("PAY\tthe\nbill", ["pay", "the", "bill"]),
        ("Ü", ["u"]),
        ("日bill", ["日", "bill"]),
        ("xyz pay", ["[UNK]", "pay"]),
        ("payx", ["[UNK]"]),
        ("pay\u200b\x00 the", ["pay", "the"]),
        ("p" * 101, ["[UNK]"]),
        ("", []),
    ],
)
def test_a_text_becomes_the_longest_pieces_that_are_known(text: str, expected: list[str]) -> None:
    assert pieces(text) == ["[CLS]", *expected, "[SEP]"]


@given(st.text(), st.integers(min_value=2, max_value=20))
def test_a_text_of_any_kind_stays_within_the_bound_and_between_its_marks(text: str, longest: int) -> None:
    found = pieces(text, longest)
    assert len(found) <= longest
    assert (found[0], found[-1]) == ("[CLS]", "[SEP]")
    assert not any(word.isspace() for word in words(text))


def test_a_vocabulary_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\[CLS\]"):
        WordPiece(["pay"])


# ---- the forward pass ----------------------------------------------------------------------------------------------


def tensors(seed: int = 0) -> dict[str, Any]:
    """A tiny BERT with random weights."""
    random = np.random.default_rng(seed)

    def some(*shape: int) -> Any:
        return random.normal(0, 0.5, shape).astype(np.float32)

    found = {
        "embeddings.word_embeddings.weight": some(len(VOCABULARY), SIZE),
        "embeddings.position_embeddings.weight": some(32, SIZE),
        "embeddings.token_type_embeddings.weight": some(2, SIZE),
        "embeddings.LayerNorm.weight": some(SIZE),
        "embeddings.LayerNorm.bias": some(SIZE),
    }
    shapes = {
        "attention.self.query": (SIZE, SIZE),
        "attention.self.key": (SIZE, SIZE),
        "attention.self.value": (SIZE, SIZE),
        "attention.output.dense": (SIZE, SIZE),
        "intermediate.dense": (WIDE, SIZE),
        "output.dense": (SIZE, WIDE),
    }
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        for name, shape in shapes.items():
            found[f"{at}{name}.weight"] = some(*shape)
            found[f"{at}{name}.bias"] = some(shape[0])
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            found[f"{at}{name}.weight"] = some(SIZE)
            found[f"{at}{name}.bias"] = some(SIZE)
    return found


def by_hand(of: dict[str, Any], ids: list[int]) -> list[float]:
    """The same in plain arithmetic, number by number."""
    rows = {name: array.tolist() for name, array in of.items()}

    def linear(x: list[float], name: str) -> list[float]:
        weight, bias = rows[f"{name}.weight"], rows[f"{name}.bias"]
        return [
            sum(a * b for a, b in zip(x, row, strict=True)) + c for row, c in zip(weight, bias, strict=True)
        ]

    def norm(x: list[float], name: str) -> list[float]:
        mean = sum(x) / len(x)
        spread = math.sqrt(sum((a - mean) ** 2 for a in x) / len(x) + 1e-12)
        weight, bias = rows[f"{name}.weight"], rows[f"{name}.bias"]
        return [(a - mean) / spread * w + b for a, w, b in zip(x, weight, bias, strict=True)]

    def plus(x: list[float], y: list[float]) -> list[float]:
        return [a + b for a, b in zip(x, y, strict=True)]

    kind = rows["embeddings.token_type_embeddings.weight"][0]
    x = [
        norm(
            plus(
                plus(rows["embeddings.word_embeddings.weight"][at], kind),
                rows["embeddings.position_embeddings.weight"][place],
            ),
            "embeddings.LayerNorm",
        )
        for place, at in enumerate(ids)
    ]

    def pooled(x: list[list[float]], share: float) -> list[float]:
        mean = [sum(column) / len(x) for column in zip(*x, strict=True)]
        return [share * a / math.sqrt(sum(b * b for b in mean)) for a in mean]

    each = SIZE // HEADS
    middle: list[float] = []
    for layer in range(LAYERS):
        if layer == LAYERS // 2:
            middle = pooled(x, 0.6)
        at = f"encoder.layer.{layer}."
        query, key, value = (
            [linear(one, f"{at}attention.self.{name}") for one in x] for name in ("query", "key", "value")
        )
        mixed: list[list[float]] = [[] for _ in x]
        for head in range(HEADS):
            part = slice(head * each, (head + 1) * each)
            for place in range(len(x)):
                scores = [
                    sum(a * b for a, b in zip(query[place][part], other[part], strict=True)) / math.sqrt(each)
                    for other in key
                ]
                powers = [math.exp(score - max(scores)) for score in scores]
                mixed[place] += [
                    sum(power * other[part][i] for power, other in zip(powers, value, strict=True))
                    / sum(powers)
                    for i in range(each)
                ]
        x = [
            norm(plus(one, linear(got, f"{at}attention.output.dense")), f"{at}attention.output.LayerNorm")
            for one, got in zip(x, mixed, strict=True)
        ]
        inner = [
            [0.5 * a * (1 + math.erf(a / math.sqrt(2))) for a in linear(one, f"{at}intermediate.dense")]
            for one in x
        ]
        x = [
            norm(plus(one, linear(got, f"{at}output.dense")), f"{at}output.LayerNorm")
            for one, got in zip(x, inner, strict=True)
        ]
    return pooled(x, 0.8) + middle


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_forward_pass_is_that_of_bert(seed: int) -> None:
    from turnout.system1.encoder.forward import Forward

    of = tensors(seed)
    texts = [[2, 4, 5, 3], [2, 3], [2, 7, 8, 9, 10, 4, 3]]
    found = Forward(of, HEADS)(texts)
    for row, ids in zip(found, texts, strict=True):
        assert row.tolist() == pytest.approx(by_hand(of, ids), abs=2e-5)


def test_a_text_means_the_same_alone_and_beside_longer_ones() -> None:
    from turnout.system1.encoder.forward import Forward

    forward = Forward(tensors(), HEADS)
    alone, beside = forward([[2, 4, 3]])[0], forward([[2, 4, 3], [2, 7, 8, 9, 10, 4, 5, 6, 3]])[0]
    assert beside.tolist() == pytest.approx(alone.tolist(), abs=1e-6)


# ---- by ONNX Runtime -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_onnx_runtime_gives_the_same_vectors(seed: int) -> None:
    pytest.importorskip("onnxruntime")
    from turnout.system1.encoder.forward import Forward
    from turnout.system1.encoder.runtime import onnx_layers

    of = tensors(seed)
    layers = onnx_layers(of, HEADS)
    assert layers is not None
    texts = [[2, 4, 5, 3], [2, 3], [2, 7, 3], [2, 5, 3], [2, *([7, 8, 9, 10] * 7), 4, 3]]
    found = Forward(of, HEADS, layers)(texts)
    assert np.abs(found - Forward(of, HEADS)(texts)).max() < 2e-5
    for row, ids in zip(found, texts, strict=True):
        assert row.tolist() == pytest.approx(by_hand(of, ids), abs=2e-5)


def test_onnx_runtime_computes_where_it_is_there() -> None:
    pytest.importorskip("onnxruntime")
    from turnout.system1.encoder.weights import Encoder

    assert Encoder(tensors(), VOCABULARY, heads=HEADS).engine == "onnxruntime"


@pytest.mark.parametrize("why", ["it is not there", "it is of another machine"])
def test_numpy_computes_where_onnx_runtime_cannot(
    why: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from turnout.system1.encoder.weights import Encoder

    monkeypatch.delitem(sys.modules, "onnxruntime", raising=False)
    if why == "it is not there":
        monkeypatch.setitem(sys.modules, "onnxruntime", None)
    else:
        (tmp_path / "onnxruntime.py").write_text("raise ImportError('built for another machine')")
        monkeypatch.syspath_prepend(tmp_path)
    encoder = Encoder(tensors(), VOCABULARY, heads=HEADS)
    assert encoder.engine == "numpy"
    assert encoder(["pay the bill"])[0].tolist() == pytest.approx(
        by_hand(tensors(), [2, 4, 7, 8, 3]), abs=2e-5
    )


# ---- on disk -------------------------------------------------------------------------------------------------------


def safetensors(of: dict[str, Any]) -> bytes:
    header: dict[str, Any] = {"__metadata__": {"made": "here"}}
    data = b""
    for name, array in of.items():
        raw = array.tobytes()
        header[name] = {
            "dtype": "F32",
            "shape": array.shape,
            "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    head = json.dumps(header).encode()
    return len(head).to_bytes(8, "little") + head + data


def package(folder: Path, of: dict[str, Any] | bytes) -> Path:
    inner = folder / "some" / "model"
    inner.mkdir(parents=True)
    (inner / "model.safetensors").write_bytes(of if isinstance(of, bytes) else safetensors(of))
    (inner / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    return folder


def test_converted_weights_give_nearly_the_same_vectors(tmp_path: Path) -> None:
    from turnout.system1.encoder import weights
    from turnout.system1.encoder.forward import Forward

    random = np.random.default_rng(5)
    of = {
        name: random.normal(0, 0.3, [24 if side == SIZE else side for side in array.shape]).astype(np.float32)
        for name, array in tensors().items()
    }
    weights.convert(package(tmp_path / "p", of), tmp_path / "cache" / "w.npz")
    encoder = weights.load(tmp_path / "cache" / "w.npz")
    texts = ["paying the bills", "pay", "the payment, the bill"]
    found = encoder(texts)
    exact = Forward(of, 12)([WordPiece(VOCABULARY).ids(text) for text in texts])
    assert (found * exact).sum(1).min() > 0.99
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["w.npz"]


@pytest.mark.parametrize(
    ("of", "message"),
    [
        (b"", "safetensors"),
        (b"\x08\0\0\0\0\0\0\0notjson!", "safetensors"),
        ({"a.weight": np.zeros((2, 2), np.float32)}, "BERT"),
    ],
    ids=["empty", "prose", "other"],
)
def test_what_is_no_such_model_is_refused_and_leaves_nothing(tmp_path: Path, of: Any, message: str) -> None:
    from turnout.system1.encoder import weights

    with pytest.raises(Misconfigured, match=message):
        weights.convert(package(tmp_path / "p", of), tmp_path / "cache" / "w.npz")
    assert not (tmp_path / "cache" / "w.npz").exists()


def test_an_empty_folder_and_a_damaged_cache_are_named(tmp_path: Path) -> None:
    from turnout.system1.encoder import weights

    with pytest.raises(Misconfigured, match=r"vocab\.txt"):
        weights.convert(tmp_path, tmp_path / "w.npz")
    (tmp_path / "w.npz").write_bytes(b"PK not really")
    with pytest.raises(Misconfigured, match="cannot be read"):
        weights.load(tmp_path / "w.npz")
    np.savez(tmp_path / "old.npz", format=np.array(0), vocabulary=np.zeros(1, np.uint8))
    with pytest.raises(Misconfigured, match="install them again"):
        weights.load(tmp_path / "old.npz")


def test_the_cache_is_the_users_and_may_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from turnout.system1.encoder import weights

    monkeypatch.setenv("TURNOUT_CACHE", str(tmp_path))
    assert weights.cache().parent == tmp_path
    monkeypatch.delenv("TURNOUT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert weights.cache().name.endswith(".npz")
