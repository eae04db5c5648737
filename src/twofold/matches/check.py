"""`check_player`: does a player keep the contract? For authors of players, like Gymnasium's `check_env`.

Checked, in games on several variants: only legal moves; a value for every legal move and `None` for the others;
the same answer when asked again and by a second player made from the same text (unless limited by time); the limit
of depth, nodes or time; the state left alone; no move on a dead board; the text read back by `make_player`.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Sequence

from twofold.errors import PlayerError, quote
from twofold.matches.play import move_key, new_game
from twofold.players.base import Decision, Limit, Player, PlayerLike
from twofold.players.registry import as_player, make_player
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS, Direction
from twofold.rules.state import State
from twofold.rules.variant import Variant

CHECKED_MAPS = (
    "# # # #|# # # #|# # # #|# # # #",
    "# # # # #|# # # # #|# # # # #",
    "x # # # x|# # # # #|# # x # #|# # # # #|x # # # x",
    "# # # # # #|",
    "131072 65536 32768 16384|2048 4096 4096 8192|4 2 16 8|# # # 2",
)
"""The boards of the default variants: 4×4, 3×5, 5×5 with bricks, 1×6, and one with rank 17."""

SLACK_NODES = 100
"""A node limit may be passed by this much: the first ply is always finished, and blocks are counted whole."""

SLACK_SECONDS = 0.25
"""A time limit may be passed by this much: other programs run too."""


class PlayerCheckError(PlayerError):
    """The first requirement that `check_player` found violated."""


def check_player(
    player: PlayerLike,
    variants: Sequence[Variant | str] | Variant | str | None = None,
    games: int = 1,
    moves: int = 20,
    round_trip: bool = True,
) -> None:
    """Raises `PlayerCheckError` with the first requirement that is violated, or returns.

    Args:
        player: whatever `as_player` takes.
        variants: what to play, one or several; default: the boards of `CHECKED_MAPS`.
        games: games per variant, with the seeds 0, 1, ….
        moves: moves checked per game, at most.
        round_trip: also check that `make_player(player.text)` is the same player; turn it off for an object
            that has no text in the registry.
    """
    if isinstance(player, str | type) or not hasattr(player, "text"):
        player = as_player(player)
    twin = _check_shape(player, round_trip)
    if isinstance(variants, str | Variant):
        variants = [variants]
    if variants is None:
        variants = [Variant(start=Board.parse(text)) for text in CHECKED_MAPS]
    for variant in variants:
        for seed in range(games):
            _check_game(player, twin, variant, seed, moves)
    _check_dead(player)


def _check_shape(player: Player, round_trip: bool) -> Player | None:
    """Checks text, limit and `decide` are there; gives a second player from the same text."""
    text = getattr(player, "text", None)
    if not isinstance(text, str) or not text:
        raise PlayerCheckError(f"player.text must be a text, not {quote(text)}")
    if not isinstance(getattr(player, "limit", None), Limit):
        raise PlayerCheckError(f"{quote(text)}: player.limit must be a Limit")
    if not callable(getattr(player, "decide", None)):
        raise PlayerCheckError(f"{quote(text)}: there is no method decide(state, key)")
    if not round_trip:
        return None
    twin = make_player(text)
    if twin.text != text:
        raise PlayerCheckError(f"{quote(text)} is parsed back as {quote(twin.text)}: text must be canonical")
    if twin.limit != player.limit:
        raise PlayerCheckError(f"{quote(text)} is parsed back with {twin.limit} instead of {player.limit}")
    return twin


def _check_game(player: Player, twin: Player | None, variant: Variant | str, seed: int, moves: int) -> None:
    game = new_game(variant, seed)
    # Asked once unmeasured: the first answer on a kind of board may have to compile something.
    player.decide(game.state, move_key(game))
    for _ in range(moves):
        if game.is_over:
            return
        state, key = game.state, move_key(game)
        decision = _ask(player, state, key)
        _check_decision(player, state, decision)
        if not player.limit.is_timed:
            _check_same(player, state, decision, _ask(player, state, key), "asked again")
            if twin is not None:
                _check_same(player, state, decision, _ask(twin, state, key), "asked of a twin")
        assert decision.move is not None
        game.move(decision.move)


def _ask(player: Player, state: State, key: int) -> Decision:
    """The answer, with the state watched and the clock kept."""
    before = copy.deepcopy(state)
    begin = time.perf_counter()
    decision = player.decide(state, key)
    seconds = time.perf_counter() - begin
    if state != before:
        raise _breach(player, before, "it changed the state that it was given")
    allowed = player.limit.seconds
    if allowed is not None and seconds > allowed + SLACK_SECONDS:
        raise _breach(player, state, f"it took {seconds:.3f} s; its limit is {allowed:g} s")
    return decision


def _check_decision(player: Player, state: State, decision: Decision) -> None:
    if not isinstance(decision, Decision):
        raise _breach(player, state, f"it answered {quote(decision)}, not a Decision")
    legal = state.legal_moves()
    names = ", ".join(direction.name for direction in legal)
    if decision.move not in legal or not isinstance(decision.move, Direction):
        raise _breach(player, state, f"its move is {quote(decision.move)}: legal are {names}")
    if len(decision.values) != len(DIRECTIONS):
        raise _breach(player, state, "values must have one entry for each of UP, RIGHT, DOWN, LEFT")
    for direction, value in zip(DIRECTIONS, decision.values, strict=True):
        if (value is not None) != (direction in legal):
            raise _breach(player, state, f"the value of {direction.name} is {value}: legal are {names}")
        if value is not None and math.isnan(value):
            raise _breach(player, state, f"the value of {direction.name} is not a number")
    _check_limit(player, state, decision)


def _check_limit(player: Player, state: State, decision: Decision) -> None:
    limit = player.limit
    if limit.depth is not None and decision.depth > limit.depth:
        raise _breach(player, state, f"it looked {decision.depth} moves ahead; its limit is {limit.depth}")
    if limit.nodes is not None and decision.nodes > limit.nodes + SLACK_NODES:
        raise _breach(player, state, f"it looked at {decision.nodes} nodes; its limit is {limit.nodes}")


def _check_same(player: Player, state: State, first: Decision, second: Decision, how: str) -> None:
    if (first.move, first.value, first.values) != (second.move, second.value, second.values):
        raise _breach(
            player,
            state,
            f"{how}, it answered {_brief(second)} instead of {_brief(first)}: all randomness must come from the key",
        )


def _brief(decision: Decision) -> str:
    move = decision.move.name if decision.move is not None else "no move"
    return f"{move} {decision.values}"


def _check_dead(player: Player) -> None:
    dead = State.of(Board.parse("2 4 2 4|4 2 4 2|2 4 2 4|4 2 4 2"))
    decision = player.decide(dead, 0)
    if decision.move is not None or any(value is not None for value in decision.values):
        raise _breach(player, dead, "on a dead board the move and all values must be None")


def _breach(player: Player, state: State, what: str) -> PlayerCheckError:
    return PlayerCheckError(f"{quote(player.text)} on {quote(str(state.board))}: {what}")
