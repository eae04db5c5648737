"""Choosing a player: its name, its formulas and parameters, and the text that says the same; from the registry."""

from __future__ import annotations

from nicegui import ui

from twofold.errors import TwofoldError
from twofold.notation import REQUIRED, Parameter, format_number, parse_call
from twofold.players.registry import PLAYERS, list_players, player_info
from twofold.ui.web.components import Field
from twofold.ui.web.layout import paragraph, set_text
from twofold.ui.web.limits import checked_player

_HIDDEN = ("human", "scripted")


class PlayerForm:
    """A list of players; what the chosen one does, its formulas and its parameters; and the text that says it all.

    The text counts; the list and the fields fill it in.
    """

    def __init__(self, label: str, text: str, *, optional: bool = False) -> None:
        """label: for the list. optional: whether nobody can be chosen too."""
        names = [info.name for info in list_players() if info.name not in _HIDDEN]
        name = parse_call(text).name if text else ""
        nobody = [("", "none")] if optional else []
        options = [*nobody, *((each, each) for each in names)]
        self._fields: dict[str, tuple[Parameter, Field]] = {}
        self._name = Field(label, name, "select", options=options, on_text=self._name_changed)
        self.text = Field(
            f"{label.partition(',')[0]} as text", text, on_text=self._text_changed, maxlength=1000
        )
        self._about = paragraph("", "tf-small")
        with ui.element("details").classes("tf-more") as self._more:
            summary = ui.element("summary").classes("tf-small")
            summary._text = "Formula and settings"
            self._formulas = paragraph("", "tf-small mono tf-formula")
            self._box = ui.element("div").classes("tf-fields")
        self._lay_out(name)
        self._fill_in()

    @property
    def is_filled(self) -> bool:
        """True if a player is named."""
        return bool(self.text.text.strip())

    def checked(self) -> str:
        """The player's canonical text. Raises what `checked_player` raises."""
        return checked_player(self.text.text.strip())

    def fill(self, text: str) -> None:
        """Show another player, or nobody for an empty text."""
        self.text.set(text)
        self._text_changed()

    def _lay_out(self, name: str) -> None:
        self._box.clear()
        self._fields = {}
        info = player_info(name) if name else None
        set_text(self._about, f"{info.summary[:1].upper()}{info.summary[1:]}." if info else "")
        self._more.style(replace="" if info else "display: none")
        with self._box:
            for parameter in info.parameters if info else ():
                if parameter.name != "file":
                    self._fields[parameter.name] = (parameter, _field_of(parameter, self._fields_changed))

    def _name_changed(self) -> None:
        if self._name.text in ("", *(info.name for info in list_players())):
            self._lay_out(self._name.text)
            self.text.set(self._name.text)
            self._fill_in()

    def _text_changed(self) -> None:
        try:
            name = parse_call(self.text.text).name if self.text.text.strip() else ""
            if name != self._name.text:
                if name:
                    player_info(checked_player(self.text.text).partition(":")[0])
                self._name.set(name)
                self._lay_out(name)
            self._fill_in()
        except TwofoldError:
            return  # half a text, while it is being typed

    def _fill_in(self) -> None:
        """Fields and formulas as the text says."""
        if not self.is_filled:
            return
        canonical = checked_player(self.text.text)
        _, values = PLAYERS.parse(canonical)
        for name, (parameter, field) in self._fields.items():
            value = values.get(name)
            is_usual = value is None or (value == parameter.default and not parameter.choices)
            field.set("" if is_usual else _text(value))
        self._show_formulas(canonical)

    def _show_formulas(self, canonical: str) -> None:
        told = [f"{info.name}: {info.formula}" for info, _ in PLAYERS.calls(canonical) if info.formula]
        set_text(self._formulas, "\n".join(dict.fromkeys(told)))

    def _fields_changed(self) -> None:
        parts = [
            f"{name}={field.text.strip()}"
            for name, (parameter, field) in self._fields.items()
            if field.text.strip() and field.text.strip() != _text(parameter.default)
        ]
        self.text.set(self._name.text + (":" + ",".join(parts) if parts else ""))
        try:
            self._show_formulas(checked_player(self.text.text))
        except TwofoldError:
            return  # half a value


def _field_of(parameter: Parameter, changed: object) -> Field:
    assert callable(changed)
    default = parameter.default
    hint = "" if default is None or default is REQUIRED else _text(default)
    if parameter.choices:
        options = [(choice, choice) for choice in parameter.choices]
        return Field(parameter.name, hint, "select", options=options, note=parameter.help, on_text=changed)
    if parameter.kind is bool:
        options = [("", f"default ({hint})"), ("1", "yes"), ("0", "no")]
        return Field(parameter.name, "", "select", options=options, note=parameter.help, on_text=changed)
    return Field(parameter.name, "", note=parameter.help, on_text=changed, placeholder=hint, maxlength=300)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return format_number(value) if isinstance(value, float) else "" if value is None else str(value)
