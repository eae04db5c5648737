"""Whole games: played one at a time or many at once, with one result."""
