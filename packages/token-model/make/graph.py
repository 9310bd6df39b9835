"""The encoder as an ONNX graph in int8: word pieces of one text in, a small int8 vector for each piece out.

Weights and the table of pieces are int8 with a scale for each row of output; activations are quantised as they come
(`DynamicQuantizeLinear`, `MatMulInteger`), in the pattern that ONNX Runtime fuses into one kernel.
"""

from dataclasses import dataclass, field

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from encoder import HEAD_WIDTH, HEADS, LAYERS, NORM_EPSILON, WIDTH, Encoder

OPSET, IR_VERSION = 20, 10
# Seven bits: AVX2 adds two products of 8 bits in 16, which then overflow; so every processor computes the same here.
WEIGHT_MAX = 63
TABLE_MAX = 127


@dataclass
class Graph:
    """A graph under construction: nodes in order, and what they are given."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)

    def constant(self, value: np.ndarray) -> str:
        """Adds a constant, and returns its name."""
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def run(self, operator: str, *inputs: str, outputs: int = 1, **attributes) -> str | list[str]:
        """Adds a node, and returns the name of its output, or the list of them where there are more."""
        names = [f"n{len(self.nodes)}_{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(operator, list(inputs), names, **attributes))
        return names[0] if outputs == 1 else names

    def dense(self, at: str, weight: np.ndarray, bias: np.ndarray) -> str:
        """`at · weight + bias`, in whole numbers but for the scales."""
        steps, scales = quantised(weight, 0, WEIGHT_MAX)
        whole, scale, zero = self.run("DynamicQuantizeLinear", at, outputs=3)
        sums = self.run("MatMulInteger", whole, self.constant(steps), zero, self.constant(np.array(0, np.int8)))
        both = self.run("Mul", scale, self.constant(scales[0]))
        return self.run("Add", self.run("Mul", self.run("Cast", sums, to=TensorProto.FLOAT), both), self.constant(bias))

    def norm(self, at: str, factor: np.ndarray, offset: np.ndarray) -> str:
        """Layer normalisation."""
        given = (self.constant(factor), self.constant(offset))
        return self.run("LayerNormalization", at, *given, axis=-1, epsilon=NORM_EPSILON)

    def rows(self, table: np.ndarray, pieces: str) -> str:
        """The table's rows of some pieces."""
        steps, scales = quantised(table, 1, TABLE_MAX)
        row = self.run("Cast", self.run("Gather", self.constant(steps), pieces), to=TensorProto.FLOAT)
        return self.run("Mul", row, self.run("Gather", self.constant(scales), pieces))

    def heads(self, at: str, order: list[int]) -> str:
        """`at` (pieces × width) taken apart into heads, its axes (piece, head, component) in that order."""
        parts = self.run("Reshape", at, self.constant(np.array([-1, HEADS, HEAD_WIDTH])))
        return self.run("Transpose", parts, perm=order)


def quantised(weight: np.ndarray, axis: int, largest: int) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers of -largest to largest, and their scales, one for each line along `axis`."""
    scales = np.maximum(np.abs(weight).max(axis=axis, keepdims=True), 1e-9).astype(np.float32) / np.float32(largest)
    return np.rint(weight / scales).astype(np.int8), scales


def make_graph(encoder: Encoder, projection: np.ndarray) -> onnx.ModelProto:
    """The model: `pieces` (int32, with [CLS] and [SEP]) in, `vectors` (int8, pieces without these × dimensions) out."""
    graph = Graph()
    weights = encoder.weights
    length = graph.run("Shape", "pieces")
    zero, one = graph.constant(np.array([0])), graph.constant(np.array([1]))
    positions = graph.run("Slice", graph.constant(encoder.positions()), zero, length)
    at = graph.run("Add", graph.rows(weights["embeddings.word_embeddings.weight"], "pieces"), positions)
    at = graph.norm(at, weights["embeddings.LayerNorm.weight"], weights["embeddings.LayerNorm.bias"])
    for number in range(LAYERS):
        at = add_layer(graph, encoder, number, at)
    inner = graph.run("Slice", at, one, graph.constant(np.array([-1])))
    add_output(graph, inner, projection)
    given = [helper.make_tensor_value_info("pieces", TensorProto.INT32, ["pieces"])]
    made = [helper.make_tensor_value_info("vectors", TensorProto.INT8, ["inner", projection.shape[1]])]
    whole = helper.make_graph(graph.nodes, "token-vectors", given, made, graph.constants)
    model = helper.make_model(whole, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    onnx.checker.check_model(model, full_check=True)
    return model


def add_layer(graph: Graph, encoder: Encoder, number: int, at: str) -> str:
    """One layer: attention, then the two dense parts, each added to what came in."""
    sides = graph.run("Split", graph.dense(at, *encoder.attention(number)), outputs=3, axis=-1, num_outputs=3)
    query, value = graph.heads(sides[0], [1, 0, 2]), graph.heads(sides[2], [1, 0, 2])
    shares = graph.run("Softmax", graph.run("MatMul", query, graph.heads(sides[1], [1, 2, 0])), axis=-1)
    mixed = graph.run("Transpose", graph.run("MatMul", shares, value), perm=[1, 0, 2])
    mixed = graph.run("Reshape", mixed, graph.constant(np.array([-1, WIDTH])))
    attended = graph.dense(mixed, *encoder.layer(number, "attention.output.dense"))
    at = graph.norm(graph.run("Add", at, attended), *encoder.layer(number, "attention.output.LayerNorm"))
    wide = graph.run("Gelu", graph.dense(at, *encoder.layer(number, "intermediate.dense")))
    narrow = graph.dense(wide, *encoder.layer(number, "output.dense"))
    return graph.norm(graph.run("Add", at, narrow), *encoder.layer(number, "output.LayerNorm"))


def add_output(graph: Graph, at: str, projection: np.ndarray) -> None:
    """The vectors in fewer dimensions, at length 127, as int8."""
    small = graph.run("MatMul", at, graph.constant(projection))
    small = graph.run("LpNormalization", small, axis=-1, p=2)
    steps = graph.run("Round", graph.run("Mul", small, graph.constant(np.array(127, np.float32))))
    graph.nodes.append(helper.make_node("Cast", [steps], ["vectors"], to=TensorProto.INT8))
