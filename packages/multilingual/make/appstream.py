"""Sentences in many languages from Debian's AppStream metadata: names, summaries and descriptions of programs.

AppStream requires a permissive licence for metadata. Translations of one sentence share a group.
"""

import gzip
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

LANGUAGES = "ar de en es fr it ja ko nl pl pt ru th tr zh zt".split()
"""What the encoder is trained in. zt stands for traditional Chinese."""

_CODES = {"C": "en", "pt_BR": "pt", "zh_CN": "zh", "zh_TW": "zt"}
_LENGTHS = range(12, 300)


@dataclass(frozen=True)
class Sentence:
    group: str
    language: str
    text: str


def read_sentences(components: Path) -> list[Sentence]:
    """Sentences of a file `…_Components-amd64.yml.gz` that apt has fetched."""
    with gzip.open(components, "rt") as file:
        documents = file.read().split("\n---\n")
    return [sentence for number, document in enumerate(documents) for sentence in _sentences(number, document)]


def _sentences(number: int, document: str) -> Iterator[Sentence]:
    component = yaml.load(document, Loader=yaml.CSafeLoader)
    if not isinstance(component, dict):
        return
    for member in ("Name", "Summary", "Description"):
        translations = component.get(member)
        if not isinstance(translations, dict):
            continue
        paragraphs = {code: _paragraphs(text) for code, text in translations.items()}
        original = len(paragraphs.get("C", []))
        for code, texts in paragraphs.items():
            language = _CODES.get(code, code)
            # Only a translation with as many paragraphs is parallel.
            if language not in LANGUAGES or len(texts) != original:
                continue
            for place, text in enumerate(texts):
                if len(text) in _LENGTHS:
                    yield Sentence(f"{number}.{member}.{place}", language, text)


def _paragraphs(text: str) -> list[str]:
    parts = (re.sub(r"<[^>]+>", "", part) for part in re.split(r"</?(?:p|li|ul|ol)>", text))
    return [part for part in (re.sub(r"\s+", " ", html.unescape(part)).strip() for part in parts) if part]
