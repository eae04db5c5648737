"""The default player, and the two that it stands for. Imports nothing."""

from __future__ import annotations

DEFAULT_PLAYER = "default"
"""Limited by nodes, not by time, so that a default game is the same on every machine."""

LEARNED_NODES = 8_000
"""Positions a move with the network at the leaves: about a millisecond (docs/results/strength.md)."""

HAND_MADE_NODES = 50_000
"""The same for the hand-made evaluation, whose positions are quicker: about a millisecond on small boards."""


def default_texts(nodes: int | None = None, time: float | None = None) -> tuple[str, str]:
    """The players that `default` with these parameters is: on the open 4x4 board, and on all others."""
    clock = "" if time is None else f"time={time!r},"

    def limits(usual: int) -> str:
        count = nodes or (usual if time is None else None)
        return clock if count is None else f"nodes={count},{clock}"

    return (
        f"expectimax:{limits(LEARNED_NODES)}eval=network,cut=3e-05,bound=2000",
        f"expectimax:{limits(HAND_MADE_NODES)}cut=0.0001",
    )
