"""Makes the model file of the multilingual encoder from Universal Sentence Encoder multilingual v3.

With --fit, makes the projection to fewer dimensions first, and prints what it keeps.
"""

import argparse
import hashlib
import json
import random
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from appstream import Sentence, read_sentences
from check import check_projection, project
from encoder import PIECES, Encoder
from projection import fit_projection
from quantize import columns_of_8_bits, rows_of_4_bits
from texts import conversations, descriptions, glosses

HERE = Path(__file__).parent
KEPT_PIECES = HERE / "kept-pieces.npy"
PROJECTION = HERE / "projection.npy"
HELD_OUT = 4
"""One group of sentences in so many is held out for the check."""


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the model to write")
    parser.add_argument("--fit", type=Path, nargs=3, metavar=("COMPONENTS", "CHATTERBOT", "WORDNET"),
                        help="Components-amd64.yml.gz of Debian, the wheel of chatterbot-corpus, WordNet's folder dict")
    parser.add_argument("--facts", type=Path, metavar="FILE", help="the same sentences by language, to check with too")
    parser.add_argument("--reference", type=Path, metavar="FILE", help="write the float model's vectors of some facts, for a test")
    return parser.parse_args()


def tensors(encoder: Encoder, kept: np.ndarray, projection: np.ndarray) -> dict[str, np.ndarray]:
    """Everything that the service computes with. Piece numbers are places among those kept."""
    model = encoder.backend
    rows, scales = rows_of_4_bits(encoder.rows()[kept])
    made = {
        "pieces.text": np.frombuffer("\n".join(encoder.piece(piece) for piece in kept).encode(), np.uint8),
        "pieces.scores": np.array([encoder.score(piece) for piece in kept], np.float32),
        "pieces.rows": rows,
        "pieces.scales": scales,
        "window_norm.gain": model.ln_g_all,
        "window_norm.offset": model.ln_b_all,
        "token_norm.gain": model.ln_g,
        "token_norm.offset": model.ln_b,
    }
    matrices = {"window_input": (model.proj_W, model.proj_b), "pooled": (model.cnn_W, model.cnn_b)}
    for place, width in enumerate((2, 3, 5)):
        matrices[f"convolution_{width}.first"] = (model.w1[place], model.b1[place])
        matrices[f"convolution_{width}.second"] = (model.w2[place], model.b2[place])
    # Two residual blocks of dense layers, each with a shortcut.
    for name, matrix in {"first.hidden": model.d0, "first.output": model.d1, "first.shortcut": model.p1,
                         "second.hidden": model.d2, "second.output": model.d3, "second.shortcut": model.p3}.items():
        matrices[f"dense_{name}"] = (matrix, None)
    matrices["projection"] = (projection, None)
    for name, (matrix, bias) in matrices.items():
        made[f"{name}.weights"], made[f"{name}.scales"] = columns_of_8_bits(matrix)
        if bias is not None:
            made[f"{name}.bias"] = bias
    return {name: np.ascontiguousarray(t, np.float32 if t.dtype.kind == "f" else None) for name, t in made.items()}


def divide(sentences: list[Sentence]) -> tuple[list[Sentence], list[Sentence]]:
    """Sentences to fit with, and those held out."""
    groups = sorted({sentence.group for sentence in sentences})
    random.Random(1).shuffle(groups)
    held_out = set(groups[::HELD_OUT])
    return ([sentence for sentence in sentences if sentence.group not in held_out],
            [sentence for sentence in sentences if sentence.group in held_out])


def fit(encoder: Encoder, components: Path, chatterbot: Path, wordnet: Path) -> None:
    """Makes the projection, and checks it with what was held out."""
    fitted, held_out = divide(read_sentences(components))
    corpora = [descriptions(fitted), conversations(chatterbot), glosses(wordnet)]
    np.save(PROJECTION, fit_projection(encoder, corpora))
    check_projection(encoder, np.load(PROJECTION).astype(np.float32), held_out)


def facts(file: Path) -> list[Sentence]:
    """Sentences of a JSON file, by language."""
    return [Sentence(str(group), language, text) for language, texts in json.loads(file.read_text()).items()
            for group, text in enumerate(texts)]


def spelled_alike(encoder: Encoder, kept: np.ndarray, sentences: list[Sentence]) -> list[str]:
    """The last sentence of each language that has kept pieces only: there both models read the same."""
    known = set(kept.tolist())
    alike = {s.language: s.text for s in sentences if known.issuperset(encoder.tokenizer.encode(s.text))}
    return sorted(alike.values())


def main() -> None:
    """Makes a model."""
    arguments = parse_arguments()
    try:
        encoder = Encoder()
        if arguments.fit:
            fit(encoder, *arguments.fit)
        projection = np.load(PROJECTION).astype(np.float32)
        if arguments.facts:
            check_projection(encoder, projection, facts(arguments.facts))
        kept = np.flatnonzero(np.unpackbits(np.load(KEPT_PIECES), count=PIECES))
        # One member only: the library writes several in any order.
        metadata = {"epsilon": repr(encoder.backend.eps)}
        written = save(tensors(encoder, kept, projection), metadata)
        arguments.out.write_bytes(written)
        if arguments.reference:
            texts = spelled_alike(encoder, kept, facts(arguments.facts))
            vectors = project(encoder.encode(texts), projection)
            arguments.reference.write_text(json.dumps({text: [round(float(component), 4) for component in vector]
                                                       for text, vector in zip(texts, vectors)}, ensure_ascii=False))
        print(f"{arguments.out}: {len(written)} bytes, sha256 {hashlib.sha256(written).hexdigest()}")
    except (OSError, ValueError) as error:
        sys.exit(f"make_model: {error}")


if __name__ == "__main__":
    main()
