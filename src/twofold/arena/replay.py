"""Plays stored games again, move by move, and compares: the proof that a row tells what happened."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from twofold.arena.experiment import Experiment, parse_player
from twofold.arena.store import Run, Store
from twofold.arena.summary import PlayerSummary, Summary
from twofold.errors import TwofoldError
from twofold.matches.play import play_game
from twofold.notation import without_code
from twofold.players.registry import make_player
from twofold.rules.board import Board


@dataclass(frozen=True, slots=True)
class Replay:
    """A game played again: score, highest tile and moves as stored and now."""

    player: str
    game: int
    stored: tuple[int, int, int]
    now: tuple[int, int, int]

    @property
    def agrees(self) -> bool:
        """True if nothing differs."""
        return self.stored == self.now


SHORT = 10.0
"""Seconds that a game may have taken to be played again for its last board."""


@dataclass(frozen=True, slots=True)
class Extreme:
    """The best or worst game of a player: which it is, its points, its last board, and the command that plays it.

    A board isn't stored: the game is played again, move by move. There is none for a game that took longer than
    `SHORT` seconds, or that isn't played alike any more.
    """

    player: str
    which: str
    game: int
    score: int
    board: Board | None
    command: str

    @property
    def row(self) -> tuple[str, str, str]:
        """Player, what the game is, and its last board or how to see it."""
        told = str(self.board) if self.board is not None else self.command
        return self.player, f"{self.which} game, {self.game}, {self.score:,} points", told


def last_boards(summary: Summary) -> Iterator[Extreme]:
    """Each player's best and worst game."""
    for each in summary.players:
        yield from best_and_worst(each, summary.run.experiment)


def json_with_boards(summary: Summary) -> dict[str, Any]:
    """The summary as JSON, with `best_board` and `worst_board` of each player, null where none is to be had."""
    answer = summary.as_json()
    for each, told in zip(summary.players, answer["players"], strict=True):
        told |= {"best_board": None, "worst_board": None}
        for one in best_and_worst(each, summary.run.experiment):
            told[f"{one.which}_board"] = None if one.board is None else str(one.board)
    return answer


def best_and_worst(player: PlayerSummary, experiment: Experiment) -> Iterator[Extreme]:
    """The best and the worst game of one player, if it has played."""
    for which, number in (("best", player.best_game), ("worst", player.worst_game)):
        if number is None:
            continue
        (row,) = (player.columns["game"] == number).nonzero()[0].tolist()
        score = int(player.scores[row])
        board = None
        if player.columns["seconds"][row] <= SHORT:
            board = _last_board(player.player, experiment, number, score)
        again = f"twofold play -p '{player.player}' --variant '{experiment.variant}' --seed {experiment.seed}"
        again += f" --index {number}" + (" --stop-at-target" if experiment.stop_at_target else "")
        yield Extreme(player.player, which, number, score, board, again)


def _last_board(player: str, experiment: Experiment, number: int, score: int) -> Board | None:
    with contextlib.suppress(TwofoldError):  # its network is gone, for example
        text = without_code(player, "the run")  # code that a stored run names isn't run
        game = play_game(text, experiment.variant, experiment.seed, number, experiment.stop_at_target)
        return game.board if game.score == score else None
    return None


def replay(store: Store, run: Run, games: int) -> list[Replay]:
    """Plays `games` stored games of each player again, spread over the run; players limited by time are left out."""
    found = []
    experiment = run.experiment
    for each in run.entrants:
        if parse_player(each.player)[1].get("time") is not None:
            continue
        rows = store.columns(each, experiment.games, ("game", "score", "max_tile", "moves"))
        stored = list(zip(*(rows[name] for name in ("game", "score", "max_tile", "moves")), strict=True))
        player = make_player(each.player)
        for place in np.unique(np.linspace(0, len(stored) - 1, min(games, len(stored))).astype(int)).tolist():
            number, *kept = stored[place]
            game = play_game(player, experiment.variant, experiment.seed, number, experiment.stop_at_target)
            now = (game.score, game.max_tile, game.moves)
            found.append(Replay(each.player, number, (kept[0], kept[1], kept[2]), now))
    return found
