"""The terminal game: play, watch, analyse and review in a shell, by textual.

| module | what it is |
|---|---|
| `app.py` | the window: four screens, and keys that work in all of them |
| `play.py`, `watch.py`, `analyse.py`, `review.py` | one screen each |
| `new_game.py`, `choose_player.py` | dialogs, made of `fields.py` |
| `room.py` | what the screens have in common |
| `views.py` | a board with its panel, a board to edit, a chart |
| `work.py` | searches beside the window, cancelled when their screen is left |
"""
