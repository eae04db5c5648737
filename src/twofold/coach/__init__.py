"""Positions and games explained: how much a move gives away, and where."""
