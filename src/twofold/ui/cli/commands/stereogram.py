"""``twofold stereogram``: boards whose tiles hide shapes that are seen with two eyes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from twofold.files import check_apart, check_target
from twofold.ui.cli.commands import options
from twofold.ui.cli.output import print_json, print_text

if TYPE_CHECKING:
    from twofold.art.stereogram_board import Stereogram
    from twofold.art.stereogram_draw import Look


@options.table("""
    --board                 text BOARD  A board in any notation; default: one with the tiles 2 to 65536.
    --set                   text NAME   polyomino: one shape per value; shape: your --mask in every tile; positions: \
        one picture on a full board. [polyomino, or shape with --mask]
    --mask                  text SHAPE  Your shape: a file (text or picture), or rows such as '.##.|####' (. flat, \
        # raised, - sunken).
    --sheet                 flag        Draw all designs of the set, left and right, instead of a board.
    --out                   text PATH   Write the picture: .png or .svg; with --record .gif.
    --key                   flag        Also write the solution: as text, or next to --out as a PNG ending in -key.png.
    --check                 flag        Check every pair with a stereo matcher: report how much of the solution it \
        finds and draw what it sees next to --out, ending in -seen.png.
    --size                  text RxC    ROWSxCOLUMNS for --set positions. [4x4]
    --designs               int N       Number of designs in the polyomino set; 10 is the report's four-square \
        column. [17, or what the board needs]
    --column                int N       Squares of the polyominoes' column: 4 shows the report's pentominoes and \
        hexominoes, for up to 20 designs. [what the designs need]
    --eyes=parallel         text HOW    Viewing method: parallel or crossed eyes.
    --record                text FILE   A game's record: draw it move by move into --out FILE.gif.
    --seconds=2             float X     Seconds that each move of --record is shown.
    --first=right           text SIDE   Designation of the leftmost column: left or right.
    --depth=4               int N       Depth of the shapes, in dots; an even number.
    --dots                  int N       Width and height of a tile, in dots. [120]
    --dot                   int 1.. N   Width and height of a dot, in pixels. [what fits a screen]
    --gap=6                 int N       Dots between tiles.
    --guides/--no-guides=1  flag        Two dots above the board that help to fuse the images.
    --print                 text SIZE   Paper size: a3, a4, a5, letter, or a width such as 180mm, 18cm, 7in.
    --dpi=300               int 72..2400 N  Resolution of the printer, in dots per inch.
    seed json
""")
def stereogram(*, out: str | None, key: bool, check: bool, json: bool, **chosen: Any) -> None:
    """Draw a board as a random-dot stereogram: look through it until neighbours fuse and shapes stand out.

    Every tile hides a shape that shows when two neighbours are seen as one. Along a row textures alternate between
    left and right designations, so pairs are raised and sunken in turn.
    """
    from twofold.art.stereogram_board import Stereogram
    from twofold.art.stereogram_draw import Look, Print, check_picture, describe, picture_files, save_all
    from twofold.art.stereogram_mask import as_mask
    from twofold.rules import parse_board, parse_size

    board, mask, size, paper = (chosen[name] for name in ("board", "mask", "size", "print"))
    look = Look(dot=chosen["dot"] or 0, gap=chosen["gap"], guides=chosen["guides"])
    sized = Print.parse(paper, chosen["dpi"]) if paper is not None else None
    if out is not None:
        check_picture(out, moves=chosen["record"] is not None)
        for file in picture_files(out, key=key, check=check):
            check_target(file)
            check_apart([("a file beside --out", file)], [("--mask", mask)] if mask is not None else [])
    wanted = Stereogram(
        parse_board(board) if board is not None else None,
        chosen["set"],
        as_mask(mask) if mask is not None else None,
        chosen["sheet"],
        parse_size(size) if size is not None else None,
        chosen["designs"],
        _side(chosen["first"]),
        chosen["depth"],
        chosen["dots"],
        options.checked_seed(chosen["seed"]),
        chosen["column"],
        _is_crossed(chosen["eyes"]),
    )
    if chosen["record"] is not None:
        _animate(wanted, chosen["record"], out, look, chosen["seconds"], json=json)
        return
    made = wanted.textures()
    written = save_all(made, out, look, sized, key=key, check=check) if out is not None else []
    answer = describe(made, look, sized, key=key, check=check) | {"set": wanted.set_name, "written": written}
    if json:
        print_json(answer)
    else:
        _tell(answer, show_key=key and out is None)


def _animate(
    wanted: Stereogram, record: str, out: str | None, look: Look, seconds: float, *, json: bool
) -> None:
    """A game, move by move."""
    from twofold.art.animate import MAX_FRAMES
    from twofold.art.stereogram_draw import gif_bytes
    from twofold.errors import InvalidParameter
    from twofold.files import write_file
    from twofold.records.formats import read_record
    from twofold.ui.cli.progress import ProgressLine

    if wanted.board is not None or out is None:
        raise InvalidParameter("--record draws the boards of a game: give --out FILE.gif, and no --board")
    game = read_record(record).replay()
    with ProgressLine("boards drawn", min(game.moves + 1, MAX_FRAMES)) as line:
        write_file(out, gif_bytes(wanted.of_boards(game.boards()), look, seconds, line.show))
    if json:
        print_json({"moves": game.moves, "set": wanted.set_name, "written": [out]})
    else:
        print_text(f"wrote {out}, {game.moves:,} moves")


def _is_crossed(text: str) -> bool:
    from twofold.errors import InvalidParameter, quote

    if text not in ("parallel", "crossed"):
        raise InvalidParameter(f"--eyes {quote(text)} is neither parallel nor crossed")
    return text == "crossed"


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
            if answer["parallel_eyes_can"] or answer["eyes"] == "crossed"
            else ": too far apart for parallel eyes, only crossed eyes fuse them"
        )
        print_text(f"tiles {answer['tile_pitch_mm']:.1f} mm apart on paper{note}")
    for path in answer["written"]:
        print_text(f"wrote {path}")
    if not answer["written"] and not show_key:
        print_text("give --out FILE.png or FILE.svg to write the picture, --key to see what it hides")


def _tell_key(answer: dict[str, Any]) -> None:
    eyes, others = ("crossed", "parallel") if answer["eyes"] == "crossed" else ("parallel", "crossed")
    print_text(f"seen with {eyes} eyes: # raised, = sunken, + - at half depth; {others} eyes see the reverse")
    rows: dict[int, list[dict[str, Any]]] = {}
    for pair in answer["pairs"]:
        rows.setdefault(pair["row"], []).append(pair)
    for pairs in rows.values():
        print_text()
        print_text("  ".join(f"{pair['left'] + ' ' + pair['right']:<24}" for pair in pairs).rstrip())
        for lines in zip(*(pair["key"] for pair in pairs), strict=True):
            print_text("  ".join(lines))
