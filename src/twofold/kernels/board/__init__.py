"""Boards for kernels: as one word (`bitboard`), as bytes (`byteboard`), their line tables, and the steps of a game."""
