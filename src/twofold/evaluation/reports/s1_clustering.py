"""S1 (Sah), chapter 5: score + ln(score)·empties − clustering, after Vasilis Vryniotis's article."""

from __future__ import annotations

import math

import numpy as np

from twofold.evaluation.base import Evaluation
from twofold.evaluation.reports.faces import face
from twofold.kernels.compiling import helper


@helper
def clustering(board):  # type: ignore[no-untyped-def]
    """Σ over tiles of the mean |difference| to the neighbouring cells; empty cells count as 0, bricks not at all."""
    rows, columns = board.shape
    total = 0.0
    for r in range(rows):
        for c in range(columns):
            rank = board[r, c]
            if rank == 0 or rank == 255:
                continue
            count = 0
            differences = 0.0
            for d in range(4):
                y = r + (d == 2) - (d == 0)
                x = c + (d == 1) - (d == 3)
                if 0 <= y < rows and 0 <= x < columns and board[y, x] != 255:
                    count += 1
                    differences += abs(face(rank) - face(board[y, x]))
            if count > 0:
                total += differences / count
    return total


@helper
def printed_clustering(board):  # type: ignore[no-untyped-def]
    """S1's listing 4: neighbours are i ± 1 and i ± columns, so rows run into each other; division drops the rest."""
    rows, columns = board.shape
    cells = rows * columns
    total = 0.0  # a sum of whole numbers
    for i in range(cells):
        rank = board[i // columns, i % columns]
        if rank == 0 or rank == 255:
            continue
        count = 0
        differences = np.int64(0)
        for d in range(4):
            j = i + (d == 1) - (d == 0) + columns * ((d == 3) - (d == 2))
            if 0 <= j < cells and board[j // columns, j % columns] != 255:
                count += 1
                differences += np.int64(abs(face(rank) - face(board[j // columns, j % columns])))
        if count > 0:
            total += np.float64(differences // count)
    return total


@helper
def sah_value(board, score, p):  # type: ignore[no-untyped-def]
    """score + ln(max(score, 1))·empties + p[0]·clustering; p[1]: the printed clustering."""
    empties = 0
    for r in range(board.shape[0]):
        for c in range(board.shape[1]):
            empties += board[r, c] == 0
    spread = printed_clustering(board) if p[1] != 0.0 else clustering(board)
    return np.float64(score) + math.log(np.float64(max(score, 1))) * empties + p[0] * spread


def sah(text: str, *, sign: int, as_printed: bool, dead: float) -> Evaluation:
    """S1's evaluation: score + ln(score)·empties − clustering.

    clustering: see `clustering`. ln(score) is 0 below a score of 1. sign: S1 prints a plus before the clustering but
    describes a penalty, and its source subtracts it; 1 gives the printed form. as_printed: the clustering of S1's
    listing, see `printed_clustering`.

    dead: a dead board is worth its score plus this. S1 doesn't say (its source takes the least value there is); the
    score alone would make death better than a crowded board, whose clustering exceeds its ln(score)·empties. −10^6 is
    below every live board while tiles add up to less than 2^18, as they do on 4×4.
    """
    numbers = (float(sign), float(as_printed))
    return Evaluation(text, function=sah_value, parameters=numbers, scored=True, dead=dead, dead_score=1.0)
