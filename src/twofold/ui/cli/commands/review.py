"""``twofold review``: what each move of a finished game gave away, and how much was luck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from twofold.errors import InvalidFile, InvalidParameter, quote
from twofold.files import begins, check_target
from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import argument, option
from twofold.ui.cli.output import EXIT_INTERRUPTED, print_error, print_json, print_text

if TYPE_CHECKING:
    from twofold.coach.reviewing import Review
    from twofold.records.record import Record


def review(
    game: Annotated[str, argument("GAME", "A game file in any format that 'twofold record convert' reads.")],
    player: Annotated[
        str | None,
        option(
            "--player -p",
            "TEXT",
            "Player that evaluates the positions, such as expectimax:depth=3,eval=network.",
            "the exact solution for small games, else the shipped network",
        ),
    ] = None,
    depth: Annotated[
        int | None, option("--depth", "N", "Moves looked ahead, 2 to 12.", "3", min=2, max=12)
    ] = None,
    out: Annotated[str | None, option("--out", "FILE", "Write the review as an HTML page.", False)] = None,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Review a game: what each move lost, and how lucky each new tile was.

    The starting value plus all luck minus all losses is the final score.
    Ctrl-C shows the results so far.
    """
    from twofold.files import write_file
    from twofold.records.formats import read_record

    if out is not None:
        if not out.lower().endswith((".html", ".htm")):
            raise InvalidFile(f"a review is written as .html, not {quote(out)}")
        check_target(out, "a web page", begins(b"<"))
    found = _review(read_record(game), player, depth)
    if out is not None:
        from twofold.coach.report import page

        write_file(out, page(found))
    if json:
        print_json({**found.facts(), **({"file": out} if out is not None else {})})
    elif out is None:
        from twofold.coach.report import lines

        for line in lines(found):
            print_text(line)
    else:
        print_text(f"{out}: {len(found.moves):,} moves, accuracy {found.accuracy:.1f}")
    if not found.complete:
        print_error(f"interrupted after {len(found.moves):,} of {len(found.game.moved):,} moves")
        raise typer.Exit(EXIT_INTERRUPTED)


def _review(record: Record, player: str | None, depth: int | None) -> Review:
    played = record.replay()  # refused, if it must be, before anything heavy is loaded
    if not played.moves:
        raise InvalidParameter("there is no move to review in this game")
    from twofold.coach.reviewing import review as review_game
    from twofold.ui.cli.progress import ProgressLine

    with ProgressLine("moves", played.moves) as progress:
        return review_game(played, player, depth=depth, on_progress=lambda done, _all: progress.show(done))
