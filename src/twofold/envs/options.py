"""What an environment is like: rules, observation, reward, illegal actions and limits, checked in one place."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import (
    GameOver,
    IllegalMove,
    InvalidBoard,
    InvalidParameter,
    InvalidVariant,
    check_choice,
    did_you_mean,
    quote,
)
from twofold.rules.board import Board
from twofold.rules.cells import BRICK, MAX_RANK
from twofold.rules.direction import DIRECTIONS
from twofold.rules.variant import Variant

OBSERVATIONS = ("ranks", "planes", "log")
REWARDS = ("score", "log", "target")
ILLEGALS = ("noop", "error", "end")
UNLIMITED = (1 << 63) - 1

RewardFunction = Callable[[Any, Any, Any, Any], Any]
"""`f(before, action, points, after)`: ranks before, action, points scored, ranks after the spawn.

In `Twofold2048Env` the boards are uint8 (rows, columns), action and points whole numbers, and it answers a number. In
the vector environment everything has one more axis in front, for the games, and it answers a vector.
"""


@dataclass(frozen=True, kw_only=True)
class EnvOptions:
    """The options that both environments take as keywords.

    variant: the rules, a `Variant` or its text.
    observation: `ranks` (uint8: 0 empty, r the tile 2^r, 255 a brick), `planes` (uint8 0 or 1: a plane for each rank
        from 0, and one for bricks if there are any), or `log` (float32: the rank, -1 for a brick).
    reward: `score` (the points of the move), `log` (their logarithm to base 2, 0 for none), `target` (1 for the move
        that makes the target, else 0), or a function, see `RewardFunction`.
    illegal: what an action that changes nothing does: `noop` (nothing, the step counts), `error` (raises IllegalMove)
        or `end` (terminates the game).
    illegal_limit: with `noop`, the number of illegal actions in a row that truncates the game; None for no limit.
    illegal_reward: the reward of an illegal action, whatever `reward` is.
    stop_at_target: the game terminates when a merge has made the target.
    max_episode_steps: steps, legal or not, after which a game is truncated; None for no limit.

    Raises InvalidParameter or InvalidVariant.
    """

    variant: Variant | str | None = None
    observation: str = "ranks"
    reward: str | RewardFunction = "score"
    illegal: str = "noop"
    illegal_limit: int | None = 100
    illegal_reward: float = 0.0
    stop_at_target: bool = False
    max_episode_steps: int | None = None

    def __post_init__(self) -> None:
        given = self.variant
        if given is None or isinstance(given, str):
            object.__setattr__(self, "variant", Variant() if given is None else Variant.parse(given))
        elif not isinstance(given, Variant):
            raise InvalidVariant(f"variant {quote(given)} is neither a Variant nor the text of one")
        check_choice("observation", self.observation, OBSERVATIONS)
        if not callable(self.reward):
            check_choice("reward", self.reward, REWARDS, " or a function of (before, action, points, after)")
        check_choice("illegal", self.illegal, ILLEGALS)
        _check_count("illegal_limit", self.illegal_limit)
        _check_count("max_episode_steps", self.max_episode_steps)
        object.__setattr__(self, "illegal_reward", _finite("illegal_reward", self.illegal_reward))
        if not isinstance(self.stop_at_target, bool):
            raise InvalidParameter(f"stop_at_target {quote(self.stop_at_target)} is neither True nor False")

    @classmethod
    def of(cls, given: dict[str, Any]) -> EnvOptions:
        """The options in a dict of keywords; raises InvalidParameter for an unknown one."""
        names = [field.name for field in fields(cls)]
        for name in given:
            if name not in names:
                hint = did_you_mean(name, names)
                raise InvalidParameter(f"no option {quote(name)}{hint} (options: {', '.join(names)})")
        return cls(**given)

    @property
    def rules(self) -> Variant:
        """The variant, never None or a text."""
        assert isinstance(self.variant, Variant)
        return self.variant

    @property
    def top_rank(self) -> int:
        """The largest rank that an observation can hold: that of rows × columns + 1, or of what tiles spawn above 4.

        More only for odd start boards.
        """
        rules, top = self.rules, max(2, *self.rules.allowed_ranks)
        cells = rules.rows * rules.columns
        return max(min(cells + top - 1, MAX_RANK), highest_rank(rules.start, top))

    @property
    def has_bricks(self) -> bool:
        """Whether the board has bricks."""
        return self.rules.start.has_bricks

    @property
    def planes(self) -> int:
        """Planes of the observation `planes`."""
        return self.top_rank + 1 + self.has_bricks

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one observation."""
        size = self.rules.start.size
        return (self.planes, *size) if self.observation == "planes" else size

    @property
    def dtype(self) -> type[np.generic]:
        """The dtype of an observation."""
        return np.float32 if self.observation == "log" else np.uint8

    def start_board(self, given: object) -> Board:
        """The board to start from that `options={"board": …}` of a reset names; raises InvalidBoard or InvalidVariant.

        A Board, a text in any notation, or ranks as nested lists or an array; of the variant's size and bricks.
        """
        return self._checked(_read_board(given, self.rules))

    def start_tiles(self, given: object) -> Board:
        """The board that `options={"tiles": …}` names, face values row by row; raises as `start_board`."""
        rows = given.tolist() if isinstance(given, np.ndarray) else given
        if isinstance(rows, str) or not isinstance(rows, Sequence):
            raise InvalidBoard(
                f"{quote(given)} is not a board: 'tiles' takes face values row by row, as [[2, 4], [0, 8]]"
            )
        return self._checked(Board.from_values(rows))

    def board_of(self, given: Mapping[str, Any]) -> Board | None:
        """The start board among the options of a reset, by `board` or `tiles`; None if there is none."""
        board, tiles = given.get("board"), given.get("tiles")
        if board is not None and tiles is not None:
            raise InvalidParameter("'board' and 'tiles' are two start boards: give one of them")
        if tiles is not None:
            return self.start_tiles(tiles)
        return None if board is None else self.start_board(board)

    def _checked(self, board: Board) -> Board:
        if (board.size, board.bricks) != (self.rules.start.size, self.rules.start.bricks):
            raise InvalidVariant(
                f"the board {quote(str(board))} must have the size and bricks of {quote(str(self.rules))}"
            )
        if highest_rank(board, max(2, *self.rules.allowed_ranks)) > self.top_rank:
            raise InvalidVariant(
                f"{quote(str(board))} may lead to tiles above 2^{self.top_rank}, the largest in the observations: make "
                "the environment with a variant that starts from it (lists are ranks, 3 for an 8; 'tiles' takes tiles)"
            )
        return board

    def starting_from(self, board: Board | None) -> Variant:
        """The variant, with another start board if one is given."""
        return self.rules if board is None else replace(self.rules, start=board)


def checked_reset_options(options: object, known: tuple[str, ...]) -> dict[str, Any]:
    """The options of a reset; raises InvalidParameter for what is not a dict, or a name that isn't known."""
    if options is not None and not isinstance(options, Mapping):
        raise InvalidParameter(f"reset options {quote(options)} are not a dict (known: {', '.join(known)})")
    given = dict(options or {})
    for name in given:
        if name not in known:
            raise InvalidParameter(
                f"no reset option {quote(name)}{did_you_mean(str(name), known)} (known: {', '.join(known)})"
            )
    return given


def highest_rank(board: Board, top: int = 2) -> int:
    """The largest rank that play from `board` can reach where ranks up to `top` >= 2 spawn.

    Let the tiles be sorted downwards, n be the brick-free cells, and s the least number >= 0 for which the i-th tile
    (from 1) has a rank of at most n + top - i + s. Spawns (into a free cell) and merges (of equal neighbours in that
    order) keep this so; hence no tile ever passes n + top - 1 + s.
    """
    cells = len(board.cells) - len(board.bricks)
    ranks = sorted((rank for rank in board.cells if rank not in (0, BRICK)), reverse=True)
    spare = max((rank - (cells + top - place) for place, rank in enumerate(ranks, 1)), default=0)
    return min(MAX_RANK, cells + top - 1 + max(0, spare))


def encode(ranks: NDArray[np.uint8], options: EnvOptions) -> NDArray[Any]:
    """Observations of boards: uint8 ranks (..., rows, columns) as the options want them, always a new array."""
    if options.observation == "log":
        logs: NDArray[np.float32] = np.where(ranks == BRICK, np.float32(-1), ranks.astype(np.float32))
        return logs
    if options.observation == "ranks":
        return ranks.copy()
    numbers = np.arange(options.planes, dtype=np.uint8)
    if options.has_bricks:
        numbers[-1] = BRICK
    planes: NDArray[np.uint8] = (ranks[..., None, :, :] == numbers[:, None, None]).astype(np.uint8)
    return planes


def decode(observation: Any, options: EnvOptions) -> NDArray[np.uint8]:
    """The uint8 ranks (..., rows, columns) in observations; the inverse of `encode`."""
    array = np.asarray(observation)
    if array.shape[-len(options.shape) :] != options.shape:
        raise InvalidParameter(
            f"an observation of shape {array.shape} does not match {quote(options.observation)}, which ends in "
            f"{options.shape}"
        )
    if options.observation == "ranks":
        return np.array(array, np.uint8)
    if options.observation == "log":
        return np.asarray(np.where(array < 0, BRICK, np.rint(array)), np.uint8)
    ranks: NDArray[np.uint8] = array.argmax(axis=-3).astype(np.uint8)
    if options.has_bricks:
        ranks[ranks == options.planes - 1] = BRICK
    return ranks


def illegal_action(action: int, board: Board) -> IllegalMove:
    """The refusal of an action that changes nothing."""
    legal = ", ".join(f"{int(d)} ({d.name})" for d in board.legal_moves()) or "none"
    return IllegalMove(
        f"action {action} ({DIRECTIONS[action].name}) changes nothing on {quote(str(board))}; legal: {legal}"
    )


def no_action(action: object) -> InvalidParameter:
    """The refusal of what is not an action."""
    return InvalidParameter(f"action {quote(action)} is none of 0 (UP), 1 (RIGHT), 2 (DOWN), 3 (LEFT)")


def game_over(which: str) -> GameOver:
    """The refusal of a step after the end."""
    return GameOver(f"{which} is over (terminated or truncated); call reset before the next step")


def _read_board(given: object, variant: Variant) -> Board:
    if isinstance(given, Board):
        return given
    if isinstance(given, str):
        return Board.parse(given, variant.start.size)
    ranks = given.tolist() if isinstance(given, np.ndarray) else given
    if not isinstance(ranks, Sequence):
        raise InvalidBoard(
            f"{quote(given)} is not a board: give a Board, a text, or ranks row by row ('tiles' takes tiles)"
        )
    try:
        return Board.from_ranks(ranks)
    except InvalidBoard as error:
        raise InvalidBoard(f"{error} (lists are ranks, 3 for an 8; 'tiles' takes tiles)") from None


def _check_count(what: str, value: object) -> None:
    if value is not None and (
        not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= UNLIMITED
    ):
        raise InvalidParameter(f"{what} {quote(value)} is neither a whole number of at least 1 nor None")


def _finite(what: str, value: object) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value):  # type: ignore[arg-type]
        raise InvalidParameter(f"{what} {quote(value)} is not a finite number")
    return float(value)  # type: ignore[arg-type]
