"""The reasons given for moves: each kind, on a board where people see it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.thorough import quick_ones
from twofold.coach.reasons import reason
from twofold.coach.units import ENGINE_SCORE, POINTS, next_tile
from twofold.errors import IllegalMove
from twofold.exact.problem import MAX_PROBABILITY
from twofold.exact.small import solve_position
from twofold.matches.play import new_game
from twofold.rules import Board, Direction, State, Variant
from twofold.rules.random import word
from twofold.rules.spawn import draw_spawn
from twofold.ui.shared.frame import behind_texts
from twofold.ui.shared.session import give_hint


def why(board: str, move: str, rival: str | None = None, target: int = 2048) -> str:
    """The reason for `move`; `rival` is thought to be the best of the others."""
    made = Board.parse(board)
    state = State.of(made, Variant(made.without_tiles(), target=target))
    values = [0.0 if d in state.legal_moves() else None for d in Direction]
    if rival is not None:
        values[Direction[rival]] = 1.0
    up, right, down, left = values
    return reason(state, Direction[move], (up, right, down, left))


# Board, move, rival and reason; each was looked at.
SEEN = (
    ("2 4 8 16|. . . .|. . . .|. . . .", "DOWN", None, "down is the only legal move"),
    ("1024 1024 2 4|. . . .|. . . .|2 . . .", "LEFT", "DOWN", "makes 2,048"),
    (". 512 . .|. 2 . .|. . . .|. . . .", "LEFT", "DOWN", "brings 512 into a corner"),
    ("512 . 2 .|4 . . .|. . . .|. . . .", "LEFT", "RIGHT", "keeps 512 in its corner; right would move it away"),
    ("4 . . .|8 2 . .|8 4 2 .|8 4 2 .", "DOWN", "RIGHT",
     "makes 16 in a corner"),
    ("4 32 2 64|. . 4 64|. . 4 16|. 2 2 8", "UP", "DOWN", "makes 128 in a corner; after down it would lie elsewhere"),
    ("8 . . .|. . . .|2 . . .|. . . .", "RIGHT", "DOWN",
     "brings 8 into another corner; after down it would lie in none"),
    ("4 2 128 256|2 16 32 128|8 4 16 64|4 8 8 32", "RIGHT", "LEFT",
     "after left the next tile could end the game"),
    (". 8 64 256|2 2 32 128|4 4 16 32|2 2 8 8", "UP", "RIGHT",
     "after right the next tile could leave a single move (a rectangle state)"),
    (". . . .|. . . 4|. 2 8 2|16 8 4 2", "LEFT", "DOWN",
     "a full line beside 16 keeps it from slipping; down leaves none"),
    ("64 32 16 4|2 . . 4|. . . .|. . . .", "UP", "LEFT", "the chain 64 32 16 8 is longer than after left"),
    ("8 8 . .|2 4 . .|. . 2 .|2 . . .", "UP", "RIGHT", "8 keeps its place; right would move it"),
    ("256 128 64 32|2 4 8 16|2 4 . .|2 . . .", "UP", "RIGHT", "merges tiles for 12 points; right for 0"),
    ("8 8 2 .|4 4 . .|. . . .|. . 2 .", "UP", "LEFT",
     "more rows and columns rise or fall the same way than after left"),
    (". . 2 4|. . 2 4|. 8 8 16|2 4 16 64", "DOWN", "RIGHT", "leaves 7 cells free, right fewer"),
    ("2 . 2 .|. . . .|. . . .|. . . .", "DOWN", "RIGHT",
     "leaves more equal neighbours to merge next (1) than right (0)"),
)  # fmt: skip


@pytest.mark.parametrize(("board", "move", "rival", "text"), SEEN)
def test_the_reason_is_one_that_people_see(board: str, move: str, rival: str | None, text: str) -> None:
    assert why(board, move, rival) == text


@pytest.mark.parametrize("rules", quick_ones(["2x3;p4=0.5", "2x3;spawn=br-rows"], "2x3;p4=0.5".__eq__))
def test_what_is_said_of_the_next_tile_is_so(rules: str) -> None:
    """By tiles drawn as the game draws them: the rival's could end the game, the chosen move's can't, or less often."""
    variant, said = Variant.parse(rules), Counter[str]()
    for seed in range(40):
        game = new_game(variant, seed)
        while not game.is_over:
            game.move(game.legal_moves()[word(seed, game.moves) % len(game.legal_moves())])
        state = game.moved[-1].before
        for move in state.legal_moves():
            text = reason(state, move)
            if "ends the game" not in text and "end the game" not in text:
                continue
            dead = {
                option: sum(after_spawn(state, option, key).is_dead for key in range(300))
                for option in state.legal_moves()
            }
            rival, often = Direction[text.split()[1].upper()], "more often" in text
            assert dead[rival] > dead[move]
            assert often == (dead[move] > 0)
            said["more often" if often else "could"] += 1
    assert len(said) == 2


def after_spawn(state: State, move: Direction, key: int) -> Board:
    board = state.board.slide(move).board
    spawn = draw_spawn(state.variant, board, key, 5)
    return board.with_cell(spawn.cell, spawn.rank)


def test_a_target_that_was_made_is_no_reason_any_more() -> None:
    assert why("16 4 4 .|. . . .|. . . .|2 . . .", "LEFT", "DOWN", target=8) != "makes 8"


def test_without_values_the_first_other_move_is_the_rival() -> None:
    board = Board.parse("512 . 2 .|4 . . .|. . . .|. . . .")
    assert "right would move it away" in reason(State.of(board), Direction.LEFT)


@pytest.mark.parametrize("text", ["x 2 .|. x 2|2 . x", "2 . . . . 2|", "4|4|.|2", "x x|2 ."])
def test_bricks_and_any_size_have_reasons(text: str) -> None:
    state = State.of(Board.parse(text))
    for move in state.legal_moves():
        said = reason(state, move)
        assert said
        assert "\n" not in said


def test_moves_are_called_equal_only_if_their_values_are() -> None:
    """Left and right are images of each other, so nothing but values tells them apart."""
    state = State.of(Board.parse("4 . . 4|. 8 8 .|. . . .|2 . . 2"))
    for mine, other, said in (
        (5.0, 5.0, "exactly as good as right"),
        (7.5, 5.0, "the search values it 2.5 above right because of what comes later"),
        (5.0, 7.5, "the search values it 2.5 below right because of what comes later"),
    ):
        assert reason(state, Direction.LEFT, (None, other, None, mine)) == said


def test_hints_of_60_positions_say_what_is_so() -> None:
    """Of games by chance, early and late: no move is called equal that isn't, no difference is called 0."""
    states = []
    for seed in range(20):
        game = new_game("4x4", seed)
        while not game.is_over:
            game.move(game.legal_moves()[word(seed, game.moves) % len(game.legal_moves())])
        states += [game.moved[game.moves * part // 8].before for part in (1, 4, 7)]
    assert len(states) == 60
    for state in states:
        hint = give_hint(state, "default:nodes=20000", seconds=None)  # however busy the machine
        move, values = hint.decision.move, hint.decision.values
        assert move is not None
        rivals = [
            value for d, value in zip(Direction, values, strict=True) if value is not None and d != move
        ]
        said = hint.reason
        assert said == said.strip() != ""
        assert said[-1] not in ".,;:"
        assert ("as good as" in said) <= (bool(rivals) and max(rivals) == values[move])
        assert "values it 0 " not in said
        assert hint.unit == POINTS
        behind = behind_texts(values)
        assert [text == "best" for text in behind] == [
            value == max(v for v in values if v is not None) for value in values
        ]
        assert [text == "-" for text in behind] == [value is None for value in values]


def test_the_chance_of_the_next_tile_where_something_knows_it() -> None:
    """On 2x2 against the solution for the same target; of a board too large for it nothing is said."""
    state = State.of(Board.parse("16 8|2 ."))
    known = next_tile(state)
    assert known is not None
    assert (known.tile, known.source) == (32, "exact")
    target = replace(state, variant=replace(state.variant, target=32))
    assert known.chance == solve_position(target, MAX_PROBABILITY).value
    hint = give_hint(state, "default:nodes=2000", seconds=None)
    assert hint.next_tile.startswith("the next tile, 32, is made with probability 0.")
    assert hint.unit == ENGINE_SCORE
    assert next_tile(State.of(Board.parse("2 4 . . .|" * 4 + "2 . . . ."))) is None


def test_an_illegal_move_has_no_reason() -> None:
    with pytest.raises(IllegalMove):
        reason(State.of(Board.parse("2 .|4 .")), Direction.LEFT)
