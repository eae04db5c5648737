"""The player that plays when nobody names one."""

DEFAULT_PLAYER = "expectimax"
"""Limited by nodes, not by time, so that a default game is the same on every machine."""
