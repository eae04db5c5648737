"""The page Analyse: a board edited, read and written in every notation, and what players make of it."""

from __future__ import annotations

import json
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlencode

from nicegui import ui
from nicegui.events import GenericEventArguments

from twofold.coach.units import next_tile, unit_of
from twofold.errors import InvalidBoard, InvalidParameter, TwofoldError
from twofold.exact.problem import MAX_EXPECTED_SCORE, MAX_PROBABILITY
from twofold.exact.small import solve_position
from twofold.players.adversary import make_adversary
from twofold.players.base import Decision
from twofold.players.defaults import DEFAULT_PLAYER
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS, Direction
from twofold.rules.notation import NOTATIONS, format_board
from twofold.rules.state import Moved, State, play_move
from twofold.rules.variant import Variant
from twofold.ui.shared.editing import CLICKS, by_click, edited
from twofold.ui.shared.frame import behind_texts, value_text
from twofold.ui.shared.session import ask
from twofold.ui.web.components import BoardView, Field
from twofold.ui.web.layout import Work, button, page_head, paragraph, set_text, told
from twofold.ui.web.limits import (
    LIMITS,
    checked_board,
    checked_direction,
    checked_player,
    checked_text,
    checked_variant,
    memory_of,
)
from twofold.ui.web.player_form import PlayerForm
from twofold.ui.web.tree_view import VALUED_BY, TreeView, principal_variation

_FIRST = "2 4 8 16|256 128 64 32|512 . . .|2 . . ."
_PLAYERS = f"{DEFAULT_PLAYER}\nexpectimax:depth=3\nntuple\nrules"
MOST_PLAYERS = 6
MOST_BACK = 1_000
"""Boards that can be gone back to."""

EXACT_SECONDS = 8.0
EXACT_STATES = 1_000_000
EXACT_MEMORY = 128 * EXACT_STATES


def analyse_address(state: State) -> str:
    """The page's address with a position in it: the board, and the rules if they are not the usual ones."""
    return _address(state.board, str(state.variant).partition(";")[2])


def _address(board: Board, rules: str) -> str:
    return f"/analyse?{urlencode({'board': str(board)} | ({'rules': rules} if rules else {}))}"


@ui.page("/analyse")
def analyse_page(board: str = "", rules: str = "") -> None:
    """The page; `board` and `rules` may come with the address."""
    page_head("/analyse")
    AnalysePage(board, rules)


class AnalysePage:
    """One visitor's position. The address follows the board, so that a reload and a link lead back to it."""

    def __init__(self, text: str, rules: str = "") -> None:
        self.work = Work()
        self.board = Board.parse(_FIRST)
        self._before: deque[Board] = deque(maxlen=MOST_BACK)
        with ui.element("div").classes("tf-columns"):
            with ui.element("div").classes("tf-panel"):
                self._controls()
            with ui.element("div").classes("tf-right"):
                self.view = BoardView("position", editable=True, playable=True, room=330, largest=110)
                self.table = ui.element("div").classes("tf-panel answers").style("display: none")
                self.tree_box = ui.element("div").classes("tf-panel answers tf-tree").style("display: none")
        self.view.on("cell", told(self._edit))
        self.view.on("move", told(self._move))
        self.view.on("back", told(self._back))
        self._asked = 0
        self.rules.text = self.rules.props["initial"] = rules[: LIMITS.text]
        refusal = ""
        try:
            self.board = checked_board(text) if text else self.board
        except TwofoldError as error:
            refusal = str(error)
        self._show(follow=False)
        if refusal:  # said last: showing a board takes back what was said of another
            set_text(self.told, refusal)

    def _controls(self) -> None:
        paragraph("Analyse", tag="h1")
        paragraph(
            "Click a cell to change its tile (with shift or the right button, the other way), or select it and type "
            "a number, x for a brick, Delete. Arrows move while no cell is selected (Escape), u takes back.",
            "tf-small",
        )
        self.text = Field("Board, in any notation", "", "textarea", rows=3)
        self.told = paragraph("", "tf-bad")
        self.told.props["role"] = "alert"
        self.click = Field("A click", "raise", "select", options=CLICKS)
        with ui.element("div").classes("tf-buttons"):
            for direction in DIRECTIONS:
                move = button(direction.arrow, told(lambda d=direction: self._play(d)))
                move.props["aria-label"] = f"move {direction.name.lower()}"
            button("Back", told(self._back))
        with ui.element("div").classes("tf-buttons"):
            button("Read", self._read)
            button("Copy", lambda: ui.clipboard.write(self.text.text))
            button("Copy link", self._copy_link)
            button("Turn", lambda: self._become(self.board.rotate()))
            button("Mirror", lambda: self._become(self.board.flip_horizontal()))
            button("SVG", lambda: ui.download(self.board.to_svg().encode(), "board.svg", "image/svg+xml"))
            button("PNG", told(self._png))
        with ui.element("div").classes("tf-fields"):
            notations = [(name, name) for name in NOTATIONS]
            self.notation = Field("Notation", "spaced", "select", options=notations, on_text=self._show_text)
            self.rules = Field(
                "Rules",
                "",
                note="target=4096;p4=0.2 …; leave empty for the classic rules",
                on_text=self._follow,
            )
        self.players = Field("Players, one per line", _PLAYERS, "textarea", rows=4)
        with ui.element("details").classes("tf-more"):
            summary = ui.element("summary")
            summary._text = "Choose a player from the list"
            self.another = PlayerForm("Another player", "expectimax:depth=2")
            button("Add to the players", told(self._add_player))
        with ui.element("div").classes("tf-buttons"):
            button("Compare moves", told(self._ask), primary=True)
            button("Exact value", told(self._exact))
            button("Tree", told(self._tree))
        self.exact = paragraph("", "tf-small")
        self.exact.props["role"] = "status"

    def _add_player(self) -> None:
        self.players.set(f"{self.players.text.rstrip()}\n{self.another.checked()}".lstrip())

    # The board

    def _become(self, board: Board, *, said: str = "") -> None:
        if board != self.board:  # answers about another board would mislead
            self._before.append(self.board)
            self._asked += 1
            set_text(self.exact, "")
            for box in (self.table, self.tree_box):
                box.style("display: none")
        self.board = board
        set_text(self.told, "")
        set_text(self.exact, said)
        self._show()

    def _show(self, *, follow: bool = True) -> None:
        self.view.show(self.board)
        self._show_text()
        if follow:
            self._follow()

    def _follow(self) -> None:
        address = json.dumps(_address(self.board, self.rules.text.strip()))
        ui.run_javascript(f"history.replaceState(null, '', {address})")

    def _show_text(self) -> None:
        name = self.notation.text if self.notation.text in NOTATIONS else "spaced"
        try:
            self.text.set(format_board(self.board, name))
            set_text(self.told, "")
        except TwofoldError as error:
            self.text.set(format_board(self.board))
            set_text(self.told, str(error))

    def _edit(self, event: GenericEventArguments) -> None:
        self._become(edited(self.board, by_click(event.args, self.click.text)))

    async def _move(self, event: GenericEventArguments) -> None:
        await self._play(checked_direction(event.args))

    async def _play(self, direction: Direction) -> None:
        """A move and the tile that appears, by chance."""
        before = self.state()
        if before.variant.evil is None:
            moved = played(before, direction)
        else:  # the adversary searches
            moved = await self.work.run(lambda: played(before, direction))
        if self.board != before.board:
            return
        row, column = divmod(moved.spawn.cell, self.board.columns)
        gain = f" for {moved.slide.reward:,} points" if moved.slide.reward else ""
        tile = f"a {1 << moved.spawn.rank} appears in row {row + 1}, column {column + 1}"
        self._become(moved.state.board, said=f"{direction.name.lower()}{gain}: {tile}.")

    def _back(self) -> None:
        if not self._before:
            raise InvalidBoard("there is nothing to undo: this is the first board")
        board = self._before.pop()
        self._become(board)
        self._before.pop()  # the board that was left

    def _copy_link(self) -> None:
        self._follow()
        ui.run_javascript("navigator.clipboard?.writeText(window.location.href)")
        ui.notify("The link to this position is copied: it is the page's address.", position="top")

    def _read(self) -> None:
        try:
            if self.notation.text == "u64-low":
                board = Board.parse(checked_text(self.text.text, "the board"), notation="u64-low")
            else:
                board = checked_board(self.text.text)
        except TwofoldError as error:
            set_text(self.told, str(error))
            return
        self._become(board)

    def _png(self) -> None:
        import io

        from twofold.rules.draw import to_image

        buffer = io.BytesIO()
        to_image(self.board).save(buffer, "PNG")
        ui.download(buffer.getvalue(), "board.png", "image/png")

    def state(self) -> State:
        """The position under the rules that are filled in. Raises what a refusal says."""
        bare = self.board.without_tiles()
        if bare.is_full:
            raise InvalidBoard("a board of bricks only can't be analysed")
        text = checked_text(self.rules.text.strip(), "the rules")
        rules = Variant.parse(f"{bare.rows}x{bare.columns};{text}") if text else Variant()
        return State.of(self.board, checked_variant(replace(rules, start=bare)))

    # Answers

    async def _ask(self) -> None:
        state = self.state()
        texts = [checked_player(line) for line in self.players.text.splitlines() if line.strip()][
            :MOST_PLAYERS
        ]
        if not texts:
            raise InvalidParameter("name at least one player, one per line")
        self._asked += 1
        asked = self._asked
        self._open(self.table)
        with self.table:
            paragraph("Thinking … (on first use the search is compiled)", "tf-small")
        rows: list[tuple[str, Decision | str]] = []
        for text in texts:
            try:
                found: Decision | str = await self.work.run(self._asking(text, state), memory=memory_of(text))
            except TwofoldError as error:
                if self.work.gone:
                    return
                found = str(error)
            if asked != self._asked:  # another board or other players are wanted by now
                return
            rows.append((text, found))
            self._fill_table(rows)
        await self._variation(texts[0], state, asked)
        known = await self.work.run(lambda: next_tile(state))
        if asked == self._asked and known is not None:
            with self.table:
                paragraph(f"{known}.".capitalize())

    def _asking(self, text: str, state: State) -> Callable[[], Decision]:
        return lambda: ask(text, state, seconds=LIMITS.hint, cancelled=lambda: self.work.gone)

    def _fill_table(self, rows: list[tuple[str, Decision | str]]) -> None:
        self.table.clear()
        with self.table:
            paragraph("The value of the best move, and how far the others fall short", tag="h2")
            with ui.element("table").classes("tf-table asked") as table:
                table.props["tabindex"] = "0"  # it may have to be scrolled
                with ui.element("tr"):
                    for head in (
                        "player",
                        *(f"{d.arrow} {d.name.lower()}" for d in DIRECTIONS),
                        "unit",
                        "depth",
                        "positions",
                        "ms",
                    ):
                        paragraph(head, tag="th")
                for text, found in rows:
                    _player_row(text, found, self.board)

    async def _variation(self, text: str, state: State, asked: int) -> None:
        line = await self.work.run(
            lambda: principal_variation(
                text, state, cancelled=lambda: self.work.gone, seconds=LIMITS.seconds
            ),
            memory=memory_of(text) + memory_of(VALUED_BY),
        )
        if asked == self._asked and line:
            with self.table:
                paragraph("Expected line if the worst 2 appears each time", tag="h2")
                paragraph(line, "mono")

    async def _exact(self) -> None:
        state = self.state()
        set_text(self.exact, "Solving …")
        found: list[str] = []
        try:
            for objective, name in (
                (MAX_EXPECTED_SCORE, "points to come"),
                (MAX_PROBABILITY, "chance of the target"),
            ):
                position = await self.work.run(
                    lambda objective=objective: solve_position(  # type: ignore[misc]
                        state, objective, most_states=EXACT_STATES, seconds=EXACT_SECONDS
                    ),
                    memory=EXACT_MEMORY,
                )
                best = position.best.name.lower() if position.best is not None else "none"
                each = ", ".join(f"{move.direction.name.lower()} {move.value:.9g}" for move in position.moves)
                found.append(f"{name} {position.value:.9g}, best move {best} ({each})")
            told_now = "Exact: " + "; ".join(found) + "."
        except TwofoldError as error:
            told_now = str(error)
        if state.board == self.board:
            set_text(self.exact, told_now)

    def _first_player(self) -> str:
        lines = self.players.text.split("\n")
        return checked_player(next((line for line in lines if line.strip()), VALUED_BY))

    def _tree(self) -> None:
        state, player = self.state(), self._first_player()
        self._open(self.tree_box)
        with self.tree_box:
            paragraph("Next moves and spawns; click to go deeper", tag="h2")
            TreeView(state, self.work, player)

    def _open(self, box: ui.element) -> None:
        box.clear()
        box.style(replace="")


def played(state: State, direction: Direction) -> Moved:
    """A move by the rules of `state`, with another chance each time. Raises IllegalMove."""
    adversary = None if state.variant.evil is None else make_adversary(state.variant)
    return play_move(state, direction, secrets.randbelow(1 << 64), adversary)


def _player_row(text: str, found: Decision | str, board: Board) -> None:
    with ui.element("tr"):
        paragraph(text, "mono", tag="td")
        if isinstance(found, str):
            cell = paragraph(found, "tf-bad", tag="td")
            cell.props["colspan"] = 8
            return
        for direction, value, behind in zip(
            DIRECTIONS, found.values, behind_texts(found.values), strict=True
        ):
            is_best = direction == found.move
            paragraph(value_text(value) if is_best else behind, "chosen" if is_best else "", tag="td")
        for number in (
            unit_of(text, board, found),
            f"{found.depth:,}",
            f"{found.nodes:,}",
            f"{1000 * found.seconds:,.1f}" if found.seconds else "–",  # all of it was loading
        ):
            paragraph(number, tag="td")
