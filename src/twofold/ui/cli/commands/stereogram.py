"""``twofold stereogram``: boards whose tiles hide shapes that are seen with two eyes."""

from __future__ import annotations

import math
from typing import Annotated, Any

from twofold.files import check_folder
from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import flag, option
from twofold.ui.cli.output import print_json, print_text

Board = Annotated[
    str | None,
    option("--board", "BOARD", "A board in any notation; default: one with the tiles 2 to 65536.", False),
]
Set = Annotated[
    str | None,
    option(
        "--set",
        "NAME",
        "polyomino: one shape per value; shape: your --mask in every tile; positions: one picture on a full board.",
        "polyomino, or shape with --mask",
    ),
]
Mask = Annotated[
    str | None,
    option(
        "--mask",
        "SHAPE",
        "Your shape: a file (text or picture), or rows such as '.##.|####' (. flat, # raised, - sunken).",
        False,
    ),
]
Sheet = Annotated[bool, flag("--sheet", "Draw all designs of the set, left and right, instead of a board.")]
Out = Annotated[str | None, option("--out", "PATH", "Write the picture: .png or .svg.", False)]
Key = Annotated[
    bool, flag("--key", "Also write the solution: as text, or next to --out as a PNG ending in -key.png.")
]
Check = Annotated[
    bool,
    flag(
        "--check",
        "Check every pair with a stereo matcher: report how much of the solution it finds and draw "
        "what it sees next to --out, ending in -seen.png.",
    ),
]
Size = Annotated[str | None, option("--size", "RxC", "ROWSxCOLUMNS for --set positions.", "4x4")]
Designs = Annotated[
    int | None,
    option(
        "--designs",
        "N",
        "Number of designs in the polyomino set; 10 is the report's four-square column.",
        "17, or what the board needs",
    ),
]
First = Annotated[str, option("--first", "SIDE", "Kind of the leftmost column: left or right.")]
Depth = Annotated[int, option("--depth", "N", "Depth of the shapes, in dots; an even number.")]
Dots = Annotated[int | None, option("--dots", "N", "Width and height of a tile, in dots.", "120")]
Dot = Annotated[
    int | None, option("--dot", "N", "Width and height of a dot, in pixels.", "what fits a screen", min=1)
]
Gap = Annotated[int, option("--gap", "N", "Dots between tiles.")]
Guides = Annotated[
    bool, flag("--guides/--no-guides", "Two dots above the board that help to fuse the images.")
]
PrintSize = Annotated[
    str | None,
    option("--print", "SIZE", "Paper size: a3, a4, a5, letter, or a width such as 180mm, 18cm, 7in.", False),
]
Dpi = Annotated[int, option("--dpi", "N", "Resolution of the printer, in dots per inch.", min=72, max=2400)]


def stereogram(
    board: Board = None,
    set_: Set = None,
    mask: Mask = None,
    sheet: Sheet = False,
    out: Out = None,
    key: Key = False,
    check: Check = False,
    size: Size = None,
    designs: Designs = None,
    first: First = "right",
    depth: Depth = 4,
    dots: Dots = None,
    dot: Dot = None,
    gap: Gap = 6,
    guides: Guides = True,
    print_size: PrintSize = None,
    dpi: Dpi = 300,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Draw a board as a random-dot stereogram: look through it until neighbours fuse and shapes stand out.

    Every tile hides a shape that shows when two neighbours are seen as one. Along a row textures alternate between
    left and right designations, so pairs are raised and sunken in turn.
    """
    from twofold.art.stereogram_board import Stereogram
    from twofold.art.stereogram_draw import Look, Print, check_picture, describe, save_all
    from twofold.art.stereogram_mask import as_mask
    from twofold.rules import parse_board, parse_size

    look = Look(dot=0 if dot is None else dot, gap=gap, guides=guides)
    sized = Print.parse(print_size, dpi) if print_size is not None else None
    if out is not None:
        check_picture(out)
        check_folder(out)
    chosen = Stereogram(
        parse_board(board) if board is not None else None,
        set_,
        as_mask(mask) if mask is not None else None,
        sheet,
        parse_size(size) if size is not None else None,
        designs,
        _side(first),
        depth,
        dots,
        options.checked_seed(seed),
    )
    made = chosen.textures()
    written = save_all(made, out, look, sized, key=key, check=check) if out is not None else []
    answer = describe(made, look, sized, key=key, check=check) | {"set": chosen.set_name, "written": written}
    if json:
        print_json(answer)
    else:
        _tell(answer, show_key=key and out is None)


def _side(text: str) -> Any:
    from twofold.art.stereogram import Designation
    from twofold.errors import InvalidParameter, quote

    sides = {
        "left": Designation.LEFT,
        "l": Designation.LEFT,
        "right": Designation.RIGHT,
        "r": Designation.RIGHT,
    }
    if text.strip().lower() not in sides:
        raise InvalidParameter(f"--first {quote(text)} is not a side: write left or right")
    return sides[text.strip().lower()]


def _tell(answer: dict[str, Any], *, show_key: bool) -> None:
    for row in answer["textures"]:
        print_text(" ".join(f"{name or 'brick':>6}" for name in row))
    if show_key:
        _tell_key(answer)
    if "pairs" in answer and answer["pairs"] and "found" in answer["pairs"][0]:
        least = math.floor(1000 * min(pair["found"] for pair in answer["pairs"])) / 10
        print_text(
            f"a stereo matcher finds at least {least:.1f} % of every shape ({len(answer['pairs'])} pairs)"
        )
    if "tile_pitch_mm" in answer:
        note = (
            ""
            if answer["parallel_eyes_can"]
            else ": too far apart for parallel eyes, only crossed eyes fuse them"
        )
        print_text(f"tiles {answer['tile_pitch_mm']:.1f} mm apart on paper{note}")
    for path in answer["written"]:
        print_text(f"wrote {path}")
    if not answer["written"] and not show_key:
        print_text("give --out FILE.png or FILE.svg to write the picture, --key to see what it hides")


def _tell_key(answer: dict[str, Any]) -> None:
    print_text("seen with parallel eyes: # raised, = sunken, + - at half depth; crossed eyes see the reverse")
    rows: dict[int, list[dict[str, Any]]] = {}
    for pair in answer["pairs"]:
        rows.setdefault(pair["row"], []).append(pair)
    for pairs in rows.values():
        print_text()
        print_text("  ".join(f"{pair['left'] + ' ' + pair['right']:<24}" for pair in pairs).rstrip())
        for lines in zip(*(pair["key"] for pair in pairs), strict=True):
            print_text("  ".join(lines))
