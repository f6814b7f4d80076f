"""The layers of a BERT as a model in ONNX, written from its tensors.

The vectors of an ONNX file from elsewhere would be others: such files are quantized, and lack the output of the
middle layer. This one has the same weights as the forward pass in numpy, so that a calibration holds for both.
Source: onnx.proto (ONNX 1.16, IR version 8) and the contributed operators of ONNX Runtime (`com.microsoft`, 1).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from .layers import count_layers
from .matrix import Floats, plain

_IR_VERSION: Final = 8
_OPSET: Final = 17
_OWN: Final = "com.microsoft"
_FLOAT: Final = 1  # TensorProto.DataType
_KIND_FLOAT: Final = 1  # AttributeProto.AttributeType
_KIND_INT: Final = 2
_EPSILON: Final = 1e-12
INPUT: Final = "words"
MIDDLE: Final = "middle"
LAST: Final = "last"


def onnx_model(tensors: Mapping[str, Any], heads: int) -> bytes:
    """A model from `words`, the sums of embeddings as float32 [texts, pieces, size], to the `middle` and `last` layer.

    Raises:
        KeyError: a tensor is missing.
    """
    graph, layers = _Graph(), count_layers(tensors)
    at = INPUT
    for layer in range(layers):
        if layer == layers // 2:
            at = graph.named(at, MIDDLE)
        at = graph.layer(tensors, f"encoder.layer.{layer}.", heads, at)
    graph.named(at, LAST)
    size = len(plain(tensors, "encoder.layer.0.attention.output.dense.bias"))
    body = [
        *graph.nodes,
        _text(2, "encoder"),
        *graph.tensors,
        _message(11, _value(INPUT, size)),
        *(_message(12, _value(name, size)) for name in (MIDDLE, LAST)),
    ]
    versions = [
        _message(8, _text(1, domain) + _number(2, version)) for domain, version in (("", _OPSET), (_OWN, 1))
    ]
    return b"".join([_number(1, _IR_VERSION), _message(7, b"".join(body)), *versions])


class _Graph:
    """Nodes and the tensors that they take, as protobuf."""

    def __init__(self) -> None:
        self.nodes: list[bytes] = []
        self.tensors: list[bytes] = []

    def named(self, known: str, name: str) -> str:
        """The same under another name."""
        return self._node("Identity", [known], name, domain="")

    def layer(self, tensors: Mapping[str, Any], at: str, heads: int, before: str) -> str:
        """What comes out of a layer, named as in the tensors, for what is named `before`."""
        own = [f"{at}attention.self.{name}" for name in ("query", "key", "value")]
        attend = self._kept(f"{at}qkv", np.concatenate([plain(tensors, f"{name}.weight") for name in own]).T)
        bias = self._kept(f"{at}qkv.bias", np.concatenate([plain(tensors, f"{name}.bias") for name in own]))
        mixed = self._node("Attention", [before, attend, bias], f"{at}mixed", num_heads=heads)
        rows = self._dense(tensors, f"{at}attention.output", mixed, before, f"{at}rows")
        wide = self._product(tensors, f"{at}intermediate.dense", rows)
        bias = self._kept(f"{at}intermediate.dense.bias", plain(tensors, f"{at}intermediate.dense.bias"))
        inner = self._node("BiasGelu", [wide, bias], f"{at}inner")
        return self._dense(tensors, f"{at}output", inner, rows, f"{at}done")

    def _dense(self, tensors: Mapping[str, Any], name: str, of: str, beside: str, into: str) -> str:
        """A product, its bias, what it is added to, and the norm of all."""
        product = self._product(tensors, f"{name}.dense", of)
        norm = [
            self._kept(each, plain(tensors, each))
            for each in (f"{name}.LayerNorm.weight", f"{name}.LayerNorm.bias", f"{name}.dense.bias")
        ]
        return self._node("SkipLayerNormalization", [product, beside, *norm], into, epsilon=_EPSILON)

    def _product(self, tensors: Mapping[str, Any], name: str, of: str) -> str:
        weight = self._kept(f"{name}.weight", plain(tensors, f"{name}.weight").T)
        return self._node("MatMul", [of, weight], f"{name}.product", domain="")

    def _kept(self, name: str, tensor: Floats) -> str:
        dims = b"".join(_number(1, side) for side in tensor.shape)
        raw = np.ascontiguousarray(tensor, "<f4").tobytes()
        self.tensors.append(_message(5, dims + _number(2, _FLOAT) + _text(8, name) + _message(9, raw)))
        return name

    def _node(
        self, kind: str, takes: Sequence[str], gives: str, *, domain: str = _OWN, **settings: float
    ) -> str:
        parts = [_text(1, name) for name in takes]
        parts += [_text(2, gives), _text(3, gives), _text(4, kind)]
        parts += [_message(5, _setting(name, value)) for name, value in settings.items()]
        parts += [_text(7, domain)] if domain else []
        self.nodes.append(_message(1, b"".join(parts)))
        return gives


def _setting(name: str, value: float) -> bytes:
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, _KIND_INT)
    return _text(1, name) + _key(2, 5) + np.array(value, "<f4").tobytes() + _number(20, _KIND_FLOAT)


def _value(name: str, size: int) -> bytes:
    """A named tensor of texts, pieces and `size` numbers."""
    sides: Iterable[bytes] = (_text(2, "texts"), _text(2, "pieces"), _number(1, size))
    shape = b"".join(_message(1, side) for side in sides)
    return _text(1, name) + _message(2, _message(1, _number(1, _FLOAT) + _message(2, shape)))


def _message(field: int, body: bytes) -> bytes:
    return _key(field, 2) + _varint(len(body)) + body


def _text(field: int, text: str) -> bytes:
    return _message(field, text.encode())


def _number(field: int, value: int) -> bytes:
    return _key(field, 0) + _varint(value)


def _key(field: int, kind: int) -> bytes:
    return _varint(field << 3 | kind)


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])
