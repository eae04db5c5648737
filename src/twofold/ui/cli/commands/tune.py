"""``twofold tune``: find the weights of an evaluation by playing."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import argument
from twofold.ui.cli.output import print_json, print_text
from twofold.ui.cli.progress import StatusLine

if TYPE_CHECKING:
    from twofold.arena.play import RunProgress
    from twofold.tune.driver import Tuning
    from twofold.tune.settings import Settings


Evaluation = Annotated[
    str | None,
    argument(
        "EVAL",
        "The evaluation, such as chain or default:lost=0; given parameters stay fixed. See 'twofold evals'.",
    ),
]


@options.table("""
    --method=genetic           text NAME      genetic, cma or permutations.
    --population               int N          Candidates per generation; for permutations, the maximum number. \
        [24 genetic, 12 cma, 1000 permutations]
    --games -n=40              int N          Games per candidate that isn't dropped.
    --generations -g=20        int N          Generations.
    --crossover=0.5            text P         Probability that two parents swap a gene; FIRST..LAST varies it.
    --mutation=0.3..0.1        text P         Probability that a child gets a random gene; FIRST..LAST varies it.
    --fitness=s0               text NAME      s0, mean-score, log-score or rate:TILE.
    --player -p                text TEXT      The player that uses the evaluation, without eval. \
        [chain for chain, else expectimax:nodes=2000]
    --weights                  text NAMES     Weights to tune, separated by commas. [all]
    --range                    texts RANGE    LOW..HIGH or WEIGHT=LOW..HIGH; can be repeated. \
        [from -8 to 8 times the current weight]
    --changes                  text FACTORS   With permutations: factors applied to one weight at a time, such as \
        -1,2. [none]
    --from                     text FOLDER    Start from the result of another tuning run.
    --racing/--no-racing=1     flag           Drop poor candidates after a quarter or half of the games.
    --test-games=500           int N          Games on new seeds for the best and the starting weights.
    variant
    --out=tuning               text FOLDER    Folder for the record, the report and the games.
    --store                    text URL       Database for the games, as for 'twofold arena'. [FOLDER/games.db]
    --resume                   flag           Continue the tuning run in FOLDER, with the options stored there.
    --jobs -j                  int 1..256 N   Number of processes. [all cores]
    seed json
""")
def tune(
    evaluation: Evaluation = None,
    *,
    out: str,
    store: str | None,
    resume: bool,
    jobs: int | None,
    json: bool,
    **chosen: Any,
) -> None:
    """Tune the weights of an evaluation by playing games, and report how much each weight matters.

    No game is played twice: after an interruption, even kill -9, --resume continues to the same result.
    """
    from twofold.tune.driver import best_of_record, check_folder, settings_in
    from twofold.tune.settings import Settings

    folder = check_folder(out)
    settings = None
    if not resume:
        weights, begin = chosen["weights"], chosen["from_"]
        chosen |= {
            "crossover": _rates("crossover", chosen["crossover"]),
            "mutation": _rates("mutation", chosen["mutation"]),
            "seed": options.checked_seed(chosen["seed"]),
            "weights": tuple(name.strip() for name in weights.split(",")) if weights else (),
            "ranges": tuple(chosen["range"] or ()),
            "changes": _factors(chosen["changes"]),
            "begin": best_of_record(begin) if begin else (),
        }
        settings = Settings.of(evaluation, **options.given(Settings, chosen))
    _tune(settings_in(folder, settings), folder, store, jobs, json=json)


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
        raise InvalidParameter(
            f"--changes {quote(text)} is not a list of numbers separated by commas"
        ) from None


def _tune(settings: Settings, folder: Path, store: str | None, jobs: int | None, *, json: bool) -> None:
    from twofold.arena.plots import check_plots
    from twofold.errors import InvalidParameter
    from twofold.tune.driver import tune_in
    from twofold.tune.report import summary_lines, write_report

    show = _Show(settings, quiet=json)
    try:
        tuning = tune_in(
            folder, settings, store=store, jobs=jobs, watch=show.progress, on_generation=show.generation
        )
    except KeyboardInterrupt:
        print(f"stopped: continue with 'twofold tune --resume --out {folder}'", file=sys.stderr)
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


class _Show:
    """Tells on standard error how far a tuning is: each generation, and a line every ten seconds."""

    def __init__(self, settings: Settings, *, quiet: bool) -> None:
        self._settings = settings
        self._quiet = quiet
        self._line = StatusLine(redrawn=False)
        self._seen: dict[tuple[str, int], int] = {}
        self._generations = 0

    @property
    def games(self) -> int:
        """Games that were played here."""
        return sum(self._seen.values())

    def progress(self, what: str, number: int, alive: int, state: RunProgress) -> None:
        """A round of a race goes on."""
        self._seen[what, number] = state.here
        if not self._quiet:
            self._line.tell(
                lambda: (
                    f"{what}, round {number}: {state.done:,} of {state.games:,} games of {alive}, "
                    f"{self.games / (time.monotonic() - self._line.began):,.1f} games/s"
                )
            )

    def generation(self, tuning: Tuning) -> None:
        """A generation is judged, or all is over."""
        done, all_ = len(tuning.generations), self._settings.generations
        if self._quiet or done == self._generations:
            return
        self._generations = done
        last = tuning.generations[-1]
        best = max(last, key=lambda result: result.fitness)
        spent = time.monotonic() - self._line.began
        left = int(spent / done * (all_ - done))
        mean = sum(result.fitness for result in last) / len(last)
        print(
            f"generation {done} of {all_}: best {best.fitness:,.4g}, mean {mean:,.4g}, "
            f"{tuning.space.text(best.weights)}, about {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left",
            file=sys.stderr,
            flush=True,
        )
