"""Step 2: fits a table to the model's own sentence vectors."""

import numpy as np
import torch
from torch.nn.functional import cosine_similarity, embedding_bag, kl_div, log_softmax, normalize

from table import Table, is_special, word_piece_tokenizer

TEMPERATURE = 0.05
BATCH = 256
LEARNING_RATE = 2e-3
HELD_OUT_SHARE, HELD_OUT_MAX = 0.05, 1000
STEPS_PER_REPORT = 20


def fit(table: Table, sentences: list[str], targets: np.ndarray, epochs: int, seed: int, pieces_max: int) -> Table:
    """Fits the rows so that the vectors of the sentences come near `targets`, absolutely and to each other."""
    bags = bags_of(table, sentences, pieces_max)
    filled = [sentence for sentence, bag in enumerate(bags) if len(bag) > 0]
    random = np.random.default_rng(seed)
    order = random.permutation(filled)
    held_out_count = min(HELD_OUT_MAX, int(len(order) * HELD_OUT_SHARE))
    held_out, training = order[:held_out_count], order[held_out_count:]
    if held_out_count < 2:
        raise ValueError("Too few sentences to fit a table: a few thousand is the least that helps.")

    goal = normalize(torch.from_numpy(targets))
    rows = torch.nn.Parameter(torch.from_numpy(at_mean_length_1(table.rows)))
    optimiser = torch.optim.SparseAdam([rows], lr=LEARNING_RATE)
    print(f"  before: {agreement(rows, bags, goal, held_out)}", flush=True)
    for epoch in range(1, epochs + 1):
        run_epoch(rows, optimiser, bags, goal, random.permutation(training), epoch)
        print(f"  after epoch {epoch}: {agreement(rows, bags, goal, held_out)}", flush=True)
    return Table(table.words, rows.detach().numpy())


def bags_of(table: Table, sentences: list[str], pieces_max: int) -> list[torch.Tensor]:
    """The pieces of each sentence that have a row, as far as the model reads."""
    tokenizer = word_piece_tokenizer(table.words)
    tokenizer.enable_truncation(pieces_max)
    special = {piece for piece, word in enumerate(table.words) if is_special(word)}
    encodings = tokenizer.encode_batch(sentences)
    return [torch.tensor([p for p in e.ids if p not in special], dtype=torch.long) for e in encodings]


def at_mean_length_1(rows: np.ndarray) -> np.ndarray:
    """The rows, scaled together so that their mean length is 1: the learning rate then fits any model."""
    lengths = np.linalg.norm(rows, axis=1)
    return (rows / lengths[lengths > 0].mean()).astype(np.float32)


def run_epoch(rows, optimiser, bags: list, goal: torch.Tensor, order: np.ndarray, epoch: int) -> None:
    """Fits the rows to each sentence once, in batches. A last batch that is not full is left out."""
    size = min(BATCH, len(order))
    steps = len(order) // size
    for step in range(steps):
        batch = order[step * size : (step + 1) * size]
        loss = loss_of(vectors_of(rows, bags, batch), goal[batch])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % STEPS_PER_REPORT == 0:
            print(f"  epoch {epoch}, step {step + 1} of {steps}: loss {loss.item():.4f}", flush=True)


def vectors_of(rows: torch.Tensor, bags: list, batch: np.ndarray) -> torch.Tensor:
    """The table's vectors of some sentences, at length 1."""
    pieces = [bags[sentence] for sentence in batch]
    offsets = torch.tensor([0] + [len(bag) for bag in pieces[:-1]]).cumsum(0)
    return normalize(embedding_bag(torch.cat(pieces), rows, offsets, mode="sum", sparse=True))


def loss_of(vectors: torch.Tensor, goal: torch.Tensor) -> torch.Tensor:
    """1 − cosine to the goal, plus KL: which sentences of the batch are near each other, and how much."""
    cosine = 1 - (vectors * goal).sum(dim=1).mean()
    likely, wanted = (log_softmax(similarities(v) / TEMPERATURE, dim=1) for v in (vectors, goal))
    return cosine + kl_div(likely, wanted, log_target=True, reduction="batchmean")


def similarities(vectors: torch.Tensor) -> torch.Tensor:
    """The cosine of each vector with each other one; each line leaves out the vector itself."""
    count = len(vectors)
    others = ~torch.eye(count, dtype=torch.bool)
    return (vectors @ vectors.T)[others].view(count, count - 1)


@torch.no_grad()
def agreement(rows: torch.Tensor, bags: list, goal: torch.Tensor, held_out: np.ndarray) -> str:
    """How well the table does on sentences it was not fitted to, as a line of text."""
    vectors, wanted = vectors_of(rows, bags, held_out), goal[held_out]
    cosine = cosine_similarity(vectors, wanted).mean()
    near, wanted_near = similarities(vectors), similarities(wanted)
    correlation = torch.corrcoef(torch.stack([near.flatten(), wanted_near.flatten()]))[0, 1]
    same_nearest = (near.argmax(dim=1) == wanted_near.argmax(dim=1)).float().mean()
    return (
        f"on {len(held_out)} held-out sentences, cosine to the model {cosine:.3f}, "
        f"pair cosines correlate {correlation:.3f}, same nearest sentence {same_nearest:.1%}"
    )
