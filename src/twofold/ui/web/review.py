"""The page Review: a game judged move by move, with a graph, its moves, and its mistakes to learn from."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote as quote_url

from nicegui import ui
from nicegui.events import GenericEventArguments, UploadEventArguments

from twofold.coach.report import continuation, graph, summary, why
from twofold.coach.reviewing import MoveReview, Review, review
from twofold.errors import InvalidFile, InvalidLimit
from twofold.records.formats import decode_record
from twofold.records.record import Record
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS, Direction
from twofold.threads import checkpoint
from twofold.ui.web.components import BoardView
from twofold.ui.web.layout import Work, button, page_head, paragraph, set_text, told
from twofold.ui.web.limits import LIMITS, checked_record, checked_text

SECONDS = 240.0
"""The longest that a review may take."""

MOST_MOVES = 20_000
"""Moves of a game that is reviewed on the page."""

_MISTAKES = ("mistake", "blunder")
_STORED = "return sessionStorage.getItem('twofold.game') || localStorage.getItem('twofold.game') || ''"
_CLICK = "(e) => { const box = e.currentTarget.getBoundingClientRect(); emit((e.clientX - box.left) / box.width); }"


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
        paragraph("What each move lost, how lucky each tile was, and where the game turned.", "tf-small")
        with ui.element("div").classes("tf-buttons"):
            button("Review the game on the Play page", told(self._take_stored), primary=True)
        self.upload = ui.upload(
            label="Or drop a game file: .json, .txt, .rpl, .rec, .vrs",
            auto_upload=True,
            max_file_size=2 << 20,
            on_upload=told(self._take_file),
        ).props("flat bordered color=brown-7")
        self.status = paragraph("", "tf-small")
        self.status.props["role"] = "status"
        self.result = ui.element("div")
        self.result.set_visibility(False)
        with self.result:
            self._panel()
        ui.keyboard(on_key=self._key)
        if begin:
            ui.timer(0.1, told(self._take_stored), once=True)

    def _panel(self) -> None:
        self.facts = [paragraph("", "tf-small") for _ in range(4)]
        self.graph = ui.html("", sanitize=False).style("width: 100%; max-width: 960px; cursor: pointer")
        self.graph.on("click", told(self._clicked), js_handler=_CLICK)
        with ui.element("div").style("display: flex; flex-wrap: wrap; gap: 1rem"):
            with ui.element("div").style("flex: 1 1 18rem; max-width: 26rem"):
                self.board = BoardView("the position before the move", room=200, largest=96)
            with ui.element("div").style("flex: 1 1 18rem"):
                self.headline = paragraph("", tag="h2")
                self.details = [paragraph("") for _ in range(4)]
                with ui.element("div").classes("tf-buttons"):
                    button("First", lambda: self._go(0))
                    button("Back", lambda: self._go(self.at - 1))
                    button("On", lambda: self._go(self.at + 1))
                    button("Next mistake", told(self._next_mistake), primary=True)
                with ui.element("div").classes("tf-buttons"):
                    button("Learn from mistakes", told(self._learn))
                    button("Play on from here", told(self._play_on))
                    button("Analyse", self._analyse)
                self.guesses = ui.element("div").classes("tf-buttons")
                with self.guesses:
                    for direction in DIRECTIONS:
                        button(direction.name, lambda d=direction: self._guess(d))
                self.guesses.set_visibility(False)
        self.table = ui.html("", sanitize=False).style("max-height: 20rem; overflow: auto")

    # Taking up a game

    async def _take_stored(self) -> None:
        text = await ui.run_javascript(_STORED, timeout=5.0)
        if not text:
            raise InvalidFile("there is no game on the Play page yet")
        await self._review(Record.from_json(checked_text(text, "the record", LIMITS.record + LIMITS.text)))

    async def _take_file(self, event: UploadEventArguments) -> None:
        data = await event.file.read()
        name = event.file.name
        self.upload.reset()
        ending = name[name.rfind(".") :] if "." in name else ""
        await self._review(await self.work.run(lambda: decode_record(data, ending), seconds=LIMITS.replay))

    async def _review(self, record: Record) -> None:
        if self._busy:
            raise InvalidLimit("a review is running: wait until it ends")
        checked_record(record)
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
        set_text(self.status, "Click the graph or use the arrows.")
        self.graph.set_content(_styled(graph(self.found)))
        self.table.set_content(_table(self.found))
        for line, fact in zip(self.facts, summary(self.found), strict=True):
            set_text(line, fact)
        self.result.set_visibility(True)
        self._go(self.found.worst[0].number - 1 if self.found.worst else 0)

    # Looking at it

    def _go(self, at: int) -> None:
        found = self.found
        if found is None:
            return
        self.at = max(0, min(at, len(found.moves) - 1))
        self._asks = False
        self.guesses.set_visibility(False)
        move = found.moves[self.at]
        self.board.show(self._position())
        set_text(
            self.headline, f"Move {move.number:,} of {len(found.moves):,}: {move.move.name}, {move.grade}"
        )
        self._tell(move)

    def _tell(self, move: MoveReview) -> None:
        assert self.found is not None
        told_of = [
            "",
            "",
            f"Luck of the tile after it: {move.luck:+,.0f} points. Value {move.value:,.0f}.",
            "",
        ]
        if move.loss > 0:
            played, best = continuation(self.found, move)
            told_of[0] = f"Loses {move.loss:,.0f} points ({move.share:.1%} of those to come)."
            told_of[1] = f"Best: {move.best.name}. {why(self.found, move).capitalize()}."
            told_of[3] = f"Played: {played} … Best: {best} …"
        else:
            told_of[0] = "Loses nothing."
        for line, text in zip(self.details, told_of, strict=True):
            set_text(line, text)

    def _position(self) -> Board:
        assert self.found is not None
        return self.found.game.moved[self.at].before.board

    def _clicked(self, event: GenericEventArguments) -> None:
        if self.found is not None and isinstance(event.args, int | float):
            share = min(1.0, max(0.0, float(event.args)))
            self._go(round(share * (len(self.found.moves) - 1)))

    def _key(self, event: Any) -> None:
        if event.action.keydown and event.key.arrow_left:
            self._go(self.at - 1)
        elif event.action.keydown and event.key.arrow_right:
            self._go(self.at + 1)

    def _next_mistake(self) -> bool:
        assert self.found is not None
        ahead = [*self.found.moves[self.at + 1 :], *self.found.moves[: self.at + 1]]
        mistake = next((move for move in ahead if move.grade in _MISTAKES), None)
        if mistake is None:
            ui.notify("There are no mistakes in this game.", position="top")
            return False
        self._go(mistake.number - 1)
        return True

    def _learn(self) -> None:
        """Put up the next mistake without its answer."""
        if not self._next_mistake():
            return
        self._asks = True
        self.guesses.set_visibility(True)
        set_text(self.headline, f"Move {self.at + 1:,}: what would you play?")
        for line in self.details:
            set_text(line, "")

    def _guess(self, direction: Direction) -> None:
        if self.found is None or not self._asks:
            return
        move = self.found.moves[self.at]
        value, best = move.values[direction], max(v for v in move.values if v is not None)
        if value is None:
            set_text(self.details[0], f"{direction.name} moves nothing: try another.")
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
        behind = "" if right else f", {best - value:,.0f} points behind {move.best.name}"
        set_text(self.headline, f"{said}: {direction.name}{behind}")

    def _play_on(self) -> None:
        assert self.found is not None
        record = Record.of(self.found.game)
        kept = Record(
            record.variant,
            record.seed,
            record.moves[: self.at],
            "",
            record.index,
            record.spawns,
            record.start_score,
        )
        ui.navigate.to("/#" + kept.to_fragment())

    def _analyse(self) -> None:
        if self.found is not None:
            ui.navigate.to("/analyse?board=" + quote_url(str(self._position())))


def _styled(svg: str) -> str:
    """The graph with the colours that its page of HTML would give it."""
    style = (
        "<style>.zero{stroke:#999}.value{fill:none;stroke:#1f5fa8;stroke-width:2}"
        ".luck{fill:none;stroke:#777;stroke-width:1.5;stroke-dasharray:5 4}</style>"
    )
    return style + svg.replace("<svg ", '<svg style="width:100%;height:auto" ', 1)


def _table(found: Review) -> str:
    """The moves that gave something away, at most 500 of them, as a table."""
    losing = [move for move in found.moves if move.grade not in ("best", "good")][:500]
    rows = "".join(
        f"<tr><td>{move.number}</td><td>{move.move.name}</td><td>{move.best.name}</td><td>{move.loss:,.0f}</td>"
        f"<td>{move.grade}</td></tr>"
        for move in losing
    )
    head = "<tr><th>move</th><th>played</th><th>best</th><th>loss</th><th>grade</th></tr>"
    return f'<table class="tf-table" tabindex="0">{head}{rows}</table>' if rows else ""


__all__ = ["ReviewPage", "review_page"]
