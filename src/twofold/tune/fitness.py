"""How good were some games? Each fitness is a mean over games of a number per game, so games compare in pairs.

- `s0`: Σ over tiles of tile · P(best tile = tile), the mean of the highest tile (S0, Formulation of Heuristics);
- `mean-score`: the mean score; `log-score`: the mean of log2(score + 1), which a few lucky games don't rule;
- `rate:TILE`: the share of games that reach the tile.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twofold.errors import InvalidParameter, did_you_mean, quote

NAMES = ("s0", "mean-score", "log-score", "rate:2048")


@dataclass(frozen=True, slots=True)
class Fitness:
    """A fitness by its text; `tile` is that of a rate, else 0."""

    text: str
    tile: int = 0

    @classmethod
    def parse(cls, text: str) -> Fitness:
        """Reads `s0`, `mean-score`, `log-score` or `rate:TILE`."""
        name, _, tile = text.partition(":")
        if name == "rate" and tile.isascii() and tile.isdigit() and len(tile) < 8:
            value = int(tile)
            if value >= 4 and value & (value - 1) == 0:
                return cls(text, value)
        if text not in NAMES:
            raise InvalidParameter(
                f"fitness {quote(text)} is not one of s0, mean-score, log-score, rate:TILE{did_you_mean(text, NAMES)}"
            )
        return cls(text)

    def of_games(self, scores: ArrayLike, max_tiles: ArrayLike) -> NDArray[np.float64]:
        """The number of each game, float64 (n,)."""
        if self.tile:
            return (np.asarray(max_tiles) >= self.tile).astype(np.float64)
        if self.text == "s0":
            return np.asarray(max_tiles, np.float64)
        points = np.asarray(scores, np.float64)
        return points if self.text == "mean-score" else np.log2(points + 1)
