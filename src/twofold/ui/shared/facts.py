"""What is told beside a board in a terminal, for `twofold play` and `twofold terminal` alike."""

from __future__ import annotations

import textwrap

from rich.text import Text

from twofold.players.base import Decision
from twofold.rules.direction import Direction
from twofold.rules.state import State
from twofold.ui.shared.frame import (
    PANEL_WIDTH,
    Look,
    Panel,
    behind_texts,
    side_by_side,
    value_bars,
    value_text,
)
from twofold.ui.shared.session import Hint


def fact(name: str, value: str, style: str = "") -> Text:
    """A line of the panel: the name at the left, the value at the right."""
    return Text(f"{name:<{PANEL_WIDTH - len(value)}}{value}", style)


def game_facts(state: State, last: Direction | None, look: Look) -> list[Text]:
    """Score, best tile, target, moves and last move, one a line."""
    made = f"{state.variant.target:,}{' made' if state.won else ''}"
    return [
        fact("score", f"{state.score:,}", "bold"),
        fact("best tile", f"{state.board.max_tile:,}"),
        fact("target", made),
        fact("moves", f"{state.moves:,}"),
        fact("last", look.arrow(last) if last is not None else ""),
    ]


def brief(state: State, last: Direction | None, look: Look) -> Text:
    """The facts on one line."""
    move = look.arrow(last) if last is not None else ""
    return Text(
        f"score {state.score:,}  best {state.board.max_tile:,}  moves {state.moves:,}  {move}", "bold"
    )


def statistics(decision: Decision, moves: int, seconds: float, rate: float) -> list[tuple[str, str]]:
    """Names and texts of what a search took. seconds: of all `moves` together; rate: moves/s lately."""
    facts = [("depth", f"{decision.depth:,}"), ("nodes", f"{decision.nodes:,}")]
    if decision.table_hits:
        facts.append(("found in table", f"{decision.table_hits:,}"))
    if decision.pruned:
        facts.append(("pruned", f"{decision.pruned:,}"))
    facts.append(("ms per move", f"{1000 * seconds / moves if moves else 0.0:,.2f}"))
    facts.append(("moves/s by clock", f"{rate:,.1f}"))
    return facts


def game_panel(state: State, last: Direction | None, look: Look, hint: Hint | None = None) -> Panel:
    """The panel of a game played by hand, with a hint if one was given."""
    panel = Panel(game_facts(state, last, look), [brief(state, last, look)])
    if hint is None:
        return panel
    decision = hint.decision
    move = look.arrow(decision.move) if decision.move is not None else "none"
    bars = value_bars(decision.values, decision.move, look, texts=behind_texts(decision.values))
    told = [Text(f"hint: {move}", "bold")]
    for text in (hint.reason, f"best: {value_text(decision.value)} {hint.unit}", hint.next_tile):
        told += [Text(line) for line in textwrap.wrap(text, PANEL_WIDTH)]
    cost = f"depth {decision.depth}, {decision.nodes:,} nodes, {1000 * decision.seconds:,.0f} ms"
    beside = [*panel.beside, Text(), told[0], *bars, *told[1:], Text(cost, "dim")]
    return Panel(beside, side_by_side(bars, [*panel.below, *told], PANEL_WIDTH))


def watch_panel(
    state: State, last: Direction | None, decision: Decision | None, seconds: float, rate: float, look: Look
) -> Panel:
    """The panel of a watched game: the player's values and what its search took."""
    panel = Panel(game_facts(state, last, look), [brief(state, last, look)])
    if decision is None:
        return panel
    bars = value_bars(decision.values, decision.move, look)
    facts = statistics(decision, state.moves, seconds, rate)
    beside = [*panel.beside, Text(), *bars, Text(), *(fact(name, value) for name, value in facts)]
    if decision.note:
        beside.append(Text(decision.note, "italic"))
    pairs = (facts[i : i + 2] for i in range(0, len(facts), 2))  # for the lines below a board
    told = [Text("  ".join(f"{name} {value}" for name, value in pair)) for pair in pairs]
    return Panel(beside, side_by_side(bars, [*panel.below, *told], PANEL_WIDTH))
