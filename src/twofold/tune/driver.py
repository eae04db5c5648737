"""A tuning from beginning to end: generations, a final on fresh seeds, a test on unseen ones; its record in a folder.

The folder holds `tuning.json`, written at the start and anew after every generation, and, unless another store
is named, the games in `games.db`, a store of the arena like any other. The record is a function of the
settings: no time, no machine.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import MaxLen

from twofold.arena.experiment import Experiment
from twofold.arena.play import RunProgress, play_run
from twofold.arena.pools import Pool, make_pool
from twofold.arena.store import Store
from twofold.arena.summary import Summary, summarise
from twofold.checking import Finite, Text, checked_json, told_as_file
from twofold.cores import core_count
from twofold.errors import InvalidFile, InvalidParameter, quote
from twofold.files import read_file, replacing
from twofold.notation import without_code
from twofold.registry import load_attribute
from twofold.rules.variant import Variant
from twofold.tune.judge import Judge, Result, Watch
from twofold.tune.methods import check_libraries, search
from twofold.tune.settings import FINALISTS, Settings
from twofold.tune.space import Space, Weights

RECORD = "tuning.json"
FORMAT = 1


@dataclass
class Tuning:
    """The results of a tuning run: all candidates by generation, the final, the best, and the test of the best.

    test: the unseen games of the best weights and of the start (one player if they are the same); None before.
    """

    settings: Settings
    generations: list[list[Result]] = field(default_factory=list)
    final: list[Result] = field(default_factory=list)
    best: Weights | None = None
    test: Summary | None = None

    def __repr__(self) -> str:
        best = "" if self.best is None else f", best {self.best_player()!r}"
        return f"Tuning({self.settings.name!r}: {len(self.generations)} generations{best})"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        lines = (
            load_attribute("twofold.tune.report:summary_lines")(self)
            if self.best is not None
            else [repr(self)]
        )
        return f"<pre>{escape(chr(10).join(lines))}</pre>"

    @property
    def space(self) -> Space:
        """What is tuned."""
        return self.settings.space()

    def best_player(self) -> str:
        """The text of the player with the best weights."""
        assert self.best is not None
        return self.space.player(self.settings.player, self.best)

    def as_json(self) -> dict[str, Any]:
        """The record."""
        tiles = tiles_of(self.candidates)
        space = self.space
        best = None
        if self.best is not None:
            best = {
                "evaluation": space.text(self.best),
                "player": self.best_player(),
                "weights": dict(zip(space.names, self.best, strict=True)),
            }
        return {
            "format": FORMAT,
            "settings": self.settings.as_json(),
            "weights": list(space.names),
            "generations": [[_result_json(each, tiles) for each in g] for g in self.generations],
            "final": [_result_json(each, tiles) for each in self.final],
            "best": best,
            "test": None if self.test is None else _test_json(self.test),
        }

    @property
    def candidates(self) -> list[Result]:
        """All candidates of all generations."""
        return [result for generation in self.generations for result in generation]


def tiles_of(results: Sequence[Result]) -> list[int]:
    """The tiles whose rates are told: the highest six of those that not every game of every candidate made."""
    top = max((int(each.max_tiles.max()) for each in results), default=0)
    tiles = [1 << rank for rank in range(4, top.bit_length())]
    spread = [t for t in tiles if any(each.rate(t) < 1 for each in results)]
    return spread[-6:]


def _result_json(result: Result, tiles: Sequence[int]) -> dict[str, Any]:
    return {
        "weights": list(result.weights),
        "games": result.games,
        "fitness": round(result.fitness, 6),
        "error": round(result.error, 6),
        "mean_score": round(float(result.scores.mean()), 2),
        "rates": {str(tile): round(result.rate(tile), 6) for tile in tiles},
    }


def _test_json(summary: Summary) -> dict[str, Any]:
    """A summary without what depends on the machine."""
    told = summary.as_json()
    for player in told["players"]:
        for name in ("seconds", "moves_per_second"):
            player.pop(name)
    return told


def tune(
    settings: Settings,
    store: Store,
    *,
    jobs: int = 1,
    watch: Watch | None = None,
    on_generation: Callable[[Tuning], None] | None = None,
) -> Tuning:
    """Tunes, or continues where the games in the store end; `on_generation` is called for every generation."""
    settings = settings.checked()
    check_libraries(settings.method)
    space = settings.space()
    tuning = Tuning(settings)
    with contextlib.ExitStack() as stack:
        pool = make_pool(jobs, None)
        stack.callback(pool.close)
        judge = Judge(settings, space, store, pool, watch)

        def evaluate(number: int, candidates: Sequence[Weights], keep: int) -> list[float]:
            results = judge.generation(number, candidates, keep)
            tuning.generations.append(results)
            if on_generation is not None:
                on_generation(tuning)
            return [result.fitness for result in results]

        favourites = search(settings, space, evaluate)
        finalists = _finalists(tuning, favourites)
        tuning.final = judge.final(finalists)
        tuning.best = max(tuning.final, key=lambda result: result.fitness).weights
        if settings.test_games:
            tuning.test = _test(tuning, store, pool, watch)
    if on_generation is not None:
        on_generation(tuning)
    return tuning


def _finalists(tuning: Tuning, favourites: Sequence[Weights]) -> list[Weights]:
    """The method's own favourites and the best candidates of the last third of the generations.

    Fitness is told from a generation's mean, since seeds differ from one generation to the next.
    """
    late = tuning.generations[-max(1, len(tuning.generations) // 3) :]
    ranked: list[tuple[float, Weights]] = []
    for generation in late:
        mean = sum(result.fitness for result in generation) / len(generation)
        ranked += [(result.fitness - mean, result.weights) for result in generation]
    ranked.sort(key=lambda pair: -pair[0])
    chosen = dict.fromkeys([*favourites, *(weights for _, weights in ranked)])
    return list(chosen)[:FINALISTS]


def _test(tuning: Tuning, store: Store, pool: Pool, watch: Watch | None) -> Summary:
    settings, space = tuning.settings, tuning.space
    players = list(dict.fromkeys((tuning.best_player(), space.player(settings.player, space.start))))
    variant = Variant.parse(settings.variant)
    experiment = Experiment(
        players,
        settings.test_games,
        name=f"{settings.name} test",
        variant=variant,
        seed=settings.test_seed,
    )
    run = store.begin(experiment)

    def show(progress: RunProgress) -> None:
        if watch is not None:
            watch("test", 1, len(players), progress)

    play_run(store, run, pool=pool, watch=show)
    return summarise(store, run)


def check_folder(text: str) -> Path:
    """The folder that `--out` names; it need not be there yet. Raises InvalidFile if it can't be one."""
    wanted = "--out names a folder, a new one or that of a tuning"
    if not text:
        raise InvalidFile(f"--out is empty: {wanted}")
    folder = Path(text)
    try:
        there = next(place for place in (folder, *folder.parents) if place.exists())
        if not there.is_dir():
            raise InvalidFile(f"can't write to {quote(text)}: {quote(there.name)} is a file; {wanted}")
    except OSError as error:  # a name that is too long
        raise InvalidFile(f"can't write to {quote(text)}: {error.strerror or error}; {wanted}") from None
    return folder


def make_folder(folder: Path) -> None:
    """Makes the folder of a tuning if it isn't there and sees whether it can be written. Raises InvalidFile."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InvalidFile(
            f"can't write to the folder {quote(str(folder))}: {error.strerror or error}; choose another --out"
        ) from None


@dataclass
class _ResultFacts:
    weights: Annotated[list[Finite], MaxLen(1000)]
    fitness: Finite


@dataclass
class _BestFacts:
    evaluation: Text
    player: Text


@dataclass
class _Record:
    """The schema of the record of a tuning, as far as it is read again."""

    format: Literal[1]
    settings: Settings
    generations: Annotated[list[list[_ResultFacts]], MaxLen(100_000)]
    best: _BestFacts | None = None


_MOST_RECORD = 1 << 30


def read_record(folder: Path) -> dict[str, Any] | None:
    """The record in a folder, None if there is none. Raises InvalidFile for one that can't be read."""
    path = folder / RECORD
    if not path.exists():
        return None
    text = read_file(path, _MOST_RECORD + 1)
    if len(text) > _MOST_RECORD:
        raise InvalidFile(f"{quote(str(path))} is too long for a record of 'twofold tune'")
    with told_as_file(path, "record of 'twofold tune'"):
        checked_json(text, _Record)
        value: dict[str, Any] = json.loads(text)
        return value


def settings_in(folder: Path, settings: Settings | None = None) -> Settings:
    """The settings of the tuning in a folder, which `settings`, if given, must agree with or begin.

    Raises InvalidParameter, and InvalidFile for a record that can't be read.
    """
    record = read_record(folder)
    if settings is None:
        if record is None:
            raise InvalidParameter(f"nothing to resume in {quote(str(folder))}: leave out --resume to start")
        return recorded_settings(record, folder)
    if record is None:
        return settings
    difference = settings.difference(recorded_settings(record, folder, settings.texts))
    if difference:
        raise InvalidParameter(
            f"{quote(str(folder))} holds a tuning with {difference}: --resume continues it, another --out starts a "
            "new one"
        )
    return settings


def tune_in(
    folder: Path,
    settings: Settings,
    *,
    store: str | None = None,
    jobs: int | None = None,
    watch: Watch | None = None,
    on_generation: Callable[[Tuning], None] | None = None,
) -> Tuning:
    """Tunes with the record in `folder`, and the games there too unless `store` names another place; see `tune`.

    jobs: processes, all cores unless given. Raises InvalidFile for a folder that can't be written.
    """
    check_libraries(settings.method)
    make_folder(folder)

    def record(tuning: Tuning) -> None:
        write_record(folder, tuning)
        if on_generation is not None:
            on_generation(tuning)

    if not (folder / RECORD).exists():  # --resume finds it before the first generation is done
        write_record(folder, Tuning(settings.checked()))
    with Store(store or str(folder / "games.db")) as opened:
        return tune(settings, opened, jobs=jobs or core_count(), watch=watch, on_generation=record)


def recorded_settings(record: dict[str, Any], path: Path, typed: Collection[str] = ()) -> Settings:
    """The settings in a record; typed: texts that a person typed now. Raises InvalidFile, InvalidParameter.

    Code in a Python file that the record alone names is not run.
    """
    with told_as_file(path, "record of 'twofold tune'"):
        settings = Settings.from_json(record["settings"])
    for text in settings.texts:
        if text not in typed:
            without_code(text, f"the record in {quote(str(path))}")
    return settings.checked()


def write_record(folder: Path, tuning: Tuning) -> None:
    """Writes the record, whole or not at all. Raises InvalidFile."""
    with replacing(folder / RECORD) as stream:
        stream.write(f"{json.dumps(tuning.as_json(), indent=1)}\n".encode())


def best_of_record(path: str) -> tuple[str, ...]:
    """The evaluations that another tuning found, the best first, to begin with. Raises InvalidFile."""
    place = Path(path)
    record = read_record(place if place.is_dir() else place.parent)
    if record is None:
        raise InvalidFile(f"no record of 'twofold tune' found at {quote(path)}")
    settings = recorded_settings(record, place)
    with told_as_file(path, "record of 'twofold tune'"):
        space = settings.space()
        found = [record["best"]["evaluation"]] if record.get("best") else []
        late = record.get("generations", [])[-1:]
        ranked = sorted((each for g in late for each in g), key=lambda each: -float(each["fitness"]))
        found += [space.text(tuple(each["weights"])) for each in ranked]
    if not found:
        raise InvalidParameter(f"the tuning at {quote(path)} has not judged any weights yet")
    return tuple(dict.fromkeys(found))
