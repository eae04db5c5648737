"""Weights of evaluations found by playing: genetic search, CMA-ES, permutations."""
