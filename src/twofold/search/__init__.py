"""Searches ready to be asked about positions, for any evaluation and board."""
