"""A game steered by keys, in a terminal or by letters that are piped in."""

from __future__ import annotations

import itertools

from twofold.matches.play import GameResult, result_of
from twofold.rules.cells import face_value
from twofold.rules.game import Game
from twofold.rules.variant import PLACES, VALUES
from twofold.ui.shared.keys import GAME_ACTIONS, MOVE_KEYS, Action
from twofold.ui.shared.session import Playing


class HumanGame(Playing):
    """A game steered by keys: applies one key at a time."""

    def __init__(self, game: Game, *, confirm_restart: bool) -> None:
        """`confirm_restart`: a restart in the middle of a game needs the key twice, against slips."""
        super().__init__(game)
        self.wants_to_quit = False
        self._confirms = confirm_restart
        self._asked = False

    def press(self, key: str) -> bool:
        """Does what `key` means; `False` if it means nothing here."""
        asked, self._asked = self._asked, False
        self.notice = ""
        if key in MOVE_KEYS:
            self.move(MOVE_KEYS[key])
        elif key in GAME_ACTIONS:
            self._act(GAME_ACTIONS[key], asked)
        else:
            return False
        if self.game.is_over and GAME_ACTIONS.get(key) is not Action.QUIT:
            self.notice += " u undo, x restart, q quit"
        return True

    def _act(self, action: Action, asked: bool) -> None:
        if action is Action.UNDO:
            self.undo()
        elif action is Action.REDO:
            self.redo()
        elif action is Action.RESTART:
            if self._confirms and self.game.moves and not self.game.is_over and not asked:
                self._asked = True
                self.notice = "press x again to restart"
                return
            self.restart()
        elif action is Action.PLACE:
            self.change_spawns(place=_next(PLACES, self.game.state.variant.place))
        elif action is Action.VALUE:
            self.change_spawns(value=_next(VALUES, self.game.state.variant.value))
        elif action is Action.QUIT:
            self.wants_to_quit = True

    def result(self) -> GameResult:
        """The game as it stands. Seconds are from the first key on, the human's thinking and all."""
        game = self.game
        tiles: dict[int, int] = {}
        for state in itertools.chain((moved.before for moved in game.moved), [game.state]):
            for rank in set(state.board.tile_ranks):
                tiles.setdefault(face_value(rank), state.moves)
        return result_of(game, "human", self.seconds, 0, tiles)


def _next(choices: tuple[str, ...], now: str) -> str:
    """The choice after the one that holds, in a circle."""
    return choices[(choices.index(now) + 1) % len(choices)]
