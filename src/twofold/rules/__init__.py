"""The rules of the game: immutable values in plain Python, for any board. No numba, no numpy."""

from twofold.rules.board import Board, Slide, parse_board
from twofold.rules.cells import BRICK, MAX_RANK, MAX_SIDE
from twofold.rules.direction import DIRECTIONS, ORDERS, Direction, parse_direction
from twofold.rules.game import Changed, Ended, Game, Observer, Outcome, Redone, Started, Undone
from twofold.rules.notation import NOTATIONS, format_board, parse_size
from twofold.rules.random import Stream, below, four_threshold, mix64, stream_key, word
from twofold.rules.shapes import SHAPES, shape
from twofold.rules.slide import Motion, slide_run
from twofold.rules.spawn import Adversary, Spawn, draw_spawn
from twofold.rules.state import Event, Moved, State, first_state, step
from twofold.rules.variant import (
    CORNERS,
    PLACES,
    STYLES,
    VALUES,
    Evil,
    Variant,
    format_spawn_style,
    parse_spawn_style,
)

__all__ = [
    "BRICK",
    "CORNERS",
    "DIRECTIONS",
    "MAX_RANK",
    "MAX_SIDE",
    "NOTATIONS",
    "ORDERS",
    "PLACES",
    "SHAPES",
    "STYLES",
    "VALUES",
    "Adversary",
    "Board",
    "Changed",
    "Direction",
    "Ended",
    "Event",
    "Evil",
    "Game",
    "Motion",
    "Moved",
    "Observer",
    "Outcome",
    "Redone",
    "Slide",
    "Spawn",
    "Started",
    "State",
    "Stream",
    "Undone",
    "Variant",
    "below",
    "draw_spawn",
    "first_state",
    "format_board",
    "format_spawn_style",
    "four_threshold",
    "mix64",
    "parse_board",
    "parse_direction",
    "parse_size",
    "parse_spawn_style",
    "shape",
    "slide_run",
    "step",
    "stream_key",
    "word",
]
