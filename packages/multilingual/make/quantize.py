"""Fewer bits for each weight, with one scale for each row of the table and each column of a matrix."""

import numpy as np


def rows_of_4_bits(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two components a byte, the first in the low half, each plus 8; and the scale of each row."""
    scales = _scales(np.abs(table).max(axis=1), 7)
    components = (np.clip(np.rint(table / scales[:, None]), -7, 7) + 8).astype(np.uint8)
    return components[:, 0::2] | (components[:, 1::2] << 4), scales


def columns_of_8_bits(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """int8 components, and the scale of each column."""
    scales = _scales(np.abs(matrix).max(axis=0), 127)
    return np.rint(matrix / scales).astype(np.int8), scales


def _scales(largest: np.ndarray, steps: int) -> np.ndarray:
    return np.where(largest == 0, 1e-9, largest / steps).astype(np.float32)
