"""A static embedding table: how it splits and embeds a text, how it is quantised, and its file (MSE1)."""

import json
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

MAGIC = b"MSE1"
UNKNOWN = "[UNK]"
SPECIAL = {"[PAD]", UNKNOWN, "[CLS]", "[SEP]", "[MASK]"}
SCALE_MIN = 1e-9


@dataclass(frozen=True)
class Table:
    """Word pieces, and one vector (float32) for each."""

    words: list[str]
    rows: np.ndarray


def is_special(word: str) -> bool:
    """Whether a vocabulary entry stands for no text: markers such as [CLS], and the entries left free."""
    return word in SPECIAL or word.startswith("[unused")


def word_piece_tokenizer(words: list[str]) -> Tokenizer:
    """The splitter that the product uses: BERT-uncased word pieces, without [CLS] and [SEP]."""
    vocabulary = {word: piece for piece, word in enumerate(words)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token=UNKNOWN, max_input_chars_per_word=100))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return tokenizer


def unit(vectors: np.ndarray) -> np.ndarray:
    """The vectors at length 1; vectors of length 0 stay."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)


def embed(table: Table, texts: list[str]) -> np.ndarray:
    """The vector of each text: the sum of its pieces' rows, at length 1."""
    encodings = word_piece_tokenizer(table.words).encode_batch(texts)
    return unit(np.stack([table.rows[encoding.ids].sum(axis=0) for encoding in encodings]))


def quantise(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A float32 scale for each row, and the rows as int8: row ≈ scale · int8."""
    scales = np.maximum(np.abs(rows).max(axis=1) / 127, SCALE_MIN).astype(np.float32)
    quantised = np.clip(np.rint(rows / scales[:, None]), -127, 127).astype(np.int8)
    return scales, quantised


def write_table(path: Path, table: Table, teacher: str) -> None:
    """Quantises a table and writes its file; `teacher` is named in the header."""
    scales, quantised = quantise(table.rows)
    vocabulary = "\n".join(table.words).encode()
    header = {
        "name": "minilm-static",
        "teacher": teacher,
        "tokenizer": "bert-uncased-wordpiece",
        "pool": "sum+l2",
        "dim": table.rows.shape[1],
        "vocab": len(table.words),
        "vocabBytes": len(vocabulary),
    }
    head = padded(json.dumps(header).encode(), b" ")
    parts = [MAGIC, struct.pack("<I", len(head)), head, padded(vocabulary, b"\n")]
    parts += [scales.astype("<f4").tobytes(), quantised.tobytes()]
    path.write_bytes(b"".join(parts))


def read_table(path: Path) -> Table:
    """Reads the file of a table. Raises ValueError when it is not one, or is cut short."""
    content = path.read_bytes()
    if content[:4] != MAGIC:
        raise ValueError(f"{path} is not a static embedding table.")
    vocabulary_at = 8 + struct.unpack_from("<I", content, 4)[0]
    header = json.loads(content[8:vocabulary_at])
    count, dimension, word_bytes = header["vocab"], header["dim"], header["vocabBytes"]
    scales_at = vocabulary_at + word_bytes + -word_bytes % 4
    rows_at = scales_at + 4 * count
    if len(content) < rows_at + count * dimension:
        raise ValueError(f"{path} is cut short.")
    scales = np.frombuffer(content, "<f4", count, scales_at)
    rows = np.frombuffer(content, np.int8, count * dimension, rows_at).reshape(count, dimension)
    words = content[vocabulary_at : vocabulary_at + word_bytes].decode().split("\n")
    return Table(words, scales[:, None] * rows.astype(np.float32))


def padded(content: bytes, filler: bytes) -> bytes:
    """The content, filled up to a multiple of 4 bytes."""
    return content + filler * (-len(content) % 4)
