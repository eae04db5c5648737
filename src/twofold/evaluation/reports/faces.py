"""The face value of a rank, for the formulas of this folder."""

from __future__ import annotations

import numpy as np

from twofold.kernels.compiling import helper


@helper
def face(rank):  # type: ignore[no-untyped-def]
    """2^rank as float64; an empty cell (rank 0) is 0."""
    return np.float64(np.int64(1) << np.int64(rank)) if rank != 0 else 0.0
