"""Whole games in one compiled loop."""
