"""Texts under permissive licences, of three kinds, in the languages that the encoder is trained in."""

import random
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import yaml

from appstream import Sentence

CHATTERBOT = {"chinese": "zh", "dutch": "nl", "english": "en", "french": "fr", "german": "de", "italian": "it",
              "japanese": "ja", "korean": "ko", "portuguese": "pt", "russian": "ru", "spanish": "es", "thai": "th",
              "traditionalchinese": "zt", "turkish": "tr"}
TEXTS_PER_LANGUAGE = 1500
GLOSSES_MAX = 6000
LENGTHS = range(8, 300)
DENSE, DENSE_LENGTHS = ("ja", "ko", "th", "zh", "zt"), range(4, 300)
"""Languages that say more with fewer characters."""

TextsByLanguage = dict[str, list[str]]


def descriptions(sentences: list[Sentence]) -> TextsByLanguage:
    """Descriptions of programs."""
    return _sample((sentence.language, sentence.text) for sentence in sentences)


def conversations(wheel: Path) -> TextsByLanguage:
    """How people talk: chatterbot-corpus (BSD) from PyPI."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith(".yml") and name.split("/")[2] in CHATTERBOT]
        files = [(CHATTERBOT[name.split("/")[2]], yaml.safe_load(archive.read(name))) for name in names]
    return _sample((language, text) for language, file in files for conversation in file["conversations"]
                   for text in conversation if isinstance(text, str))


def glosses(wordnet: Path) -> TextsByLanguage:
    """Definitions and example sentences of WordNet 3.1, for words of all subjects."""
    lines = [line for file in sorted(wordnet.glob("data.*")) for line in file.read_text().splitlines()]
    texts = [text.strip(' "') for line in lines if line[:1].isdigit() for text in re.split(r'; (?=")', line.partition(" | ")[2])]
    return _sample((("en", text) for text in texts), GLOSSES_MAX)


def _sample(texts: Iterable[tuple[str, str]], most: int = TEXTS_PER_LANGUAGE) -> TextsByLanguage:
    """Some of each language, the same each time."""
    by_language: dict[str, set[str]] = defaultdict(set)
    for language, text in texts:
        if len(text) in (DENSE_LENGTHS if language in DENSE else LENGTHS):
            by_language[language].add(text)
    return {language: random.Random(1).sample(sorted(some), min(len(some), most)) for language, some in by_language.items()}
