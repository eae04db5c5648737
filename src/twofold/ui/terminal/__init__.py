"""The terminal game: play, watch and analyse in a shell, by textual (extra `terminal`).

| module | what it is |
|---|---|
| `app.py` | the window: three rooms, and keys that work in all of them |
| `play.py`, `watch.py`, `analyse.py` | one room each |
| `new_game.py`, `choose_player.py` | dialogs, made of `fields.py` |
| `views.py` | a board with its panel, a board to edit, a chart |
| `work.py` | searches beside the window, called off when their room is left |
"""
