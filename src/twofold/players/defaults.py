"""The player that plays when nobody names one."""

DEFAULT_PLAYER = "expectimax:nodes=1000000,cut=0.0001"
"""Limited by nodes, not by time, so that a default game is the same on every machine."""
