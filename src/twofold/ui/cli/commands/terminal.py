"""``twofold terminal``: play, watch, analyse and review in a window that fills the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from twofold.ui.cli.commands import options
from twofold.ui.cli.commands.options import option
from twofold.ui.cli.output import EXIT_INTERRUPTED, Interrupted

if TYPE_CHECKING:
    from twofold.rules.game import Game
    from twofold.rules.variant import Variant


@options.rules()
def terminal(
    player: options.Players = None,
    board: Annotated[
        str | None, option("--board", "BOARD", "Board to analyse, in any notation.", False)
    ] = None,
    *,
    rules: options.Rules,
    speed: Annotated[float | None, option("--speed", "X", "Maximum moves per second in Watch.", "5")] = None,
    record: Annotated[
        str | None,
        option(
            "--record",
            "FILE",
            "File that stores your game move by move; if it exists, that game continues.",
            False,
        ),
    ] = None,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Play, watch, analyse and review in the terminal: keys 1 to 4, or F1 to F4.

    It opens Analyse if a board is given, Watch if a player is given, else Play.
    With several --player options, Analyse compares them all and Watch shows the
    first. At the end your game is summarised as by 'twofold play'.
    """
    from twofold.errors import InvalidParameter
    from twofold.players.defaults import DEFAULT_PLAYER
    from twofold.rules.board import parse_board
    from twofold.ui.cli.commands.play import check_speed, print_result
    from twofold.ui.shared.rules_form import Rules

    check_speed(speed)
    base = rules.to_variant()
    path = Path(record) if record is not None else None
    game = _game(base, seed, path, has_rules=rules != Rules())
    position = parse_board(board) if board is not None else None
    texts = _players(player or [DEFAULT_PLAYER])
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InvalidParameter(
            "'twofold terminal' needs a terminal; 'twofold play --player human' reads a pipe"
        )
    from twofold.ui.terminal.app import SPEED, Options, TerminalGame

    begin = {"board": position} if position is not None else {}
    room = "analyse" if position is not None else "watch" if player else "play"
    app = TerminalGame(
        Options(game, texts, rules=base, seed=seed, speed=speed or SPEED, path=path, room=room, **begin)
    )
    app.run()
    human = app.play_room.human
    result = human.result() if human.game.moves or json else None
    if result is not None:
        print_result(result, json=json)
    if app.return_code == EXIT_INTERRUPTED:
        raise Interrupted
    if app.return_code:
        raise typer.Exit(app.return_code)


def _players(texts: list[str]) -> list[str]:
    from twofold.ui.terminal.choose_player import checked_player

    return [checked_player(text) for text in texts]


def _game(base: Variant, seed: int | None, path: Path | None, *, has_rules: bool) -> Game:
    """The game of the record if there is one, else a new one."""
    from twofold.errors import InvalidFile, InvalidParameter, quote
    from twofold.files import read_file
    from twofold.matches.play import new_game
    from twofold.records.record import Record
    from twofold.ui.shared.rules_form import fresh_seed

    if path is not None and not path.parent.is_dir():
        raise InvalidFile(f"there is no folder for {quote(str(path))}")
    if path is None or not path.exists():
        return new_game(base, fresh_seed() if seed is None else seed)
    if has_rules or seed is not None:
        raise InvalidParameter(
            f"{quote(str(path))} holds a game with its own rules and seed: leave out the options, or name another file"
        )
    try:
        text = read_file(path).decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidFile(f"can't read {quote(str(path))}: it is not a text file") from None
    return Record.from_json(text).replay()
