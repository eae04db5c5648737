"""The screen Play: a game by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from textual import events
from textual.app import ComposeResult

from twofold.errors import InvalidFile
from twofold.files import write_file
from twofold.matches.play import move_key, new_game
from twofold.records.record import Record
from twofold.rules.game import Game
from twofold.ui.shared.facts import game_panel
from twofold.ui.shared.human_game import HumanGame
from twofold.ui.shared.keys import GAME_ACTIONS, MOVE_KEYS, Action
from twofold.ui.shared.rules_form import fresh_seed
from twofold.ui.shared.session import Hint, getting_ready, give_hint
from twofold.ui.terminal.new_game import NewGame, NewGameChoice
from twofold.ui.terminal.room import Room
from twofold.ui.terminal.views import GameView, key_name
from twofold.ui.terminal.work import IsCancelled

T = TypeVar("T")

HELP = "u undo  r redo  x restart  i hint  n new  p t tiles  v analyse  e review  q quit"


class Play(Room):
    """One game after another."""

    def __init__(self, game: Game, hints_by: str, path: Path | None = None) -> None:
        """hints_by: the player who is asked for hints. path: a record that is kept up to date."""
        super().__init__("play")
        self.human = HumanGame(game, confirm_restart=True)
        self.hint: Hint | None = None
        self.view = GameView()
        self._hints_by, self._file = hints_by, path
        self._waits = False

    def compose(self) -> ComposeResult:
        """Board, what happened, keys."""
        yield self.view
        yield self._notice
        yield self._help

    def on_mount(self) -> None:
        """The game at its beginning."""
        self.tell_keys(HELP)
        self.draw()

    def main(self) -> GameView:
        """The board."""
        return self.view

    @property
    def heading(self) -> str:
        """Rules and seed."""
        game = self.human.game
        return f"{game.variant.rows}x{game.variant.columns}  seed {game.seed}"

    def take(self, game: Game) -> None:
        """Play another game."""
        self.work.cancel()
        self.human = HumanGame(game, confirm_restart=True)
        self.hint = None
        self._keep()
        self.draw()

    def draw(self) -> None:
        """Board, panel and notice as the game stands."""
        state = self.human.game.state
        self.view.show(state.board, game_panel(state, self.human.last, self.view.look, self.hint))
        over = self.human.game.is_over and self.human.game.moves
        self.tell(f"{self.human.notice} e reviews it." if over else self.human.notice)

    def on_key(self, event: events.Key) -> None:
        """The keys of the game, and those for hints, new games and analysis."""
        key = key_name(event)
        if key == "n":
            self.app.push_screen(NewGame(self.human.game.variant), self._begin)
        elif key == "i":
            self._ask_for_hint()
        elif key == "v":
            self.post_message(self.Analyse(self.human.game.state))
        elif key == "e" and self.human.game.moves:
            self.post_message(self.Review(self.human.record()))
        elif key in MOVE_KEYS or GAME_ACTIONS.get(key, Action.QUIT) is not Action.QUIT:
            self._press(key)
        else:
            return
        event.stop()

    def _press(self, key: str) -> None:
        human = self.human
        if self._is_waiting:
            return
        if human.game.variant.evil is None:
            self.work.cancel()
            human.press(key)
            self._pressed()
        else:  # the adversary searches: not in the window's own thread
            self._wait_for(lambda: human.press(key), lambda _: self._pressed())

    def _pressed(self) -> None:
        self.hint = None
        self._keep()
        self.draw()

    def _begin(self, chosen: NewGameChoice | None) -> None:
        if chosen is None:
            return
        seed = fresh_seed() if chosen.seed is None else chosen.seed
        if chosen.variant.evil is None:
            self.take(new_game(chosen.variant, seed))
        else:
            self.tell("Getting ready.")
            self._wait_for(lambda: new_game(chosen.variant, seed), self.take)

    def take_up(self, record: Record) -> None:
        """Play on from a record: a long one takes a moment."""
        self.tell("Getting ready.")
        self._wait_for(record.replay, self.take)

    @property
    def _is_waiting(self) -> bool:
        """True while a move or a game is being made; keys are not heard then, and leaving does not call it off."""
        return self._waits and self.work.busy

    def _wait_for(self, make: Callable[[], T], found: Callable[[T], None]) -> None:
        def job(_: IsCancelled) -> Iterator[T]:
            yield make()

        self._waits = True
        self.work.start(job, found, self.tell)

    def leave(self) -> None:
        """A hint is called off."""
        if not self._is_waiting:
            super().leave()
            if self.is_mounted:
                self.draw()

    # Hints

    def _ask_for_hint(self) -> None:
        if self.work.busy:
            return
        game = self.human.game
        state, key, player = game.state, move_key(game), self._hints_by

        def job(cancelled: IsCancelled) -> Iterator[Hint]:
            yield give_hint(state, player, key, seconds=None, cancelled=cancelled)

        self._waits = False
        self.tell(getting_ready())
        self.work.start(job, self._show_hint, self.tell)

    def _show_hint(self, hint: Hint) -> None:
        self.hint = hint
        self.human.notice = hint.waits
        self.draw()

    # The record

    def _keep(self) -> None:
        """Writes the record into its file."""
        if self._file is None:
            return
        try:
            write_file(self._file, self.human.record().to_json() + "\n")
        except InvalidFile as refusal:
            self.human.notice = f"{self.human.notice} {refusal}".strip()
