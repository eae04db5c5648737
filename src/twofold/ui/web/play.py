"""The page Play: a game by hand. The server's `Game` decides, the browser draws and keeps the record."""

from __future__ import annotations

from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from twofold.errors import InvalidParameter, TwofoldError
from twofold.matches.play import move_key, new_game
from twofold.records.record import Record
from twofold.rules.direction import DIRECTIONS
from twofold.rules.game import Game
from twofold.rules.state import Moved
from twofold.rules.variant import Variant
from twofold.ui.shared.frame import behind_texts, value_text
from twofold.ui.shared.rules_form import PLACE_NAMES, fresh_seed, value_names
from twofold.ui.shared.session import HINT_PLAYER, Hint, Playing, give_hint
from twofold.ui.web.analyse import analyse_address
from twofold.ui.web.components import PlayView, board_payload
from twofold.ui.web.layout import Work, page_head, refuse, told
from twofold.ui.web.limits import (
    LIMITS,
    checked_direction,
    checked_file,
    checked_record,
    checked_text,
    memory_of,
)
from twofold.ui.web.new_game import NewGameDialog
from twofold.ui.web.player_form import PlayerForm
from twofold.ui.web.watch import watch_address

SHORT = 400
"""Moves that are played again at once; longer records are played again beside the event loop."""


@ui.page("/")
def play_page() -> None:
    """The page."""
    page_head("/")
    PlayPage()


class PlayPage:
    """One visitor's game."""

    def __init__(self) -> None:
        self.work = Work()
        self.playing = Playing(new_game(Variant(), fresh_seed()))
        self.thinking = False
        self.view = PlayView().style("width: 100%")
        with ui.element("details").classes("tf-panel tf-helper"):
            summary = ui.element("summary")
            summary._text = "Player for hints"
            self.helper = PlayerForm("Player", HINT_PLAYER)
        self.dialog = NewGameDialog(self.begin)
        self.view.on("ready", told(self._ready))
        self.view.on("move", told(self._move))
        self.view.on("act", told(self._act))
        self.view.on("file", told(self._open))
        self.view.on("spawns", told(self._change_spawns))

    # What the browser asks for

    async def _ready(self, event: GenericEventArguments) -> None:
        """A browser has come, or come back: with a link, or with the record that it keeps."""
        asked = event.args if isinstance(event.args, dict) else {}
        link, stored = asked.get("link"), asked.get("stored")
        # A link that is refused falls back on the game that is kept.
        for text, read in ((link, Record.from_fragment), (stored, Record.from_json)):
            if not text or text == "#":
                continue
            try:
                record = checked_record(read(checked_text(text, "the record", LIMITS.record + LIMITS.text)))
                await self._take_up(record)
            except TwofoldError as error:
                refuse(error)
            else:
                return
        self._show("start")

    async def _open(self, event: GenericEventArguments) -> None:
        await self._take_up(await self.work.run(lambda: checked_file(event.args), seconds=LIMITS.replay))

    async def _take_up(self, record: Record) -> None:
        if len(record.moves) + len(record.undone) <= SHORT and "spawn=evil" not in record.variant:
            game = record.replay(seconds=LIMITS.replay)
        else:
            game = await self.work.run(lambda: record.replay(seconds=LIMITS.replay))
        self.playing = Playing(game)
        self._show("start")

    def begin(self, variant: Variant, seed: int | None) -> None:
        """A new game from the dialog."""
        self.playing = Playing(new_game(variant, fresh_seed() if seed is None else seed))
        self.playing.notice = "A new game." if not self.playing.game.is_over else self.playing.notice
        self._show("start")

    async def _move(self, event: GenericEventArguments) -> None:
        direction = checked_direction(event.args)
        playing = self.playing
        if playing.game.variant.evil is None:
            moved = playing.move(direction)
        else:  # the adversary searches
            moved = await self.work.run(lambda: playing.move(direction))
        self._show("move" if moved else "refused", moved)

    async def _act(self, event: GenericEventArguments) -> None:
        playing = self.playing
        if event.args == "undo":
            self._show("undo" if playing.undo() else "refused")
        elif event.args == "redo":
            self._show("redo" if playing.redo() else "refused")
        elif event.args == "restart":
            playing.restart()
            self._show("start")
        elif event.args == "new":
            self.begin(playing.game.variant, None)
        elif event.args == "options":
            self.dialog.open(playing.game.variant)
        elif event.args == "analyse":
            ui.navigate.to(analyse_address(playing.game.state))
        elif event.args == "watch":
            ui.navigate.to(watch_address(playing.game.state))
        elif event.args == "hint":
            await self._hint()
        else:
            refuse("unknown request from the page")

    def _change_spawns(self, event: GenericEventArguments) -> None:
        """Changes the rules of spawns in the middle of the game."""
        place, value = (checked_text(text, "the rule of new tiles") for text in _pair(event.args))
        self._show("changed" if self.playing.change_spawns(place, value) else "refused")

    async def _hint(self) -> None:
        if self.thinking:
            return
        try:
            player = self.helper.checked()
        except TwofoldError:
            self.view.show_hint(None)
            raise
        self.thinking = True
        game = self.playing.game
        state, key = game.state, move_key(game)
        try:
            hint = await self.work.run(
                lambda: give_hint(state, player, key, seconds=LIMITS.hint, cancelled=lambda: self.work.gone),
                memory=memory_of(player),
            )
        except TwofoldError:
            self.view.show_hint(None)
            raise
        finally:
            self.thinking = False
        # The game may have gone on meanwhile; the hint was for another position then.
        self.view.show_hint(hint_payload(hint) if self.playing.game.state == state else None)

    # What it gets

    def _show(self, kind: str, moved: Moved | None = None) -> None:
        game, playing = self.playing.game, self.playing
        shot: dict[str, Any] = {"kind": kind, "notice": playing.notice, "said": self._said(kind, moved)}
        # What is said of a win or an end stays until the next move.
        shot["lasting"] = game.is_over or (moved is not None and bool(playing.notice))
        if kind != "refused":
            shot |= {
                "cells": list(game.board.cells),
                "score": game.score,
                "moves": game.moves,
                "redo": game.can_redo,
                "changes": playing.record().changes,
                "place": game.state.variant.place,
                "value": game.state.variant.value,
                "over": game.is_over,
                "won": game.won,
            }
        if moved is not None:
            shot |= {
                "letter": moved.direction.letter,
                "gain": moved.slide.reward,
                "motions": [[motion.source, motion.target] for motion in moved.slide.motions],
                "spawn": [moved.spawn.cell, moved.spawn.rank],
            }
        if kind == "start":
            shot |= board_payload(game.board) | {
                # The numbers of a browser are exact to 2^53 only.
                "record": playing.record().facts() | {"seed": str(game.seed)},
                "rules": rules_line(game),
                "target": game.variant.target,
                "places": list(PLACE_NAMES.items()) if game.variant.is_drawn else [],
                "values": list(value_names(game.variant).items()),
            }
        self.view.show(shot)

    def _said(self, kind: str, moved: Moved | None) -> str:
        """For the live region: the last move, what appeared, the score."""
        game, notice = self.playing.game, self.playing.notice
        if moved is None:
            return f"{notice} Score {game.score}." if kind != "refused" else notice
        row, column = divmod(moved.spawn.cell, game.variant.columns)
        gain = f", {moved.slide.reward} points" if moved.slide.reward else ""
        return (
            f"{moved.direction.name.lower()}{gain}. A {1 << moved.spawn.rank} appears in row {row + 1}, "
            f"column {column + 1}. Score {game.score}. {notice}".strip()
        )


def _pair(sent: object) -> tuple[object, object]:
    """Two things that a browser sent. Raises InvalidParameter."""
    if not isinstance(sent, list) or len(sent) != 2:
        raise InvalidParameter("new tiles are described by a place and a value")
    return sent[0], sent[1]


def rules_line(game: Game) -> str:
    """Rules, seed and target; the target is named once if the text of the rules has it."""
    text = f"{game.variant}, seed {game.seed}"
    return text if ";target=" in text else f"{text}, target {game.variant.target:,}"


def hint_payload(hint: Hint) -> dict[str, Any]:
    """A hint as the browser shows it: how far moves fall short of the best, and bars in percent, worst to best."""
    decision = hint.decision
    known = [value for value in decision.values if value is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    bars = [
        0 if value is None else 100 if high == low else round(10 + 90 * (value - low) / (high - low))
        for value in decision.values
    ]
    assert len(bars) == len(DIRECTIONS)
    return {
        "move": -1 if decision.move is None else int(decision.move),
        "reason": hint.reason,
        "waits": hint.waits,
        "values": behind_texts(decision.values),
        "bars": bars,
        "unit": f"Best: {value_text(decision.value)} {hint.unit}.",
        "chance": f"{hint.next_tile.capitalize()}." if hint.next_tile else "",
        "cost": f"{hint.player.partition(':')[0]}, depth {decision.depth}, {decision.nodes:,} positions, "
        f"{1000 * decision.seconds:,.0f} ms",
    }
