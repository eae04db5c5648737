"""The database of the arena: its tables, how it is opened, and how its troubles are told in one line.

A SQLite file in the user's data folder unless a URL says otherwise; PostgreSQL by the same code. All tables begin with
``twofold_``, so that a database may hold other things too. The view ``twofold_games`` shows one row a game with all
that is needed to replay it.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from twofold.errors import StoreError, quote

VERSION = 2
"""Of the tables. A database with a larger one is refused; an older one is brought up to date when it is opened.

2: what a player's text meant when its run was begun (`entrant.meaning`); not known of runs from before.
"""

WAIT = 60.0
"""Seconds that a process waits for another one that writes to the same SQLite file."""

tables = sql.MetaData()
_Key = sql.BigInteger().with_variant(sql.Integer, "sqlite")  # SQLite numbers rows by itself only for INTEGER

meta = sql.Table(
    "twofold_meta",
    tables,
    sql.Column("key", sql.String(40), primary_key=True),
    sql.Column("value", sql.String(200), nullable=False),
)
run = sql.Table(
    "twofold_run",
    tables,
    sql.Column("id", _Key, primary_key=True),
    sql.Column("name", sql.String(100), nullable=False, unique=True),
    sql.Column("variant", sql.Text, nullable=False),
    sql.Column("seed", sql.String(20), nullable=False),  # up to 2^64-1, which no integer column holds
    sql.Column("stop_at_target", sql.Integer, nullable=False),
    sql.Column("games", sql.BigInteger, nullable=False),
    sql.Column("created", sql.String(40), nullable=False),
)
entrant = sql.Table(
    "twofold_entrant",
    tables,
    sql.Column("id", _Key, primary_key=True),
    sql.Column("run", sql.ForeignKey(run.c.id), nullable=False),
    sql.Column("position", sql.Integer, nullable=False),
    sql.Column("player", sql.Text, nullable=False),
    sql.Column("chunk", sql.Integer, nullable=False),
    sql.Column("meaning", sql.String(16)),  # players/fingerprint.py
    sql.UniqueConstraint("run", "position"),
)
session = sql.Table(
    "twofold_session",
    tables,
    sql.Column("id", _Key, primary_key=True),
    sql.Column("version", sql.String(40), nullable=False),
    sql.Column("host", sql.String(200), nullable=False),
    sql.Column("process", sql.BigInteger, nullable=False),
    sql.Column("process_start", sql.String(40), nullable=False),
    sql.Column("begun", sql.String(40), nullable=False),
    sql.Column(
        "beat", sql.Float, nullable=False
    ),  # seconds since 1970 of the last sign of life; 0: it has ended
)
claim = sql.Table(
    "twofold_claim",
    tables,
    sql.Column("entrant", sql.ForeignKey(entrant.c.id), primary_key=True),
    sql.Column("first", sql.BigInteger, primary_key=True, autoincrement=False),
    sql.Column("session", sql.ForeignKey(session.c.id), nullable=False),
)
game = sql.Table(
    "twofold_game",
    tables,
    sql.Column("entrant", sql.ForeignKey(entrant.c.id), primary_key=True),
    sql.Column("game", sql.BigInteger, primary_key=True, autoincrement=False),
    sql.Column("score", sql.BigInteger, nullable=False),
    sql.Column("max_tile", sql.BigInteger, nullable=False),
    sql.Column("moves", sql.BigInteger, nullable=False),
    sql.Column("seconds", sql.Float, nullable=False),
    sql.Column("won", sql.Integer, nullable=False),
    sql.Column("reason", sql.String(20), nullable=False, server_default="no legal move"),
    sql.Column("nodes", sql.BigInteger),
    sql.Column("table_hits", sql.BigInteger),
    sql.Column("pruned", sql.BigInteger),
    sql.Column("depths", sql.BigInteger),
    sql.Column("tiles", sql.Text),
    sql.Column("session", sql.ForeignKey(session.c.id), nullable=False),
    sqlite_with_rowid=False,  # the games lie in the order of the key: half the size, and read without a detour
)

_VIEW = """CREATE VIEW twofold_games AS
SELECT r.name, e.player, r.variant, r.seed, g.game, r.stop_at_target, g.score, g.max_tile, g.moves, g.seconds, g.won,
g.reason, g.nodes, g.table_hits, g.pruned, g.depths, g.tiles, s.version
FROM twofold_game g JOIN twofold_entrant e ON e.id = g.entrant JOIN twofold_run r ON r.id = e.run
JOIN twofold_session s ON s.id = g.session"""
EXPORTED = (
    "name", "player", "variant", "seed", "game", "stop_at_target", "score", "max_tile", "moves", "seconds", "won",
    "reason", "nodes", "table_hits", "pruned", "depths", "tiles", "version",
)  # fmt: skip
"""The columns of the view, in order."""


def default_url() -> str:
    """The SQLite file in the user's data folder; TWOFOLD_STORE names another store."""
    named = os.environ.get("TWOFOLD_STORE")
    if named:
        return named
    from platformdirs import user_data_path

    return f"sqlite:///{(user_data_path('twofold') / 'arena.db').as_posix()}"


def read_url(text: str) -> URL:
    """A store's URL, or the name of a file that ends in .db or .sqlite. Raises StoreError."""
    right = "write sqlite:///FILE, postgresql://USER@HOST/DATABASE, or a FILE.db"
    if "://" not in text:
        if not text.endswith((".db", ".sqlite", ".sqlite3")):
            raise StoreError(f"the store {quote(text)} is not a URL: {right}")
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise StoreError(f"the store {quote(_shown(text))} is not a URL: {right}") from None
    kind = url.get_backend_name()
    if kind == "sqlite":
        if not url.database or url.database == ":memory:":
            raise StoreError(f"the store {quote(text)} doesn't name a file: {right}")
        return url
    if kind in ("postgres", "postgresql"):
        return url if "+" in url.drivername else url.set(drivername="postgresql+psycopg")
    raise StoreError(f"the store {quote(_shown(text))} is neither SQLite nor PostgreSQL: {right}")


def is_missing(url: URL) -> bool:
    """True for a SQLite file that is not there."""
    return url.get_backend_name() == "sqlite" and not Path(str(url.database)).exists()


def _shown(text: str) -> str:
    """A URL without its password."""
    scheme, _, rest = text.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"


def open_engine(url: URL, *, create: bool) -> Engine:
    """Connects, makes the tables where there are none, and checks their version. Raises StoreError."""
    name = url.render_as_string(hide_password=True)
    with told(name):
        if url.get_backend_name() == "sqlite":
            _prepare_file(Path(str(url.database)), name, create=create)
        engine = _engine(url)
        try:
            # Two processes may make the tables at once; the second finds them then.
            for attempt in range(5):
                try:
                    _check(engine, name, create=create)
                    break
                except DBAPIError as error:
                    if attempt == 4 or not _is_race(error):
                        raise
                    time.sleep(0.2 * (attempt + 1))
        except BaseException:
            engine.dispose()
            raise
        return engine


def _prepare_file(path: Path, name: str, *, create: bool) -> None:
    if path.exists() or not create:
        if path.is_dir():
            raise StoreError(f"the store {quote(name)} is a directory: name a file in it")
        if not path.exists():
            raise StoreError(f"there is no store {quote(name)}: 'twofold arena run' makes one")
        if not path.is_file():
            raise StoreError(f"the store {quote(name)} is a pipe or a device: name a file")
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"can't make a folder for the store {quote(name)}: {error.strerror}") from None


def _engine(url: URL) -> Engine:
    try:
        if url.get_backend_name() == "sqlite":
            engine = sql.create_engine(url, connect_args={"timeout": WAIT})
            sql.event.listen(engine, "connect", _set_up_sqlite)
            return engine
        return sql.create_engine(url, pool_pre_ping=True)
    except ImportError as error:
        raise StoreError(
            f"PostgreSQL needs a driver: pip install 'twofold[postgres]' ({error.name or error})"
        ) from None
    except NoSuchModuleError:
        raise StoreError(f"no database driver {quote(url.drivername)}: write postgresql://…") from None


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    # Readers and one writer at a time then don't wait for each other; a crash of the machine may lose the last
    # games, which are played again, but never damages the file.
    cursor = connection.cursor()
    with contextlib.suppress(Exception):  # another process is just doing it, or the file is read-only
        cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.close()


def _check(engine: Engine, name: str, *, create: bool) -> None:
    with engine.connect() as connection:
        if sql.inspect(connection).has_table(meta.name):
            row = connection.execute(sql.select(meta.c.value).where(meta.c.key == "version")).scalar()
        else:
            row = None
    if row is None:
        if not create:
            raise StoreError(f"{quote(name)} holds no experiments: 'twofold arena run' makes the tables")
        with engine.begin() as connection:
            _make_tables(connection)
        row = str(VERSION)
    if not row.isdigit() or int(row) > VERSION:
        raise StoreError(
            f"the store {quote(name)} was made by a newer twofold (its tables have version {quote(row)}, this one "
            f"knows {VERSION}): update twofold, or name another --store"
        )
    if int(row) < VERSION:
        _bring_up_to_date(engine)


def _bring_up_to_date(engine: Engine) -> None:
    """Tables of version 1 get what version 2 has. Of two processes that do it at once the second does nothing."""
    with engine.begin() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        this = meta.c.key == "version"
        # On PostgreSQL the row is locked, so that the second one waits here and then finds the new version.
        found = connection.execute(sql.select(meta.c.value).where(this).with_for_update()).scalar()
        if found == "1":
            connection.execute(sql.text("ALTER TABLE twofold_entrant ADD COLUMN meaning VARCHAR(16)"))
            connection.execute(sql.update(meta).where(this).values(value=str(VERSION)))


def _make_tables(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    tables.create_all(connection)
    connection.execute(sql.text(_VIEW))
    connection.execute(meta.insert().values(key="version", value=str(VERSION)))


def _is_race(error: DBAPIError) -> bool:
    text = str(error.orig).lower()
    return "exist" in text or "locked" in text or "unique" in text or "duplicate" in text


@contextlib.contextmanager
def told(name: str) -> Iterator[None]:
    """Turns what a database driver raises into a StoreError of one line; `name` is the store's URL."""
    try:
        yield
    except DBAPIError as error:
        reason = " ".join(str(error.orig).split())
        raise StoreError(f"the store {quote(name)} failed: {_plain(reason)}") from error
    except UnicodeDecodeError as error:
        raise StoreError(f"the store {quote(name)} is damaged: it holds text that is not UTF-8") from error
    except SQLAlchemyError as error:
        raise StoreError(f"the store {quote(name)} failed: {' '.join(str(error).split())[:200]}") from error


_PLAIN = {
    "database or disk is full": "the disk is full; the stored games are safe",
    "disk I/O error": "the disk can't be written (full, or a limit on the size of files); "
    "the stored games are safe",
    "file is not a database": "the file is not a SQLite database",
    "attempt to write a readonly database": "it can't be written to",
    "unable to open database file": "the file can't be opened: does its folder exist, and can you write to it?",
    "database is locked": "another process holds a lock on it",
}


def _plain(reason: str) -> str:
    return next((plain for known, plain in _PLAIN.items() if known in reason), reason[:200])
