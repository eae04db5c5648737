"""The players by name: what is listed, and that listing is cheap."""

from __future__ import annotations

import subprocess
import sys

import pytest

import twofold
from twofold import list_players, make_player, player_info
from twofold.errors import UnknownPlayer
from twofold.players.registry import canonical_text


def test_the_basic_players_are_listed_with_summaries() -> None:
    infos = {info.name: info for info in list_players()}
    assert {"random", "greedy", "scripted", "human", "expectimax"} <= set(infos)
    assert all(info.summary and info.source for info in infos.values())
    assert all(parameter.help for info in infos.values() for parameter in info.parameters)


def test_an_unknown_player_gets_a_suggestion() -> None:
    for find in (make_player, player_info, canonical_text):
        with pytest.raises(UnknownPlayer, match="did you mean 'greedy'"):
            find("gredy")


def test_importing_and_listing_load_nothing_heavy() -> None:
    code = (
        "import sys, twofold; twofold.list_players(); twofold.Board.parse('2 .|. 2'); twofold.new_game();"
        "print(*(sys.modules.keys() & {'numpy', 'numba', 'typer', 'rich', 'PIL', 'torch'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_every_public_name_is_there() -> None:
    assert all(getattr(twofold, name) is not None for name in twofold.__all__)
    assert set(twofold.__all__) <= set(dir(twofold))
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = twofold.no_such_name
