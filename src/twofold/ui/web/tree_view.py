"""The tree below a position, opened node by node: moves, then what may appear after each."""

from __future__ import annotations

import time
from collections.abc import Callable

from nicegui import ui

from twofold.errors import InvalidLimit
from twofold.players.base import Decision, Player
from twofold.players.registry import make_player
from twofold.rules.board import Board
from twofold.rules.cells import BRICK, face_value
from twofold.rules.spawn import spawns_of
from twofold.rules.state import State
from twofold.ui.shared.frame import value_text
from twofold.ui.shared.session import Cancelled, ask, made_within
from twofold.ui.web.layout import Work, paragraph, set_text, told
from twofold.ui.web.limits import LIMITS, memory_of

VALUED_BY = "expectimax:depth=2"
"""The default player whose values a tree shows."""

MOST_NODES = 2_000
"""Nodes that one tree may show."""

LINE = 6
"""Moves of a principal variation."""


def _after(state: State, board: Board) -> State:
    return State.of(board, state.variant, 0)


def _spawn_name(before: Board, after: Board) -> str:
    cell = next(i for i, (a, b) in enumerate(zip(before.cells, after.cells, strict=True)) if a != b)
    row, column = divmod(cell, before.columns)
    return f"{face_value(after.cells[cell])} in row {row + 1}, column {column + 1}"


def small_board(board: Board) -> str:
    """A board as HTML, small enough to stand in a line; what is beside it says it in words."""
    cells = "".join(
        '<i class="brick"></i>'
        if rank == BRICK
        else f'<i class="t{rank}">{short_value(rank)}</i>'
        if rank
        else "<i></i>"
        for rank in board.cells
    )
    style = f"grid-template-columns: repeat({board.columns}, 1fr)"
    return f'<span class="tf-mini" style="{style}" role="img" aria-label="{board}">{cells}</span>'


def short_value(rank: int) -> str:
    """A tile in at most four characters: 16384 as 16k, 2^20 as 1M."""
    return str(1 << rank) if rank < 14 else f"{1 << rank % 10}{'_kMGTPE'[rank // 10]}"


class TreeView:
    """The tree of one position on the page. Max nodes are states, chance nodes are boards after a move.

    player: the canonical text of the player that gives each node its value.
    """

    def __init__(self, state: State, work: Work, player: str = VALUED_BY) -> None:
        self._state = state
        self._work = work
        self._player = player
        self._made: Player | None = None
        self._left = MOST_NODES
        paragraph(f"Values by {player}.", "tf-small")
        with ui.element("div"):
            self._node("this position", state.board, waits_for_move=True)

    def _node(self, label: str, board: Board, *, waits_for_move: bool) -> None:
        self._left -= 1
        is_open = False
        with ui.element("div"):
            head = ui.element("button")
            head.props["type"] = "button"
            head.props["aria-expanded"] = "false"
            with head:
                name = paragraph(f"▸ {label}", tag="span")
                ui.html(small_board(board), sanitize=False, tag="span")
            children = ui.element("div").classes("children").style("display: none")

        async def toggle() -> None:
            nonlocal is_open
            is_open = not is_open
            head.props["aria-expanded"] = str(is_open).lower()
            head.update()
            set_text(name, f"{'▾' if is_open else '▸'} {label}")
            children.style(replace="" if is_open else "display: none")
            if is_open and not children.default_slot.children:
                await self._fill(children, board, waits_for_move=waits_for_move)

        head.on("click", told(toggle), args=[])

    async def _fill(self, box: ui.element, board: Board, *, waits_for_move: bool) -> None:
        if self._left <= 0:
            raise InvalidLimit(
                f"the web page shows at most {MOST_NODES:,} nodes: start from a later position"
            )
        nodes = await self._work.run(
            lambda: self._moves(board) if waits_for_move else self._spawns(board),
            memory=memory_of(self._player),
            seconds=LIMITS.hint,
        )
        with box:
            if not nodes:
                paragraph("no legal move" if waits_for_move else "no cell is free", "tf-small")
            for label, child in nodes:
                self._node(label, child, waits_for_move=not waits_for_move)

    def _ask(self, state: State) -> Decision:
        if self._made is None:
            self._made = make_player(self._player)
        return ask(self._made, state, seconds=LIMITS.hint, cancelled=lambda: self._work.gone)

    def _moves(self, board: Board) -> list[tuple[str, Board]]:
        state = _after(self._state, board)
        decision = self._ask(state)
        found = []
        for direction in state.legal_moves():
            slide = board.slide(direction)
            best = ", best" if direction == decision.move else ""
            reward = f" +{slide.reward:,}" if slide.reward else ""
            value = value_text(decision.values[direction])
            found.append((f"{direction.arrow} {direction.name.lower()}{reward}: {value}{best}", slide.board))
        return found

    def _spawns(self, board: Board) -> list[tuple[str, Board]]:
        found = []
        for after, probability in spawns_of(self._state.variant, board):
            if self._work.gone:
                raise Cancelled("the client has left")
            state = _after(self._state, after)
            decision = self._ask(state)
            value = decision.value
            worth = "the end" if decision.move is None else value_text(value)
            found.append((value, f"{100 * probability:.3g} %  {_spawn_name(board, after)}: {worth}", after))
        # The worst first: that is what one looks for.
        found.sort(key=lambda item: float("-inf") if item[0] is None else item[0])
        return [(label, after) for _, label, after in found]


def principal_variation(
    text: str, state: State, *, cancelled: Callable[[], bool], seconds: float, moves: int = LINE
) -> str:
    """What the player plays if after each move a tile appears where it is worst.

    The tile is the smallest that can spawn; worst is where `VALUED_BY` likes the position least. A spawn is written
    tile@row,column.
    """
    end, line = time.monotonic() + seconds, []
    player, judge = made_within(text, seconds, cancelled), make_player(VALUED_BY)
    for _ in range(moves):
        decision = ask(player, state, seconds=max(0.1, end - time.monotonic()), cancelled=cancelled)
        if decision.move is None:
            break
        board = state.board.slide(decision.move).board
        rank = state.variant.allowed_ranks[0]
        worst: tuple[float, int] | None = None
        for cell in board.empty_cells:
            if cancelled():
                raise Cancelled("the client has left")
            value = judge.decide(_after(state, board.with_cell(cell, rank))).value
            if worst is None or (value if value is not None else float("-inf")) < worst[0]:
                worst = (value if value is not None else float("-inf"), cell)
        line.append(decision.move.arrow)
        if worst is None or time.monotonic() > end:
            break
        row, column = divmod(worst[1], board.columns)
        line.append(f"{face_value(rank)}@{row + 1},{column + 1}")
        state = _after(state, board.with_cell(worst[1], rank))
    return " ".join(line)
