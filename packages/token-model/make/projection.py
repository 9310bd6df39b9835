"""From the encoder's 384 dimensions to fewer: the directions that keep most of the pieces' cosines."""

import numpy as np

from encoder import WIDTH, Encoder

DIMENSIONS = 64
SENTENCES_MAX = 1000


def fit_projection(encoder: Encoder, corpora: list[list[str]]) -> np.ndarray:
    """Principal components of the pieces' vectors, about the origin: cosines are what is to be kept (384 × DIMENSIONS).

    Of a corpus with many sentences, some `SENTENCES_MAX` are taken, evenly. Each corpus counts the same, whatever its size.
    """
    lengths, directions = np.linalg.eigh(sum(second_moment(encoder, sentences) for sentences in corpora) / len(corpora))
    print(f"  {lengths[::-1][:DIMENSIONS].sum():.1%} of the squared length is kept")
    kept = directions[:, ::-1][:, :DIMENSIONS]
    # A direction and its opposite are as good: the sign is chosen, so that it does not depend on the library.
    strongest = np.take_along_axis(kept, np.abs(kept).argmax(axis=0)[None], axis=0)
    return (kept * np.sign(strongest)).astype(np.float32)


def second_moment(encoder: Encoder, sentences: list[str]) -> np.ndarray:
    """The mean product of each two components, over the vectors of all pieces at length 1."""
    chosen = sentences[:: -(-len(sentences) // SENTENCES_MAX)]
    products, count = np.zeros((WIDTH, WIDTH)), 0
    for sentence in chosen:
        vectors = encoder.forward(encoder.ids(sentence))[1:-1]
        if len(vectors) == 0:
            continue
        vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float64)
        products += vectors.T @ vectors
        count += len(vectors)
    print(f"  {len(chosen)} sentences of {count} pieces", flush=True)
    return products / count
