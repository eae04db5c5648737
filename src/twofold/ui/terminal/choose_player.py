"""The dialog that says who plays which game in the room Watch."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text
from textual.app import ComposeResult
from textual.suggester import SuggestFromList
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from twofold.errors import InvalidParameter
from twofold.notation import parse_call
from twofold.players.registry import PlayerInfo, canonical_text, list_players
from twofold.rules.random import MASK
from twofold.rules.variant import Variant
from twofold.ui.terminal.fields import Choice, Form, text_field, whole

_BY_HAND = ("human", "scripted")


@dataclass(frozen=True, slots=True)
class WatchedGame:
    """A player, by its canonical text, and the game that it is to play; any seed will do if it is None."""

    player: str
    variant: Variant
    seed: int | None = None
    stop_at_target: bool = False


def checked_player(text: str) -> str:
    """The canonical text of a player that can be watched. Raises UnknownPlayer or InvalidParameter."""
    canonical = canonical_text(text.strip())
    if parse_call(canonical).name == "human":
        raise InvalidParameter("'human' plays on the screen Play; choose another player")
    return canonical


class ChoosePlayer(Form[WatchedGame]):
    """Asks for a player's text, with the registered ones to pick from."""

    TITLE = "Watch"

    def __init__(self, chosen: WatchedGame) -> None:
        super().__init__()
        names = [info.name for info in list_players() if info.name not in _BY_HAND]
        self.player = text_field(chosen.player, "name:key=value,key=value")
        self.player.suggester = SuggestFromList(names)
        self.rules = text_field(str(chosen.variant), "4x4;p4=0.2;target=512 …")
        self.seed = text_field("", "empty: random")
        self.stop = Choice([("", "continue"), ("1", "end the game")], "1" if chosen.stop_at_target else "")

    def rows(self) -> list[tuple[str, Widget]]:
        """The fields."""
        return [
            ("player", self.player),
            ("rules", self.rules),
            ("seed", self.seed),
            ("the target", self.stop),
        ]

    def below(self) -> ComposeResult:
        """The players that there are."""
        infos = [info for info in list_players() if info.name not in _BY_HAND]
        yield OptionList(*(Option(_line(info), id=info.name) for info in infos))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Takes a name over into the field."""
        self.player.value = event.option.id or ""
        self.player.focus()
        event.stop()

    def result(self) -> WatchedGame:
        """What is filled in."""
        variant = Variant.parse(self.rules.value.strip() or "4x4")
        seed = whole("seed", self.seed.value, 0, MASK)
        return WatchedGame(checked_player(self.player.value), variant, seed, bool(self.stop.value))


def _line(info: PlayerInfo) -> Text:
    return Text(f"{info.name:<12} {info.summary}", no_wrap=True, overflow="ellipsis")
