"""Makes the static embedding table of the built-in embedder from a sentence-transformers model.

Step 1: the model's output for each vocabulary entry, reduced by PCA, times the logarithm of its rank.
Step 2 (with --sentences): the table fitted to the model's own sentence vectors.
Step 3: int8 and one scale for each row, written as an MSE1 file.
"""

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from compare import compare
from table import Table, is_special, read_table, write_table


@dataclass(frozen=True)
class Projection:
    """Principal components: the mean that is taken away, and the directions (input × kept dimensions)."""

    mean: np.ndarray
    directions: np.ndarray


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, metavar="DIR", help="folder of the sentence-transformers model")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the table to write")
    parser.add_argument("--sentences", type=Path, metavar="FILE", help="text to fit to, one sentence a line")
    parser.add_argument("--check", type=Path, metavar="OTHER", help="compare --out with this table; without --model, "
                        "--out is only read")
    parser.add_argument("--teacher", metavar="NAME", help="the model's name for the header (default: its folder's)")
    parser.add_argument("--dim", type=int, default=256, help="dimensions of the table (default: %(default)s)")
    parser.add_argument("--epochs", type=int, default=2, help="passes over the sentences (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="seed of step 2's order (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="CPU threads (default: %(default)s)")
    arguments = parser.parse_args()
    if not arguments.model and not arguments.check:
        parser.error("give --model to make a table, or --check to compare one")
    return arguments


def main() -> None:
    """Makes a table, compares one, or both."""
    arguments = parse_arguments()
    try:
        if arguments.model:
            make(arguments)
        if arguments.check:
            compare(read_table(arguments.out), read_table(arguments.check))
    except (OSError, ValueError) as error:
        sys.exit(f"make_table: {error}")


def make(arguments: argparse.Namespace) -> None:
    """Runs the three steps."""
    # Imported here because they load for seconds, and neither --help nor --check needs them.
    import torch

    from fit import fit
    from teacher import encode_sentences, encode_vocabulary, load_teacher, vocabulary_of

    begun = time.monotonic()
    torch.set_num_threads(arguments.threads)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(arguments.seed)
    model = load_teacher(arguments.model)
    sentences = read_sentences(arguments.sentences) if arguments.sentences else []

    print("Step 1: the vocabulary", flush=True)
    words = vocabulary_of(model)
    table, projection = table_of_words(words, encode_vocabulary(model), arguments.dim)
    if sentences:
        print("Step 2: the sentences", flush=True)
        targets = centred_targets(encode_sentences(model, sentences), projection)
        table = fit(table, sentences, targets, arguments.epochs, arguments.seed, model.max_seq_length - 2)
    print("Step 3: the file", flush=True)
    write_table(arguments.out, table, arguments.teacher or arguments.model.resolve().name)
    print(f"  {arguments.out}: {arguments.out.stat().st_size} bytes, {time.monotonic() - begun:.0f} s", flush=True)


def read_sentences(path: Path) -> list[str]:
    """The sentences of a file in order, each once."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return list(dict.fromkeys(line for line in lines if line))


def table_of_words(words: list[str], outputs: np.ndarray, dimension: int) -> tuple[Table, Projection]:
    """The table of step 1, and the projection it used. Entries that stand for no text have rows of zeros."""
    real = np.array([not is_special(word) for word in words])
    projection = principal_components(outputs[real], dimension)
    rows = (outputs - projection.mean) @ projection.directions * rank_weights(words)[:, None]
    rows[~real] = 0
    return Table(words, rows.astype(np.float32)), projection


def principal_components(outputs: np.ndarray, dimension: int) -> Projection:
    """PCA. The sign of each direction is fixed: its largest component is positive."""
    if dimension > outputs.shape[1]:
        raise ValueError(f"The model has {outputs.shape[1]} dimensions, fewer than --dim {dimension}.")
    mean = outputs.mean(axis=0, dtype=np.float64)
    _, directions = np.linalg.eigh(np.cov((outputs - mean).T))  # least variance first
    kept = directions[:, ::-1][:, :dimension]
    largest = kept[np.abs(kept).argmax(axis=0), np.arange(dimension)]
    return Projection(mean, kept * np.sign(largest))


def rank_weights(words: list[str]) -> np.ndarray:
    """The logarithm of each entry's rank: BERT's vocabulary lists frequent words first.

    Ranks count from the first entry of several characters ("the"). Before it stand special entries and single
    characters in the order of Unicode, which says nothing of their frequency: they share its low weight.
    """
    first = next(piece for piece, word in enumerate(words) if len(word) > 1 and not is_special(word))
    ranks = np.maximum(np.arange(len(words)) - first, 0) + 1
    return np.log1p(ranks)


def centred_targets(outputs: np.ndarray, projection: Projection) -> np.ndarray:
    """The model's sentence vectors about their own mean, in the table's dimensions."""
    return ((outputs - outputs.mean(axis=0)) @ projection.directions).astype(np.float32)


if __name__ == "__main__":
    main()
