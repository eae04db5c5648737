"""Tuple networks: the value of an afterstate as a sum of table look-ups over groups of cells.

A tuple names cells; its table holds one number for every content of those cells; the value of a board is the sum over
all tuples and over all symmetric images of the board (eight on a square, four on another rectangle, fewer with
bricks), in points still to come. `evaluation/tuples.py` has tuples as text, and their images.

A network may have stages, whole sets of tables for boards whose largest tile, or whose sum of tiles, has reached given
sizes. Ranks of
`base` and more don't fit the tables (4x4: base 16, ranks up to 15, the tile 32768): such boards are *downgraded* first,
see `downgrade`.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidParameter, quote
from twofold.evaluation.tuples import DEFAULT_TUPLES, Cells, format_tuples, local_tuples, parse_tuples
from twofold.rules.board import Board
from twofold.rules.cells import BRICK
from twofold.rules.variant import Variant

MOST_CELLS = 512
"""Cells of a board that networks are for."""

MOST_ENTRIES = 1 << 30
"""Table entries that a network may have, all stages together (4 GiB of float32)."""

MOST_SUM = 1 << 20
"""Sum of tiles at which the last stage may begin; the largest sum that is possible on 4x4 is 262,140."""

BY_SUM = "sum:"
"""What stages by the sum of tiles begin with as text."""

MOST_FORGOTTEN = 0.999

UNSURE = 20_000.0
"""The sum of absolute errors, in points, that is taken for known of an entry that was shrunk."""


def parse_stages(text: str) -> tuple[tuple[int, ...], bool]:
    """Where stages begin, and whether by sum: `8192,16384` as ranks, `sum:24576` as sums; raises InvalidParameter."""
    by_sum = text.startswith(BY_SUM)
    numbers = []
    for word in text.removeprefix(BY_SUM).replace(",", " ").split():
        number = int(word) if word.isascii() and word.isdigit() and len(word) < 20 else 0
        if by_sum:
            if not 2 <= number <= MOST_SUM:
                raise InvalidParameter(f"stage {quote(word)} is not a sum of tiles up to {MOST_SUM}")
            numbers.append(number)
        elif number < 2 or number.bit_count() != 1:
            raise InvalidParameter(f"stage {quote(word)} is not a tile")
        else:
            numbers.append(number.bit_length() - 1)
    return tuple(numbers), by_sum


@dataclass(frozen=True)
class Design:
    """The form of a network: the rules it was made for, its tuples, its stages.

    variant: what is learned, its start board giving size and bricks. base: ranks that a cell may have in the tables, 0
    to base-1. stages: where stages 1, 2, … begin, rising: ranks of the largest tile or, with by_sum, sums of tiles.
    Raises InvalidParameter.
    """

    variant: Variant = field(default_factory=Variant)
    tuples: tuple[Cells, ...] = parse_tuples(DEFAULT_TUPLES, 16)
    base: int = 16
    stages: tuple[int, ...] = ()
    by_sum: bool = False

    def __post_init__(self) -> None:
        if self.variant.has_own_values:
            raise InvalidParameter(
                f"networks train on games of 2s and 4s (p4), not {quote(str(self.variant))}; a trained one plays it"
            )
        if not 3 <= self.base <= 64:
            raise InvalidParameter(f"a network's cells hold 3 to 64 ranks, not {self.base}")
        if len(set(self.tuples)) < len(self.tuples):
            raise InvalidParameter(f"{quote(self.text)} names a tuple twice")
        most = MOST_SUM if self.by_sum else self.base - 1
        if list(self.stages) != sorted(set(self.stages)) or any(not 1 <= r <= most for r in self.stages):
            what = "sums of tiles from" if self.by_sum else "tiles of ranks"
            raise InvalidParameter(f"stages must be rising {what} 1 to {most}, not {self.stages}")
        if len(self.variant.start.cells) > MOST_CELLS:
            raise InvalidParameter(f"networks are for boards of at most {MOST_CELLS} cells")
        if self.entries * (len(self.stages) + 1) > MOST_ENTRIES:
            raise InvalidParameter(
                f"a network of {self.entries * (len(self.stages) + 1):,} entries is too large: at most {MOST_ENTRIES:,}"
            )

    @property
    def shape(self) -> Board:
        """An empty board with the variant's size and bricks."""
        return self.variant.start.without_tiles()

    @property
    def entries(self) -> int:
        """Table entries of one stage."""
        return sum(self.base ** len(cells) for cells in self.tuples)

    @functools.cached_property
    def places(self) -> dict[Cells, slice]:
        """For each tuple where its table lies among the entries of a stage."""
        found = {}
        first = 0
        for cells in self.tuples:
            found[cells] = slice(first, first + self.base ** len(cells))
            first = found[cells].stop
        return found

    @property
    def packed(self) -> bool:
        """Whether boards of this network fit the packed kernels: an open 4x4, a nibble per cell."""
        start = self.variant.start
        return start.is_open_4x4 and self.base == 16

    @property
    def masks(self) -> tuple[int, ...]:
        """The tuples as masks of nibbles of a packed board."""
        return tuple(sum(15 << 4 * cell for cell in cells) for cells in self.tuples)

    @functools.cached_property
    def lookups(self) -> NDArray[np.uint32]:
        """What general kernels walk through.

        Images, tuples, base; then per tuple its length and first entry and, image by image, its cells.
        """
        images = self.shape.symmetric_cells()
        out = [len(images), len(self.tuples), self.base]
        for cells, place in self.places.items():
            out += [len(cells), place.start]
            for image in images:
                out += [image[cell] for cell in cells]
        return np.array(out, np.uint32)

    @property
    def terms(self) -> int:
        """Look-ups per board: tuples times images."""
        return len(self.tuples) * len(self.shape.symmetric_cells())

    @property
    def text(self) -> str:
        """The tuples in text form."""
        return format_tuples(self.tuples)

    @property
    def stages_text(self) -> str:
        """The stages as `parse_stages` reads them."""
        if self.by_sum:
            return BY_SUM + " ".join(str(total) for total in self.stages)
        return " ".join(str(1 << rank) for rank in self.stages)

    def stage_of(self, ranks: list[int]) -> int:
        """The stage of a downgraded board, 0 to the number of stages."""
        tiles = [rank for rank in ranks if 0 < rank != BRICK]
        size = sum(1 << rank for rank in tiles) if self.by_sum else max(tiles, default=0)
        return sum(size >= begin for begin in self.stages)


def downgrade(ranks: list[int], base: int) -> list[int]:
    """The board with every rank below `base`: the gap idea of TDL2048's tile downgrading.

    While a tile's rank is `base` or more, the largest rank that is missing below the largest tile is found and every
    tile above it becomes half of what it is. What remains to be done on such a board, merging the smaller tiles
    upwards, is unchanged. Bricks (255) stay.
    """
    ranks = list(ranks)
    while True:
        tiles = {rank for rank in ranks if 0 < rank != BRICK}
        top = max(tiles, default=0)
        if top < base:
            return ranks
        gap = next((rank for rank in range(top - 1, 0, -1) if rank not in tiles), 0)
        if gap == 0:
            return [rank if rank == BRICK else min(rank, base - 1) for rank in ranks]
        ranks = [rank - 1 if rank != BRICK and rank > gap else rank for rank in ranks]


def stages_split(old: Design, new: Design) -> list[int]:
    """For each stage of a design that of an older one which it was split from; see `Network.with_stages`."""
    begins = old.stages
    if new.by_sum and not old.by_sum:
        begins = tuple(1 << rank for rank in begins)
    elif begins and new.by_sum != old.by_sum:
        raise InvalidParameter("stages by the sum of tiles can't become stages by the largest tile")
    if not set(begins) <= set(new.stages):
        raise InvalidParameter("a network's stages can be split, but not taken away")
    return [0] + [sum(least >= begin for begin in begins) for least in new.stages]


def _even(design: Design, points: float, fall: float) -> NDArray[np.float32]:
    """Entries of one stage whose sum is `points`, less `fall` times the tiles' sum, on every board.

    A cell that k look-ups see takes its k-th part from each of them; one that none sees doesn't count.
    """
    seen = np.zeros(len(design.shape.cells), np.int64)
    for image in design.shape.symmetric_cells():
        for cells in design.tuples:
            for cell in cells:
                seen[image[cell]] += 1
    tiles = np.exp2(np.arange(design.base, dtype=np.float32))
    tiles[0] = 0
    tables = []
    for cells in design.tuples:
        table: NDArray[np.float32] = np.full(1, points / design.terms, np.float32)
        for cell in cells:
            part = (fall / seen[cell] * tiles).astype(np.float32)
            table = np.add.outer(-part, table).ravel()
        tables.append(table)
    return np.concatenate(tables)


def _one_tile_lower(base: int, cells: int) -> NDArray[np.int64]:
    """For each entry of a tuple's table the one that it is promoted from: itself without a tile of rank base-1."""
    ranks = np.arange(base)
    axes = [
        ranks.reshape([-1 if i == cells - 1 - cell else 1 for i in range(cells)]) for cell in range(cells)
    ]
    shape = (base,) * cells

    def anywhere(rank: int) -> NDArray[np.bool_]:
        found = np.zeros(shape, bool)
        for axis in axes:
            found |= axis == rank
        return found

    source = np.arange(base**cells).reshape(shape)
    open_ = anywhere(base - 1)
    for gap in range(base - 2, 0, -1):
        there = anywhere(gap)
        less = np.zeros(shape, np.int64)
        for cell, axis in enumerate(axes):
            less += (axis > gap) * base**cell
        np.subtract(source, less, out=source, where=open_ & ~there)
        open_ &= there
    return source.reshape(-1)


@dataclass(eq=False)
class Network:
    """A design with its numbers.

    weights: (stages + 1, entries) float32 in points, or int16 times `scale` points. errors: float32
    (stages + 1, entries, 2), the sums E and A of temporal coherence, kept only for learning on.
    origin: how it was made.
    """

    design: Design
    weights: NDArray[Any] = field(repr=False)
    scale: float = 1.0
    errors: NDArray[np.float32] | None = field(default=None, repr=False)
    origin: dict[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def fresh(
        cls, design: Design, *, optimistic: float = 0.0, fall: float = 0.0, coherent: bool = False
    ) -> Network:
        """A network that values every board at `optimistic` points, less `fall` for each point of its tiles' sum."""
        size = (len(design.stages) + 1, design.entries)
        weights = np.zeros(size, np.float32)
        if optimistic or fall:
            weights[:] = _even(design, optimistic, fall)
        errors = np.zeros((*size, 2), np.float32) if coherent else None
        return cls(design, weights, errors=errors)

    def with_stages(self, stages: tuple[int, ...], by_sum: bool = False) -> Network:
        """The same network with more stages, each beginning as a copy of the one that it is split from.

        Stages by the largest tile can go on as stages by the sum of tiles: where a tile began one, that sum does, which
        is reached some moves earlier. Raises InvalidParameter if a stage would get lost, and for the other way round.
        """
        old = self.design
        design = Design(old.variant, old.tuples, old.base, stages, by_sum)
        sources = stages_split(old, design)
        errors = None if self.errors is None else self.errors[sources]
        return Network(design, self.weights[sources], self.scale, errors, dict(self.origin))

    def with_tuples(self, tuples: tuple[Cells, ...]) -> Network:
        """The same network with more tuples, whose tables begin at zero: it values every board as before.

        Raises InvalidParameter if a tuple would get lost, or the network too large.
        """
        old = self.design
        lost = [cells for cells in old.tuples if cells not in tuples]
        if lost:
            raise InvalidParameter(
                f"a network can be given more tuples, but none can be taken away: {format_tuples(lost)} is missing"
            )
        design = Design(old.variant, tuples, old.base, old.stages, old.by_sum)
        weights = np.zeros((len(old.stages) + 1, design.entries), self.weights.dtype)
        errors = None if self.errors is None else np.zeros((*weights.shape, 2), np.float32)
        for cells, source in old.places.items():
            target = design.places[cells]
            weights[:, target] = self.weights[:, source]
            if errors is not None and self.errors is not None:
                errors[:, target] = self.errors[:, source]
        return Network(design, weights, self.scale, errors, dict(self.origin))

    def with_local_tuples(self) -> Network:
        """The same network with its tuples as `local_tuples` has them, and the entries moved with them."""
        return self.with_images(local_tuples(self.design.tuples, self.design.shape))

    def with_images(self, tuples: tuple[Cells, ...]) -> Network:
        """The same network with each tuple as the given symmetric image of it, and the entries moved with them.

        Raises InvalidParameter if one isn't an image of that in its place.
        """
        old = self.design
        images = old.shape.symmetric_cells()
        alike = len(tuples) == len(old.tuples) and all(
            any({image[cell] for cell in cells} == set(moved) for image in images)
            for cells, moved in zip(old.tuples, tuples, strict=True)
        )
        if not alike:
            raise InvalidParameter(
                f"the tuples {format_tuples(tuples)} are not those of the network, {old.text}, nor images of them"
            )
        design = Design(old.variant, tuples, old.base, old.stages, old.by_sum)
        if design.tuples == old.tuples:
            return self
        weights = np.empty_like(self.weights)
        errors = None if self.errors is None else np.empty_like(self.errors)
        for (cells, source), (moved, target) in zip(old.places.items(), design.places.items(), strict=True):
            image = next(image for image in images if {image[cell] for cell in cells} == set(moved))
            # A table's axes run from the last cell to the first, after the stage.
            turned = [0, *(len(cells) - cells.index(image.index(cell)) for cell in reversed(moved))]
            for new, numbers in ((weights, self.weights), (errors, self.errors)):
                if new is not None and numbers is not None:
                    table = numbers[:, source]
                    rest = table.shape[2:]
                    axes = [*turned, *range(len(turned), len(turned) + len(rest))]
                    opened = table.reshape(len(table), *[old.base] * len(cells), *rest)
                    new[:, target] = opened.transpose(axes).reshape(table.shape)
        return Network(design, weights, self.scale, errors, dict(self.origin))

    def promote(self) -> int:
        """Let entries of the largest rank that were never learned begin as those of a board one tile lower.

        An entry whose cells hold rank base-1 takes the number that its cells have when every tile above the largest gap
        below it is halved (`downgrade`): building the other tiles once more is worth about the same beside a tile twice
        as large. Within each stage; never learned is what has A = 0 (temporal coherence) or is 0 itself. Returns how
        many entries have changed.
        """
        changed = 0
        for cells, part in self.design.places.items():
            source = _one_tile_lower(self.design.base, len(cells))
            for stage, weights in enumerate(self.weights):
                new = weights[part][source]
                unknown = weights[part] == 0
                if self.errors is not None:
                    unknown = self.errors[stage, part, 1] == 0
                unknown &= weights[part] != new
                weights[part][unknown] = new[unknown]
                changed += int(unknown.sum())
        return changed

    def forget(self, share: float) -> None:
        """Let the sums of errors shrink by `share`: rates stay what they were, but new errors count more.

        Raises InvalidParameter for a share that isn't from 0 to MOST_FORGOTTEN, with more of which what is known would
        look unknown, and for a network that didn't learn by temporal coherence.
        """
        if not 0 <= share <= MOST_FORGOTTEN:
            raise InvalidParameter(
                f"the fraction of errors to forget must be from 0 to {MOST_FORGOTTEN}, not {share}"
            )
        if self.errors is None:
            raise InvalidParameter("only a network trained by tc has errors to forget")
        self.errors *= np.float32(1 - share)

    def add_optimism(self, points: float, unsure: float) -> None:
        """Begin optimistically once more: boards of which little is known gain up to `points`.

        Entries whose absolute errors sum to less than `unsure` points gain their share and count as new. A greedy
        learner leaves a line of play whose continuations it has yet to learn, and then doesn't come back by itself.
        Raises InvalidParameter for a network that didn't learn by temporal coherence.
        """
        if self.errors is None:
            raise InvalidParameter("only a network trained by tc knows which entries are uncertain")
        known = self.errors[..., 1] >= unsure
        self.weights[~known] += np.float32(points / self.design.terms)
        self.errors[~known] = 0

    def value(self, board: Board) -> float:
        """The value of an afterstate in points, by the plain definition (slow; the kernels' oracle)."""
        design = self.design
        if (board.rows, board.columns) != (design.shape.rows, design.shape.columns):
            raise InvalidParameter(f"a network for {design.shape.rows}x{design.shape.columns} boards")
        ranks = downgrade(list(board.cells), design.base)
        table = self.weights[design.stage_of(ranks)]
        total = 0.0
        for image in design.shape.symmetric_cells():
            for cells, place in design.places.items():
                index = place.start
                for i, cell in enumerate(cells):
                    rank = ranks[image[cell]]
                    index += (0 if rank == BRICK else rank) * design.base**i
                total += float(table[index])
        return total * self.scale

    def dequantised(self, trust: float | None = None) -> Network:
        """The same network in float32 points, so that one that was shrunk can learn on.

        trust: the rate, above 0 up to 1, at which temporal coherence begins to learn in entries that are there: their E
        is that share of their A, which is UNSURE. None: it is sure of nothing, and begins at rate 1. Raises
        InvalidParameter.
        """
        if trust is not None and not 0 < trust <= 1:
            raise InvalidParameter(f"a rate to continue learning at is above 0 and at most 1, not {trust}")
        weights = self.weights.astype(np.float32) * np.float32(self.scale)
        errors = None
        if trust is not None:
            errors = np.zeros((*weights.shape, 2), np.float32)
            errors[weights != 0] = (trust * UNSURE, UNSURE)
        return Network(self.design, weights, 1.0, errors, dict(self.origin))
