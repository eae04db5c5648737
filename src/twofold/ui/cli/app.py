"""The command ``twofold``: the list of commands, and `main`, which turns every end into an exit code.

Keep imports here light: ``twofold --help`` loads no numpy, no numba and no player.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from twofold import __version__
from twofold.registry import load_attribute
from twofold.ui.cli.arguments import Command, Group, check_texts, make_group, prepared
from twofold.ui.cli.output import EXIT_REFUSED, guarded, leave, prepare_streams, print_error, print_text

app = typer.Typer(
    name="twofold",
    cls=Group,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="The game 2048: play, watch a player, find the best move.",
    epilog="A BOARD is text in any notation: '2 . 4 .|. . . .|x 16 . .|. . . 2', '####|2###|#2##|####', "
    "[[0,2],[4,8]], or 16 hex digits.",
)


class _Carried(BaseException):
    """Takes an interruption or a failed write past typer, which would give it an exit code of its own."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


def _command(function: Callable[..., None], group: typer.Typer) -> None:
    """Adds `function` to the commands of `group` under its own name."""

    @functools.wraps(function)
    def carrying(*arguments: Any, **options: Any) -> None:
        try:
            check_texts(signature, options)
            function(*arguments, **options)
        except (KeyboardInterrupt, EOFError, OSError) as error:
            raise _Carried(error) from error

    signature = prepared(function)
    carrying.__signature__ = signature  # type: ignore[attr-defined]
    carrying.__annotations__ = {name: each.annotation for name, each in signature.parameters.items()}
    group.command(function.__name__.rstrip("_"), cls=Command)(carrying)


_COMMANDS = {
    "": "play:play board:move best:best review:review about:about names:players names:evals board:convert "
    "cache:cache "
    "terminal:terminal web:web bench:bench tune:tune paint:paint paths:paths life:life stereogram:stereogram",
    "record: Game files.": "record:convert",
    "train: Train networks.": "train:ntuple train_neural:neural train_s4:s4 train:shrink",
    "arena: Experiments: play many games, store them, compare players, write reports.": "arena:run arena:resume "
    "arena:list_ arena:report arena:replay arena:export arena_table:table",
    "exact: Exact play: solve games, look up values, draw decision trees, measure players.": "exact:solve "
    "solved:value solved:moves solved:count solved:export solved:regret solved:tree endgames:endgames "
    "formations:formations",
}
"""The commands, each as module:function in `twofold.ui.cli.commands`, by the group that they are in."""

for _told, _names in _COMMANDS.items():
    _name, _, _help = _told.partition(": ")
    _group = make_group(_help) if _name else app
    for _reference in _names.split():
        _command(load_attribute(f"twofold.ui.cli.commands.{_reference}"), _group)
    if _name:
        app.add_typer(_group, name=_name)

# The root of typer's usage errors; it has moved between modules, but BadParameter has always been one.
_UsageError: type[Exception] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)


_BOARD = re.compile(r"^-[-\s]*[\s|,]")
"""How a board begins whose first cell is empty, or whose frame is of dashes: no option."""


def _print_version(wanted: bool) -> None:
    if wanted:
        print_text(f"twofold {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            metavar="",
            help="Print the version and exit.",
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print_text(context.get_help())


def run(arguments: list[str] | None = None) -> int:
    """Runs one command line and gives its exit code; usage errors are one line, like all others."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        code = app(
            args=[_BOARD.sub(r" \g<0>", text) for text in given], prog_name="twofold", standalone_mode=False
        )
    except typer.Exit as done:
        return int(done.exit_code)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except _Carried as carried:
        raise carried.error from None
    except _UsageError as error:
        message = _message_of(error).rstrip(".")
        if not message:  # a group without a command: typer has printed its help
            return 0
        print_error(f"{message}{' See' if message.endswith('?') else ': see'} {_help_for(error)}")
        return EXIT_REFUSED
    return code if isinstance(code, int) else 0


def _message_of(error: Exception) -> str:
    tell = getattr(error, "format_message", None)
    return str(tell()) if tell is not None else str(error)


def _help_for(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "twofold"
    return f"'{path} --help'"


def main() -> None:
    """The entry point of the installed command."""
    leave(guarded(run) if prepare_streams() else EXIT_REFUSED)


if __name__ == "__main__":
    main()
