"""Compares two tables: their sentence vectors, and the nearest neighbours of some words."""

import numpy as np

from table import Table, embed, unit

SENTENCES = [
    "The deployment failed because the database password had expired.",
    "We could not release: the credentials for Postgres were out of date.",
    "Alice prefers short answers and dislikes long meetings.",
    "She wants replies to be brief.",
    "The invoice for March was paid late.",
    "Payment of the bill arrived two weeks after it was due.",
    "Use four spaces for indentation, never tabs.",
    "The code style forbids tab characters.",
    "My dog is afraid of thunder.",
    "The puppy hides whenever there is a storm.",
    "The service listens on port 8080 and answers with JSON.",
    "We fly to Lisbon on Friday and return the week after.",
]
WORDS = ["database", "doctor", "python", "king", "happy", "car", "payment", "berlin", "bug", "##ing"]
NEIGHBOURS = 6


def compare(ours: Table, other: Table) -> None:
    """Prints how alike two tables are."""
    first, second = embed(ours, SENTENCES), embed(other, SENTENCES)
    print(f"sentence vectors, {len(SENTENCES)} built-in sentences:")
    if first.shape == second.shape:
        print(f"  mean cosine as they are:             {mean_cosine(first, second):.3f}")
    print(f"  mean cosine after the best rotation: {mean_cosine(*rotated(ours, other, first, second)):.3f}")
    print(f"  correlation of the pairs' cosines:   {pair_correlation(first, second):.3f}")
    print("nearest neighbours (first this table's, then the other's):")
    for word in WORDS:
        print_neighbours(word, ours, other)


def mean_cosine(first: np.ndarray, second: np.ndarray) -> float:
    """The mean cosine of vectors of length 1 with their counterparts."""
    return float((first * second).sum(axis=1).mean())


def rotated(ours: Table, other: Table, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both sets of vectors in one space: two tables may hold the same directions in different dimensions.

    The rotation is the best one for the rows of the words that both tables have (orthogonal Procrustes).
    """
    other_at = {word: piece for piece, word in enumerate(other.words)}
    shared = [(piece, other_at[word]) for piece, word in enumerate(ours.words) if word in other_at]
    ours_at, theirs_at = np.array(shared).T
    left, _, right = np.linalg.svd(unit(ours.rows[ours_at]).T @ unit(other.rows[theirs_at]), full_matrices=False)
    return unit(first @ left), unit(second @ right.T)


def pair_correlation(first: np.ndarray, second: np.ndarray) -> float:
    """How the cosines between the sentences correlate; it needs no common space."""
    pairs = np.triu_indices(len(first), 1)
    return float(np.corrcoef((first @ first.T)[pairs], (second @ second.T)[pairs])[0, 1])


def print_neighbours(word: str, ours: Table, other: Table) -> None:
    """Prints the words nearest to `word` in both tables, and how many they share."""
    mine, theirs = neighbours(ours, word), neighbours(other, word)
    same = len({w for w, _ in mine} & {w for w, _ in theirs})
    print(f"  {word}: {same} of {NEIGHBOURS} shared")
    for found in (mine, theirs):
        print("    " + ", ".join(f"{near} {cosine:.2f}" for near, cosine in found))


def neighbours(table: Table, word: str) -> list[tuple[str, float]]:
    """The words nearest to `word`, with their cosines, nearest first; none when the table lacks it."""
    if word not in table.words:
        return []
    piece = table.words.index(word)
    rows = unit(table.rows)
    cosines = rows @ rows[piece]
    cosines[piece] = -1
    return [(table.words[p], float(cosines[p])) for p in np.argsort(-cosines, kind="stable")[:NEIGHBOURS]]
