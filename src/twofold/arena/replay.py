"""Plays stored games again, move by move, and compares: the proof that a row tells what happened."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from twofold.arena.experiment import parse_player
from twofold.arena.store import Run, Store
from twofold.matches.play import play_game
from twofold.players.registry import make_player


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
