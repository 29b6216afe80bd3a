"""An encoder of the BERT family as an ONNX graph, its matrices as int8: one text at a time.

The graph is built from the weights when a process first needs it. It uses onnxruntime's fused
operators, which take half the time of an exported graph. Word embeddings are looked up before it,
so that a vocabulary of many languages needs disk but no memory.
"""

import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Tensor = Callable[[str], Floats]

FUSED = "com.microsoft"
OPSETS = {"": 17, FUSED: 1}
IR_VERSION = 8


@dataclass(frozen=True)
class Shape:
    """The size of an encoder."""

    width: int
    layers: int
    heads: int
    epsilon: float


class Encoder:
    """A transformer encoder over the embeddings of a text's pieces."""

    def __init__(self, tensor: Tensor, shape: Shape) -> None:
        """Build from `tensor(name)`: matrices as (outputs, inputs), named as in `_add_layer`."""
        import onnxruntime  # noqa: PLC0415 - only processes that embed pay for it

        options = onnxruntime.SessionOptions()
        # Two threads are slower on a busy machine.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            build_graph(tensor, shape), options, providers=["CPUExecutionProvider"]
        )

    def run(self, embedded: Floats) -> Floats:
        """Return one row for each row of embeddings."""
        hidden: Floats = self._session.run(None, {"embedded": embedded[None]})[0][0]
        return hidden


def build_graph(tensor: Tensor, shape: Shape) -> bytes:
    """Return the model as onnxruntime reads it."""
    from onnx import TensorProto, helper  # noqa: PLC0415

    parts = _Parts(signed=_multiplies_signed())
    hidden = "embedded"
    for number in range(shape.layers):
        hidden = _add_layer(parts, tensor, f"l{number}.", hidden, shape)
    told = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, "pieces", shape.width])
        for name in ("embedded", hidden)
    ]
    whole = helper.make_graph(parts.nodes, "encoder", told[:1], told[1:], parts.constants)
    opsets = [helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
    model = helper.make_model(whole, opset_imports=opsets, ir_version=IR_VERSION)
    return bytes(model.SerializeToString())


def _add_layer(parts: "_Parts", tensor: Tensor, at: str, hidden: str, shape: Shape) -> str:
    """Add attention and the two following matrices, each with a residual sum and normalisation."""
    sides = [parts.matrix(tensor, at + name, hidden) for name in ("q", "k", "v")]
    attended = parts.node("MultiHeadAttention", sides, at + "attended", num_heads=shape.heads)
    attended = parts.matrix(tensor, at + "ao", attended)
    hidden = parts.normalised(tensor, at + "aln", [hidden, attended], shape.epsilon)
    wide = parts.node("Gelu", [parts.matrix(tensor, at + "fi", hidden)], at + "wide")
    narrow = parts.matrix(tensor, at + "fo", wide)
    return parts.normalised(tensor, at + "oln", [hidden, narrow], shape.epsilon)


class _Parts:
    """The nodes of a graph and their constants."""

    def __init__(self, *, signed: bool) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._signed = signed

    def node(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        from onnx import helper  # noqa: PLC0415

        self.nodes.append(helper.make_node(kind, inputs, [output], domain=FUSED, **attributes))
        return output

    def constant(self, name: str, value: NDArray[Any]) -> str:
        from onnx import numpy_helper  # noqa: PLC0415

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def matrix(self, tensor: Tensor, name: str, hidden: str) -> str:
        """Multiply by the matrix and add its bias, in int8 with a scale for each output."""
        weights = tensor(name + ".w").T
        scales = np.maximum(np.abs(weights).max(axis=0), 1e-12) / 127
        whole = np.rint(weights / scales)
        # Unsigned weights have a zero point; signed ones need none.
        zero = (
            "" if self._signed else self.constant(name + ".zero", np.full(len(scales), 128, "u1"))
        )
        inputs = [
            hidden,
            self.constant(name + ".w", self._whole(whole)),
            self.constant(name + ".scales", scales.astype(np.float32)),
            zero,
            self.constant(name + ".b", tensor(name + ".b")),
        ]
        return self.node("DynamicQuantizeMatMul", inputs, name + ".out")

    def normalised(self, tensor: Tensor, name: str, added: list[str], epsilon: float) -> str:
        constants = [self.constant(name + side, tensor(name + side)) for side in (".w", ".b")]
        inputs = [*added, *constants]
        return self.node("SkipLayerNormalization", inputs, name + ".out", epsilon=epsilon)

    def _whole(self, values: Floats) -> NDArray[Any]:
        return values.astype(np.int8) if self._signed else (values + 128).astype(np.uint8)


def _multiplies_signed() -> bool:
    """Return whether the processor multiplies int8 by uint8 without overflow.

    x86-64 does so since VNNI. Older ones add products in 16 bits, so weights are unsigned there:
    exact, but a third slower.
    """
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return True
    described = Path("/proc/cpuinfo")
    return described.exists() and "vnni" in described.read_text("utf-8", "ignore")
