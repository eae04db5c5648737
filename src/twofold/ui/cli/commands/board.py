"""``twofold move`` and ``twofold convert``: what a move does to a board, and a board in another notation."""

from __future__ import annotations

from typing import Annotated

import typer

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import argument, option
from twofold.ui.cli.output import print_json, print_text

BoardText = Annotated[str, argument("BOARD", "A board in any notation.")]


def move(
    board: BoardText,
    direction: Annotated[str, argument("DIRECTION", "up, right, down, left; u, r, d, l; ↑→↓←.")],
    size: options.Size = None,
    exponents: options.Exponents = False,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Slide a board, and show whether the move is legal and the board before a new tile appears."""
    from twofold.rules import parse_board, parse_direction, parse_size

    shape = parse_size(size) if size is not None else None
    before = parse_board(board, shape, "exponents" if exponents else None)
    slide = before.slide(parse_direction(direction))
    if json:
        print_json({"legal": slide.changed, "board": str(slide.board), "reward": slide.reward})
    elif slide.changed:
        print_text(f"{slide.board.pretty()}\nreward {slide.reward:,}")
    else:
        print_text(f"{slide.board.pretty()}\nillegal: the move changes nothing")


def convert(
    board: options.Boards = None,
    to: Annotated[
        str, option("--to", "FORMAT", "spaced, map, array, hex, u64, u64-low, exponents, grid or svg.", True)
    ] = "spaced",
    source: Annotated[
        str | None, option("--from", "FORMAT", "Notation to read; needed only for u64-low.", "any")
    ] = None,
    size: options.Size = None,
    exponents: options.Exponents = False,
    file: Annotated[str | None, option("--file", "PATH", "Read boards from a file.", False)] = None,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Write a board in another notation, or as a picture (svg)."""
    from twofold.rules import parse_board, parse_size
    from twofold.ui.cli.batch import answer_lines
    from twofold.ui.cli.inputs import find_boards

    shape = parse_size(size) if size is not None else None
    source = "exponents" if exponents and source is None else source

    def answer(text: str, _number: int) -> dict[str, object]:
        return {"board": _write(parse_board(text, shape, source), to), "format": to}

    found = find_boards(board, file)
    if isinstance(found, str):
        result = answer(found, 0)
        if json:
            print_json(result)
        else:
            print_text(str(result["board"]).rstrip("\n"))
        return
    raise typer.Exit(answer_lines(found, lambda: answer, json=json, show=_show, threads=1))


def _show(result: dict[str, object]) -> None:
    print_text(str(result["board"]) if "board" in result else f"error: {result['error']}")


def _write(board: object, to: str) -> str:
    from twofold.errors import UnknownNotation
    from twofold.rules import NOTATIONS, Board

    assert isinstance(board, Board)
    if to == "svg":
        return board.to_svg()
    if to == "grid":
        return board.pretty()
    if to not in NOTATIONS:
        raise UnknownNotation(to, (*NOTATIONS, "grid", "svg"))
    return board.format(to)
