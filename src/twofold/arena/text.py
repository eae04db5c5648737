"""A summary as lines of text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from twofold.arena.statistics import Interval, wilson
from twofold.arena.summary import PlayerSummary, Summary

Table = Sequence[Sequence[str]]
"""Rows of cells, the first row the heading."""


def rate_text(hits: int, games: int) -> str:
    """`85.0 % (76.7–90.7)`."""
    if not games:
        return "–"
    low, high = wilson(hits, games)
    return f"{100 * hits / games:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def mean_text(mean: float | None, interval: Interval | None, digits: int = 0) -> str:
    """`1,234 (1,100–1,380)`, or `−2,168 (−2,789 to −1,547)` below 0; without an interval the mean alone."""
    if mean is None:
        return "–"
    told = _number(mean, digits)
    if interval is None:
        return told
    between = " to " if min(interval) < 0 else "–"
    return f"{told} ({between.join(_number(end, digits) for end in interval)})"


def _number(number: float, digits: int) -> str:
    return f"{number:,.{digits}f}".replace("-", "−")


def pace_text(number: float | None) -> str:
    """A number of three digits or more, or a dash."""
    if number is None:
        return "–"
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def told_tiles(summary: Summary, most: int = 6) -> tuple[int, ...]:
    """The tiles worth a column: the highest ones that somebody reached, and the target."""
    reached = [tile for tile in summary.tiles if any(each.hits(tile) for each in summary.players)]
    target = summary.run.experiment.variant.target
    return tuple(sorted({*reached[-most:], target}))


def players_table(summary: Summary) -> Table:
    """One row a player."""
    tiles = told_tiles(summary)
    head = ["player", "games", "mean score", "median", *(str(tile) for tile in tiles)]
    rows = [[*head, "nodes/move", "moves/s"]]
    rows += [_row(each, tiles) for each in summary.players]
    return rows


def _row(player: PlayerSummary, tiles: Sequence[int]) -> list[str]:
    median = player.median_score
    return [
        player.player,
        f"{player.games:,}",
        mean_text(player.mean_score, player.mean_score_interval),
        "–" if median is None else f"{median:,.0f}",
        *(rate_text(player.hits(tile), player.games) for tile in tiles),
        pace_text(player.per_move("nodes")),
        pace_text(player.moves_per_second),
    ]


def tiles_table(summary: Summary) -> Table:
    """One row a player: the highest tiles of its games, and which games were the best and the worst."""
    rows = [["player", "mean highest tile", "best", "worst", "best game", "worst game"]]
    for each in summary.players:
        if each.games:
            tiles = each.max_tiles
            games = [_game_text(each, number) for number in (each.best_game, each.worst_game)]
            rows.append([each.player, f"{tiles.mean():,.0f}", f"{tiles.max():,}", f"{tiles.min():,}", *games])
    return rows


def _game_text(player: PlayerSummary, number: int | None) -> str:
    score = player.scores[player.columns["game"] == number][0]
    return f"{number} ({score:,} points)"


def comparison_lines(summary: Summary) -> Iterator[str]:
    """One sentence for every two players."""
    for each in summary.comparisons:
        found = each.difference
        least = "p <= 0.0001" if found.p_value <= 1e-4 else f"p = {found.p_value:.4f}"
        yield (
            f"{each.a} - {each.b}: {mean_text(found.mean, found.interval)} points on {found.pairs:,} common games, "
            f"{least}, {found.wins:,} won, {found.losses:,} lost"
        )


def summary_lines(summary: Summary) -> Iterator[str]:
    """A summary for a terminal."""
    experiment = summary.run.experiment
    stop = ", stops at the target" if experiment.stop_at_target else ""
    yield f"{experiment.name}: {experiment.variant}, seed {experiment.seed}, {experiment.games:,} games each{stop}"
    yield from aligned(players_table(summary))
    yield from aligned(tiles_table(summary))
    yield from comparison_lines(summary)
    if not summary.is_complete:
        yield "incomplete: 'twofold arena resume' plays the rest"


def aligned(table: Table) -> Iterator[str]:
    """Columns of equal width."""
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    for row in table:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def summary_markdown(summary: Summary) -> str:
    """A summary as a Markdown document."""
    experiment = summary.run.experiment
    facts = f"{experiment.variant}, seed {experiment.seed}, {experiment.games:,} games each"
    tables = (markdown(players_table(summary)), markdown(tiles_table(summary)))
    lines = "".join(f"- {line}\n" for line in comparison_lines(summary))
    return "\n".join(
        filter(None, [f"# {experiment.name}\n\n{facts}; in brackets 95 % intervals.\n", *tables, lines])
    )


def markdown(table: Table) -> str:
    """The table in Markdown."""
    head, *rows = table
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"
