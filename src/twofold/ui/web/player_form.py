"""Choosing a player: its name, its parameters, and the text that says the same; all from the registry."""

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
    """The fields of one player. The text counts; the fields fill it in."""

    def __init__(self, label: str, text: str, *, optional: bool = False) -> None:
        names = [info.name for info in list_players() if info.name not in _HIDDEN]
        options = [(name, name) for name in names]
        self.text = Field(label, text, options=[(name, name) for name in names], on_text=self._text_changed)
        name = parse_call(text).name if text else ""
        if optional:
            options.insert(0, ("", "none"))
        self._fields: dict[str, tuple[Parameter, Field]] = {}
        with ui.element("details"):
            summary = ui.element("summary").classes("tf-small").style("cursor: pointer")
            summary._text = "choose a player and its settings"
            self._name = Field("Name", name, "select", options=options, on_text=self._name_changed)
            self._about = paragraph("", "tf-small")
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

    def _lay_out(self, name: str) -> None:
        self._box.clear()
        self._fields = {}
        if not name:
            set_text(self._about, "")
            return
        info = player_info(name)
        set_text(self._about, info.summary)
        with self._box:
            for parameter in info.parameters:
                if parameter.name != "file":
                    self._fields[parameter.name] = (parameter, _field_of(parameter, self._fields_changed))

    def _name_changed(self) -> None:
        if self._name.text in ("", *(info.name for info in list_players())):
            self._lay_out(self._name.text)
            self.text.set(self._name.text)

    def _text_changed(self) -> None:
        try:
            name = parse_call(self.text.text).name if self.text.text.strip() else ""
            if name and name != self._name.text:
                player_info(checked_player(self.text.text).partition(":")[0])
                self._name.set(name)
                self._lay_out(name)
            self._fill_in()
        except TwofoldError:
            return  # half a text, while it is being typed

    def _fill_in(self) -> None:
        """The fields as the text says."""
        if not self.is_filled:
            return
        _, values = PLAYERS.parse(checked_player(self.text.text))
        for name, (parameter, field) in self._fields.items():
            value = values.get(name)
            field.set(
                ""
                if value is None or (value == parameter.default and not parameter.choices)
                else _text(value)
            )

    def _fields_changed(self) -> None:
        parts = [
            f"{name}={field.text.strip()}"
            for name, (parameter, field) in self._fields.items()
            if field.text.strip() and field.text.strip() != _text(parameter.default)
        ]
        self.text.set(self._name.text + (":" + ",".join(parts) if parts else ""))


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
