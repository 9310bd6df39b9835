"""Compares a model with the float encoder that it was made from."""

import json

import numpy as np
import onnxruntime

from encoder import Encoder

SENTENCES = [
    "The deployment failed because the database password had expired.",
    "Alice prefers short answers and dislikes long meetings.",
    "The invoice for March was paid late.",
    "Use four spaces for indentation, never tabs.",
    "My dog is afraid of thunder, so we stay at home on New Year's Eve.",
    "The service listens on port 8080 and answers with JSON; see INC-55314 and src/worker/main.ts:120.",
    "We fly to Lisbon on Friday and return the week after.",
    "ok",
    "Café naïve, don't: E=mc², 日本 straße 3.14 (unbelievably) HTTPServer_v2!",
    "I told you last week that I would rather not have walnuts in the cake. " * 14,
]
REFERENCE_TEXT = "Café Zoë's invoice INC-55314 🎉 is due on 3 March."
# What the model's documentation gives for these three (sbert.net, "Quickstart").
PUBLISHED_TEXTS = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
PUBLISHED = np.array([[1, 0.6660, 0.1046], [0.6660, 1, 0.1411], [0.1046, 0.1411, 1]])
PUBLISHED_WITHIN = 5e-4
COSINE_MEAN_MIN, COSINE_MIN = 0.985, 0.9


def check(encoder: Encoder, projection: np.ndarray, model: bytes) -> None:
    """Raises ValueError where the encoder is not the published one, or the model is not near to the encoder."""
    texts = np.stack([unit(encoder.forward(encoder.ids(text)).mean(axis=0)) for text in PUBLISHED_TEXTS])
    off = np.abs(texts @ texts.T - PUBLISHED).max()
    if off > PUBLISHED_WITHIN:
        raise ValueError(f"The float encoder differs from the published figures by {off:.4f}.")
    cosines = np.concatenate([agreement(encoder, projection, session_of(model), text) for text in SENTENCES])
    print(f"  cosine of the pieces to the float model: mean {cosines.mean():.4f}, least {cosines.min():.4f}")
    if cosines.mean() < COSINE_MEAN_MIN or cosines.min() < COSINE_MIN:
        raise ValueError("The model is not near enough to the float one.")


def session_of(model: bytes) -> onnxruntime.InferenceSession:
    """Runs the model on one thread."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def agreement(encoder: Encoder, projection: np.ndarray, session: onnxruntime.InferenceSession, text: str) -> np.ndarray:
    """The cosine of each piece's vector with what the float encoder makes of it, in the same dimensions."""
    ids = encoder.ids(text)
    exact = unit(encoder.forward(ids)[1:-1] @ projection)
    made = unit(session.run(["vectors"], {"pieces": ids})[0].astype(np.float32))
    return (exact * made).sum(axis=1)


def reference(encoder: Encoder, projection: np.ndarray) -> str:
    """A text and the float encoder's vectors of its pieces, rounded from length 127, as JSON."""
    exact = unit(encoder.forward(encoder.ids(REFERENCE_TEXT))[1:-1] @ projection)
    return json.dumps({"text": REFERENCE_TEXT, "vectors": np.rint(exact * 127).astype(int).tolist()}, ensure_ascii=False)


def unit(at: np.ndarray) -> np.ndarray:
    """At length 1, along the last axis."""
    return at / np.linalg.norm(at, axis=-1, keepdims=True)
