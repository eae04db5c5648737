"""Exact play: solving games by layers of equal tile sum, and using the solutions.

| module | what it is for |
|---|---|
| `states.py` | boards as words, the board's own symmetries, start positions |
| `layers.py` | hash tables and where the layers are kept: memory or disk |
| `locked.py` | classes of positions with large tiles that never merge |
| `endgame.py`, `patterns.py` | tables of such classes, used in a game; which of them fit a budget |
| `formations.py`, `formation_*.py` | formation tables: how they are solved, their files and sets, used in a game |
| `problem.py` | what is solved; values as words |
| `luck.py` | the best and the worst luck in place of chance |
| `solver.py`, `run.py` | the walk up and the walk down; a whole solution with its files |
| `estimate.py` | how large a solution will be |
| `certain.py`, `depth_first.py` | what is certain; states counted as report S4 does |
| `policy.py`, `policy_file.py`, `export.py` | the value of every afterstate: looking up, files, databases |
| `small.py` | small games solved when needed and kept in the cache |
| `tree.py`, `diagrams.py` | decision trees and graphs, and their pictures |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twofold.lazy import lazy_exports

if TYPE_CHECKING:
    from twofold.exact.diagrams import draw
    from twofold.exact.endgame import Endgames, load_endgames
    from twofold.exact.policy import MoveValue, Policy, policy_of
    from twofold.exact.policy_file import load_policy, save_policy
    from twofold.exact.problem import Problem
    from twofold.exact.small import Position, small_policy, solve_position
    from twofold.exact.solver import Solution, SolveProgress, solve
    from twofold.exact.tree import Tree
    from twofold.exact.tree import build as build_tree

__all__ = [
    "Endgames",
    "MoveValue",
    "Policy",
    "Position",
    "Problem",
    "Solution",
    "SolveProgress",
    "Tree",
    "build_tree",
    "draw",
    "load_endgames",
    "load_policy",
    "policy_of",
    "save_policy",
    "small_policy",
    "solve",
    "solve_position",
]

__getattr__, __dir__ = lazy_exports(__name__)
