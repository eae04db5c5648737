"""``twofold record``: games in files, from one program's format into another's."""

from __future__ import annotations

from typing import Annotated

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import argument, flag, option
from twofold.ui.cli.output import print_json, print_text


def convert(
    source: Annotated[str, argument("FROM", "The file to read, or - for standard input.")],
    target: Annotated[str, argument("TO", "The file to write.")],
    read: Annotated[str | None, option("--from", "FORMAT", "Format of FROM.", "detected")] = None,
    write: Annotated[
        str | None,
        option(
            "--to",
            "FORMAT",
            "twofold, verse1, verse2, rpl, rec, vrs or original.",
            "from TO's extension: .json, .txt, .rpl, .rec, .vrs",
        ),
    ] = None,
    last: Annotated[bool, flag("--last", "Write only the last position.")] = False,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Convert a game file to another format.

    It reads twofold's records (.json), replays of 2048verse and 2048-next, .rpl,
    .rec and .vrs files, and the stored state of the original game and of
    term2048. Every move is checked against the rules; an error names the first
    one that breaks them.
    """
    from twofold.records.formats import convert as convert_file

    record = convert_file(source, target, read=read, write=write, last=last)
    game = record.replay()
    if json:
        print_json({"moves": game.moves, "score": game.score, "board": str(game.board)})
    else:
        print_text(f"{target}: {game.moves:,} moves, {game.score:,} points")
