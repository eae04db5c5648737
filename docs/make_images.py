"""Draws the pictures of README.md: ``make images``.

docs/images/game.gif is a whole game, thinned out; docs/images/terminal.svg is what ``twofold play`` shows, at a moment
of a real game of the default player.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

import twofold
from twofold.art.animate import thin_out
from twofold.players.defaults import DEFAULT_PLAYER
from twofold.rules.draw import to_image
from twofold.rules.variant import Variant
from twofold.ui.cli.screen import Screen
from twofold.ui.shared.pace import Pace
from twofold.ui.shared.session import Shot, Watching

IMAGES = Path(__file__).resolve().parent / "images"
SEED = 2048
MOVES = 1990
# Without rich's fonts from the network.
FORMAT = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace(
    "Fira Code, monospace", "monospace"
)


def terminal() -> str:
    """The screen after `MOVES` moves, as SVG."""
    size = {"width": 84, "height": 22, "force_terminal": True, "color_system": "truecolor"}
    screen = Screen(Console(file=io.StringIO(), **size), f"twofold  {DEFAULT_PLAYER}  seed {SEED}  4x4")

    def look(shot: Shot) -> None:
        if watching.rate >= 0 and shot.state.moves >= MOVES:
            watching.close()

    watching = Watching(DEFAULT_PLAYER, Variant(), SEED, Pace(), on_move=look)
    watching.start()
    watching.join()
    assert watching.shot is not None
    screen.show_watch(watching, f"{Variant().target:,} made." if watching.shot.state.won else "")
    paper = Console(file=io.StringIO(), record=True, **size)
    paper.print(screen._live.get_renderable())
    return paper.export_svg(title="twofold play", code_format=FORMAT, unique_id="twofold")


GAME = {"player": "expectimax:depth=2,eval=network", "seed": 3}
FRAMES, CELL, HEADER = 80, 48, 36
INK, PAPER = (92, 78, 66), (250, 248, 239)


def game() -> list[Image.Image]:
    """Boards of a whole game with score and moves above, spread evenly."""
    player, played = twofold.make_player(GAME["player"]), twofold.new_game(seed=GAME["seed"])
    states = [played.state]
    while not played.is_over:
        played.move(player.decide(played.state).move)
        states.append(played.state)
    font = ImageFont.load_default(size=18)
    frames = []
    for state in thin_out(states, FRAMES):
        board = to_image(state.board, CELL)
        frame = Image.new("RGB", (board.width, board.height + HEADER), PAPER)
        draw = ImageDraw.Draw(frame)
        draw.text((4, 8), f"{state.score:,} points", INK, font)
        draw.text((board.width - 4, 8), f"{state.moves:,} moves", INK, font, anchor="ra")
        frame.paste(board, (0, HEADER))
        frames.append(frame.quantize(32))
    return frames


def main() -> None:
    """Writes the pictures."""
    IMAGES.mkdir(exist_ok=True)
    first, *rest = game()
    times = [90] * len(rest) + [3000]
    first.save(IMAGES / "game.gif", save_all=True, append_images=rest, duration=times, loop=0, optimize=True)
    print("wrote docs/images/game.gif")
    (IMAGES / "terminal.svg").write_text(terminal(), "utf-8", newline="\n")
    print("wrote docs/images/terminal.svg")


if __name__ == "__main__":
    main()
