"""The page Art: links to all that the game can draw."""

from __future__ import annotations

from html import escape

from nicegui import ui

from twofold.ui.web.layout import page_head, paragraph

ROOMS = (
    ("/rooms/painting", "Painting", "Draw a picture and find a game that ends in exactly that picture."),
    ("/rooms/life", "Life", "Conway's Game of Life, each generation painted by legal moves."),
    ("/rooms/stereogram", "Stereograms", "A board whose tiles hide shapes that two eyes see in depth."),
    ("/rooms/paths", "Paths", "All paths that a chain of tiles can take across a board."),
)


@ui.page("/rooms")
def rooms_page() -> None:
    """The page."""
    page_head("/rooms")
    paragraph("Art", tag="h1")
    with ui.element("div").classes("tf-rooms"):
        for path, name, text in ROOMS:
            ui.html(
                f'<a class="tf-panel" href="{path}"><h2>{escape(name)}</h2><p>{escape(text)}</p></a>',
                sanitize=False,
            )
