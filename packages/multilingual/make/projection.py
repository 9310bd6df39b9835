"""From the encoder's 512 dimensions to 256: the directions that keep most of the cosines."""

import numpy as np

from encoder import WIDTH, Encoder

DIMENSIONS = 256


def fit_projection(encoder: Encoder, corpora: list[dict[str, list[str]]]) -> np.ndarray:
    """Principal components about the origin, since cosines are what is to be kept (512 × 256).

    Each corpus counts the same, and within one each language.
    """
    moment = sum(_second_moment(encoder, corpus) for corpus in corpora) / len(corpora)
    lengths, directions = np.linalg.eigh(moment)
    print(f"  {lengths[::-1][:DIMENSIONS].sum():.2%} of the squared length is kept")
    kept = directions[:, ::-1][:, :DIMENSIONS]
    # A direction and its opposite are as good. The sign is chosen, so that it does not depend on the library.
    strongest = np.take_along_axis(kept, np.abs(kept).argmax(axis=0)[None], axis=0)
    return (kept * np.sign(strongest)).astype(np.float16)


def _second_moment(encoder: Encoder, corpus: dict[str, list[str]]) -> np.ndarray:
    """The mean product of each two components."""
    moment = np.zeros((WIDTH, WIDTH))
    for texts in corpus.values():
        vectors = encoder.encode(texts).astype(np.float64)
        moment += vectors.T @ vectors / len(texts) / len(corpus)
    print("  texts:", ", ".join(f"{language} {len(texts)}" for language, texts in sorted(corpus.items())), flush=True)
    return moment
