"""All pages, registered by importing their modules."""

from __future__ import annotations


def register() -> None:
    """Make the pages known to the server."""
    from twofold.ui.web import (  # noqa: F401
        analyse,
        experiments,
        life_room,
        painting_room,
        paths_room,
        play,
        review,
        rooms,
        stereogram_room,
        watch,
    )
