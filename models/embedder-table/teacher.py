"""The sentence-transformers model that a table is made from."""

import os
import time
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"  # the model comes from a local folder: nothing is ever fetched

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

from table import word_piece_tokenizer

PROBE = "Café naïve, don't: E=mc², 日本 straße 3.14 (unbelievably) HTTPServer_v2!"
VOCABULARY_BATCH = 512
SENTENCE_BATCH = 32
SENTENCES_PER_REPORT = 2048


def load_teacher(folder: Path) -> SentenceTransformer:
    """Loads the model. Raises ValueError when it does not split text as BERT-uncased does."""
    if not (folder / "modules.json").is_file():
        raise ValueError(f"{folder} is not the folder of a sentence-transformers model.")
    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True).eval()
    pieces = word_piece_tokenizer(vocabulary_of(model)).encode(PROBE).ids
    if model.tokenizer.encode(PROBE, add_special_tokens=False) != pieces:
        raise ValueError(f"{folder}: the product reads BERT-uncased word pieces only; this model has others.")
    return model


def vocabulary_of(model: SentenceTransformer) -> list[str]:
    """The word pieces of the model, by id."""
    vocabulary = model.tokenizer.get_vocab()
    words = sorted(vocabulary, key=vocabulary.__getitem__)
    if [vocabulary[word] for word in words] != list(range(len(words))):
        raise ValueError("The ids of the model's vocabulary have gaps.")
    return words


@torch.inference_mode()
def encode_vocabulary(model: SentenceTransformer) -> np.ndarray:
    """The model's output for each vocabulary entry alone, between [CLS] and [SEP]."""
    start, end = model.tokenizer.cls_token_id, model.tokenizer.sep_token_id
    count = len(vocabulary_of(model))
    outputs = []
    for at in range(0, count, VOCABULARY_BATCH):
        ids = torch.tensor([[start, piece, end] for piece in range(at, min(at + VOCABULARY_BATCH, count))])
        features = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
        outputs.append(model(features)["sentence_embedding"].numpy())
        if at // VOCABULARY_BATCH % 10 == 0:
            print(f"  {at + len(ids)} of {count} entries", flush=True)
    return np.concatenate(outputs)


def encode_sentences(model: SentenceTransformer, sentences: list[str]) -> np.ndarray:
    """The model's vector of each sentence."""
    outputs = []
    begun = time.monotonic()
    for at in range(0, len(sentences), SENTENCES_PER_REPORT):
        some = sentences[at : at + SENTENCES_PER_REPORT]
        outputs.append(model.encode(some, batch_size=SENTENCE_BATCH, show_progress_bar=False))
        done = at + len(some)
        print(f"  {done} of {len(sentences)} sentences, {done / (time.monotonic() - begun):.0f}/s", flush=True)
    return np.concatenate(outputs)
