"""Exact play: the game solved by layers of equal tile sum, and what can be done with a solution.

| module | room |
|---|---|
| `states.py` | boards as words, the board's own symmetries, start positions |
| `layers.py` | hash tables and where the layers are kept: memory or disk |
| `locked.py` | classes of positions with large tiles that never merge |
| `endgame.py`, `patterns.py` | tables of such classes asked from a game; which of them fit a budget |
| `problem.py` | what is solved; values as words |
| `solve.py` | the walk up and the walk down |
| `estimate.py` | how large a solution will be |
| `certain.py` | what is sure |
| `policy.py`, `policy_file.py`, `export.py` | the value of every afterstate: looking up, files, databases |
| `small.py` | small games solved on the way and kept in the cache |
| `tree.py`, `diagrams.py` | decision trees and graphs, and their pictures |
"""
