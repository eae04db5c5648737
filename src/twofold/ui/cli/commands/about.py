"""``twofold about``: a position's arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import argument, option
from twofold.ui.cli.output import print_json, print_text

if TYPE_CHECKING:
    from twofold.coach.about import Arithmetic


def about(
    board: Annotated[str, argument("BOARD", "A board in any notation.")],
    score: Annotated[int | None, option("--score", "N", "Score so far, if known.", False, min=0)] = None,
    fours: Annotated[
        int | None, option("--fours", "N", "Number of 4s that appeared, if known.", False, min=0)
    ] = None,
    size: options.Size = None,
    exponents: options.Exponents = False,
    target: options.Target = None,
    p4: options.FourChance = None,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Show which score, number of 4s and number of moves a board allows, and whether a game can reach it.

    Each of the three determines the others: with --score all are exact.
    """
    from twofold.coach.about import about_board
    from twofold.rules import Variant, parse_board, parse_size

    shape = parse_size(size) if size is not None else None
    read = parse_board(board, shape, "exponents" if exponents else None)
    bare = read.without_tiles()
    variant = Variant(
        bare if not bare.is_full else Variant().start,
        p4=0.1 if p4 is None else p4,
        target=2048 if target is None else target,
    )
    found = about_board(read, score, fours=fours, variant=variant, way=True)
    if json:
        print_json(found.facts())
        return
    print_text(read.pretty())
    for line in _lines(found):
        print_text(line)


def _lines(found: Arithmetic) -> list[str]:
    if found.possible:
        verdict = "yes (a search found a game that leads to it)" if found.proven else _UNDECIDED
    else:
        verdict = f"no: {found.why}"
    return [
        f"sum       {found.sum:,}",
        f"score     {_between(found.score, found.score_least, found.score_most)}, {found.score_mean:,.0f} on average",
        f"fours     {_between(found.fours, found.fours_least, found.fours_most)}",
        f"moves     {_between(found.moves, found.moves_least, found.moves_most)}",
        f"possible  {verdict}",
        f"largest   no tile above {found.tile_most:,} can still be made (proven)",
        f"target    {found.target:,} {_target(found)}",
    ]


_UNDECIDED = (
    "perhaps: one of its tiles can have appeared last, after a move, and none is too large for the board; "
    "there are too many earlier positions to search them all"
)


def _target(found: Arithmetic) -> str:
    least, way = found.target_moves, found.target_way
    if least == 0:
        return "is on the board"
    if least is None:
        return "can't be made any more (proven)"
    if least == way:
        return f"takes {least:,} more moves with the best luck (proven)"
    told = f"takes at least {least:,} more moves (proven)"
    return told if way is None else f"{told}; a search found a way in {way:,}"


def _between(known: int | None, least: int, most: int) -> str:
    if known is not None:
        return f"{known:,}"
    return f"{least:,}" if least == most else f"from {least:,} to {most:,}"
