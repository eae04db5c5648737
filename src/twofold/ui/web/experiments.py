"""The page Experiments: the arena's runs, listed, started, followed, stopped and reported; learning curves."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from nicegui import ui

from twofold.arena import schema
from twofold.arena.experiment import Experiment
from twofold.arena.export import csv_text
from twofold.arena.play import RunProgress, play_run
from twofold.arena.store import Run, Store
from twofold.arena.summary import Summary, summarise
from twofold.errors import InvalidFile, InvalidLimit, InvalidParameter, TwofoldError, quote
from twofold.learn.curve import score_curve
from twofold.rules.variant import Variant
from twofold.threads import in_thread
from twofold.ui.web.components import ChartView, Field
from twofold.ui.web.layout import Work, button, page_head, paragraph, set_text, told
from twofold.ui.web.limits import checked_player, checked_text, checked_variant
from twofold.ui.web.new_game import seed_number, whole
from twofold.ui.web.report_view import show_report

MOST_GAMES = 10_000
MOST_PLAYERS = 6
MOST_SHOWN = 100
T = TypeVar("T")


@dataclass
class Settings:
    """Where runs are kept and which curves are shown; said on the command line, never by a visitor."""

    store: str | None = None
    curves: tuple[str, ...] = ()


SETTINGS = Settings()


class _Stopped(Exception):
    """A run was stopped by hand."""


class Job:
    """The one run that this server plays. It goes on when its visitor leaves, until it is done or stopped."""

    current: Job | None = None

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.progress: RunProgress | None = None
        self.ended = ""
        self._stop = threading.Event()
        self._task: Future[None] | None = None

    @classmethod
    def begin(cls, experiment: Experiment) -> Job:
        """Start a run. Raises InvalidLimit while another one is played."""
        if cls.current is not None and cls.current.is_alive:
            raise InvalidLimit(
                f"the run {quote(cls.current.experiment.name)} is still playing: wait, or stop it"
            )
        cls.current = cls(experiment)
        cls.current._task = in_thread(cls.current._play)
        return cls.current

    @property
    def is_alive(self) -> bool:
        """True while it plays."""
        return self._task is not None and not self._task.done()

    def stop(self) -> None:
        """End it; the games that are stored stay, and it can be gone on with."""
        self._stop.set()

    def _play(self) -> None:
        try:
            with Store(SETTINGS.store) as store:
                play_run(store, store.begin(self.experiment), watch=self._watch)
            self.ended = "done"
        except _Stopped:
            self.ended = "stopped; finished games are kept"
        except TwofoldError as error:
            self.ended = str(error)
        except Exception as error:  # told on the page, without what only concerns the server
            self.ended = f"failed: {type(error).__name__}"

    def _watch(self, progress: RunProgress) -> None:
        self.progress = progress
        if self._stop.is_set():
            raise _Stopped


@ui.page("/experiments")
def experiments_page() -> None:
    """The page."""
    page_head("/experiments")
    ExperimentsPage()


class ExperimentsPage:
    """What one visitor sees of the arena."""

    def __init__(self) -> None:
        self.work = Work()
        self._listed: object = None
        with ui.element("div").classes("tf-columns"):
            with ui.element("div").classes("tf-panel"):
                self._controls()
            with ui.element("div").style("display: flex; flex-direction: column; gap: 1rem; min-width: 0"):
                self.list = ui.element("div").classes("tf-panel")
                self.report = ui.element("div").classes("tf-panel").style("display: none")
                if SETTINGS.curves:
                    with ui.element("div").classes("tf-panel"):
                        _curves()
        self.timer = ui.timer(1.0, told(self._tick))

    def _controls(self) -> None:
        paragraph("Experiments", tag="h1")
        paragraph("All players play the same seeds, so that they can be compared.", "tf-small")
        self.players = Field("Players, one per line", "greedy\nrules", "textarea", rows=4)
        with ui.element("div").classes("tf-fields"):
            self.games = Field("Games per player", "100", "number", min=1, max=MOST_GAMES)
            self.rules = Field("Rules", "4x4")
            self.seed = Field("Seed", "0", inputmode="numeric", maxlength=20)
            self.name = Field("Name", "", note="leave empty for a name made from the settings", maxlength=100)
            self.stop_at_target = Field("End games at the target", "", "checkbox")
        with ui.element("div").classes("tf-buttons"):
            button("Start", told(self._start), primary=True)
            button("Stop", self._stop)
        self.status = paragraph("", "tf-small")
        self.status.props["role"] = "status"

    def _start(self) -> None:
        players = [checked_player(line) for line in self.players.text.splitlines() if line.strip()]
        if not 1 <= len(players) <= MOST_PLAYERS:
            raise InvalidParameter(f"name 1 to {MOST_PLAYERS} players, one per line")
        games = whole("games", self.games.text.strip())
        if not 1 <= games <= MOST_GAMES:
            raise InvalidParameter(f"{games:,} games: enter 1 to {MOST_GAMES:,}")
        variant = checked_variant(Variant.parse(checked_text(self.rules.text.strip() or "4x4", "the rules")))
        Job.begin(
            Experiment(
                players,
                games,
                name=checked_text(self.name.text.strip(), "the name", 100) or None,
                variant=variant,
                seed=seed_number(self.seed.text or "0"),
                stop_at_target=self.stop_at_target.text == "1",
            )
        )

    @staticmethod
    def _stop() -> None:
        if Job.current is not None:
            Job.current.stop()

    async def _tick(self) -> None:
        set_text(self.status, job_line(Job.current))
        runs = await self.work.run(_runs)
        listed = [(run.experiment.name, done, run.games) for run, done in runs]
        if listed != self._listed:
            self._listed = listed
            self._show_list(runs)

    def _show_list(self, runs: list[tuple[Run, int]]) -> None:
        self.list.clear()
        with self.list:
            paragraph("Runs", tag="h2")
            if not runs:
                paragraph("No runs yet.", "tf-small")
                return
            with ui.element("table").classes("tf-table"):
                with ui.element("tr"):
                    for head in ("name", "games", "report", "rules", "players"):
                        paragraph(head, tag="th")
                for run, done in runs:
                    self._row(run, done)

    def _row(self, run: Run, done: int) -> None:
        experiment = run.experiment
        with ui.element("tr"):
            paragraph(experiment.name, tag="td")
            paragraph(f"{done:,} of {run.games:,}", tag="td")
            with ui.element("td"):  # in sight on a phone, where the rest has to be scrolled to
                report = button("Report", told(lambda: self._report(experiment.name)))
                report.props["aria-label"] = f"Report of {experiment.name}"
            paragraph(str(experiment.variant)[:60], "mono", tag="td")
            paragraph(", ".join(experiment.players)[:90], "mono", tag="td")

    async def _report(self, name: str) -> None:
        self.report.clear()
        self.report.style(replace="")
        with self.report:
            paragraph(f"Writing the report of {name} …")
        found = await self.work.run(lambda: _with_store(lambda store: _report_of(store, name), None))
        if found is None:
            raise InvalidParameter("there are no runs yet")
        self.report.clear()
        with self.report:
            show_report(*found)


def job_line(job: Job | None) -> str:
    """How a run is getting on, in one line."""
    if job is None:
        return ""
    progress = job.progress
    far = f"{progress.done:,} of {progress.games:,} games" if progress is not None else "beginning"
    if not job.is_alive:
        return f"{job.experiment.name}: {far}, {job.ended}"
    left = f", {progress.left:,.0f} s left" if progress is not None and progress.left is not None else ""
    rate = f", {progress.rate:,.1f} games/s" if progress is not None and progress.rate else ""
    return f"{job.experiment.name}: {far}{rate}{left}"


def _with_store(look: Callable[[Store], T], nothing: T) -> T:
    url = schema.read_url(SETTINGS.store or schema.default_url())
    if SETTINGS.store is None and schema.is_missing(url):
        return nothing
    with Store(SETTINGS.store, create=SETTINGS.store is not None) as store:
        return look(store)


def _runs() -> list[tuple[Run, int]]:
    return _with_store(
        lambda store: [(run, sum(store.done(run).values())) for run in store.runs()[::-1][:MOST_SHOWN]], []
    )


def _report_of(store: Store, name: str) -> tuple[Summary, str] | None:
    """The figures of a run, and its games as CSV."""
    run = store.run(name)
    return summarise(store, run), csv_text(store, run)


def _curves() -> None:
    paragraph("Learning curves: mean score over millions of moves", tag="h2")
    for path in SETTINGS.curves:
        name = Path(path).name
        try:
            rows = [list(point) for point in score_curve(path)]
        except InvalidFile:
            paragraph(f"{name} is not a learning curve", "tf-bad")
            continue
        chart = ChartView(f"Learning curve {name}", [name], "million moves")
        chart.on("ready", lambda chart=chart, rows=rows: chart.add(rows))
