"""The page Review: a game judged move by move, with a graph, its moves, and its mistakes to learn from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from twofold.coach.report import EDGE, graph, headline, named, summary
from twofold.coach.report import told as told_of
from twofold.coach.reviewing import GRADES, MoveReview, Review, review
from twofold.errors import InvalidFile, InvalidLimit
from twofold.records.record import Record, letters
from twofold.rules.direction import DIRECTIONS, Direction
from twofold.rules.state import State
from twofold.threads import checkpoint
from twofold.ui.shared.frame import behind_texts
from twofold.ui.web.analyse import analyse_address
from twofold.ui.web.components import BoardView, GamesView, ReviewView
from twofold.ui.web.layout import Work, button, page_head, paragraph, set_text, told
from twofold.ui.web.limits import LIMITS, checked_direction, checked_file, checked_record, checked_text

SECONDS = 240.0
"""The longest that a review may take."""

MOST_MOVES = 20_000
"""Moves of a game that is reviewed on the page."""

_WIDTH, _HEIGHT = 960, 160  # of the graph


@ui.page("/review")
def review_page(game: str = "") -> None:
    """The page; game: `play` has it begin with the game on the page Play."""
    page_head("/review")
    ReviewPage(begin=game == "play")


class ReviewPage:
    """One visitor's review. at: moves made on the board that is shown."""

    def __init__(self, *, begin: bool = False) -> None:
        self.work = Work()
        self.found: Review | None = None
        self.at = 0
        self._asks = False
        self._busy = False
        paragraph("Review", tag="h1")
        self.games = GamesView(begin=begin)
        self.games.on("record", told(self._take(Record.from_json)))
        self.games.on("link", told(self._take(Record.from_fragment)))
        self.games.on("file", told(self._take_file))
        self.status = paragraph("", "tf-small")
        self.status.props["role"] = "status"
        self.result = ui.element("div").classes("tf-columns tf-review")
        self.result.set_visibility(False)
        with self.result:
            self._panel()

    def _panel(self) -> None:
        with ui.element("div").classes("tf-left"):
            self.board = BoardView("the position before the move", room=120, largest=96)
            with ui.element("div").classes("tf-buttons"):
                button("First", lambda: self._go(0))
                button("Back", lambda: self._go(self.at - 1))
                button("Forward", lambda: self._go(self.at + 1))
                button("Next mistake", told(self._next_mistake), primary=True)
            self.guesses = ui.element("div").classes("tf-buttons guesses")
            with self.guesses:
                for direction in DIRECTIONS:
                    name = f"{direction.arrow} {direction.name.lower()}"
                    button(name, lambda direction=direction: self._guess(direction))
            self.guesses.set_visibility(False)
            with ui.element("div").classes("tf-buttons actions"):
                button("Learn from mistakes", told(self._learn))
                button("Play on from here", told(self._play_on))
                button("Analyse", self._analyse)
        with ui.element("div").classes("tf-right"):
            self.facts = ui.element("dl").classes("tf-facts-list")
            self.view = ReviewView()
            self.view.on("go", told(self._clicked))
            self.view.on("arrow", told(self._arrow))
            with ui.element("div").classes("said"):
                self.headline = paragraph("", tag="h2")
                self.details = [paragraph("") for _ in range(5)]

    # Taking up a game

    def _take(self, read: Callable[[str], Record]) -> Callable[[GenericEventArguments], Any]:
        async def take(event: GenericEventArguments) -> None:
            if not event.args:
                raise InvalidFile("there is no game on the Play page yet")
            text = checked_text(event.args, "the record", LIMITS.record + LIMITS.text)
            await self._review(checked_record(read(text)))

        return take

    async def _take_file(self, event: GenericEventArguments) -> None:
        await self._review(await self.work.run(lambda: checked_file(event.args), seconds=LIMITS.replay))

    async def _review(self, record: Record) -> None:
        if self._busy:
            raise InvalidLimit("a review is running: wait until it ends")
        if len(record.moves) > MOST_MOVES:
            raise InvalidLimit(
                f"a game of more than {MOST_MOVES:,} moves can be reviewed only with 'twofold review'"
            )
        done = [0]

        def look(count: int, _all: int) -> None:
            done[0] = count
            checkpoint()

        timer = ui.timer(
            0.5, lambda: set_text(self.status, f"{done[0]:,} of {len(record.moves):,} moves reviewed")
        )
        self._busy = True
        try:
            self.found = await self.work.run(lambda: review(record, on_progress=look), seconds=SECONDS)
        finally:
            timer.cancel()
            self._busy = False
            set_text(self.status, "")
        self._show(self.found)
        self._go(self.found.worst[0].number - 1 if self.found.worst else 0)

    def _show(self, found: Review) -> None:
        names = list(GRADES)
        self.view.show(
            {
                "svg": graph(found, _WIDTH, _HEIGHT).replace("<svg ", '<svg preserveAspectRatio="none" ', 1),
                "letters": letters(tuple(move.move for move in found.moves)),
                "grades": [names.index(move.grade) for move in found.moves],
                "names": names,
                "edge": EDGE / _WIDTH,
            }
        )
        self.facts.clear()
        with self.facts:
            for line in summary(found):
                name, text = line.split(maxsplit=1)
                with ui.element("div"):
                    paragraph(name, tag="dt")
                    paragraph(text, tag="dd")
        self.result.set_visibility(True)

    # Looking at it

    def _go(self, at: int) -> None:
        found = self.found
        if found is None:
            return
        self.at = max(0, min(at, len(found.moves) - 1))
        self._asks = False
        self.guesses.set_visibility(False)
        move = found.moves[self.at]
        self.board.show(self._position().board)
        self.view.go(self.at)
        set_text(self.headline, headline(found, move))
        self._say([*told_of(found, move), "Behind the best: " + _behind(move)])

    def _say(self, lines: list[str]) -> None:
        for line, text in zip(self.details, [*lines, *[""] * len(self.details)], strict=False):
            set_text(line, text)

    def _position(self) -> State:
        assert self.found is not None
        return self.found.game.moved[self.at].before

    def _clicked(self, event: GenericEventArguments) -> None:
        if isinstance(event.args, int):
            self._go(event.args)

    def _arrow(self, event: GenericEventArguments) -> None:
        direction = checked_direction(event.args)
        if self._asks:
            self._guess(direction)
        elif direction in (Direction.LEFT, Direction.RIGHT):
            self._go(self.at + (1 if direction is Direction.RIGHT else -1))

    def _next_mistake(self) -> bool:
        assert self.found is not None
        mistake = self.found.mistake_after(self.at)
        if mistake is None:
            ui.notify("There are no mistakes in this game.", position="top")
            return False
        self._go(mistake.number - 1)
        return True

    # Learning

    def _learn(self) -> None:
        """Put up the next mistake without its answer."""
        if not self._next_mistake():
            return
        self._asks = True
        self.guesses.set_visibility(True)
        set_text(self.headline, f"Move {self.at + 1:,}: what would you play?")
        self._say(["Use the arrows or the buttons below the board."])

    def _guess(self, direction: Direction) -> None:
        if self.found is None or not self._asks:
            return
        move = self.found.moves[self.at]
        value, best = move.values[direction], max(v for v in move.values if v is not None)
        if value is None:
            self._say([f"{named(direction)} moves nothing: try another."])
            return
        right = direction == move.best
        self._go(self.at)
        said = (
            "Right"
            if right
            else "That is the move that was played"
            if direction == move.move
            else "Not the best"
        )
        behind = "" if right else f", {best - value:,.0f} points behind {named(move.best)}"
        set_text(self.headline, f"{said}: {named(direction)}{behind}")

    # Going on from here

    def _play_on(self) -> None:
        assert self.found is not None
        ui.navigate.to("/#" + Record.of(self.found.game).first(self.at).to_fragment())

    def _analyse(self) -> None:
        if self.found is not None:
            ui.navigate.to(analyse_address(self._position()))


def _behind(move: MoveReview) -> str:
    """How far each move falls short of the best, in points."""
    texts = zip(DIRECTIONS, behind_texts(move.values), strict=True)
    return ", ".join(f"{direction.arrow} {text}" for direction, text in texts if text != "-")


__all__ = ["ReviewPage", "review_page"]
