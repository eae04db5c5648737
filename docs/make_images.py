"""Draws the pictures of README.md: ``make images``.

docs/images/terminal.svg is what ``twofold play`` shows, at a moment of a real game of the default player.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from twofold.players.defaults import DEFAULT_PLAYER
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


def main() -> None:
    """Writes the pictures."""
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / "terminal.svg").write_text(terminal(), "utf-8", newline="\n")
    print("wrote docs/images/terminal.svg")


if __name__ == "__main__":
    main()
