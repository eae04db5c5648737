"""One game played by one player: `new_game` and `play_game`, used by the command line and the arena alike.

A game of a player that is limited by depth or nodes is a function of (variant, player, seed, index) on any machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from twofold.errors import IllegalMove, PlayerError, quote
from twofold.kernels.compile_time import Stopwatch
from twofold.players.base import Decision, Player, PlayerLike
from twofold.players.registry import as_player
from twofold.rules.board import Board
from twofold.rules.cells import face_value
from twofold.rules.game import Game
from twofold.rules.random import word
from twofold.rules.state import Event
from twofold.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a game.

    Attributes:
        player, variant: canonical texts; seed, index: which game of which run.
        score: points; max_tile: face value; moves: legal moves made; won: the target was made by a merge.
        seconds: time the player thought; the game itself, any display and compiling left out.
        nodes: positions looked at, all moves together.
        reason: ``no legal move``, ``target reached``, or ``stopped`` (the player or the caller gave up).
        board: the last board.
        tile_moves: pairs (tile, number of moves made when it first lay on the board), start tiles at 0.
    """

    player: str
    variant: str
    seed: int
    index: int
    score: int
    max_tile: int
    moves: int
    seconds: float
    nodes: int
    won: bool
    reason: str
    board: Board
    tile_moves: tuple[tuple[int, int], ...]

    def __repr__(self) -> str:
        return (
            f"GameResult({self.player!r} on {self.variant}: {self.score:,} points, tile {self.max_tile:,}, "
            f"{self.moves:,} moves, {self.reason})"
        )

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.board.to_svg()

    @property
    def moves_per_second(self) -> float:
        """Moves per second of thinking."""
        return self.moves / self.seconds if self.seconds > 0 else 0.0


class StopGame(Exception):
    """Raised by an `on_event` callback to end `play_game` early; the result then says ``stopped``."""


OnEvent = Callable[[Event, Decision | None], None]
"""Called with each event of the game and the decision behind it (`None` for the start)."""


def new_game(
    variant: Variant | str | None = None, seed: int = 0, *, index: int = 0, stop_at_target: bool = False
) -> Game:
    """A game of `variant` (default: the classic one), with the adversary that an evil variant needs."""
    if variant is None:
        variant = Variant()
    elif not isinstance(variant, Variant):
        variant = Variant.parse(variant)
    adversary = None
    if variant.evil is not None:
        # Imported late: the adversary searches, so it brings compiled kernels along.
        from twofold.players.adversary import make_adversary

        adversary = make_adversary(variant)
    return Game(variant, seed, index=index, stop_at_target=stop_at_target, adversary=adversary)


def move_key(game: Game) -> int:
    """The key of the player's randomness for the next move: word m of its stream after m moves."""
    return word(game.player_key, game.state.moves)


def play_game(
    player: PlayerLike,
    variant: Variant | str | None = None,
    seed: int = 0,
    index: int = 0,
    stop_at_target: bool = False,
    on_event: OnEvent | None = None,
) -> GameResult:
    """Plays game number `index` of the run with `seed` to its end.

    player: a player, or whatever `as_player` takes. Raises `PlayerError` for an illegal move, or if it is no player.
    """
    player = as_player(player)
    game = new_game(variant, seed, index=index, stop_at_target=stop_at_target)
    ledger = _Ledger(game)
    decision: Decision | None = None
    try:
        if on_event is not None:
            notify = on_event
            game.subscribe(lambda event: notify(event, decision))
        while not game.is_over:
            watch = Stopwatch()
            decision = player.decide(game.state, move_key(game))
            ledger.count(decision, watch.seconds)
            if decision.move is None:
                break
            _make_move(game, decision, player)
            ledger.see(game)
    except StopGame:
        ledger.see(game)
    return ledger.result(player)


def _make_move(game: Game, decision: Decision, player: Player) -> None:
    assert decision.move is not None
    try:
        game.move(decision.move)
    except IllegalMove as error:
        raise PlayerError(f"{quote(player.text)} made an illegal move: {error}") from error


def result_of(game: Game, player: str, seconds: float, nodes: int, tiles: dict[int, int]) -> GameResult:
    """What came of a game so far. tiles: face value -> moves made when it first lay on the board."""
    return GameResult(
        player=player,
        variant=str(game.variant),
        seed=game.seed,
        index=game.index,
        score=game.score,
        max_tile=game.board.max_tile,
        moves=game.moves,
        seconds=seconds,
        nodes=nodes,
        won=game.won,
        reason=game.outcome.reason if game.outcome is not None else "stopped",
        board=game.board,
        tile_moves=tuple(sorted(tiles.items())),
    )


class _Ledger:
    """What a game has cost and shown so far."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.seconds = 0.0
        self.nodes = 0
        self._first: dict[int, int] = {}
        self.see(game)

    def count(self, decision: Decision, seconds: float) -> None:
        self.seconds += seconds
        self.nodes += decision.nodes

    def see(self, game: Game) -> None:
        """Notes the tiles that are new."""
        for rank in set(game.board.cells):
            self._first.setdefault(rank, game.state.moves)

    def result(self, player: Player) -> GameResult:
        tiles = {face_value(rank): moves for rank, moves in self._first.items() if face_value(rank) > 0}
        return result_of(self.game, player.text, self.seconds, self.nodes, tiles)
