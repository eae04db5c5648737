"""The games of the studies: a store of the arena that comes with the repository, one run for each player.

A run's name begins with that of its study and ends with a mark of what its player means (`players/fingerprint.py`), or
with the commit that played in those from before there were such marks: after a change of a network or a default a
study begins new runs. `twofold arena list --store benchmarks/studies/games.db` shows all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from benchmarks.history import ROOT
from twofold.arena.experiment import Experiment
from twofold.arena.play import RunProgress, play_run
from twofold.arena.store import Store
from twofold.arena.summary import PlayerSummary, Summary, summarise
from twofold.players.fingerprint import fingerprint

STORE = ROOT / "benchmarks" / "studies" / "games.db"


def open_store() -> Store:
    """The store of the studies."""
    return Store(f"sqlite:///{STORE.as_posix()}")


def name_of(study: str, what: str, mark: str) -> str:
    """A run's name: of a name of the arena only letters, digits, spaces and . + - _ are kept."""
    return " ".join(re.sub(r"[^\w.+-]+", " ", f"{study} {what} {mark}").split())


def play(
    study: str,
    player: str,
    games: int,
    *,
    seed: int,
    what: str = "",
    mark: str = "",
    jobs: int = 1,
    stop_at_target: bool = False,
) -> PlayerSummary:
    """The games of a player, those played that are missing; other processes may play too. what: default the player."""
    asked = Experiment([player], games, seed=seed, stop_at_target=stop_at_target)
    text = asked.players[0]
    ending = " until 2048" if stop_at_target else ""
    name = name_of(study, (what or text) + ending, mark or fingerprint(text)[:8])
    with open_store() as store:
        run = store.begin(replace(asked, name=name))
        play_run(store, run, jobs=jobs, watch=_progress(name))
        return summarise(store, replace(run, experiment=replace(asked, name=name))).players[0]


def stored(study: str) -> Iterator[tuple[str, Summary]]:
    """Name (without the study's) and games of each run of a study, the oldest first."""
    with open_store() as store:
        for run in store.runs():
            if run.experiment.name.startswith(f"{study} "):
                yield run.experiment.name.removeprefix(f"{study} "), summarise(store, run)


def _progress(name: str) -> Callable[[RunProgress], None]:
    told = -1

    def show(state: RunProgress) -> None:
        nonlocal told
        if state.done == told:
            return
        told = state.done
        print(f"{name}: {state.done:,} of {state.games:,} games, {state.seconds:,.0f} s", flush=True)

    return show
