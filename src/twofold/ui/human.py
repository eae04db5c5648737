"""``twofold play --player human``: a game played by keys at a terminal, or by letters that are piped in."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator

from twofold.errors import InvalidParameter, quote
from twofold.players.play import GameResult
from twofold.rules.board import face_value
from twofold.rules.game import Game
from twofold.ui.keys import GAME_ACTIONS, MOVES, Action, Decoder
from twofold.ui.session import Playing

HELP = "arrows WASD HJKL move  u undo  r redo  x restart  q quit"


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
        if key in MOVES:
            self.move(MOVES[key])
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
        elif action is Action.QUIT:
            self.wants_to_quit = True

    def result(self) -> GameResult:
        """The game as it stands. Seconds are from the first key on, the human's thinking and all."""
        game = self.game
        first: dict[int, int] = {}
        for state in [*(moved.before for moved in game.moved), game.state]:
            for rank in set(state.board.cells):
                first.setdefault(face_value(rank), state.moves)
        return GameResult(
            player="human",
            variant=str(game.variant),
            seed=game.seed,
            index=game.index,
            score=game.score,
            max_tile=game.board.max_tile,
            moves=game.moves,
            seconds=self.seconds,
            nodes=0,
            won=game.won,
            reason=game.outcome.reason if game.outcome is not None else "stopped",
            board=game.board,
            tile_moves=tuple(sorted((tile, moves) for tile, moves in first.items() if tile > 0)),
        )


def play_piped(game: Game) -> GameResult:
    """The game by letters on standard input, until it is over, `q`, or the end of the input.

    White space is left out. After the end of the game only undo, restart and quit still count. Raises
    `InvalidParameter` for a letter that means nothing.
    """
    human = HumanGame(game, confirm_restart=False)
    for place, key in enumerate(_piped_keys(), 1):
        if key.isspace():
            continue
        if not human.press(key):
            raise InvalidParameter(f"letter {place} of the input is {quote(key)}: {HELP}")
        if human.wants_to_quit:
            break
    return human.result()


def _piped_keys() -> Iterator[str]:
    """The keys on standard input, as soon as they are there."""
    decoder, text = Decoder(), codecs.getincrementaldecoder("utf-8")("replace")
    stream = sys.stdin.fileno()
    while chunk := os.read(stream, 4096):
        yield from decoder.feed(text.decode(chunk))
