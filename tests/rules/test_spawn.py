"""Spawns: the odds (faults 9 to 11), every style, and the word each one uses."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.strategies import boards
from twofold.errors import InvalidSpawn, InvalidVariant
from twofold.rules import (
    CORNERS,
    Board,
    Evil,
    Game,
    Spawn,
    Stream,
    Variant,
    draw_spawn,
    stream_key,
    word,
)

KEY = stream_key(2048, 0, Stream.SPAWN)
EMPTY = Board.empty()


def chi_square(counts: list[int], expected: list[float]) -> float:
    return sum((count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True))


@pytest.mark.parametrize("p4", [0.1, 0.2, 0.5])
def test_the_odds_of_a_four_and_of_each_cell(p4: float) -> None:
    n = 20_000
    board = Board.parse("2 . .|. x .|. 4 .")
    variant = Variant(board.without_tiles(), p4=p4)
    spawns = [draw_spawn(variant, board, KEY, k) for k in range(n)]
    fours = sum(spawn.rank == 2 for spawn in spawns)
    assert chi_square([fours, n - fours], [p4 * n, (1 - p4) * n]) < 10.83  # p = 0.001, 1 degree
    cells = [sum(spawn.cell == cell for spawn in spawns) for cell in board.empty_cells]
    assert sum(cells) == n
    assert chi_square(cells, [n / 6] * 6) < 20.52  # p = 0.001, 5 degrees
    # Cell and value are independent: the fours are spread as evenly.
    where = [sum(spawn == Spawn(cell, 2) for spawn in spawns) for cell in board.empty_cells]
    assert chi_square(where, [fours / 6] * 6) < 20.52


def test_the_odds_of_any_values() -> None:
    n, odds = 20_000, {2: 0.5, 8: 0.3, 64: 0.15, 1024: 0.05}
    board = Board.parse("2 . .|. x .|. 4 .")
    variant = Variant(board.without_tiles(), values=tuple(odds.items()))
    spawns = [draw_spawn(variant, board, KEY, k) for k in range(n)]
    counts = [sum(1 << spawn.rank == value for spawn in spawns) for value in odds]
    assert sum(counts) == n
    assert chi_square(counts, [chance * n for chance in odds.values()]) < 16.27  # p = 0.001, 3 degrees
    plain = Variant(board.without_tiles())
    assert [spawn.cell for spawn in spawns[:300]] == [
        draw_spawn(plain, board, KEY, k).cell for k in range(300)
    ]


@pytest.mark.parametrize(
    ("rules", "ranks"), [({"p4": 0.0}, {1}), ({"p4": 1.0}, {2}), ({"value": "2"}, {1}), ({"value": "4"}, {2})]
)
def test_fixed_values(rules: dict[str, object], ranks: set[int]) -> None:
    variant = Variant(**rules)  # type: ignore[arg-type]
    spawns = [draw_spawn(variant, EMPTY, KEY, k) for k in range(300)]
    assert {spawn.rank for spawn in spawns} == ranks
    # The place uses the same half of the same word whatever the value.
    assert [spawn.cell for spawn in spawns] == [draw_spawn(Variant(), EMPTY, KEY, k).cell for k in range(300)]


def test_the_words_of_the_contract() -> None:
    """Any other program can draw the same spawns from these two lines."""
    for k in range(200):
        w = word(KEY, k)
        assert draw_spawn(Variant(), EMPTY, KEY, k) == Spawn(
            ((w >> 32) * 16) >> 32, 2 if w % 2**32 < 429496730 else 1
        )


@given(
    boards(max_rank=11).filter(lambda board: not board.is_full),
    st.sampled_from(["random", *CORNERS]),
    st.integers(0, 99),
)
def test_spawns_go_to_empty_cells(board: Board, place: str, k: int) -> None:
    variant = Variant(Board.empty(*board.size), place=place)
    spawn = draw_spawn(variant, board, KEY, k)
    assert spawn.cell in board.empty_cells
    if place != "random":
        order = variant.place_order()
        assert all(board.cells[cell] for cell in order[: order.index(spawn.cell)])


@pytest.mark.parametrize("place", CORNERS)
def test_a_corner_with_a_fixed_value_is_deterministic(place: str) -> None:
    """S4 1.10.1: then the seed changes nothing."""
    games = [Game(Variant(place=place, value="2"), seed) for seed in (1, 2)]
    for direction in itertools.islice(itertools.cycle("LDRU"), 60):
        for game in games:
            if game.board.is_legal("URDL".index(direction)):  # type: ignore[arg-type]
                game.move(direction)
    assert games[0].board == games[1].board
    assert games[0].moves > 10


def test_start_tiles_of_a_corner_style() -> None:
    assert str(Game(Variant.of_size(2, 3, place="br-columns", value="4")).board) == ". . 4|. . 4"
    assert str(Game(Variant(Board.parse(". . x|. . ."), place="tr-rows", value="2")).board) == "2 2 x|. . ."


def test_scripted_spawns() -> None:
    variant = Variant.of_size(2, 2, script=((3, 2), (3, 1), (3, 1), (0, 2)))
    game = Game(variant, 7)
    assert str(game.board) == "2 .|. 4"  # cell 3 was taken: on round the end to cell 0
    game.move("RIGHT")  # . 2|. 4
    assert str(game.board) == "2 2|. 4"  # cell 3 is taken again
    game.move("LEFT")  # 4 .|4 .
    assert str(game.board) == "4 4|4 ."  # cell 0 is taken, the next is 1
    assert draw_spawn(variant, Board.parse("2 .|. 4"), KEY, 4) == draw_spawn(
        Variant.of_size(2, 2), Board.parse("2 .|. 4"), KEY, 4
    )


def test_bricks_count_as_taken_for_a_script() -> None:
    assert draw_spawn(
        Variant(Board.parse("x .|. ."), script=((0, 2),)), Board.parse("x 2|. ."), 0, 0
    ) == Spawn(2, 2)


def test_an_adversary_is_asked_and_checked() -> None:
    asked: list[tuple[Board, int, Variant]] = []

    def last_cell(board: Board, score: int, variant: Variant) -> Spawn:
        asked.append((board, score, variant))
        return Spawn(board.empty_cells[-1], variant.allowed_ranks[-1])

    variant = Variant.of_size(2, 2, evil=Evil())
    game = Game(variant, adversary=last_cell)
    assert str(game.board) == ". .|4 4"
    assert [board for board, _, _ in asked] == [Board.empty(2, 2), Board.parse(". .|. 4")]
    game.move("LEFT")
    assert asked[-1] == (Board.parse(". .|8 ."), 8, variant)
    assert str(game.board) == ". .|8 4"
    only_twos = Variant.of_size(2, 2, evil=Evil(), value="2")
    assert str(Game(only_twos, adversary=last_cell).board) == ". .|2 2"

    for bad in (Spawn(2, 1), Spawn(99, 1), Spawn(0, 3), Spawn(0, 0)):
        with pytest.raises(InvalidSpawn, match="the adversary put"):
            draw_spawn(variant, Board.parse(". .|2 ."), 0, 0, lambda board, score, variant, bad=bad: bad)


def test_a_failing_adversary_leaves_the_game_as_it_was() -> None:
    def fails_later(board: Board, score: int, variant: Variant) -> Spawn:
        return Spawn(board.empty_cells[0], 1) if score == 0 else Spawn(-1, 1)

    game = Game(Variant(evil=Evil()), adversary=fails_later)
    before = game.state
    with pytest.raises(InvalidSpawn):
        game.move("LEFT")
    assert game.state == before
    assert game.history == ()


def test_evil_needs_an_adversary() -> None:
    with pytest.raises(InvalidVariant, match=r"twofold\.new_game"):
        Game(Variant(evil=Evil()))


def test_no_spawn_on_a_full_board() -> None:
    """Fault 7: others looked for an empty cell for ever."""
    with pytest.raises(InvalidSpawn, match="no cell is empty"):
        draw_spawn(Variant.of_size(1, 2), Board.parse("2 4|"), 0, 0)
