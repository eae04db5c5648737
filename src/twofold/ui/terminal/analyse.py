"""The screen Analyse: a board edited or pasted, and what players and exact play make of it."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich.console import Group
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Label, Static

from twofold.coach.units import unit_of
from twofold.errors import InvalidBoard, InvalidParameter, TwofoldError, quote
from twofold.exact.problem import MAX_EXPECTED_SCORE, MAX_PROBABILITY
from twofold.exact.small import Position, solve_position
from twofold.exact.solver import SolveProgress
from twofold.players.base import Decision
from twofold.players.registry import make_player
from twofold.rules.board import Board, parse_board
from twofold.rules.direction import DIRECTIONS
from twofold.rules.notation import NOTATIONS, format_board
from twofold.rules.state import State
from twofold.rules.variant import Variant
from twofold.ui.shared.frame import PANEL_WIDTH, Look, answer_lines, in_rows
from twofold.ui.shared.session import Cancelled, ask
from twofold.ui.terminal.choose_player import checked_player
from twofold.ui.terminal.fields import text_field
from twofold.ui.terminal.room import Room
from twofold.ui.terminal.views import BoardEditor, key_name
from twofold.ui.terminal.work import IsCancelled

HELP = "digits x . + -  enter compare  e exact  o notation  t turn  m mirror  q quit"
EXACT_SECONDS = 30.0
EXACT_STATES = 1_000_000
_OBJECTIVES = ((MAX_EXPECTED_SCORE, "points to come"), (MAX_PROBABILITY, "chance of the target"))
_BOARD_WIDTH = 60  # columns left to the board where there is room for a second column of answers
_GAP = 2

Block = list[Text]


class BoardField(Input):
    """The board as text. A board of several lines can be pasted too."""

    def _on_paste(self, event: events.Paste) -> None:
        lines = event.text.strip().splitlines()
        if len(lines) > 1:
            try:
                self.value = format_board(parse_board(event.text.strip()))
            except TwofoldError:  # enter then says what is wrong
                self.value = " ".join(lines)
            event.prevent_default()
            event.stop()


class Analyse(Room):
    """One position: edited, asked about."""

    def __init__(self, state: State, players: Sequence[str]) -> None:
        super().__init__("analyse")
        self.editor = BoardEditor(state.board)
        self.text = BoardField(str(state.board), placeholder="a board in any notation")
        self.players = text_field(
            " ".join(shlex.quote(each) for each in players), "players, separated by spaces"
        )
        self.blocks: list[Block] = []
        self._rules = state.variant
        self._answers = Static("", markup=False)
        self._answer_box = VerticalScroll(self._answers, can_focus=False)
        self._notation = NOTATIONS[0]

    def compose(self) -> ComposeResult:
        """Board and answers, the fields, what happened, keys."""
        with Horizontal(classes="stage"):
            yield self.editor
            yield self._answer_box
        with Horizontal(classes="row"):
            yield Label("board", classes="name")
            yield self.text
        with Horizontal(classes="row"):
            yield Label("players", classes="name")
            yield self.players
        yield self._notice
        yield self._help

    def on_mount(self) -> None:
        """The keys."""
        self.tell_keys(HELP)

    def main(self) -> BoardEditor:
        """The board."""
        return self.editor

    @property
    def heading(self) -> str:
        """The rules that count, the board left out."""
        rules = ";".join(str(self._rules).split(";")[1:])
        return f"rules: {rules or 'classic'}"

    # The board

    def take(self, state: State) -> None:
        """Analyse another position, by its own rules."""
        self._rules = state.variant
        self._become(state.board)

    def _become(self, board: Board) -> None:
        self.editor.show(board)
        self._edited()

    def _edited(self) -> None:
        """Answers to another position are taken away."""
        self.work.cancel()
        self._show([])
        self.tell("")
        self._write()

    def _write(self) -> None:
        try:
            self.text.value = format_board(self.editor.board, self._notation)
        except TwofoldError as error:
            self.tell(str(error))
            self.text.value = str(self.editor.board)

    def on_board_editor_changed(self, event: BoardEditor.Changed) -> None:
        """A cell was edited."""
        event.stop()
        self._edited()
        if event.refusal:
            self.tell(event.refusal)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A board is read, players are asked."""
        event.stop()
        if event.input is self.players:
            self._ask()
            return
        try:
            # One notation looks like another one and is read only where it was asked for.
            low = self._notation == "u64-low" and event.value.strip()[:2].lower() == "0x"
            board = Board.parse(event.value, notation="u64-low") if low else Board.parse(event.value)
        except TwofoldError as error:
            self.tell(str(error))
            return
        self._become(board)
        self.editor.focus()

    def on_paste(self, event: events.Paste) -> None:
        """A board pasted while no field has the focus."""
        try:
            self._become(parse_board(event.text.strip()))
        except TwofoldError as error:
            self.tell(str(error))
        event.stop()

    def on_key(self, event: events.Key) -> None:
        """The keys of the room."""
        key = key_name(event)
        board = self.editor.board
        if key == "escape":
            self.editor.focus()
        elif key == "pageup":
            self._answer_box.scroll_page_up()
        elif key == "pagedown":
            self._answer_box.scroll_page_down()
        elif not self.editor.has_focus:
            return
        elif key == "enter":
            self._ask()
        elif key == "e":
            self._solve()
        elif key == "t":
            self._become(board.rotate())
        elif key == "m":
            self._become(board.flip_horizontal())
        elif key == "o":
            self._notation = NOTATIONS[(NOTATIONS.index(self._notation) + 1) % len(NOTATIONS)]
            self.tell(f"Written as {self._notation}.")
            self._write()
        else:
            return
        event.stop()

    def state(self) -> State:
        """The position under the room's rules. Raises what a refusal says."""
        board = self.editor.board
        bare = board.without_tiles()
        if bare.is_full:
            raise InvalidBoard("a board of bricks only can't be analysed")
        return State.of(board, replace(self._rules, start=bare))

    # Answers

    def _ask(self) -> None:
        try:
            state = self.state()
            texts = player_texts(self.players.value)
        except TwofoldError as error:
            self.tell(str(error))
            return

        def job(cancelled: IsCancelled) -> Iterator[Block]:
            for text in texts:
                yield _answer(text, state, cancelled, self.editor.look)

        self._begin("Thinking … (on first use the search is compiled)")
        self.work.start(job, self._add, self._failed, self._ended)

    def _solve(self) -> None:
        try:
            state = self.state()
        except TwofoldError as error:
            self.tell(str(error))
            return
        look = self.editor.look

        def job(cancelled: IsCancelled) -> Iterator[Block]:
            def check(_: SolveProgress) -> None:
                if cancelled():
                    raise Cancelled("the screen was left")

            for objective, name in _OBJECTIVES:
                position = solve_position(
                    state, objective, most_states=EXACT_STATES, seconds=EXACT_SECONDS, on_progress=check
                )
                yield exact_lines(name, position, look)

        self._begin("Solving.")
        self.work.start(job, self._add, self._failed, self._ended)

    def _begin(self, notice: str) -> None:
        self._show([])
        self.tell(notice)

    def _add(self, block: Block) -> None:
        self._show([*self.blocks, block])

    def _failed(self, refusal: str) -> None:
        self.tell(refusal)

    def _ended(self) -> None:
        self.tell("")

    def leave(self) -> None:
        """What was being thought about is called off."""
        if self.work.busy:
            self.tell("Cancelled.")
        super().leave()

    def _show(self, blocks: list[Block]) -> None:
        """Answers beside the board, which has all the room while there are none."""
        self.blocks = blocks
        across = max(1, (self.size.width - _BOARD_WIDTH) // (PANEL_WIDTH + _GAP))
        self._answer_box.styles.width = across * (PANEL_WIDTH + _GAP) + 1
        self._answer_box.display = bool(blocks)
        width = across * (PANEL_WIDTH + _GAP) - _GAP
        lines = [line for row in in_rows([[*block] for block in blocks], width) for line in (*row, Text())]
        self._answers.update(Group(*lines[:-1]))

    def on_resize(self) -> None:
        """The answers are laid out anew."""
        self._show(self.blocks)


def player_texts(text: str) -> list[str]:
    """The canonical texts of players written one after the other. Raises a TwofoldError."""
    try:
        texts = shlex.split(text)
    except ValueError:
        raise InvalidParameter(f"{quote(text)} has an unmatched quotation mark") from None
    if not texts:
        raise InvalidParameter("no player given: write names such as expectimax:depth=3, separated by spaces")
    return [checked_player(each) for each in texts]


def _answer(text: str, state: State, cancelled: IsCancelled, look: Look) -> Block:
    """One player's answer; what it refuses is told in its place."""
    try:
        found: Decision = ask(make_player(text), state, cancelled=cancelled)
    except TwofoldError as error:
        if cancelled():
            raise
        return refused_lines(text, str(error))
    return answer_lines(text, found, look, unit_of(text, state.board, found))


def refused_lines(text: str, refusal: str) -> Block:
    """A player's text and why it has no answer, wrapped to a panel."""
    return [Text(text, "bold"), *(Text(line) for line in textwrap.wrap(refusal, PANEL_WIDTH))]


def exact_lines(name: str, position: Position, look: Look) -> Block:
    """The exact value of a position and of its moves, all digits that are sure."""
    by_move = {move.direction: move.value for move in position.moves}
    lines = [Text(f"exactly: {name}", "bold"), Text(f"{position.value:.12g}")]
    for direction in DIRECTIONS:
        value = f"{by_move[direction]:.12g}" if direction in by_move else "-"
        style = "bold" if direction == position.best else "" if direction in by_move else "dim"
        lines.append(Text(f"{look.arrow(direction):<7} {value}", style))
    return [*lines, *([Text(f"missed with {position.loss:.4g}", "dim")] if position.loss else [])]


def starting_state(board: Board, rules: Variant) -> State:
    """A board to begin with, under rules whose own board doesn't count."""
    bare = board.without_tiles()
    return State.of(board, None if bare.is_full else replace(rules, start=bare))
