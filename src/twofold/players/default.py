"""`default`, the default player: expectimax with the best leaves that there are for the board.

On the open 4x4 board these are the network that comes with twofold, under any rules for what appears; on all other
boards, which it is not for, the hand-made evaluation. Both searches take about as long for a move, and the network
plays the better game (docs/results/strength.md). There is no search here: a decision is that of the player which
`default_texts` names.
"""

from __future__ import annotations

import threading

from twofold.evaluation.learned import is_network_ready
from twofold.kernels.compile_time import WATCH
from twofold.players.base import Decision, Limit
from twofold.players.defaults import DEFAULT_PLAYER, HAND_MADE_NODES, default_texts
from twofold.players.expectimax import Expectimax
from twofold.players.made import BuiltIn
from twofold.players.registry import PLAYERS, make_player
from twofold.rules.board import Board
from twofold.rules.state import State


def meanwhile(text: str, board: Board) -> str | None:
    """Who answers for a player on `board` while the network has to be unpacked; None if nobody has to.

    Only for `default`, by the same limits with the hand-made evaluation; the unpacking begins then.
    """
    info, values = PLAYERS.parse(text)
    if info.name != DEFAULT_PLAYER or not board.is_open_4x4 or is_network_ready():
        return None
    return default_texts(values["nodes"], values["time"])[1]


class Default(BuiltIn):
    """See the module's text. A player is made when a board first asks for it, so that 3x3 loads no network.

    nodes, time: limits of either search. The usual limits are nodes, fewer with the network than `limit` allows.
    """

    def __init__(self, text: str = "", *, nodes: int | None = None, time: float | None = None) -> None:
        self.limit = Limit(None, nodes or (HAND_MADE_NODES if time is None else None), time)
        self._learned, self._hand_made = default_texts(nodes, time)
        self._players: dict[str, Expectimax] = {}
        self._lock = threading.Lock()

    def text_for(self, board: Board) -> str:
        """The player that decides on this board, as text."""
        return self._learned if board.is_open_4x4 else self._hand_made

    def decide(self, state: State, key: int = 0) -> Decision:
        """The decision of the player for this board; `key` is not used. Raises what it raises."""
        return self._player(self.text_for(state.board)).decide(state, key)

    def stop(self) -> None:
        """Ends a running `decide` soon, from another thread."""
        for player in tuple(self._players.values()):
            player.stop()

    def _player(self, text: str) -> Expectimax:
        with self._lock:
            if text not in self._players:
                with WATCH:  # a network that is being unpacked is no thinking
                    made = make_player(text)
                assert isinstance(made, Expectimax)
                self._players[text] = made
            return self._players[text]
