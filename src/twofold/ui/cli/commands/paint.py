"""``twofold paint``: pictures painted by legal play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import argument, flag, option
from twofold.ui.cli.output import is_live_terminal, print_json, print_text, run_interruptibly
from twofold.ui.cli.progress import ProgressLine

if TYPE_CHECKING:
    from twofold.art.painter import Painting


def paint(
    picture: Annotated[str, argument("PICTURE", "Text such as '.##.|#..#', or an image or text file.")],
    method: Annotated[str, flag("--method", "planner, or rows (S0's).")] = "planner",
    colours: Annotated[int | None, option("--colours", "N", "Reduce an image to this many colours.")] = None,
    size: Annotated[str | None, option("--size", "RxC", "Reduce an image to this many cells.")] = None,
    seconds: Annotated[float, option("--seconds", "X", "Time to look for a plan.")] = 20.0,
    out: Annotated[str | None, option("--out", "FILE", ".gif, .svg, .png or .json.", False)] = None,
    play: Annotated[bool, flag("--play", "Show the game in the terminal.")] = False,
    speed: Annotated[float, flag("--speed", "Moves per second for --play.", min=0.1)] = 30.0,
    json: options.Json = False,
    seed: options.Seed = None,
) -> None:
    """Paint a picture by legal play: a game whose final board shows it, checked against the rules.

    In a text, capital letters choose colours: R red, O orange, Y yellow, L lime, G green, T teal, C cyan, B blue,
    P purple, M magenta, N brown, S silver, W white, K black; other characters get colours in order of appearance.
    --out FILE ends in .gif (the game) or .png (its end), both in the picture's colours, .svg (the final board with its
    tiles), or .json (the game's record, with the colour of each tile value).
    """
    from twofold.art.painter import paint as plan
    from twofold.art.painter.painting_file import check_painting_file, painting_json, save_painting
    from twofold.art.picture import read_picture
    from twofold.rules import parse_size

    if out is not None:
        check_painting_file(out)
    wanted = read_picture(picture, colours, parse_size(size) if size is not None else None)
    number = options.checked_seed(seed)
    with ProgressLine("plans tried", seconds=seconds) as line:
        painting = run_interruptibly(
            lambda: plan(wanted, method, seconds=seconds, seed=number, progress=line.show)
        )
    if out is not None:
        save_painting(painting, out)
    if json:
        print_json(painting_json(painting, number) | {"file": out})
        return
    if play and is_live_terminal():
        _play(painting, speed)
    _tell(painting)
    if out is not None:
        print_text(f"wrote {out}")


def _tell(painting: Painting) -> None:
    from twofold.art.animate import ansi_lines, plain_lines
    from twofold.ui.cli.output import make_console

    board = painting.replay()
    console = make_console()
    coloured = is_live_terminal() and not console.no_color
    for line in (ansi_lines if coloured else plain_lines)(painting.frame(board)):
        print_text(line)
    print_text(board.pretty())
    for colour, ranks in enumerate(painting.colours):
        if ranks and colour in painting.picture.cells:
            shown = painting.look(ranks[0]).background_hex
            print_text(f"colour {colour} ({shown}): " + ", ".join(str(1 << rank) for rank in ranks))
    print_text(
        f"painted in {len(painting.steps):,} moves ({painting.method}: {painting.note}), checked against the rules"
    )


def _play(painting: Painting, speed: float) -> None:
    import time

    from twofold.art.animate import terminal_frames
    from twofold.ui.cli.output import flush, make_console

    frames = (painting.frame(board) for board in painting.boards())
    for text in terminal_frames(frames, colour=not make_console().no_color):
        print_text(text.rstrip("\n"))
        flush()
        time.sleep(1 / speed)
