"""Formation tables against plain recursion over real tiles; their files, damaged, cut off, foreign, gone on with."""

from __future__ import annotations

import dataclasses
import functools
import threading
from pathlib import Path

import numpy as np
import pytest

from tests.ui.command import here
from twofold.errors import InvalidFile, InvalidParameter
from twofold.exact import formation_files
from twofold.exact.formation_files import HEAD, OtherVersion, make_table, open_table
from twofold.exact.formation_sets import block, formations_for, load_set, missing, set_bytes, table_path
from twofold.exact.formations import Formation, Index, coded, decoded
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS

FORMATION = block(3)
BLOCK = {0: 14, 1: 13, 2: 12, 4: 11, 5: 9, 6: 3}
"""Real tiles on the anchors, the least of them r."""


class Oracle:
    """The value of a position by recursion with the rules of the game."""

    def __init__(self, formation: Formation) -> None:
        self.formation = formation
        self.caps = dict(formation.caps)

    def _fits(self, board: Board) -> bool:
        kept = all(board.cells[cell] == BLOCK[cell] for cell in self.formation.anchors)
        free = sum((1 << board.cells[cell]) & ~1 for cell in self.caps)
        return (
            kept
            and all(board.cells[c] <= cap for c, cap in self.caps.items())
            and free <= 2 * self.formation.top
        )

    @functools.cache  # noqa: B019
    def state(self, board: Board) -> float:
        if not self._fits(board):
            return 0.0
        if any(all(board.cells[c] == rank for c, rank in goal) for goal in self.formation.goals):
            return 1.0
        return max(self.moves(board))

    def moves(self, board: Board) -> list[float]:
        out = []
        for direction in DIRECTIONS:
            slide = board.slide(direction)
            after = slide.board
            kept = all(after.cells[cell] == BLOCK[cell] for cell in self.formation.anchors)
            if not slide.changed or not kept or any(after.cells[c] > cap for c, cap in self.caps.items()):
                out.append(0.0)
                continue
            spawns = [
                (after.with_cell(c, rank), p) for c in after.empty_cells for rank, p in ((1, 0.9), (2, 0.1))
            ]
            out.append(sum(p * self.state(next_) for next_, p in spawns) / len(after.empty_cells))
        return out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("formations")
    assert make_table(FORMATION, table_path(folder, FORMATION), threads=2)
    return folder


def boards(count: int, seed: int = 3) -> list[Board]:
    """Random positions of the formation with real tiles."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        cells = [0] * 16
        for cell, rank in BLOCK.items():
            cells[cell] = rank
        for cell, cap in FORMATION.caps:
            cells[cell] = int(random.integers(0, cap + 1))
        found.append(Board(4, 4, bytes(cells)))
    return found


def test_values_are_those_of_plain_recursion(folder: Path) -> None:
    tables, oracle = load_set(folder), Oracle(FORMATION)
    heard = 0
    for board in boards(150):
        if oracle.state(board) == 1.0 and max(oracle.moves(board)) < 1.0:
            assert tables.advice(board) is None or not oracle._fits(board)
            continue
        advice, moves = tables.advice(board), oracle.moves(board)
        if not oracle._fits(board) or max(moves) < 0.01:
            continue
        if advice is None:  # it lies in its goal
            assert oracle.state(board) == 1.0
            continue
        heard += 1
        assert advice.values == pytest.approx(moves, abs=0.006)
        assert moves[advice.move] == pytest.approx(max(moves), abs=0.012)
    assert heard > 20


def test_every_image_of_a_board_gets_the_same_advice(folder: Path) -> None:
    tables = load_set(folder)
    for board in boards(60, seed=5):
        found = [tables.advice(image) for image in board.symmetries()]
        assert len({each is None for each in found}) == 1
        if found[0] is not None:
            for image, each in zip(board.symmetries(), found, strict=True):
                assert each is not None
                assert each.chance == pytest.approx(found[0].chance)
                assert image.slide(each.move).changed


def test_faces_of_anchors_do_not_matter(folder: Path) -> None:
    tables = load_set(folder)
    small = "32768 2048 1024 .|64 32 8 2|4 . . .|2 . . ."
    large = "1048576 131072 65536 .|32768 64 8 2|4 . . .|2 . . ."
    one, other = tables.advice(Board.parse(small)), tables.advice(Board.parse(large))
    assert one is not None
    assert other is not None
    assert one.values == other.values


@pytest.mark.parametrize(
    "text",
    [
        "32768 2048 1024 .|64 32 16 2|4 . . .|2 . . .",  # r = 4: no table
        "32768 2048 1024 .|64 8 8 2|4 . . .|2 . . .",  # equal neighbours
        "32768 2048 1024 .|64 32 8 2|8 . . .|2 . . .",  # a tile above its cap
        "2 4|4 2",
        "32768 2048 1024 x|64 32 8 2|4 . . .|2 . . .",
    ],
)
def test_boards_of_no_formation_get_none(folder: Path, text: str) -> None:
    assert load_set(folder).advice(Board.parse(text)) is None


def test_the_index_has_no_gaps() -> None:
    index = Index(FORMATION)
    assert index.sizes.sum() == index.positions
    assert all(index.base(layer)[-1] == size for layer, size in enumerate(index.sizes))


def test_coding_keeps_order_and_both_ends() -> None:
    values = decoded()
    assert values[0] == 0
    assert values[255] == 1
    assert (np.diff(values) > 0).all()
    steps = np.abs(values[coded()] - np.arange(65536) / 65535)
    assert steps.max() < 0.005


def damaged(path: Path, target: Path, at: int, length: int | None = None) -> Path:
    content = bytearray(path.read_bytes())
    content[at] ^= 0xFF
    target.write_bytes(bytes(content[:length]))
    return target


def test_damaged_cut_and_foreign_files_are_refused(folder: Path, tmp_path: Path) -> None:
    path = table_path(folder, FORMATION)
    with pytest.raises(InvalidFile, match="damaged"):
        open_table(damaged(path, tmp_path / "a.formation", 60))
    with pytest.raises(InvalidFile, match="checksum"):
        open_table(damaged(path, tmp_path / "b.formation", HEAD + 123))
    cut = tmp_path / "c.formation"
    cut.write_bytes(path.read_bytes()[:-7])
    with pytest.raises(InvalidFile, match="damaged"):
        open_table(cut)
    foreign = tmp_path / "d.formation"
    foreign.write_bytes(b"PK\x03\x04" + bytes(8000))
    with pytest.raises(InvalidFile, match="not a formation table"):
        open_table(foreign)
    with pytest.raises(InvalidFile, match="can't read"):
        open_table(tmp_path / "nothing.formation")
    with pytest.raises(InvalidFile, match="no formation tables"):
        load_set(tmp_path / "empty")


def test_a_change_after_the_check_is_seen(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "block-3.formation"
    path.write_bytes(table_path(folder, FORMATION).read_bytes())
    open_table(path)
    assert path.with_suffix(".checked").exists()
    damaged(path, path, HEAD + 99)
    with pytest.raises(InvalidFile, match="checksum"):
        open_table(path)


def test_another_version_is_made_anew(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "block-3.formation"
    path.write_bytes(table_path(folder, FORMATION).read_bytes())
    other = dataclasses.replace(FORMATION, slack=40)
    told: list[str] = []
    assert missing(tmp_path, (other,), told.append) == (other,)
    assert told == [str(path)]
    monkeypatch.setattr(formation_files, "VERSION", 99)
    with pytest.raises(OtherVersion):
        open_table(path)


def test_a_stopped_run_goes_on_where_it_was(folder: Path, tmp_path: Path) -> None:
    path = table_path(tmp_path, FORMATION)
    stop = threading.Event()
    told = []

    def tell(progress: formation_files.Progress) -> None:
        told.append(progress.done)
        if len(told) == 5:
            stop.set()

    assert not make_table(FORMATION, path, threads=1, stop=stop, on_progress=tell)
    assert not path.exists()
    before = len(told)
    assert make_table(FORMATION, path, threads=1, on_progress=tell)
    assert told[before] > told[before - 1]
    assert path.read_bytes() == table_path(folder, FORMATION).read_bytes()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["block-3.checked", "block-3.formation"]


def test_sets_fit_their_budgets() -> None:
    assert formations_for(0) == formations_for(0.5) == ()
    assert {each.rank for each in formations_for(1)} >= {7, 8}
    for budget in (1, 4, 8):
        assert set_bytes(formations_for(budget)) < budget << 30
    with pytest.raises(InvalidParameter, match="budget"):
        formations_for(-1)


def test_a_budget_for_no_table_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    for budget in ("0", "0.9"):
        told = here(capsys, "exact", "formations", str(folder), "--budget", budget, "--json").refusal()
        assert f"a budget of {budget} GiB is too small" in told
    assert not folder.exists()
