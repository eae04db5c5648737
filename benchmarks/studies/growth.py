"""How much work a search is, by depth: positions looked at for a move, beside the bound of report S2, chapter 6.

    python -m benchmarks.studies.growth [--positions 60] [--depth 4]

writes docs/results/growth.md. Positions are spread evenly over benchmarks/positions.txt, which come from whole games.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import twofold
from twofold.files import replacing

HERE = Path(__file__).resolve().parent.parent
REPORT = HERE.parent / "docs" / "results" / "growth.md"
CELLS = 16


def bound(depth: int) -> int:
    """Leaves of S2's tree for `depth` moves: 4 moves each, and 2 tiles on 15 cells between them."""
    return 4 * (4 * 2 * (CELLS - 1)) ** (depth - 1)


def main() -> None:
    """Measures and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--depth", type=int, default=4)
    arguments = parser.parse_args()
    lines = (HERE / "positions.txt").read_text("utf-8").split("\n")
    texts = [line.split("#")[0].strip() for line in lines]
    boards = [twofold.Board.parse(text) for text in texts if text]
    boards = [board for board in boards if not board.is_dead]
    chosen = boards[:: max(1, len(boards) // arguments.positions)][: arguments.positions]
    rows = []
    before = {}
    for depth in range(1, arguments.depth + 1):
        cells = [str(depth), f"{bound(depth):,}"]
        for table in (0, 18):
            player = twofold.make_player(f"expectimax:depth={depth},table={table}")
            nodes = sum(player.decide(twofold.State.of(board)).nodes for board in chosen) / len(chosen)
            factor = f" (× {nodes / before[table]:,.1f})" if table in before else ""
            cells.append(f"{nodes:,.1f}{factor}")
            before[table] = nodes
        rows.append(f"| {' | '.join(cells)} |")
    command = f"python -m benchmarks.studies.growth --positions {len(chosen)} --depth {arguments.depth}"
    text = "\n".join(
        [
            "# Growth of a search with depth\n",
            f"Written by `{command}`: means over {len(chosen)} positions of whole games, nothing pruned.\n",
            "| depth (moves) | bound, 4·120^(depth−1) | positions, no table | positions, with a table |",
            "|--:|--:|--:|--:|",
            *rows,
            "",
        ]
    )
    with replacing(REPORT) as stream:
        stream.write(text.encode())
    print(text)


if __name__ == "__main__":
    main()
