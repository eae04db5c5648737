"""``twofold tune``: find the weights of an evaluation by playing."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.arena import Jobs
from twofold.ui.cli.output import print_json, print_text

if TYPE_CHECKING:
    from twofold.arena.play import Progress
    from twofold.tune.driver import Tuning
    from twofold.tune.settings import Settings

_POPULATION = {"genetic": 24, "cma": 12, "permutations": 1000}


def tune(
    evaluation: Annotated[
        str | None,
        typer.Argument(
            metavar="EVAL",
            help="The evaluation, like chain or default:lost=0; its other parameters stay. See 'twofold evals'.",
            show_default=False,
        ),
    ] = None,
    method: Annotated[
        str, typer.Option("--method", help="genetic, cma or permutations.", metavar="NAME")
    ] = "genetic",
    population: Annotated[
        int | None,
        typer.Option(
            "--population",
            help="Candidates of a generation; of permutations, at most so many.",
            metavar="N",
            show_default="24 genetic, 12 cma, 1000 permutations",
        ),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", "-n", help="Games of a candidate that isn't dropped.", metavar="N")
    ] = 40,
    generations: Annotated[int, typer.Option("--generations", "-g", help="Generations.", metavar="N")] = 20,
    crossover: Annotated[
        str,
        typer.Option(
            "--crossover", help="Chance that two parents swap a gene; FIRST..LAST changes.", metavar="P"
        ),
    ] = "0.5",
    mutation: Annotated[
        str,
        typer.Option(
            "--mutation", help="Chance that a child gets a new random gene; FIRST..LAST changes.", metavar="P"
        ),
    ] = "0.3..0.1",
    fitness: Annotated[
        str,
        typer.Option("--fitness", help="s0, mean-score, log-score or rate:TILE.", metavar="NAME"),
    ] = "s0",
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            "-p",
            help="The player that uses the evaluation, without eval.",
            metavar="TEXT",
            show_default="chain for chain, else expectimax:nodes=2000",
        ),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option("--weights", help="Names of weights, by commas.", metavar="NAMES", show_default="all"),
    ] = None,
    ranges: Annotated[
        list[str] | None,
        typer.Option(
            "--range",
            help="LOW..HIGH or WEIGHT=LOW..HIGH; may be given again.",
            metavar="RANGE",
            show_default="8 times the weight now to both sides of 0",
        ),
    ] = None,
    changes: Annotated[
        str | None,
        typer.Option(
            "--changes",
            help="With permutations: factors put on one value of each, like -1,2.",
            metavar="FACTORS",
            show_default="none",
        ),
    ] = None,
    begin: Annotated[
        str | None,
        typer.Option("--from", help="Begin with what another tuning found.", metavar="FOLDER"),
    ] = None,
    racing: Annotated[
        bool,
        typer.Option(
            "--racing/--no-racing", help="Drop poor candidates after a quarter or half of the games."
        ),
    ] = True,
    test_games: Annotated[
        int, typer.Option("--test-games", help="Unseen games of the best and of the start.", metavar="N")
    ] = 500,
    variant: options.VariantText = None,
    out: Annotated[
        str, typer.Option("--out", help="Folder for the record, the report and the games.", metavar="FOLDER")
    ] = "tuning",
    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            help="Where the games go, as for 'twofold arena'.",
            metavar="URL",
            show_default="FOLDER/games.db",
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the tuning in FOLDER; its options are kept there.")
    ] = False,
    jobs: Jobs = None,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Find weights of an evaluation by playing with many, and report how each weight matters.

    What was played is never played again: after an interruption, even kill -9, --resume goes on to the same result.
    """
    from twofold.errors import InvalidParameter, quote
    from twofold.tune.driver import best_of_record, check_folder, read_record, recorded_settings
    from twofold.tune.settings import Settings

    folder = check_folder(out)
    record = read_record(folder)
    if resume:
        if record is None:
            raise InvalidParameter(f"nothing to resume in {quote(out)}: leave --resume out to begin")
        settings = recorded_settings(record, folder)
    else:
        if evaluation is None:
            raise InvalidParameter("name an evaluation to tune, for example: twofold tune chain")
        settings = Settings(
            evaluation=evaluation,
            method=method,
            player=player
            or ("chain" if evaluation.partition(":")[0] == "chain" else "expectimax:nodes=2000"),
            fitness=fitness,
            population=_POPULATION.get(method, 1) if population is None else population,
            games=games,
            generations=1 if method == "permutations" else generations,
            crossover=_rates("crossover", crossover),
            mutation=_rates("mutation", mutation),
            seed=options.checked_seed(seed),
            weights=tuple(name.strip() for name in weights.split(",")) if weights else (),
            ranges=tuple(ranges or ()),
            changes=_factors(changes),
            begin=best_of_record(begin) if begin else (),
            racing=racing,
            test_games=test_games,
            variant=variant or "4x4",
        ).checked()
        if record is not None:
            difference = settings.difference(recorded_settings(record, folder, _texts(settings)))
            if difference:
                raise InvalidParameter(
                    f"{quote(out)} holds a tuning with {difference}: --resume goes on with it, another --out begins a "
                    "new one"
                )
    _tune(settings, folder, store, jobs, json=json)


def _texts(settings: Settings) -> tuple[str, ...]:
    return (settings.evaluation, settings.player, settings.variant, *settings.begin)


def _rates(name: str, text: str) -> tuple[float, float]:
    from twofold.errors import InvalidParameter, quote

    first, dots, last = text.partition("..")
    try:
        return float(first), float(last if dots else first)
    except ValueError:
        raise InvalidParameter(
            f"--{name} {quote(text)} is not a probability, or two as FIRST..LAST"
        ) from None


def _factors(text: str | None) -> tuple[float, ...]:
    from twofold.errors import InvalidParameter, quote

    try:
        return tuple(float(part) for part in text.split(",")) if text else ()
    except ValueError:
        raise InvalidParameter(f"--changes {quote(text)} is not numbers split by commas") from None


def _tune(settings: Settings, folder: Path, store: str | None, jobs: int | None, *, json: bool) -> None:
    from twofold.arena.plots import check_plots
    from twofold.arena.store import Store
    from twofold.cores import core_count
    from twofold.errors import InvalidParameter
    from twofold.tune.driver import make_folder, write_record
    from twofold.tune.driver import tune as work
    from twofold.tune.methods import check_libraries
    from twofold.tune.report import summary_lines, write_report

    check_libraries(settings.method)
    make_folder(folder)
    show = _Show(settings, quiet=json)
    try:
        with Store(store or str(folder / "games.db")) as opened:
            tuning = work(
                settings,
                opened,
                jobs=jobs or core_count(),
                watch=show.progress,
                told=_both(folder, show, write_record),
            )
    except KeyboardInterrupt:
        print(f"stopped: go on with 'twofold tune --resume --out {folder}'", file=sys.stderr)
        raise
    try:
        check_plots()
    except InvalidParameter as missing:
        print(f"no report: {missing}", file=sys.stderr)
        files: list[str] = []
    else:
        files = write_report(tuning, folder)
    if json:
        record: dict[str, Any] = tuning.as_json()
        print_json({"best": record["best"], "test": record["test"], "games": show.games, "files": files})
        return
    for line in summary_lines(tuning):
        print_text(line)
    for path in files:
        print_text(path)


def _both(folder: Path, show: _Show, write: Any) -> Any:
    def told(tuning: Tuning) -> None:
        write(folder, tuning)
        show.generation(tuning)

    return told


class _Show:
    """Tells on standard error how far a tuning is: each generation, and a line every ten seconds."""

    def __init__(self, settings: Settings, *, quiet: bool) -> None:
        self._settings = settings
        self._quiet = quiet
        self._begin = self._told = time.monotonic()
        self._seen: dict[tuple[str, int], int] = {}
        self._generations = 0

    @property
    def games(self) -> int:
        """Games that were played here."""
        return sum(self._seen.values())

    def progress(self, what: str, number: int, alive: int, state: Progress) -> None:
        """A round of a race goes on."""
        self._seen[what, number] = state.here
        now = time.monotonic()
        if self._quiet or now - self._told < 10:
            return
        self._told = now
        print(
            f"{what}, round {number}: {state.done:,} of {state.games:,} games of {alive}, "
            f"{self.games / (now - self._begin):,.1f} games/s",
            file=sys.stderr,
            flush=True,
        )

    def generation(self, tuning: Tuning) -> None:
        """A generation is judged, or all is over."""
        done, all_ = len(tuning.generations), self._settings.generations
        if self._quiet or done == self._generations:
            return
        self._generations = done
        last = tuning.generations[-1]
        best = max(last, key=lambda result: result.fitness)
        spent = time.monotonic() - self._begin
        left = int(spent / done * (all_ - done))
        mean = sum(result.fitness for result in last) / len(last)
        print(
            f"generation {done} of {all_}: best {best.fitness:,.4g}, mean {mean:,.4g}, "
            f"{tuning.space.text(best.weights)}, about {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left",
            file=sys.stderr,
            flush=True,
        )
