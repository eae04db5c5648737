"""All pages, registered by importing their modules."""

from __future__ import annotations


def register() -> None:
    """Make the pages known to the server."""
    from twofold.ui.web import analyse, experiments, play, watch  # noqa: F401
