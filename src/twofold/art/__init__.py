"""Pictures painted by playing, Conway's Life, stereograms, and paths over all cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twofold.lazy import lazy_exports

if TYPE_CHECKING:
    from twofold.art.animate import Frame, write_gif
    from twofold.art.life import CONWAY, Fate, Life, Rule, fate, generations, soup
    from twofold.art.life_paint import Generation, run_painted
    from twofold.art.life_patterns import Pattern, parse_pattern, read_pattern, to_rle
    from twofold.art.life_patterns import named as pattern
    from twofold.art.painter.painting import NotPainted, Painting
    from twofold.art.painter.planner import paint
    from twofold.art.paths import (
        Count,
        Ranking,
        count_paths,
        count_unique,
        list_paths,
        path_svg,
        rank_paths,
        snake,
        unique_paths,
    )
    from twofold.art.picture import Picture, read_picture
    from twofold.art.stereogram_board import StereoBoard, Stereogram, board_for

__all__ = [
    "CONWAY",
    "Count",
    "Fate",
    "Frame",
    "Generation",
    "Life",
    "NotPainted",
    "Painting",
    "Pattern",
    "Picture",
    "Ranking",
    "Rule",
    "StereoBoard",
    "Stereogram",
    "board_for",
    "count_paths",
    "count_unique",
    "fate",
    "generations",
    "list_paths",
    "paint",
    "parse_pattern",
    "path_svg",
    "pattern",
    "rank_paths",
    "read_pattern",
    "read_picture",
    "run_painted",
    "snake",
    "soup",
    "to_rle",
    "unique_paths",
    "write_gif",
]

__getattr__, __dir__ = lazy_exports(__name__)
