"""The page: play, watch, analyse, review and experiment in a browser, by NiceGUI (extra `web`).

| module | what it is |
|---|---|
| `server.py` | starts the server, says where it listens |
| `gate.py` | whose requests and messages are heard |
| `limits.py` | what a visitor may ask for, and refusals |
| `components.py`, `*_view.js`, `js/` | the board, the game by hand and the chart, drawn in the browser |
| `layout.py`, `style.css` | what all pages have in common |
| `player_form.py`, `new_game.py`, `report_view.py`, `tree_view.py` | parts of pages |
| `play.py`, `watch.py`, `analyse.py`, `review.py`, `experiments.py` | one page each |
| `rooms.py`, `*_room.py` | the page Art and its own pages |
| `pages.py` | all pages |
"""
