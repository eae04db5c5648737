"""Hypothesis strategies for boards and variants."""

from __future__ import annotations

from hypothesis import strategies as st

from twofold.rules import BRICK, CORNERS, Board, Evil, Variant

sides = st.integers(1, 6)


@st.composite
def boards(
    draw: st.DrawFn, max_rank: int = 59, bricks: bool = True, size: tuple[int, int] | None = None
) -> Board:
    """Boards with many empty cells and many equal neighbours, so that every kind of merge occurs."""
    rows, columns = size or draw(st.tuples(sides, sides).filter(lambda size: size[0] * size[1] >= 2))
    ranks = [st.just(0), st.integers(1, min(3, max_rank)), st.integers(1, max_rank)]
    cell = st.one_of(*ranks, st.just(BRICK)) if bricks else st.one_of(*ranks)
    count = rows * columns
    return Board(rows, columns, bytes(draw(st.lists(cell, min_size=count, max_size=count))))


evils = st.builds(
    Evil, st.integers(1, 4), st.sampled_from(["default", "lines(empty=270,merge=700)", "a(b=c(d=e))"])
)


@st.composite
def _spawn_values(draw: st.DrawFn) -> tuple[tuple[int, float], ...]:
    ranks = draw(st.lists(st.integers(1, 10), min_size=1, max_size=5, unique=True))
    weights = [draw(st.integers(1, 16)) for _ in ranks]
    return tuple((1 << rank, weight / sum(weights)) for rank, weight in zip(ranks, weights, strict=True))


spawn_values = _spawn_values()


@st.composite
def variants(draw: st.DrawFn) -> Variant:
    """Variants of every kind."""
    start = draw(
        boards(max_rank=60).filter(lambda board: bool(board.tile_ranks) or not board.is_full)
        | st.tuples(st.integers(1, 16), st.integers(2, 16)).map(lambda size: Board.empty(*size))
    )
    cells = len(start.cells)
    pairs = st.tuples(st.integers(0, cells - 1), st.sampled_from([1, 2]))
    style = draw(
        st.one_of(
            st.just({}),
            st.builds(lambda place: {"place": place}, st.sampled_from(CORNERS)),
            st.builds(lambda evil: {"evil": evil}, evils),
            st.builds(lambda script: {"script": tuple(script)}, st.lists(pairs, min_size=1, max_size=5)),
        )
    )
    four = st.sampled_from([0.0, 0.1, 1.0]) | st.floats(0, 1)
    return Variant(
        start,
        **draw(four.map(lambda p4: {"p4": p4}) | spawn_values.map(lambda values: {"values": values})),
        target=1 << draw(st.integers(2, 60)),
        value=draw(st.sampled_from(["random", "2", "4"])),
        empty_start=draw(st.booleans()),
        **style,
    )
