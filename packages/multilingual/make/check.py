"""Compares vectors of 256 dimensions with the encoder's own of 512."""

import numpy as np

from appstream import Sentence
from encoder import Encoder


def check_projection(encoder: Encoder, projection: np.ndarray, sentences: list[Sentence]) -> None:
    """Prints how far cosines move, and how often a sentence's nearest English one is its original, in both."""
    english = {sentence.group: sentence.text for sentence in sentences if sentence.language == "en"}
    groups = list(english)
    place = {group: at for at, group in enumerate(groups)}
    originals = encoder.encode([english[group] for group in groups])
    all_vectors = [originals]
    for language in sorted({sentence.language for sentence in sentences} - {"en"}):
        translated = [s for s in sentences if s.language == language and s.group in place and s.text != english[s.group]]
        if not translated:
            continue
        vectors = encoder.encode([sentence.text for sentence in translated])
        answers = [place[sentence.group] for sentence in translated]
        whole = _right_first(vectors, originals, answers)
        reduced = _right_first(project(vectors, projection), project(originals, projection), answers)
        print(f"  {language}: R@1 {whole:.1%} of 512, {reduced:.1%} of 256; {len(answers)} of {len(groups)}", flush=True)
        all_vectors.append(vectors)
    _print_error(np.concatenate(all_vectors), projection)


def project(vectors: np.ndarray, projection: np.ndarray) -> np.ndarray:
    """Vectors in fewer dimensions, at length 1."""
    projected = vectors @ projection
    return projected / np.linalg.norm(projected, axis=1, keepdims=True)


def _right_first(queries: np.ndarray, texts: np.ndarray, answers: list[int]) -> float:
    return float(((queries @ texts.T).argmax(axis=1) == np.array(answers)).mean())


def _print_error(vectors: np.ndarray, projection: np.ndarray) -> None:
    generator = np.random.default_rng(1)
    left, right = generator.integers(len(vectors), size=(2, 200_000))
    reduced = project(vectors, projection)
    errors = np.abs((vectors[left] * vectors[right]).sum(1) - (reduced[left] * reduced[right]).sum(1))
    print(f"  cosines of 200,000 pairs: mean absolute error {errors.mean():.4f}, 99 % below {np.quantile(errors, .99):.4f}")
