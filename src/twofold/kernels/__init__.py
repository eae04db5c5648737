"""How twofold is fast: numba functions over ints and flat arrays; nothing is validated or allocated inside.

| module | room |
|---|---|
| `compiling.py` | the decorators, the fingerprint that keeps the on-disk cache honest, cloned templates |
| `compile_time.py` | how long this process has compiled, and a stopwatch that leaves it out |
| `bits.py` | machine instructions and raw memory access as functions |
| `tables.py` | line tables built from the reference slide |
| `packed.py` | boards inside 4x4 as one uint64; the reference generator, compiled |
| `cells.py`, `geometry.py` | every other board as flat uint8 ranks, and its shape as an array |
| `boards.py` | both as the board operations of a search |
| `rollout.py` | whole random games |
| `search.py` | the expectimax template and its transposition table |
| `leaves.py` | evaluators that the search template is cloned with |
| `minimax.py`, `futures.py`, `sampling.py`, `tree.py` | the other searches: alpha-beta, S0's futures, sampling, MCTS |
| `batch.py` | many games stepped at once, for the environments |
| `matches.py` | whole games and many positions in one compiled loop |
| `lookup.py`, `symmetry.py` | tuple networks as evaluators, the eight images of a board as one vector |
| `temporal.py`, `temporal_cells.py` | learning by temporal differences |
| `orbits.py`, `hashing.py`, `bellman.py` | exact solving: boards as words, hash tables, the passes over a layer |
"""
