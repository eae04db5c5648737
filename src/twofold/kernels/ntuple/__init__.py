"""Tuple networks: look-ups for play and search, learning by temporal differences, entries coded for files."""
