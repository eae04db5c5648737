"""Pictures painted by playing 2048: plans that are legal games, by a planner of ours and by S0's method.

| module | what it is for |
|---|---|
| `painting.py` | `Painting`: a plan as a game, and its proof by the rules |
| `painting_file.py` | paintings as GIF, SVG, PNG and JSON |
| `words.py` | which lines of tiles can be grown in place, and the cheapest one |
| `layout.py` | tile values for colours and a plan for every row: hill-climbing, compiled |
| `chain.py` | boards to 4x4: a game whose tiles all differ, on which any picture can be read |
| `overflow.py` | words too large for their row, grown through the row below: a beam search |
| `builder.py` | words turned into moves and spawns |
| `planner.py` | `paint`: all of these together |
| `rows.py` | S0's method and its table of rows |
"""

from twofold.art.painter.painting import NotPainted, Painting, Step
from twofold.art.painter.planner import paint

__all__ = ["NotPainted", "Painting", "Step", "paint"]
