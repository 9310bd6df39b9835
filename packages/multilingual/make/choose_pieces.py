"""Chooses the word pieces that the model file keeps: those that are most frequent in any of 16 languages.

Texts are counted as they are written, since a piece with a capital is another piece. All single characters
and numbers are kept.
"""

import argparse
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import opencc
import wordfreq

from appstream import read_sentences
from encoder import PIECES, Encoder, Tokenizer
from texts import conversations, glosses

KEPT = 96_000
LANGUAGES = "ar de en es fr it ja ko nl pl pt ru tr zh".split()
"""Those that wordfreq has. Its Chinese is simplified, so traditional characters are made from it."""
WORDS_PER_LANGUAGE = 25_000
UNSPACED = ("ja", "zh")
THAI_FREQUENCIES = "pythainlp/corpus/tnc_freq.txt"
MARKS = 7
"""The first pieces: the marks at both ends, the unknown one and the space."""
SPACE = 6
CAPITALISED, CAPITALISED_GERMAN = 0.25, 0.6
"""How often a word begins with a capital, beside once without."""


def main() -> None:
    """Writes which pieces are kept, one bit each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("components", type=Path, help="Components-amd64.yml.gz of Debian")
    parser.add_argument("chatterbot", type=Path, help="the wheel of chatterbot-corpus")
    parser.add_argument("wordnet", type=Path, help="WordNet's folder dict")
    parser.add_argument("pythainlp", type=Path, help="the wheel of pythainlp")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "kept-pieces.npy", metavar="FILE")
    arguments = parser.parse_args()
    encoder = Encoder()
    texts = [sentence.text for sentence in read_sentences(arguments.components)]
    for corpus in (conversations(arguments.chatterbot), glosses(arguments.wordnet)):
        texts += [text for some in corpus.values() for text in some]
    sources = [*map(words, LANGUAGES), traditional(words("zh")), thai_words(arguments.pythainlp),
               ((text, 1, False) for text in texts)]
    counts = [frequencies(encoder.tokenizer, source) for source in sources]
    importance = np.max(counts, axis=0)
    importance += [is_always_kept(encoder.piece(piece).replace("▁", "")) for piece in range(PIECES)]
    importance[:MARKS] = np.inf
    kept = np.zeros(PIECES, bool)
    kept[np.argsort(-importance, kind="stable")[:KEPT]] = True
    np.save(arguments.out, np.packbits(kept))


def is_always_kept(piece: str) -> bool:
    """Single characters, so that anything can be spelled, and numbers, which lists of words do not count."""
    return len(piece) <= 1 or piece.isdecimal()


def words(language: str) -> Iterator[tuple[str, float, bool]]:
    """Frequent words with their frequencies, with and without a capital; and whether no space goes before them."""
    frequent = list(wordfreq.get_frequency_dict(language).items())[:WORDS_PER_LANGUAGE]
    has_capitals = any(word != _capitalised(word) for word, _ in frequent)
    share = CAPITALISED_GERMAN if language == "de" else CAPITALISED
    for word, frequency in frequent:
        yield word, frequency, language in UNSPACED
        if has_capitals:
            yield _capitalised(word), share * frequency, False


def traditional(simplified: Iterable[tuple[str, float, bool]]) -> Iterator[tuple[str, float, bool]]:
    """The same words in traditional characters."""
    convert = opencc.OpenCC("s2t").convert
    return ((convert(word), frequency, is_unspaced) for word, frequency, is_unspaced in simplified)


def thai_words(pythainlp: Path) -> Iterator[tuple[str, float, bool]]:
    """Frequent words of the Thai National Corpus (CC0)."""
    with zipfile.ZipFile(pythainlp) as archive:
        lines = archive.read(THAI_FREQUENCIES).decode().splitlines()
    for line in lines[:WORDS_PER_LANGUAGE]:
        word, count = line.split("\t")
        yield word, int(count), True


def frequencies(tokenizer: Tokenizer, texts: Iterable[tuple[str, float, bool]]) -> np.ndarray:
    """The share of each piece."""
    counts = np.zeros(PIECES)
    for text, frequency, is_unspaced in texts:
        pieces = tokenizer.pieces.encode(text)
        if is_unspaced and len(pieces) > 1 and pieces[0] == SPACE:
            pieces = pieces[1:]
        np.add.at(counts, pieces, frequency)
    return counts / counts.sum()


def _capitalised(word: str) -> str:
    return word[:1].upper() + word[1:]


if __name__ == "__main__":
    main()
