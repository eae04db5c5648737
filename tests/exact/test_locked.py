"""Locked tiles: every position of a class against plain recursion over real tiles; files, tables, the player."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.exact.brute import Brute
from tests.ui.command import here
from twofold import (
    Board,
    InvalidBoard,
    InvalidFile,
    InvalidParameter,
    PlayerError,
    State,
    TwofoldError,
    Variant,
    make_player,
)
from twofold.exact.certain import count_moves
from twofold.exact.endgame import Endgames, load_endgames
from twofold.exact.estimate import estimate
from twofold.exact.layers import DiskLayers
from twofold.exact.locked import LockedWordLayout, locked_lines
from twofold.exact.patterns import tables_within
from twofold.exact.policy import Policy, policy_of
from twofold.exact.policy_file import load_policy, save_policy
from twofold.exact.problem import Problem
from twofold.exact.solver import solve
from twofold.rules.cells import BRICK

pytestmark = pytest.mark.slow  # kernels that nothing else needs


class LockedBrute(Brute):
    """Recursion with real tiles. `fixed`: no move may touch a large tile. `loose`: the plain game."""

    def __init__(self, variant: Variant, lock: str) -> None:
        super().__init__(variant, variant.target)
        self.fixed = lock == "fixed"

    def move(self, board: Board, direction: int) -> Fraction | None:
        """As in `Brute`."""
        rank = self.variant.target_rank
        slide = board.slide(direction)
        for motion in slide.motions if self.fixed else ():
            moved = motion.merged or motion.target != motion.source
            if moved and rank <= board.cells[motion.source] != BRICK:
                return None
        return super().move(board, direction)


def locked(text: str, target: int, lock: str, **rules: Any) -> Problem:
    """The problem of a map with locked tiles."""
    return Problem(Variant(start=Board.parse(text), target=target, **rules), lock=lock)


CLASSES = [
    ("64 32|. .|. .", 16, "fixed", {}),
    ("64 32|. .|. .", 16, "loose", {}),
    ("64 . .|. . .", 16, "fixed", {"p4": 0.5}),
    (". 64 .|. . .", 16, "fixed", {}),  # between free cells: most moves would shift it
    ("64 32 64|. . .", 16, "fixed", {}),  # equal ones, but no neighbours
    ("32 64 16|. . .|. . x", 16, "fixed", {}),
    ("x 32 . .|x . . .", 16, "fixed", {}),
    ("64 . 32 .|x . . x", 8, "loose", {}),
    ("64 . .|. . 32", 8, "loose", {"place": "bl-rows"}),
    ("64 32 . .|", 8, "fixed", {"p4": 1.0}),
]


def every_board(layout: LockedWordLayout) -> list[Board]:
    """The canonical boards of a class."""
    return [layout.unpack(word) for layer in layout.layers for word in layout.every(layer).tolist()]


@pytest.mark.parametrize(("text", "target", "lock", "rules"), CLASSES)
def test_every_position_against_recursion_with_real_tiles(
    text: str, target: int, lock: str, rules: dict[str, Any]
) -> None:
    problem = locked(text, target, lock, **rules)
    brute = LockedBrute(problem.variant, lock)
    found = solve(problem)
    value = sum(Fraction(p).limit_denominator(10**9) * brute.state(board) for board, p in problem.starts())
    assert found.value == pytest.approx(float(value), rel=1e-12, abs=1e-300)
    policy, layout = policy_of(found), problem.layout()
    assert isinstance(layout, LockedWordLayout)
    boards = every_board(layout)
    assert found.states == len(boards)
    for board in boards:
        values = {int(move.direction): move.value for move in policy.moves(board)}
        for direction in range(4):
            exact = brute.move(board, direction)
            assert values.get(direction) == (
                pytest.approx(float(exact), rel=1e-12) if exact is not None else None
            )


@pytest.mark.parametrize(("text", "target", "lock"), [entry[:3] for entry in CLASSES[:6]])
def test_a_class_is_every_filling_once(text: str, target: int, lock: str) -> None:
    problem = locked(text, target, lock)
    layout, plain = problem.layout(), Problem(problem.variant, lock=lock, symmetric=False).layout()
    assert isinstance(layout, LockedWordLayout)
    assert isinstance(plain, LockedWordLayout)
    raw = [plain.pack(board) for board in every_board(plain)]
    assert (
        len(set(raw))
        == len(raw)
        == estimate(Problem(problem.variant, lock=lock, symmetric=False)).states
        - (1 if lock == "fixed" else len({plain.pack(b) for b in empty_boards(problem.variant.start)}))
    )
    assert sorted({layout.canonical(word) for word in raw}) == sorted(
        word for layer in layout.layers for word in layout.every(layer).tolist()
    )


def empty_boards(start: Board) -> list[Board]:
    """Every way to place a map's locked tiles on its cells."""
    from itertools import permutations

    cells = [i for i, rank in enumerate(start.cells) if rank != BRICK]
    tiles = [rank for rank in start.cells if rank and rank != BRICK]
    out = []
    for places in permutations(cells, len(tiles)):
        board = bytearray(start.without_tiles().cells)
        for cell, rank in zip(places, tiles, strict=True):
            board[cell] = rank
        out.append(start.with_cells(bytes(board)))
    return out


def test_smaller_tiles_on_the_map_are_where_the_game_starts() -> None:
    problem = locked("64 32|2 .|. 2", 16, "fixed")
    found = solve(problem)
    assert found.states < solve(locked("64 32|. .|. .", 16, "fixed")).states
    assert found.value == pytest.approx(float(LockedBrute(problem.variant, "fixed").value()), rel=1e-12)


def test_moves_that_would_shift_or_merge_a_locked_tile() -> None:
    policy = policy_of(solve(locked("64 . . .|. . . .", 16, "fixed")))
    legal = [move.direction.name for move in policy.moves(Board.parse("64 2 2 .|. . . ."))]
    assert legal == ["LEFT"]  # a brick in its place would let 2 2 go right; down would take the 64 along
    assert {m.direction.name for m in policy.moves(Board.parse("64 2 4 8|. . . ."))} == set()
    assert {m.direction.name for m in policy.moves(Board.parse("64 2 4 8|2 . . ."))} == {"RIGHT", "DOWN"}


def test_one_line_against_the_reference() -> None:
    lines = locked_lines(4)
    assert int(lines[0x0E11]) & 0xFFFF == 0x00E2
    assert int(lines[0xEE00]) & 0xFFFF == 0x00EE  # two locked tiles never merge
    assert int(lines[0x0133]) >> 63 == 1
    assert int(lines[0x2222]) >> 63 == 0  # sixteen points, but no 16
    assert int(lines[0x1FE0]) & 0xFFFF == 0x1F0E


def test_a_class_on_disk_and_with_threads_is_the_same_file(tmp_path: Path) -> None:
    problem = locked("128 64 32 16|. . . .|x . . .", 16, "fixed")
    paths = [tmp_path / name for name in ("a", "b")]
    save_policy(paths[0], solve(problem))
    save_policy(paths[1], solve(problem, threads=2, layers=DiskLayers(tmp_path / "work")))
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert load_policy(paths[0], verify=True).problem == problem


def test_moves_of_a_class_can_be_counted() -> None:
    policy = policy_of(solve(locked("64 32|. .|. .", 8, "fixed")))
    counts = count_moves(policy)
    assert counts[Board.parse("64 32|4 4|. .")].fewest == 1
    assert counts[Board.parse("64 32|2 .|2 .")].fewest == 2
    assert all(each.fewest <= each.surely for each in counts.values())


# Tables


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Policy]:
    folder = tmp_path_factory.mktemp("endgames")
    found = solve(locked("256 128 64|32 . .|. . .", 32, "fixed"))
    save_policy(folder / "corner.2048exact", found)
    save_policy(folder / "loose.2048exact", solve(locked("64 32|. .|. .", 16, "loose")))
    return folder, policy_of(found)


def test_a_table_knows_every_image(tables: tuple[Path, Policy]) -> None:
    folder, policy = tables
    endgames = load_endgames(folder)
    assert len(endgames.policies) == 2
    rng = np.random.default_rng(1)
    for _ in range(30):
        cells = bytearray(Board.parse("32 128 32|64 . .|. . .").cells)
        cells[4:] = bytes(rng.integers(0, 5, 5).tolist())
        board = Board.parse("32 128 32|64 . .|. . .").with_cells(bytes(cells))
        plain = {move.value for move in policy.moves(board)}
        for image in board.symmetries():
            found = endgames.moves(image)
            assert found is not None
            assert {move.value for move in found} == plain
            legal = {int(move.direction) for move in found}
            for direction in range(4):
                slide = image.slide(direction)
                large = [i for i, rank in enumerate(image.cells) if rank >= 5]
                assert (direction in legal) == (
                    slide.changed and all(slide.board.cells[i] == image.cells[i] for i in large)
                )


def test_other_boards_are_left_alone(tables: tuple[Path, Policy]) -> None:
    endgames = load_endgames(tables[0])
    for text in ("256 128 64|. 32 .|. . .", "256 256 64|32 2 .|. . .", "256 128 64|32 32 .|. . .", "2 .|. ."):
        assert endgames.moves(Board.parse(text)) is None
    assert endgames.moves(Board.parse("2 64|. .|32 .")) is not None
    assert endgames.moves(Board.parse("2 64|. .|64 .")) is None
    with pytest.raises(InvalidFile, match="no locked tiles"):
        Endgames([policy_of(solve(Problem(Variant.parse("2x2;target=8"))))])
    with pytest.raises(InvalidFile, match="holds no"):
        load_endgames(tables[0].parent)


def test_the_player_follows_its_tables(tables: tuple[Path, Policy]) -> None:
    folder, policy = tables
    state = State.of(Board.parse("256 128 64|32 4 .|. 4 2"))
    decision = make_player(f"endgame:file={folder},then=random,least=0").decide(state)
    best = policy.best(state.board)
    assert best is not None
    assert (decision.move, decision.value) == (best.direction, best.value)
    away = make_player(f"endgame:file={folder},then=greedy,least=1").decide(state)
    assert away == make_player("greedy").decide(state)
    free = make_player(f"endgame:file={folder},then=greedy,least=0,margin=1").decide(state)
    assert free.move == away.move
    with pytest.raises(PlayerError, match="spawns other than"):
        make_player(f"endgame:file={folder}").decide(State.of(state.board, Variant.parse("3x3;p4=0.5")))


def test_tables_that_fit_a_budget() -> None:
    few, more = tables_within(10**6), tables_within(10**8)
    assert sum(table.nbytes for table in few) <= 10**6
    assert {table.name for table in few} < {table.name for table in more}
    with pytest.raises(InvalidParameter, match="too small"):
        tables_within(1000)


def test_making_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "tables"
    arguments = ("exact", "endgames", str(folder), "--budget", "0.0002", "--target", "64", "--json")
    made = json.loads(here(capsys, *arguments).out)
    assert [Path(table["file"]).name for table in made["tables"]] == ["64-1111111111100000.2048exact"]
    before = (folder / "64-1111111111100000.2048exact").stat().st_mtime_ns
    assert json.loads(here(capsys, *arguments).out) == made
    assert (folder / "64-1111111111100000.2048exact").stat().st_mtime_ns == before
    (table,) = load_endgames(folder).policies
    board = Board.parse("1024 128 256 512|2048 4096 8192 16384|64 32768 65536 2|32 32 4 .")
    assert {move.direction.name: move.wins for move in table.moves(board)} == {"LEFT": True, "RIGHT": True}
    assert "--budget" in here(capsys, "exact", "endgames", str(folder), "--budget", "0").refusal()


@pytest.mark.parametrize(
    ("text", "target", "lock", "message"),
    [
        ("64 64|. .", 16, "fixed", "neighbouring locked tiles must differ"),
        ("64 .|. 64", 16, "loose", "all locked tiles must differ"),
        ("8 .|. .", 16, "fixed", "no tile of 16 or more"),
        ("64 32|32 64", 16, "fixed", "locked tiles only"),
        ("64 . . . .|", 16, "fixed", "not inside 4x4"),
        ("16384 .|. .", 16384, "fixed", "above 8192"),
        ("64 .|. .", 16, "tight", "not one of fixed, loose"),
    ],
)
def test_refusals(text: str, target: int, lock: str, message: str) -> None:
    with pytest.raises(TwofoldError, match=message):
        locked(text, target, lock)


def test_boards_outside_the_class(tables: tuple[Path, Policy]) -> None:
    with pytest.raises(InvalidBoard, match="the same cells"):
        tables[1].moves(Board.parse("256 128 64|2 32 .|. . ."))
    with pytest.raises(InvalidBoard, match="shape"):
        tables[1].moves(Board.parse("256 128|2 32"))
