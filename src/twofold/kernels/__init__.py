"""How twofold is fast: numba functions over ints and flat arrays; nothing is validated or allocated inside.

| module or folder | what it is for |
|---|---|
| `compiling`, `compile_time` | the decorators, the on-disk cache, cloned templates; how long this process compiled |
| `bits` | machine instructions and raw memory access as functions |
| `board/` | boards as one word and as bytes, line tables from the reference slide, the steps of a game |
| `search/` | search templates: expectimax, minimax, sampling, MCTS; board operations and evaluators for them |
| `ntuple/` | tuple networks: look-ups, learning by temporal differences, coded entries |
| `neural/` | the neural value network |
| `exact/` | exact solving: canonical boards, hash tables, passes over a layer |
| `games/` | whole games in one compiled loop |
| `gpu/` | play and learning on a CUDA device |
"""
