"""Exact play: the game solved by layers of equal tile sum, and what can be done with a solution.

| module | room |
|---|---|
| `states.py` | boards as words, the board's own symmetries, start positions |
| `layers.py` | hash tables and where the layers are kept: memory or disk |
| `solve.py` | the walk up and the walk down |
| `policy.py` | files with the value of every afterstate, and looking up |
"""
