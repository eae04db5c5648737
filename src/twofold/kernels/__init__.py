"""How twofold is fast: numba functions over ints and flat arrays; nothing is validated or allocated inside.

| module | room |
|---|---|
| `compiling.py` | the two decorators, the fingerprint that keeps the on-disk cache honest, cloned templates |
| `bits.py` | machine instructions and raw memory access as functions |
| `tables.py` | line tables built from the reference slide |
| `packed.py` | boards inside 4x4 as one uint64 |
| `cells.py` | every other board as flat uint8 ranks |
| `spawning.py` | the reference generator and spawn styles, compiled |
| `rollout.py` | whole random games |
| `search.py` | the expectimax template and its transposition table |
| `leaves.py` | evaluators that the search template is cloned with |
"""
