"""The layers of a BERT by ONNX Runtime, where that is installed: the same vectors, by another's products."""

import importlib.util
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from .graph import INPUT, LAST, MIDDLE, onnx_model
from .matrix import Floats


class OnnxLayers:
    """All layers of the given tensors, by the names of Hugging Face's `BertModel`; `heads` in each. One thread.

    Raises:
        KeyError: a tensor is missing.
        ImportError: ONNX Runtime is not there, or not usable.
    """

    def __init__(self, tensors: Mapping[str, Any], heads: int) -> None:
        runtime: Any = import_module("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = runtime.InferenceSession(
            onnx_model(tensors, heads), options, providers=["CPUExecutionProvider"]
        )

    def __call__(self, x: Floats) -> tuple[Floats, Floats]:
        """What comes out of the middle layer and of the last, for `x` as [texts, pieces, numbers]."""
        middle, last = self._session.run([MIDDLE, LAST], {INPUT: x})
        return middle, last


def onnx_layers(tensors: Mapping[str, Any], heads: int) -> OnnxLayers | None:
    """The layers by ONNX Runtime; `None` where it is not there, or not usable.

    Raises:
        KeyError: a tensor is missing.
    """
    if importlib.util.find_spec("onnxruntime") is None:
        return None
    try:
        return OnnxLayers(tensors, heads)
    except ImportError:  # one that was built for another machine or another numpy
        return None
