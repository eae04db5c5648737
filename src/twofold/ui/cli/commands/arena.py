"""``twofold arena``: experiments of many games, kept in a database; their figures, reports and files."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

from twofold.files import begins, check_new_folder, check_target
from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import argument, flag, option
from twofold.ui.cli.output import is_live_terminal, make_console, print_json, print_text
from twofold.ui.cli.progress import StatusLine

if TYPE_CHECKING:
    from twofold.arena.play import RunProgress
    from twofold.arena.store import Run, Store
    from twofold.arena.summary import Summary

Players = Annotated[
    list[str] | None,
    option(
        "--players --player -p",
        "TEXT",
        "Player as name:key=value,key=value; repeat it for each player. See 'twofold players'.",
        "the default player",
    ),
]
Jobs = Annotated[int | None, option("--jobs -j", "N", "Number of processes.", "all cores", min=1, max=256)]
Cluster = Annotated[
    str | None, option("--cluster", "tcp://HOST:PORT", "Play on the Dask cluster with this scheduler.")
]
StoreUrl = Annotated[
    str | None,
    option(
        "--store",
        "URL",
        "sqlite:///FILE, postgresql://USER@HOST/DATABASE, or a FILE.db; TWOFOLD_STORE sets another default.",
        "arena.db in your data folder",
    ),
]
Games = Annotated[int, option("--games -n", "N", "Games per player.")]
MoreGames = Annotated[int | None, option("--games -n", "N", "Continue up to this many games.", False)]
TypedPlayers = Annotated[
    list[str] | None,
    option(
        "--player -p",
        "FILE.py:NAME",
        "A player of this run that is defined in a Python file of yours: its code runs only if you name it.",
        False,
    ),
]
RunName = Annotated[str, argument("NAME", "Name of the run; see 'twofold arena list'.")]
UntilClear = Annotated[
    float | None,
    option(
        "--until-clear",
        "ALPHA",
        "With two players: stop once it is clear which one wins more games, at this significance level.",
        False,
    ),
]


@options.rules()
def run(
    players: Players = None,
    games: Games = 100,
    name: Annotated[
        str | None, flag("--name", "Name of the run.", show_default="made from its settings")
    ] = None,
    *,
    rules: options.Rules,
    stop_at_target: Annotated[bool, flag("--stop-at-target", "End each game at the target.")] = False,
    until_clear: UntilClear = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    store: StoreUrl = None,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Play games of several players on the same seeds and store them; stored games are not played again.

    The same command again, or 'twofold arena resume', continues after an interruption; with more --games it adds
    games. Several processes may play one run at once.
    """
    from twofold.arena.experiment import Experiment
    from twofold.arena.store import Store
    from twofold.players.defaults import DEFAULT_PLAYER

    experiment = Experiment(
        players or [DEFAULT_PLAYER],
        games,
        name=name,
        variant=rules.to_variant(),
        seed=options.checked_seed(seed),
        stop_at_target=stop_at_target,
    )
    if until_clear is not None and len(experiment.players) != 2:
        from twofold.errors import InvalidParameter

        raise InvalidParameter("--until-clear compares two players: give --players twice")
    with Store(store) as opened:
        _play(
            opened, opened.begin(experiment), jobs, cluster, until_clear, named=store is not None, json=json
        )


def resume(
    name: RunName,
    games: MoreGames = None,
    player: TypedPlayers = None,
    until_clear: UntilClear = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    store: StoreUrl = None,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Play the games that are missing from a run; with --games, continue up to that many."""
    from twofold.arena.store import Store

    with Store(store, create=False) as opened:
        found = opened.run(name)
        _check_typed(found, player)
        if games is not None:
            found = opened.begin(found.experiment.with_games(games))
        _play(opened, found, jobs, cluster, until_clear, named=store is not None, json=json)


def _check_typed(found: Run, typed: list[str] | None) -> None:
    """Raises InvalidParameter for a run with players in Python files that are not among those `typed` now."""
    from twofold.errors import quote
    from twofold.notation import without_code
    from twofold.players.registry import canonical_text

    named = {canonical_text(text) for text in typed or ()}
    for text in (*found.experiment.players, str(found.experiment.variant)):
        if text not in named:
            without_code(text, f"the run {quote(found.experiment.name)}")


def _play(
    store: Store,
    found: Run,
    jobs: int | None,
    cluster: str | None,
    until_clear: float | None,
    *,
    named: bool,
    json: bool,
) -> None:
    """named: whether the store was named, and not taken from the settings."""
    from twofold.arena.play import play_run
    from twofold.arena.summary import summarise
    from twofold.cores import core_count

    name = found.experiment.name
    try:
        with _progress(name, quiet=json) as watch:
            test = play_run(
                store, found, jobs=jobs or core_count(), cluster=cluster, watch=watch, until_clear=until_clear
            )
    except KeyboardInterrupt:
        place = f" --store {shlex.quote(store.name)}" if named else ""
        print(f"stopped: continue with 'twofold arena resume {shlex.quote(name)}{place}'", file=sys.stderr)
        raise
    summary = summarise(store, found)
    extra = {"test": test.as_json()} if test is not None else {}
    if json:
        print_json(summary.as_json() | extra)
        return
    _print_summary(summary)
    if test is not None:
        words = {"A": "the first player wins more games", "B": "the second player wins more games"}
        print_text(
            f"sequential test at {test.alpha:g}: {words.get(test.verdict or '', 'not clear yet')} "
            f"({test.wins} to {test.losses}, {test.ties} ties)"
        )


@contextmanager
def _progress(name: str, *, quiet: bool) -> Iterator[Callable[[RunProgress], None] | None]:
    """A bar with rate and time left on a terminal; a line now and then on standard error otherwise."""
    if quiet:
        yield None
        return
    if not is_live_terminal():
        yield progress_lines()
        return
    from rich import progress

    text = progress.TextColumn
    columns = (text("{task.description}"), progress.BarColumn(), progress.MofNCompleteColumn())
    with progress.Progress(*columns, text("{task.fields[pace]}"), console=make_console()) as bar:
        task = bar.add_task(name, total=None, pace="")

        def show(state: RunProgress) -> None:
            bar.update(task, total=state.games, completed=state.done, pace=_pace(state))

        yield show


def progress_lines() -> Callable[[RunProgress], None]:
    """Tells the progress on standard error, a line now and then."""
    line = StatusLine(redrawn=False)
    return lambda state: line.tell(lambda: f"{state.done:,} of {state.games:,} games, {_pace(state)}")


def _pace(state: RunProgress) -> str:
    if not state.rate or state.left is None:
        return "time left unknown"
    seconds = int(state.left)
    left = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    rate = f"{state.rate:,.1f} games/s" if state.rate >= 1 else f"{60 * state.rate:,.1f} games/min"
    return f"{rate}, {left} left"


def list_(store: StoreUrl = None, json: options.Json = False, seed: options.UnusedSeed = None) -> None:
    """List the stored runs and how many of their games have been played."""
    from twofold.arena import schema
    from twofold.arena.store import Store

    url = schema.read_url(schema.default_url() if store is None else store)
    if store is None and schema.is_missing(url):
        runs: list[dict[str, Any]] = []
    else:
        with Store(store, create=False) as opened:
            runs = [_run_json(each, sum(opened.done(each).values())) for each in opened.runs()]
    if json:
        print_json({"store": url.render_as_string(hide_password=True), "runs": runs})
    elif not runs:
        print_text("no runs yet: 'twofold arena run' makes one")
    for each in runs if not json else ():
        players = ", ".join(each["players"])
        print_text(
            f"{each['name']}: {each['done']:,} of {each['total']:,} games, {each['variant']}, {players}"
        )


def _run_json(found: Run, done: int) -> dict[str, Any]:
    experiment = found.experiment
    return {
        "name": experiment.name,
        "players": list(experiment.players),
        "variant": str(experiment.variant),
        "seed": experiment.seed,
        "stop_at_target": experiment.stop_at_target,
        "games": experiment.games,
        "created": found.created,
        "done": done,
        "total": found.games,
    }


def report(
    name: RunName,
    html: Annotated[
        str | None, option("--html", "FILE", "Write a web page with tables and plots, in one file.")
    ] = None,
    markdown: Annotated[str | None, option("--markdown", "FILE", "Write the tables as Markdown.")] = None,
    plots: Annotated[
        str | None, option("--plots", "FOLDER", "Write the plots into this folder, as SVG and PNG.")
    ] = None,
    store: StoreUrl = None,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Report a run so far: tile rates, scores, costs and comparisons, as text, JSON, a web page or plots."""
    from twofold.arena.replay import json_with_boards, last_boards
    from twofold.arena.store import Store
    from twofold.arena.summary import summarise
    from twofold.ui.cli.output import run_interruptibly

    if html is not None:
        check_target(html, "a web page", begins(b"<"))
    if markdown is not None:
        check_target(markdown, "a report in Markdown", begins(b"# "))
    if plots is not None:
        check_new_folder(plots)
    with Store(store, create=False) as opened:
        summary = summarise(opened, opened.run(name))
    if html is not None or plots is not None:
        if not json:
            print("drawing the plots", file=sys.stderr, flush=True)
        from twofold.arena.plots import write_plots
        from twofold.arena.report import write_html

        if plots is not None:
            write_plots(summary, plots)
        if html is not None:
            write_html(summary, html)
    if markdown is not None:
        from twofold.arena.text import summary_markdown
        from twofold.files import write_file

        write_file(markdown, summary_markdown(summary))
    if json:
        print_json(run_interruptibly(lambda: json_with_boards(summary)))
        return
    _print_summary(summary)
    for each in run_interruptibly(lambda: list(last_boards(summary))):
        player, what, board = each.row
        print_text(f"{player}, {what}: {board}")


def replay(
    name: RunName,
    games: Annotated[int, option("--games -n", "N", "Games of each player to replay.", min=1)] = 3,
    player: TypedPlayers = None,
    store: StoreUrl = None,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Replay some stored games move by move and compare; exit code 2 if one differs."""
    from twofold.arena.replay import replay as again
    from twofold.arena.store import Store
    from twofold.errors import StoreError
    from twofold.ui.cli.output import run_interruptibly

    with Store(store, create=False) as opened:
        run = opened.run(name)
        _check_typed(run, player)
        found = run_interruptibly(lambda: again(opened, run, games))
    wrong = next((each for each in found if not each.agrees), None)
    if wrong is not None:
        raise StoreError(
            f"game {wrong.game} of {wrong.player} is stored with score, highest tile and moves {wrong.stored}, and "
            f"now gives {wrong.now}: was it played by another version?"
        )
    if json:
        print_json({"name": name, "replayed": len(found), "agree": len(found)})
    else:
        print_text(f"{name}: {len(found)} games replayed, all as stored")


def export(
    name: RunName,
    to: Annotated[str, option("--to", "KIND", "csv, parquet or json.")] = "csv",
    out: Annotated[str | None, option("--out", "FILE", "File to write.", "standard output")] = None,
    boards: Annotated[
        bool,
        flag(
            "--boards", "Replay each player's best and worst game, and add a column with their last boards."
        ),
    ] = False,
    store: StoreUrl = None,
    json: options.Json = False,
    seed: options.UnusedSeed = None,
) -> None:
    """Export all games of a run, one row per game, with everything needed to replay them."""
    from twofold.arena.export import check_export
    from twofold.arena.export import export as write
    from twofold.arena.store import Store
    from twofold.errors import InvalidParameter

    if json and out is None:
        raise InvalidParameter("--json reports what was written: name a file with --out (or use --to json)")
    if out is not None:
        check_export(to, out)
    with Store(store, create=False) as opened:
        rows = write(opened, opened.run(name), to, out, boards=boards)
    if json:
        print_json({"name": name, "rows": rows, "format": to, "file": out})
    elif out is not None:
        print_text(f"{out}: {rows:,} games")


def _print_summary(summary: Summary) -> None:
    from twofold.arena.text import summary_lines

    for line in summary_lines(summary):
        print_text(line)
