"""The dialog for the rules of a new game: fields, and a board to lay bricks and tiles on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nicegui import ui
from nicegui.events import GenericEventArguments

from twofold.errors import InvalidParameter, TwofoldError, quote
from twofold.rules.board import Board
from twofold.rules.shapes import SHAPES
from twofold.rules.shapes import shape as make_shape
from twofold.rules.spawn_values import format_spawn_values
from twofold.rules.variant import Variant
from twofold.ui.shared.editing import CLICKS, by_click, edited
from twofold.ui.shared.rules_form import PLACE_NAMES, Rules, value_names
from twofold.ui.web.components import BoardView, Field
from twofold.ui.web.layout import button, paragraph, refuse, set_text, told
from twofold.ui.web.limits import LIMITS, check_size, checked_text, checked_variant

Begin = Callable[[Variant, int | None], None]

_STYLES = (*PLACE_NAMES.items(), ("evil", "evil: in the worst place"))


class RulesForm:
    """The fields of a game's rules, with the board that it starts from."""

    def __init__(self) -> None:
        self.board = Board.empty(4, 4)
        with ui.element("div").classes("tf-fields"):
            self.rows = Field("Rows", "4", "range", min=1, max=LIMITS.side, on_text=self._resize)
            self.columns = Field("Columns", "4", "range", min=1, max=LIMITS.side, on_text=self._resize)
            targets = [(str(1 << rank), f"{1 << rank:,}") for rank in range(2, 18)]
            self.target = Field("Target", "2048", "select", options=targets)
        with ui.element("details").classes("tf-more"):
            summary = ui.element("summary")
            summary._text = "More: shape, new tiles, seed, start board"
            self._more()
        self.view.on("cell", told(self._edit))

    def _more(self) -> None:
        with ui.element("div").classes("tf-fields"):
            self.shape = Field(
                "Shape",
                "",
                "select",
                options=[("", "rectangle"), *((s, s) for s in SHAPES)],
                on_text=self._resize,
            )
            self.p4 = Field("Chance of a 4", "0.1", "range", min=0, max=1, step=0.05)
            self.style = Field(
                "New tiles appear", "random", "select", options=_STYLES, on_text=self._show_evil
            )
            self.value = Field("New tiles are", "random", "select", options=value_names(Variant()).items())
            self.values = Field(
                "Tiles and chances", "", note="2:0.8,4:0.15,8:0.05; empty: 2s and 4s", maxlength=200
            )
            self.evil_depth = Field("Evil: moves ahead", "1", "number", min=1, max=LIMITS.evil_depth)
            self.evil_eval = Field("Evil: evaluation", "default", maxlength=200)
            self.empty = Field("Empty start", "", "checkbox")
            self.seed = Field(
                "Seed", "", note="Leave empty for a random game", inputmode="numeric", maxlength=20
            )
        with ui.element("div").classes("tf-columns even"):
            with ui.element("div"):
                self.click = Field("A click", "brick", "select", options=CLICKS)
                self.view = BoardView("start board", editable=True, room=10_000, largest=34)
            self.text = Field(
                "Or all the rules as one text",
                "",
                "textarea",
                rows=3,
                note="used instead of the fields above",
            )

    def fill(self, variant: Variant) -> None:
        """Show the rules of a game."""
        self.board = variant.start
        for field, text in (
            (self.rows, str(variant.rows)),
            (self.columns, str(variant.columns)),
            (self.shape, ""),
            (self.target, str(variant.target)),
            (self.p4, f"{variant.p4:g}"),
            (self.values, format_spawn_values(variant.values)),
            (self.style, "random" if variant.style == "script" else variant.style),
            (self.value, variant.value),
            (self.empty, "1" if variant.empty_start else ""),
            (self.text, str(variant) if variant.style == "script" else ""),
            (self.seed, ""),
        ):
            field.set(text)
        if variant.evil is not None:
            self.evil_depth.set(str(variant.evil.depth))
            self.evil_eval.set(variant.evil.evaluation)
        self._show_evil()
        self.view.show(self.board)

    def _show_evil(self) -> None:
        for field in (self.evil_depth, self.evil_eval):
            field.style(replace="" if self.style.text == "evil" else "display: none")

    def variant(self) -> Variant:
        """The rules as they are filled in. Raises what a refusal says."""
        if self.text.text.strip():
            return checked_variant(
                Variant.parse(checked_text(self.text.text.strip(), "the text of the rules"))
            )
        style = self.style.text
        if style == "evil":
            style = f"evil:depth={self.evil_depth.text},eval={self.evil_eval.text or 'default'}"
        values = self.values.text.strip()
        rules = Rules(
            target=whole("target", self.target.text),
            p4=None if values or self.value.text != "random" else _number("chance of a 4", self.p4.text),
            spawn_values=values or None,
            spawn=style,
            spawn_value=self.value.text,
            empty_start=self.empty.text == "1",
        )
        return checked_variant(replace(rules.to_variant(), start=self.board))

    def seed_number(self) -> int | None:
        """The seed, None if any will do."""
        return seed_number(self.seed.text) if self.seed.text.strip() else None

    def _resize(self) -> None:
        try:
            rows, columns = whole("rows", self.rows.text), whole("columns", self.columns.text)
            check_size(rows, columns)
            shape = self.shape.text
            self.board = make_shape(shape, rows, columns) if shape else Board.empty(rows, columns)
        except TwofoldError as error:
            refuse(error)
            return
        self.view.show(self.board)

    def _edit(self, event: GenericEventArguments) -> None:
        self.board = edited(self.board, by_click(event.args, self.click.text))
        self.view.show(self.board)


def whole(what: str, text: str) -> int:
    """A whole number that was typed. Raises InvalidParameter."""
    if not (text.isascii() and text.isdigit() and len(text) <= 20):
        raise InvalidParameter(f"{what} {quote(text)} is not a whole number")
    return int(text)


def seed_number(text: str) -> int:
    """A seed that was typed. Raises InvalidParameter."""
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 20 and int(text) < 1 << 64):
        raise InvalidParameter(f"seed {quote(text)}: a seed is a whole number from 0 to {(1 << 64) - 1}")
    return int(text)


def _number(what: str, text: str) -> float:
    try:
        return float(text) if len(text) <= 40 else float("nan")
    except ValueError:
        raise InvalidParameter(f"{what} {quote(text)} is not a number") from None


_ENTER = (
    "(event) => { if (!event.defaultPrevented && "
    "!['TEXTAREA', 'BUTTON', 'SUMMARY'].includes(event.target.tagName)) emit() }"
)
"""Enter begins the game, but where it has another meaning."""


class NewGameDialog:
    """Asks for rules and begins a game by them."""

    def __init__(self, begin: Begin) -> None:
        self._begin = begin
        self._form: RulesForm | None = None
        self._dialog = ui.dialog().props('aria-labelledby="tf-new-game"')
        self._error = None

    def open(self, variant: Variant) -> None:
        """Show the rules of `variant`, to be changed. The form is made when it is first wanted."""
        if self._form is None:
            with self._dialog:
                card = ui.card().classes("tf-panel").style("max-width: 56rem; width: 100%")
            card.on("keydown.enter", self._start, js_handler=_ENTER)
            with card:
                title = paragraph("New game", tag="h2")
                title.props["id"] = "tf-new-game"
                self._form = RulesForm()
                self._told = paragraph("", "tf-bad")
                self._told.props["role"] = "alert"
                with ui.element("div").classes("tf-buttons tf-foot"):
                    begin = button("Begin", self._start, primary=True)
                    begin.props["data-autofocus"] = True  # Enter begins at once
                    button("Cancel", self._dialog.close)
        set_text(self._told, "")
        self._dialog.open()
        self._form.fill(variant)

    def _start(self) -> None:
        assert self._form is not None
        try:
            self._begin(self._form.variant(), self._form.seed_number())
        except TwofoldError as error:
            set_text(self._told, str(error))
            return
        self._dialog.close()
