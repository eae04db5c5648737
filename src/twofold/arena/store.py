"""What is kept: experiments, who plays which games now, and one row a game.

Nothing is lost and nothing counted twice because of three keys: a run's name, a chunk's claim (one owner at a time) and
a game's (player of a run, number). A chunk's games are stored in one transaction that also gives up its claim; where a
claim was taken over from a process that was only slow, the second copy of a game is dropped: it is the same game.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Annotated, Any

import sqlalchemy as sql
from annotated_types import Ge, Le, MaxLen
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from twofold import __version__
from twofold.arena import schema
from twofold.arena.experiment import MOST_GAMES, Chunk, Columns, Experiment, Task, chunk_size
from twofold.arena.leases import Owner
from twofold.checking import Text, checked
from twofold.errors import StoreError, TwofoldError, did_you_mean, quote
from twofold.players.fingerprint import fingerprint
from twofold.rules.variant import Variant

_AHEAD = 86400.0  # seconds that another machine's clock may be ahead of this one's
_AT_ONCE = 500  # rows of a statement: with their columns below the 32,766 parameters that SQLite takes


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a run: its number in the store, its text and how many games make a chunk.

    fingerprint: what the text meant when the run was begun (players/fingerprint.py); None in runs from before that was
    kept.
    """

    id: int
    player: str
    chunk: int
    fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """An experiment in a store."""

    id: int
    experiment: Experiment
    entrants: tuple[Entrant, ...]
    created: str

    @property
    def games(self) -> int:
        """Games of all players together."""
        return self.experiment.games * len(self.entrants)


class Store:
    """An open database of experiments; a context manager. Every failure is a StoreError of one line."""

    def __init__(self, url: str | None = None, *, create: bool = True) -> None:
        """Opens `url` (default: the file in the user's data folder), and makes the tables unless `create` is false."""
        parsed = schema.read_url(schema.default_url() if url is None else url)
        self.name = parsed.render_as_string(hide_password=True)
        self._engine = schema.open_engine(parsed, create=create)
        self._objects: list[Experiment] = []  # players that were given as objects live as long as the store
        self._fast = parsed.get_backend_name() == "sqlite"

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._engine.dispose()

    @contextlib.contextmanager
    def _write(self) -> Iterator[Connection]:
        with schema.told(self.name), self._engine.begin() as connection:
            yield connection

    @contextlib.contextmanager
    def _read(self) -> Iterator[Connection]:
        with schema.told(self.name), self._engine.connect() as connection:
            yield connection

    # Experiments

    def begin(self, experiment: Experiment) -> Run:
        """The run of that name: a new one, or the old one if the settings are the same, with at least as many games.

        Raises StoreError if the name was used with other settings.
        """
        if experiment.objects:
            self._objects.append(experiment)
        with contextlib.suppress(_Taken):
            self._add(experiment)
        run = self.run(experiment.name)
        difference = experiment.difference(run.experiment)
        if difference:
            raise StoreError(
                f"the name {quote(experiment.name)} is already in use, with {_swapped(difference)}: "
                "choose another --name"
            )
        if experiment.games > run.experiment.games:
            with self._write() as connection:
                connection.execute(
                    sql.update(schema.run)
                    .where(schema.run.c.id == run.id, schema.run.c.games < experiment.games)
                    .values(games=experiment.games)
                )
            run = self.run(experiment.name)
        return run

    def _add(self, experiment: Experiment) -> None:
        with self._write() as connection:
            try:
                made = connection.execute(
                    sql.insert(schema.run).values(
                        name=experiment.name,
                        variant=str(experiment.variant),
                        seed=str(experiment.seed),
                        stop_at_target=int(experiment.stop_at_target),
                        games=experiment.games,
                        created=_now(),
                    )
                )
            except IntegrityError:
                raise _Taken from None
            assert made.inserted_primary_key is not None
            number = made.inserted_primary_key[0]
            connection.execute(
                sql.insert(schema.entrant),
                [
                    {
                        "run": number,
                        "position": i,
                        "player": player,
                        "chunk": chunk_size(player),
                        "meaning": _fingerprint(player, experiment.variant),
                    }
                    for i, player in enumerate(experiment.players)
                ],
            )

    def check_fingerprints(self, run: Run) -> None:
        """Raises StoreError if a player's text does not mean now what it meant when the run was begun."""
        for each in run.entrants:
            if each.fingerprint not in (None, _fingerprint(each.player, run.experiment.variant)):
                raise StoreError(
                    f"the run {quote(run.experiment.name)} was started with another {quote(each.player)}: its file, "
                    "its network or a default has changed since; choose another --name or --store"
                )

    def run(self, name: str) -> Run:
        """The run of that name. Raises StoreError, with the nearest name."""
        with self._read() as connection:
            row = connection.execute(sql.select(schema.run).where(schema.run.c.name == name)).one_or_none()
            if row is None:
                names = connection.execute(sql.select(schema.run.c.name)).scalars().all()
                hint = did_you_mean(name, names)
                raise StoreError(
                    f"no run {quote(name)} in {quote(self.name)}{hint or ': see twofold arena list'}"
                )
            found = _run_of(connection, row)
            self._check_games(connection, found)
            return found

    def _check_games(self, connection: Connection, run: Run) -> None:
        """Raises StoreError for rows of games that are none; a database other than SQLite has no such rows."""
        if not self._fast:
            return
        owners = ", ".join(str(each.id) for each in run.entrants)
        wrong = connection.execute(
            sql.text(f"SELECT game FROM twofold_game WHERE entrant IN ({owners}) AND NOT ({_SOUND}) LIMIT 1")
        ).one_or_none()
        if wrong is not None:
            raise StoreError(
                f"the store {quote(self.name)} is damaged: game {quote(str(wrong[0]))} of the run "
                f"{quote(run.experiment.name)} is not a game; export what is whole, or play into another --store"
            )

    def runs(self) -> list[Run]:
        """All runs, the oldest first."""
        with self._read() as connection:
            rows = connection.execute(sql.select(schema.run).order_by(schema.run.c.id)).all()
            return [_run_of(connection, row) for row in rows]

    def done(self, run: Run) -> dict[int, int]:
        """Games stored, by entrant."""
        with self._read() as connection:
            counts = connection.execute(
                sql.select(schema.game.c.entrant, sql.func.count())
                .where(schema.game.c.entrant.in_([each.id for each in run.entrants]))
                .where(schema.game.c.game < run.experiment.games)
                .group_by(schema.game.c.entrant)
            ).all()
        return {each.id: 0 for each in run.entrants} | dict(counts)

    # Who plays what

    def start_session(self) -> int:
        """Registers this process; claims are made in its name."""
        owner = Owner.here()
        with self._write() as connection:
            made = connection.execute(
                sql.insert(schema.session).values(
                    version=__version__,
                    host=owner.host,
                    process=owner.process,
                    process_start=owner.process_start,
                    begun=_now(),
                    beat=time.time(),
                )
            )
            assert made.inserted_primary_key is not None
            return int(made.inserted_primary_key[0])

    def beat(self, session: int) -> None:
        """A sign of life."""
        with self._write() as connection:
            connection.execute(
                sql.update(schema.session).where(schema.session.c.id == session).values(beat=time.time())
            )

    def end_session(self, session: int) -> None:
        """Gives up all claims."""
        with self._write() as connection:
            connection.execute(sql.delete(schema.claim).where(schema.claim.c.session == session))
            connection.execute(
                sql.update(schema.session).where(schema.session.c.id == session).values(beat=0.0)
            )

    def reap(self, session: int) -> int:
        """Frees what dead processes have claimed; returns how many chunks that are."""
        claim, holder = schema.claim, schema.session
        with self._read() as connection:
            held = connection.execute(
                sql.select(holder).where(holder.c.id.in_(sql.select(claim.c.session)), holder.c.id != session)
            ).all()
        dead = [row.id for row in held if _is_dead(row)]
        orphaned = sql.not_(
            claim.c.session.in_(sql.select(holder.c.id))
        )  # of nobody: never given up by itself
        with self._read() as connection:
            if (
                not dead
                and connection.execute(sql.select(claim.c.first).where(orphaned).limit(1)).first() is None
            ):
                return 0
        with self._write() as connection:
            return connection.execute(sql.delete(claim).where(claim.c.session.in_(dead) | orphaned)).rowcount

    def unfinished(self, run: Run) -> list[Chunk]:
        """The chunks that lack a game, by their first game and then in the order of the players."""
        found: list[tuple[int, int, Chunk]] = []
        for position, each in enumerate(run.entrants):
            part = schema.game.c.game // each.chunk
            with self._read() as connection:
                counts = connection.execute(
                    sql.select(part, sql.func.count())
                    .where(schema.game.c.entrant == each.id, schema.game.c.game < run.experiment.games)
                    .group_by(part)
                ).all()
            stored = {int(number): count for number, count in counts}
            for first in range(0, run.experiment.games, each.chunk):
                count = min(each.chunk, run.experiment.games - first)
                if stored.get(first // each.chunk, 0) < count:
                    found.append((first, position, Chunk(each.id, each.player, first, count)))
        return [chunk for _, _, chunk in sorted(found, key=lambda item: item[:2])]

    def claim(self, run: Run, chunk: Chunk, session: int) -> Task | None:
        """Takes a chunk; None if another process has it, or all its games are stored by now."""
        games = schema.game
        with self._write() as connection:
            try:
                # The write comes first: it takes the lock, so that what is read after it is the latest.
                with connection.begin_nested():
                    connection.execute(
                        sql.insert(schema.claim).values(
                            entrant=chunk.entrant, first=chunk.first, session=session
                        )
                    )
            except IntegrityError:
                return None
            last = chunk.first + chunk.count
            stored = set(
                connection.execute(
                    sql.select(games.c.game).where(
                        games.c.entrant == chunk.entrant, games.c.game >= chunk.first, games.c.game < last
                    )
                ).scalars()
            )
            if len(stored) == chunk.count:
                connection.execute(_claim_of(chunk))
                return None
        whole = range(chunk.first, last)
        missing = tuple(number for number in whole if number not in stored) if stored else whole
        experiment = run.experiment
        return Task(chunk, str(experiment.variant), experiment.seed, experiment.stop_at_target, missing)

    def finish(self, chunk: Chunk, games: Columns, session: int) -> None:
        """Stores a chunk's games and gives up its claim, both or neither."""
        with self._write() as connection:
            if self._fast:
                _insert_quickly(connection, chunk.entrant, session, games)
            else:
                from sqlalchemy.dialects.postgresql import insert

                always = {"entrant": chunk.entrant, "session": session}
                connection.execute(
                    insert(schema.game).on_conflict_do_nothing(),
                    [
                        dict(zip(games, row, strict=True)) | always
                        for row in zip(*games.values(), strict=True)
                    ],
                )
            connection.execute(_claim_of(chunk).where(schema.claim.c.session == session))

    # What came of it

    def columns(self, entrant: Entrant, games: int, names: Sequence[str]) -> dict[str, list[Any]]:
        """Columns of an entrant's rows below game number `games`, in the order of the games."""
        table = schema.game
        chosen = [table.c[name] for name in names]
        with self._read() as connection:
            rows = connection.execute(
                sql.select(*chosen)
                .where(table.c.entrant == entrant.id, table.c.game < games)
                .order_by(table.c.game)
            ).all()
        return {name: [row[i] for row in rows] for i, name in enumerate(names)}

    def scores_from(self, entrant: Entrant, first: int) -> list[int]:
        """The scores of game `first` and those after it, up to the first game that is missing."""
        table = schema.game
        with self._read() as connection:
            rows = connection.execute(
                sql.select(table.c.game, table.c.score)
                .where(table.c.entrant == entrant.id, table.c.game >= first)
                .order_by(table.c.game)
            ).all()
        return [score for i, (number, score) in enumerate(rows) if number == first + i]

    def versions(self, run: Run) -> list[str]:
        """The versions of twofold that played the games of a run."""
        with self._read() as connection:
            found = connection.execute(
                sql.select(schema.session.c.version)
                .distinct()
                .join(schema.game, schema.game.c.session == schema.session.c.id)
                .where(schema.game.c.entrant.in_([each.id for each in run.entrants]))
            ).scalars()
            return sorted(found)

    def exported(self, run: Run) -> Iterator[tuple[Any, ...]]:
        """The rows of a run as the view shows them, in the order of `schema.EXPORTED`, by player and game."""
        names = ", ".join(schema.EXPORTED)
        for each in run.entrants:
            with self._read() as connection:
                yield from connection.execution_options(yield_per=2000).execute(
                    sql.text(
                        f"SELECT {names} FROM twofold_games WHERE name = :name AND player = :player ORDER BY game"
                    ),
                    {"name": run.experiment.name, "player": each.player},
                )


class _Taken(Exception):
    """The name of a run is in use."""


def _insert_quickly(connection: Connection, entrant: int, session: int, games: Columns) -> None:
    """Games into SQLite, many in one statement: three times as fast as one by one."""
    width = len(games)
    head = f"INSERT INTO twofold_game (entrant, session, {', '.join(games)}) VALUES "
    tail = " ON CONFLICT (entrant, game) DO NOTHING"  # INSERT OR IGNORE would hide other refusals too
    one = f"({int(entrant)}, {int(session)}, {', '.join('?' * width)})"
    values: list[Any] = [None] * (width * len(games["game"]))
    for i, column in enumerate(games.values()):
        values[i::width] = column
    for begin in range(0, len(values), width * _AT_ONCE):
        part = tuple(values[begin : begin + width * _AT_ONCE])
        connection.exec_driver_sql(head + ", ".join([one] * (len(part) // width)) + tail, part)


def _claim_of(chunk: Chunk) -> sql.Delete:
    claim = schema.claim
    return sql.delete(claim).where(claim.c.entrant == chunk.entrant, claim.c.first == chunk.first)


_Id = Annotated[int, Ge(-(1 << 63)), Le((1 << 63) - 1)]


@dataclass
class _RunRow:
    """The schema of a row of runs."""

    id: _Id
    name: Text
    variant: Text
    seed: Annotated[str, MaxLen(20)]
    stop_at_target: Annotated[int, Ge(0), Le(1)]
    games: Annotated[int, Ge(1), Le(MOST_GAMES)]
    created: Text


@dataclass
class _EntrantRow:
    """The schema of a row of players."""

    id: _Id
    player: Text
    chunk: Annotated[int, Ge(1), Le(1 << 31)]
    meaning: Annotated[str, MaxLen(16)] | None


_WHOLE = ("game", "score", "max_tile", "moves", "won")
_COUNTED = ("nodes", "table_hits", "pruned", "depths")
_SOUND = " AND ".join(
    [f"typeof({name}) = 'integer' AND {name} >= 0" for name in _WHOLE]
    + [f"({name} IS NULL OR typeof({name}) = 'integer' AND {name} >= 0)" for name in _COUNTED]
    + ["typeof(seconds) IN ('real', 'integer') AND seconds BETWEEN 0 AND 1e15", "typeof(reason) = 'text'"]
    + ["(tiles IS NULL OR typeof(tiles) = 'text')"]
)
"""What SQLite, which lets any kind of value into any column, has to be asked of a row of games."""


def _run_of(connection: Connection, row: Any) -> Run:
    entrants = connection.execute(
        sql.select(schema.entrant).where(schema.entrant.c.run == row.id).order_by(schema.entrant.c.position)
    ).all()
    try:
        kept = checked(row._asdict(), _RunRow)
        found = [checked(each._asdict(), _EntrantRow) for each in entrants]
        experiment = Experiment.of_texts(
            kept.name,
            tuple(each.player for each in found),
            kept.games,
            Variant.parse(kept.variant),
            int(kept.seed),
            bool(kept.stop_at_target),
        )
        return Run(
            kept.id,
            experiment,
            tuple(Entrant(each.id, each.player, each.chunk, each.meaning) for each in found),
            kept.created,
        )
    except (TwofoldError, ValueError) as error:
        raise StoreError(f"the store is damaged: its run {quote(row.name)} can't be read: {error}") from None


def _is_dead(row: Any) -> bool:
    """Whether the process of a session is gone, or its row is none: then nobody comes back to it."""
    if not isinstance(row.beat, int | float) or not isinstance(row.process, int):
        return True
    if not 0 < row.process < 1 << 31 or row.beat > time.time() + _AHEAD:
        return True
    return Owner(str(row.host), row.process, str(row.process_start)).is_dead(row.beat)


def _fingerprint(player: str, variant: Variant) -> str:
    return fingerprint(player, variant.evil.evaluation if variant.evil is not None else None)


def _swapped(difference: str) -> str:
    """`what 'new' instead of 'old'` read from the other side."""
    what, _, rest = difference.partition(" ")
    new, _, old = rest.partition(" instead of ")
    return f"{what} {old} instead of {new}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
