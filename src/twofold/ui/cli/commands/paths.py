"""``twofold paths``: the paths that visit every cell of a board once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from twofold.files import check_target
from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import argument, option
from twofold.ui.cli.output import print_json, print_text, run_interruptibly

if TYPE_CHECKING:
    from twofold.art.paths import Count
    from twofold.rules import Board

_MOST_COMPARED = 20_000


def paths(
    board: Annotated[
        str, argument("BOARD", "ROWSxCOLUMNS, or a board with bricks in any notation.", True)
    ] = "4x4",
    show: Annotated[
        int, option("--list", "N", "List this many paths, one of each symmetry class.", min=0)
    ] = 0,
    out: Annotated[str | None, option("--out", "FILE", "An .svg picture of the best path.", False)] = None,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Count the chain paths of a board, which visit every cell once, up to symmetry, and find the best ones.

    The best paths have the most monotonic lines and, among those, the fewest turns. Up to 20,000 paths are compared;
    with --list or --out up to 2,000,000, which takes minutes.
    """
    from twofold.art.paths import count_paths, path_svg, paths_json, rank_paths
    from twofold.errors import InvalidFile, quote
    from twofold.files import write_file

    where = _read_board(board)
    if out is not None and not out.lower().endswith(".svg"):
        raise InvalidFile(f"a path is drawn as .svg, not {quote(out)}")
    if out is not None:
        check_target(out)
    count = run_interruptibly(lambda: count_paths(where))
    compared = count.total <= _MOST_COMPARED or show > 0 or out is not None
    ranking = run_interruptibly(lambda: rank_paths(where)) if compared else None
    answer = run_interruptibly(lambda: paths_json(count, ranking, show))
    if out is not None:
        if ranking is None or not ranking.best:
            raise InvalidFile(f"no path was compared, so there is nothing to draw in {quote(out)}")
        write_file(out, path_svg(ranking.best[0], where))
    if json:
        print_json(answer | {"file": out})
    else:
        _tell(answer, count)


def _read_board(text: str) -> Board:
    import re

    from twofold.rules import Board, parse_board, parse_size

    if re.fullmatch(r"\s*-?\d+\s*[xX×]\s*-?\d+\s*", text):
        return Board.empty(*parse_size(text.strip()))
    return parse_board(text)


def _tell(answer: dict[str, Any], count: Count) -> None:
    print_text(
        f"{answer['total']:,} paths on {answer['rows']}x{answer['columns']}, {answer['unique']:,} up to symmetry"
    )
    print_text("from each start cell:")
    width = max(len(f"{number:,}") for number in count.starts.values()) if count.starts else 1
    for row in answer["starts"]:
        print_text("  ".join(f"{'x' if number is None else f'{number:,}':>{width}}" for number in row))
    if answer["best"] is None:
        print_text(f"more than {_MOST_COMPARED:,}: compared only with --list 1")
        return
    if not answer["best"]:
        return
    print_text(
        f"most monotonic lines {answer['most_monotonic']}, fewest turns of any path {answer['fewest_turns']}"
    )
    print_text(f"{len(answer['best'])} with the most monotonic lines and then the fewest turns; the first:")
    for path in answer["best"][:1] + answer["paths"]:
        print_text(_drawn(path["cells"], answer["rows"], answer["columns"]))
        print_text(f"{path['turns']} turns, {path['monotonic']} monotonic lines")


def _drawn(cells: list[int], rows: int, columns: int) -> str:
    """The number of each cell on the path, from 1."""
    number = {cell: place for place, cell in enumerate(cells, 1)}
    width = len(str(len(cells)))
    return "\n".join(
        " ".join(f"{number.get(row * columns + column, 'x'):>{width}}" for column in range(columns))
        for row in range(rows)
    )
