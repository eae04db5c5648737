"""What an evaluation is: the value of a board as the leaf of a search.

An evaluation speaks of *afterstates* (a board waiting for a spawn) unless its own text says otherwise. It is one of

- a **line evaluation**: the sum over all rows and columns of one formula, and over all cells of a value per rank.
  Inside 4x4 this is a tuple network whose tables are filled from the formula, so the search looks lines up;
- a **function evaluation**: any compiled function of the whole board;
- a **network**: tables that were learned (evaluation/network.py).

All run inside the compiled search. Formulas are written against plain vectors of ranks, once for every board size.

*Score.* `reward` = 1 means that the value is of the future alone, in points, and the search adds the points made on
the way; 0 means that points don't count. A `scored` function receives the score so far and returns the whole value.
*Dead boards*: a position without a legal move is worth `dead`, plus `dead_score` per point so far for `scored` ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidParameter
from twofold.rules.board import Board

if TYPE_CHECKING:
    from twofold.evaluation.network import Network
    from twofold.evaluation.neural import NeuralNetwork

MOST_PARAMETERS = 256
"""Numbers that a formula may be given."""

RANKS = 64
"""Entries of a cell's table, one per rank (ranks end at 60)."""

EvaluationLike = Any
"""Whatever `twofold.evaluation.as_evaluation` takes: a text, an Evaluation, a function of a board, a network."""

CellTable = Callable[[Board], NDArray[np.float64]]


@dataclass(frozen=True, repr=False)
class Evaluation:
    """A named evaluation, ready for the search.

    text: canonical call text. line: compiled formula `(ranks uint8 (n,), parameters float64) -> float` of one row
    or column, bricks as 255. numbered: the formula takes the line's number too, 0 to 3 for a row by the quarter of
    the board that it lies in, 4 to 7 for a column. placed: function from a board (only its shape counts) to float64
    (cells, 64), the value of each rank on each cell. single: float32 holds what lines are worth with their cells
    well enough; the search is faster for it. function: compiled formula `(ranks uint8 (rows, columns), score,
    parameters) -> float`. network: a tuple network or a neural one; with a line or cell formula the value is the
    sum of both, which only a tuple network on packed boards has (any other search leaves the formula out).
    formations: what it knows of formation tables, with the `address` of the words that kernels/exact/leaning.py
    lists. parameters: up to 256 numbers for the formulas. accepts: raises InvalidParameter for a board it makes no
    sense on. origin: file and line of a user's function. recipe: a function and its arguments that make an equal
    evaluation, for copies: compiled code can't be copied.
    """

    text: str
    line: Any = None
    numbered: bool = False
    placed: CellTable | None = None
    single: bool = False
    function: Any = None
    network: Network | NeuralNetwork | None = None
    parameters: tuple[float, ...] = ()
    formations: Any = None
    reward: float = 0.0
    scored: bool = False
    dead: float = 0.0
    dead_score: float = 0.0
    accepts: Callable[[Board], None] | None = field(default=None, compare=False)
    origin: tuple[str, int] | None = field(default=None, compare=False)
    recipe: tuple[Any, ...] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        formed = self.line is not None or self.placed is not None
        if (self.function is not None) + (formed or self.network is not None) != 1:
            raise InvalidParameter(
                f"evaluation {self.text} needs a function, a line or cell formula, or a network"
            )
        if self.function is None and (self.scored or self.dead_score):
            raise InvalidParameter(f"evaluation {self.text} reads the score, which only a function can")
        if len(self.parameters) > MOST_PARAMETERS:
            raise InvalidParameter(f"evaluation {self.text} has more than {MOST_PARAMETERS} parameters")

    def __reduce_ex__(self, protocol: Any) -> Any:
        return (self.recipe[0], self.recipe[1:]) if self.recipe else super().__reduce_ex__(protocol)

    def __repr__(self) -> str:
        return f"make_evaluation({self.text!r})"

    def parameter_array(self) -> NDArray[np.float64]:
        """The parameters as kernels read them: float64 (256,), zeros behind."""
        out = np.zeros(MOST_PARAMETERS)
        out[: len(self.parameters)] = self.parameters
        return out
