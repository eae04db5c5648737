"""``twofold play --player human``: a game played by keys at a terminal, or by letters that are piped in."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator

from twofold.errors import InvalidParameter, quote
from twofold.matches.play import GameResult
from twofold.rules.game import Game
from twofold.ui.shared.human_game import HumanGame
from twofold.ui.shared.keys import Decoder

HELP = "arrows WASD HJKL move  u undo  r redo  x restart  p t new tiles  q quit"


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
