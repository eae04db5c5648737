"""``twofold play --player human``: a game played by keys at a terminal, or by letters that are piped in."""

from __future__ import annotations

import codecs
import os
import sys
import time
from collections.abc import Iterator

from twofold.errors import GameOver, IllegalMove, InvalidParameter, quote
from twofold.players.play import GameResult
from twofold.rules.board import face_value
from twofold.rules.direction import Direction
from twofold.rules.game import Game
from twofold.ui.keys import GAME_ACTIONS, MOVES, Action, Decoder

HELP = "arrows WASD HJKL move  u undo  r redo  x restart  q quit"


class HumanGame:
    """A game steered by keys: applies one key at a time and keeps a notice about what happened."""

    def __init__(self, game: Game, *, confirm_restart: bool) -> None:
        """`confirm_restart`: a restart in the middle of a game needs the key twice, against slips."""
        self.game = game
        self.notice = ""
        self.wants_to_quit = False
        self.last: Direction | None = None
        self._confirms = confirm_restart
        self._asked = False
        self._start = time.perf_counter()

    def press(self, key: str) -> bool:
        """Does what `key` means; `False` if it means nothing here."""
        asked, self._asked = self._asked, False
        self.notice = ""
        if key in MOVES:
            self._move(MOVES[key])
        elif key in GAME_ACTIONS:
            self._act(GAME_ACTIONS[key], asked)
        else:
            return False
        return True

    def _move(self, direction: Direction) -> None:
        had_won = self.game.won
        try:
            self.game.move(direction)
        except GameOver:
            self.notice = "the game is over: u takes the last move back, x starts again, q quits"
            return
        except IllegalMove:
            self.notice = f"{direction.name} moves nothing"
            return
        self.last = direction
        if self.game.won and not had_won:
            self.notice = win_notice(self.game)
        if self.game.is_over:
            self.notice = f"{self.notice} {over_notice(self.game)}".strip()

    def _act(self, action: Action, asked: bool) -> None:
        game = self.game
        if action is Action.UNDO:
            self.notice = "one move back" if game.undo() else "there is no move to undo"
        elif action is Action.REDO:
            self.notice = "one move forward" if game.redo() else "there is no move to redo"
        elif action is Action.RESTART:
            if self._confirms and game.moves and not game.is_over and not asked:
                self._asked = True
                self.notice = "press x again to restart"
                return
            game.restart()
            self.notice = "a new game"
        elif action is Action.QUIT:
            self.wants_to_quit = True
        self.last = game.history[-1] if game.history else None

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
            seconds=time.perf_counter() - self._start,
            nodes=0,
            won=game.won,
            reason=game.outcome.reason if game.outcome is not None else "stopped",
            board=game.board,
            tile_moves=tuple(sorted((tile, moves) for tile, moves in first.items() if tile > 0)),
        )


def win_notice(game: Game) -> str:
    """What is said when the target is made."""
    end = "" if game.is_over else " The game goes on."
    return f"You made {game.variant.target:,}!{end}"


def over_notice(game: Game) -> str:
    """What is said when the game is over."""
    assert game.outcome is not None
    reason = "no move is left" if game.outcome.reason == "no legal move" else game.outcome.reason
    return f"Game over: {reason}. u undo, x restart, q quit"


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
