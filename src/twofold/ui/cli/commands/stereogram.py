"""``twofold stereogram``: boards whose tiles hide shapes that are seen with two eyes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from twofold.ui.cli.commands import options
from twofold.ui.cli.output import check_folder, print_json, print_text

if TYPE_CHECKING:
    from twofold.art.stereogram_board import StereoBoard
    from twofold.art.stereogram_draw import Look, Print

SETS = ("polyomino", "shape", "positions")
_EXAMPLE = "2 4 8 16|256 128 64 32|512 1024 2048 4096|65536 32768 16384 8192"


def stereogram(
    board: Annotated[
        str | None,
        typer.Option(
            "--board",
            help="A board in any notation; default: one with the tiles 2 to 65536.",
            metavar="BOARD",
            show_default=False,
        ),
    ] = None,
    set_: Annotated[
        str | None,
        typer.Option(
            "--set",
            help="polyomino: an arm for every tile; shape: your --mask in every tile; positions: one picture over "
            "a full board.",
            metavar="NAME",
            show_default="polyomino, or shape with --mask",
        ),
    ] = None,
    mask: Annotated[
        str | None,
        typer.Option(
            "--mask",
            help="Your shape: a file (text or picture), or rows such as '.##.|####' (. flat, # raised, - sunken).",
            metavar="SHAPE",
            show_default=False,
        ),
    ] = None,
    sheet: Annotated[
        bool, typer.Option("--sheet", help="All designs of the set, left and right, instead of a board.")
    ] = False,
    out: Annotated[
        str | None,
        typer.Option("--out", help="Write the picture: .png or .svg.", metavar="PATH", show_default=False),
    ] = None,
    key: Annotated[
        bool,
        typer.Option(
            "--key", help="The viewing key too: as text, or beside --out as a PNG ending in -key.png."
        ),
    ] = False,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Have a stereo matcher look at every pair: tells the share of the key that it finds, and draws what "
            "it sees beside --out, ending in -seen.png.",
        ),
    ] = False,
    size: Annotated[
        str | None,
        typer.Option("--size", help="ROWSxCOLUMNS for --set positions.", metavar="RxC", show_default="4x4"),
    ] = None,
    designs: Annotated[
        int | None,
        typer.Option(
            "--designs",
            help="Designs of the polyomino set; 10 is the report's four-square column.",
            metavar="N",
            show_default="17 or what the board needs",
        ),
    ] = None,
    first: Annotated[
        str,
        typer.Option("--first", help="Designation of the leftmost column: left or right.", metavar="SIDE"),
    ] = "right",
    depth: Annotated[
        int, typer.Option("--depth", help="How far figures stand out, in dots; even.", metavar="N")
    ] = 4,
    dots: Annotated[
        int | None, typer.Option("--dots", help="Dots along a tile.", metavar="N", show_default="120")
    ] = None,
    dot: Annotated[
        int | None,
        typer.Option("--dot", help="Pixels of a dot.", metavar="N", min=1, show_default="what fits a screen"),
    ] = None,
    gap: Annotated[int, typer.Option("--gap", help="Dots between tiles.", metavar="N")] = 6,
    guides: Annotated[
        bool, typer.Option("--guides/--no-guides", help="Two marks above the board that help the eyes.")
    ] = True,
    print_size: Annotated[
        str | None,
        typer.Option(
            "--print",
            help="Size on paper: a3, a4, a5, letter, or a width such as 180mm, 18cm, 7in.",
            metavar="SIZE",
            show_default=False,
        ),
    ] = None,
    dpi: Annotated[
        int, typer.Option("--dpi", help="Dots an inch of the printer.", metavar="N", min=72, max=2400)
    ] = 300,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Random-dot pictures of a board: look through it until neighbours fuse, and shapes stand out.

    Every tile hides a shape that shows when two neighbours are seen as one. Along a row textures alternate between
    left and right designations, so pairs are raised and sunken in turn.
    """
    from twofold.art.stereogram_draw import Look, Print, check_picture, save, save_key

    set_ = set_ if set_ is not None else "polyomino" if mask is None else "shape"
    look = Look(dot=0 if dot is None else dot, gap=gap, guides=guides)
    sized = Print.parse(print_size, dpi) if print_size is not None else None
    chosen = {
        "set": set_,
        "designs": designs,
        "depth": depth,
        "dots": dots,
        "seed": options.checked_seed(seed),
    }
    if out is not None:
        check_picture(out)
        check_folder(out)
    made = _make(board, mask, sheet, size, _side(first), chosen)
    written = []
    if out is not None:
        save(made, out, look, sized)
        written.append(out)
        for wanted, name in ((key, "key"), (check, "seen")):
            if wanted:
                written.append(str(Path(out).with_name(f"{Path(out).stem}-{name}.png")))
                save_key(made, written[-1], look, seen=name == "seen")
    answer = _answer(made, look, sized, key=key, check=check) | {"set": set_, "written": written}
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
        raise InvalidParameter(f"--first {quote(text)} is no side: write left or right")
    return sides[text.strip().lower()]


def _make(
    board: str | None, mask: str | None, sheet: bool, size: str | None, first: Any, chosen: dict[str, Any]
) -> StereoBoard:
    """The textures that the options ask for. Raises a TwofoldError that says what does not fit together."""
    from twofold.art.stereogram_board import board_textures, position_board, set_sheet
    from twofold.art.stereogram_sets import DOTS, PolyominoSet, PositionSet, ShapeSet
    from twofold.errors import InvalidParameter, did_you_mean, quote
    from twofold.rules import parse_board, parse_size

    name = chosen["set"]
    if name not in SETS:
        raise InvalidParameter(
            f"--set {quote(name)} is no set{did_you_mean(name, SETS)} (known: {', '.join(SETS)})"
        )
    common = {"depth": chosen["depth"], "seed": chosen["seed"]}
    dots = DOTS if chosen["dots"] is None else chosen["dots"]
    shape = _read_mask(mask) if mask is not None else None
    if name != "polyomino" and chosen["designs"] is not None:
        raise InvalidParameter("--designs is for --set polyomino")
    if name == "positions":
        if board is not None or sheet:
            raise InvalidParameter("--set positions is a board of its own: leave out --board and --sheet")
        rows, columns = parse_size(size) if size is not None else (4, 4)
        return position_board(PositionSet(rows, columns, shape, dots, **common))
    if size is not None:
        raise InvalidParameter("--size is for --set positions: a --board has a size")
    shown = parse_board(board if board is not None else _EXAMPLE)
    if name == "shape":
        if shape is None:
            raise InvalidParameter("--set shape needs a --mask, for example --mask '.##.|####|.##.'")
        own = ShapeSet(shape, dots, **common)
        return set_sheet(own, 1) if sheet else board_textures(shown, own, first)
    if shape is not None:
        raise InvalidParameter("--mask is for --set shape or positions")
    needed = 17 if sheet else max(17, shown.max_rank)
    wanted = chosen["designs"] if chosen["designs"] is not None else needed
    polyominoes = PolyominoSet(wanted, chosen["dots"], **common)
    return set_sheet(polyominoes, wanted) if sheet else board_textures(shown, polyominoes, first)


def _read_mask(text: str) -> Any:
    from twofold.art.stereogram_mask import parse_mask, read_mask

    looks_like_rows = "|" in text or "\n" in text or not set(text) - set(".#-=x0 ")
    return parse_mask(text) if looks_like_rows else read_mask(text)


def _answer(made: StereoBoard, look: Look, sized: Print | None, *, key: bool, check: bool) -> dict[str, Any]:
    """What the command tells: sizes, designations, and for each pair its key and what the matcher found."""
    from twofold.art.stereogram_board import key_text
    from twofold.art.stereogram_draw import EYES_APART, layout, tile_pitch_mm

    place = layout(made, look)
    rows, columns = made.size
    answer: dict[str, Any] = {
        "rows": rows,
        "columns": columns,
        "dots": made.dots,
        "picture_dots": [place.width, place.height],
        "textures": [[texture.name if texture else None for texture in row] for row in made.textures],
    }
    if sized is not None:
        pitch = tile_pitch_mm(made, sized, look)
        answer |= {"tile_pitch_mm": round(pitch, 2), "parallel_eyes_can": pitch <= EYES_APART}
    if key or check:
        answer["pairs"] = []
        for pair in made.pairs():
            told: dict[str, Any] = {"row": pair.row, "column": pair.column}
            told |= {"left": pair.left.name, "right": pair.right.name}
            if key:
                told |= {
                    "disparities": sorted(set(pair.disparity.ravel().tolist())),
                    "key": key_text(pair, made.depth),
                }
            if check:
                told["found"] = round(pair.found(), 4)
            answer["pairs"].append(told)
    return answer


def _tell(answer: dict[str, Any], *, show_key: bool) -> None:
    for row in answer["textures"]:
        print_text(" ".join(f"{name or 'brick':>6}" for name in row))
    if show_key:
        _tell_key(answer)
    if "pairs" in answer and answer["pairs"] and "found" in answer["pairs"][0]:
        least = math.floor(1000 * min(pair["found"] for pair in answer["pairs"])) / 10
        print_text(
            f"a stereo matcher finds at least {least:.1f} % of every key ({len(answer['pairs'])} pairs)"
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
        print_text("give --out FILE.png or FILE.svg for the picture, --key for what it hides")


def _tell_key(answer: dict[str, Any]) -> None:
    print_text("what parallel eyes see: # raised, = sunken, + - at half depth; crossed eyes see the reverse")
    rows: dict[int, list[dict[str, Any]]] = {}
    for pair in answer["pairs"]:
        rows.setdefault(pair["row"], []).append(pair)
    for pairs in rows.values():
        print_text()
        print_text("  ".join(f"{pair['left'] + ' ' + pair['right']:<24}" for pair in pairs).rstrip())
        for lines in zip(*(pair["key"] for pair in pairs), strict=True):
            print_text("  ".join(lines))
