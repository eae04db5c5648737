"""Tables of experiments with other people's figures beside ours: what they are, how they are played and written.

A table has sections, a section has lines, and a line is one player on one variant, that is one run of the store,
called after its settings; so what is played for one table serves in another. `seed_tables` reads those of the five
reports. All games have the seed 2048.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from twofold.arena.experiment import Experiment
from twofold.arena.figures import figure
from twofold.arena.play import RunProgress, play_run
from twofold.arena.plots import Drawing, check_plots, points_of, render, score_against_time, write_bytes
from twofold.arena.replay import best_and_worst
from twofold.arena.statistics import SequentialTest
from twofold.arena.store import Run, Store
from twofold.arena.summary import Comparison, PlayerSummary, Summary, summarise
from twofold.arena.text import markdown
from twofold.errors import StoreError
from twofold.exact.depth_first import printed_table
from twofold.players.fingerprint import fingerprint, named_networks

SEED = 2048


@dataclass(frozen=True, slots=True)
class Line:
    """A row: what it is called, who plays what, and the report's figures by column (numbers, or texts as printed)."""

    label: str
    player: str
    report: dict[str, float | str] = field(default_factory=dict)
    variant: str = "4x4"
    games: int | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """Some lines with the same columns. `picture`: the pictures to draw, ``time`` or ``cost``.

    report_games: how many games the report's rates and means are from; with fewer nothing is "matched". ranked: best
    mean score first. boards: the page shows the last boards of each line's best and worst game. counts: S4's table 4.1
    in place of lines.
    """

    title: str
    lines: tuple[Line, ...]
    columns: tuple[str, ...]
    games: int = 100
    stop_at_target: bool = False
    one_job: bool = False
    text: str = ""
    picture: str = ""
    pairs: tuple[tuple[int, int], ...] = ()
    report_games: int | None = None
    ranked: bool = False
    boards: bool = False
    counts: bool = False


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table: its name in the command, a title, what to know about it, its sections."""

    name: str
    title: str
    text: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A line, its games, and the run that they are of, None if there is none."""

    line: Line
    summary: PlayerSummary
    versions: tuple[str, ...]
    run: Run | None = None


class Shares:
    """Shares out the seconds that a table may take: each line gets an equal part of what the ones before left.

    But at least a third of an equal part of the whole, even if those before took too long with what they had begun.
    """

    def __init__(self, seconds: float, lines: int, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock`: what the seconds are told by."""
        self._clock = clock
        self._end, self._lines = clock() + seconds, lines
        self._least = seconds / max(1, lines) / 3

    def next(self) -> float:
        """Seconds for the next line."""
        left = max(self._least, (self._end - self._clock()) / max(1, self._lines))
        self._lines -= 1
        return left


Watch = Callable[[str], Callable[[RunProgress], None] | None]
"""Called with each line's label before it is played; gives who watches its progress."""


def _run_of(store: Store, section: Section, line: Line, games: int, *, stored_only: bool) -> Run | None:
    experiment = Experiment(
        [line.player], games, variant=line.variant, seed=SEED, stop_at_target=section.stop_at_target
    )
    if not stored_only:
        run = store.begin(experiment)
        # The run may have been begun with more games; here this many count.
        return replace(run, experiment=experiment)
    try:
        run = store.run(experiment.name)
    except StoreError:
        return None
    # Seconds of five games, for example, are those of five, although another line has more.
    return replace(run, experiment=experiment) if line.games else run


def play_section(
    store: Store,
    section: Section,
    *,
    games: int | None = None,
    jobs: int = 1,
    stored_only: bool = False,
    watch: Watch | None = None,
    shares: Shares | None = None,
) -> list[Played]:
    """The lines of a section with their games, played if need be. `stored_only`: as many as there are, in order.

    shares: how long each line may be played; then a line may have fewer games than asked for.
    """
    found = []
    for line in section.lines:
        count = games or line.games or section.games
        run = _run_of(store, section, line, count, stored_only=stored_only)
        if run is None:
            found.append(unplayed(line))
            continue
        if not stored_only:
            shown = watch(line.label) if watch is not None else None
            seconds = None if shares is None else shares.next()
            play_run(store, run, jobs=1 if section.one_job else jobs, watch=shown, seconds=seconds)
        summary = summarise(store, run)
        found.append(Played(line, _in_order(summary), summary.versions, run))
    if section.ranked:
        found.sort(key=lambda each: -(each.summary.mean_score or 0.0))
    return found


def unplayed(line: Line) -> Played:
    """A line without games."""
    names = [
        "game",
        "score",
        "max_tile",
        "moves",
        "seconds",
        "won",
        "nodes",
        "table_hits",
        "pruned",
        "depths",
    ]
    columns = {name: np.zeros(0, np.float64 if name == "seconds" else np.int64) for name in names}
    return Played(line, PlayerSummary(line.player, columns), ())


def _in_order(summary: Summary) -> PlayerSummary:
    """The games before the first one that is missing: those after it may be there because they were short."""
    player = summary.players[0]
    whole = int((player.columns["game"] == np.arange(player.games)).sum())
    return PlayerSummary(player.player, {name: values[:whole] for name, values in player.columns.items()})


def section_table(section: Section, played: Sequence[Played]) -> list[list[str]]:
    """The section as rows of cells; a report's figure stands beside ours where there is one."""
    if section.counts:
        return printed_table()
    seeded = [name for name in section.columns if any(name in each.line.report for each in played)]
    head = ["", "player", "games"]
    for name in section.columns:
        head += [_title(name)] + (["report"] if name in seeded else [])
    table = [head + (["verdict"] if seeded else [])]
    for each in played:
        where = "" if each.line.variant == "4x4" else f" on `{each.line.variant}`"
        row = [each.line.label, f"`{each.line.player}`{where}", str(each.summary.games)]
        verdicts = []
        enough = each.summary.games >= (section.report_games or each.line.games or section.games)
        for name in section.columns:
            row.append(figure(name).text(each.summary))
            if name in seeded:
                given = each.line.report.get(name)
                row.append("–" if given is None else _given(name, given))
                # The seconds of fewer games than the report's can't be held against its.
                if isinstance(given, int | float) and (name != "seconds" or enough):
                    known = name.isdigit() or figure(name).spread is not None
                    games = section.report_games if known else None
                    verdict = figure(name).verdict(each.summary, float(given), games)
                    verdicts.append("open" if verdict == "matched" and not enough else verdict)
        table.append(row + ([_worst(verdicts)] if seeded else []))
    if all(each.line.label == each.line.player for each in played):
        return [row[1:] for row in table]
    return table


def _title(name: str) -> str:
    return f"{name} reached" if name.isdigit() else figure(name).title


def _given(name: str, value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:g} %" if name.isdigit() else f"{value:,.9g}"


def _worst(verdicts: Sequence[str]) -> str:
    order = ("below", "open", "matched", "beaten")
    return next((each for each in order if each in verdicts), "")


def comparisons(
    section: Section, played: Sequence[Played], alpha: float = 0.05
) -> list[tuple[Comparison, str]]:
    """The pairs of lines that the section compares, and the verdict of a sequential test over their games."""
    from twofold.arena.statistics import paired_difference

    found = []
    for i, j in section.pairs:
        a, b = played[i].summary, played[j].summary
        count = min(a.games, b.games)
        if count:
            test = SequentialTest(alpha)
            test.add_all(a.scores[:count].tolist(), b.scores[:count].tolist())
            difference = paired_difference(a.scores[:count], b.scores[:count])
            found.append((Comparison(a.player, b.player, difference), test.verdict or ""))
    return found


def section_markdown(section: Section, played: Sequence[Played]) -> str:
    """The section with its texts."""
    parts = [
        f"## {section.title}\n",
        section.text and section.text + "\n",
        markdown(section_table(section, played)),
    ]
    for comparison, verdict in comparisons(section, played):
        found = comparison.difference
        low, high = found.interval or (found.mean, found.mean)
        clear = {"A": "the first is better", "B": "the second is better"}.get(verdict, "not clear")
        p = "p ≤ 0.0001" if found.p_value <= 1e-4 else f"p = {found.p_value:.3f}"
        parts.append(
            f"`{comparison.a}` − `{comparison.b}`: {found.mean:,.0f} points ({low:,.0f} to {high:,.0f}) on "
            f"{found.pairs} common seeds, {p}; {found.wins} won, {found.losses} lost; "
            f"sequential test at 5 %: {clear}.\n"
        )
    if section.boards:
        parts.append(_boards(played))
    return "\n".join(part for part in parts if part)


def _boards(played: Sequence[Played]) -> str:
    """The last boards of each line's best and worst game, played again if that takes seconds."""
    rows = [["", "game", "last board"]]
    for each in played:
        if each.run is not None:
            for game in best_and_worst(each.summary, each.run.experiment):
                _, what, board = game.row
                rows.append([each.line.label, what, f"`{board}`"])
    return markdown(rows)


def section_json(section: Section, played: Sequence[Played]) -> dict[str, Any]:
    """The section for programs."""
    lines = []
    for each in played:
        figures = {}
        for name in section.columns:
            column = figure(name)
            interval = column.interval(each.summary) if each.summary.games else None
            figures[name] = {
                "value": column.value(each.summary),
                "interval": None if interval is None else list(interval),
                "report": each.line.report.get(name),
            }
        lines.append(
            {
                "label": each.line.label,
                "player": each.line.player,
                "variant": each.line.variant,
                "games": each.summary.games,
                "figures": figures,
            }
        )
    return {
        "title": section.title,
        "lines": lines,
        "rows": section_table(section, played) if section.counts else [],
        "comparisons": [
            comparison.as_json() | {"clear": clear} for comparison, clear in comparisons(section, played)
        ],
    }


def cost(played: Sequence[Played]) -> Drawing:
    """Nodes a move of each line, and the report's formula, over the lines."""

    def draw(axes: Any) -> None:
        places = range(len(played))
        ours = [each.summary.per_move("nodes") or float("nan") for each in played]
        formula = [each.line.report.get("nodes", float("nan")) for each in played]
        axes.plot(places, ours, "o-", label="measured")
        if any(isinstance(value, int | float) and value == value for value in formula):
            axes.plot(places, formula, "s--", label="formula of S2 6.1, without m²n²")
        axes.set_yscale("log")
        axes.set_xticks(
            list(places), [each.line.label for each in played], rotation=45, ha="right", fontsize=7
        )
        axes.set_ylabel("positions searched per move")
        axes.legend(fontsize=8)

    return draw


def pictures_of(section: Section, played: Sequence[Played]) -> Drawing | None:
    """The section's picture."""
    if section.picture == "time":
        return score_against_time(points_of([each.summary for each in played]))
    return cost(played) if section.picture == "cost" else None


def table_markdown(
    info: TableInfo, sections: Sequence[Sequence[Played]], pictures: Sequence[str], only: int | None = None
) -> str:
    """The whole page."""
    versions = sorted({version for played in sections for each in played for version in each.versions})
    one = "" if only is None else f" --section {only}"
    by = f"Games played by twofold {', '.join(versions)}, seed {SEED}. " if versions else ""
    networks = named_networks(
        entrant.player
        for played in sections
        for each in played
        for entrant in (each.run.entrants if each.run is not None else ())
        if entrant.fingerprint == fingerprint(entrant.player)
    )
    by += f"{networks} " if networks else ""
    head = (
        f"Written by `twofold arena table {info.name}{one} --out FOLDER`. {by}In brackets: 95 % intervals (Wilson for "
        "rates, bootstrap for means). *Report*: the figure of the report. *Verdict*: twofold is clearly better "
        "(beaten), clearly worse (below) or neither (matched; open with fewer games than the report's), by the 95 % "
        "interval of the difference.\n"
    )
    parts = [f"# {info.title}\n", head, info.text + "\n" if info.text else ""]
    for section, played, picture in zip(info.sections, sections, pictures, strict=True):
        parts.append(section_markdown(section, played))
        if picture:
            parts.append(f"![{section.title}]({picture})\n")
    return "\n".join(part for part in parts if part)


def write_table(
    info: TableInfo, sections: Sequence[Sequence[Played]], folder: str, only: int | None = None
) -> list[str]:
    """Writes NAME.md and its pictures into `folder`; returns their paths. Raises InvalidFile.

    only: `info` has this section alone (from 1); the file is NAME-ONLY.md.
    """
    names = []
    paths = []
    for number, (section, played) in enumerate(zip(info.sections, sections, strict=True), only or 1):
        drawing = pictures_of(section, played)
        if drawing is None or not any(each.summary.games for each in played):
            names.append("")
            continue
        check_plots()
        names.append(f"{info.name}-{number}.svg")
        paths.append(Path(folder) / names[-1])
        write_bytes(paths[-1], render(drawing))
    page = Path(folder) / (f"{info.name}.md" if only is None else f"{info.name}-{only}.md")
    write_bytes(page, table_markdown(info, sections, names, only).encode())
    return [str(path) for path in (page, *paths)]
