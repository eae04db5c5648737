"""Tables as streams of bytes: what is written is what is read, and rounding costs no more than it may."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twofold.errors import InvalidFile, InvalidParameter
from twofold.evaluation.coding import decode, encode
from twofold.evaluation.network import Design
from twofold.rules.variant import Variant

DESIGN = Design(Variant.of_size(2, 3), ((0, 1, 2), (1, 4)), 8, (5, 7))
SHAPE = (3, DESIGN.entries)


def tables(seed: int, share: float, spread: float) -> np.ndarray:
    """Random entries, a share of them there, later stages as the first but for a few."""
    random = np.random.default_rng(seed)
    numbers = np.rint(random.normal(0, spread, SHAPE)) * (random.random(SHAPE) < share)
    numbers[1:] = np.where(random.random((2, SHAPE[1])) < 0.8, numbers[0], numbers[1:])
    return np.clip(numbers, -32000, 32000).astype(np.float32)


@given(st.integers(0, 2**32), st.sampled_from([0.0, 0.01, 0.2, 1.0]), st.sampled_from([0.5, 30, 3000, 30000]))
@settings(max_examples=60, deadline=None)
def test_what_is_written_exactly_is_read(seed: int, share: float, spread: float) -> None:
    numbers = tables(seed, share, spread)
    coded = encode(DESIGN, numbers)
    assert (coded.entries == numbers).all()
    assert (decode(DESIGN, coded.streams) == coded.entries).all()


@given(st.integers(0, 2**32), st.sampled_from([1e-7, 1e-4, 1e-2, 1.0]))
@settings(max_examples=40, deadline=None)
def test_what_is_written_roughly_is_read_as_it_was_promised(seed: int, price: float) -> None:
    numbers = tables(seed, 0.5, 300)
    known = np.random.default_rng(seed + 1).exponential(1, SHAPE).astype(np.float32)
    coded = encode(DESIGN, numbers, quantum=0.5, known=known, price=price)
    assert (decode(DESIGN, coded.streams) == coded.entries).all()
    # An entry takes 70 bits at most by the coder's own prices, so no error may be dearer than that.
    dear = price * known * (coded.entries - numbers / 0.5) ** 2
    assert dear.max() < 70


def test_dearer_is_more_exact_and_larger() -> None:
    numbers = tables(1, 0.5, 300)
    found = [encode(DESIGN, numbers, price=price) for price in (1e-6, 1e-4, 1e-2, 1)]
    sizes = [coded.size for coded in found]
    errors = [float(((coded.entries - numbers) ** 2).sum()) for coded in found]
    assert sizes == sorted(sizes)
    assert errors == sorted(errors, reverse=True)


def test_what_is_alike_takes_few_bytes() -> None:
    design = Design(tuples=((0, 1, 2, 3),))
    assert encode(design, np.zeros((1, 1 << 16))).size < 100
    slope = np.indices((16, 16, 16, 16)).sum(axis=0).reshape(1, -1) * 7.0
    assert encode(design, slope).size < 0.6 * (1 << 16)


def test_other_boards_and_tuples() -> None:
    for design in (
        Design(Variant.of_size(3, 3), (tuple(range(9)),), 3),
        Design(Variant.of_size(1, 4), ((0,), (1, 2)), 40),
    ):
        numbers = np.random.default_rng(5).integers(-900, 900, (1, design.entries)).astype(np.float32)
        coded = encode(design, numbers)
        assert (decode(design, coded.streams) == numbers).all()


def test_no_stream_of_bytes_breaks_the_reader() -> None:
    random = np.random.default_rng(2)
    good = encode(DESIGN, tables(3, 0.5, 300)).streams
    for _ in range(200):
        broken = [
            random.integers(0, 256, int(random.integers(0, 60)), dtype=np.uint8)
            if random.random() < 0.5
            else stream[: int(random.integers(0, len(stream) + 1))]
            for stream in good
        ]
        try:
            assert decode(DESIGN, broken).shape == SHAPE
        except InvalidFile as error:
            assert "damaged" in str(error)


def test_what_is_too_large_or_no_number_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="quantum of at least"):
        encode(DESIGN, np.full(SHAPE, 32001, np.float32))
    assert (encode(DESIGN, np.full(SHAPE, -32000, np.float32)).entries == -32000).all()
    for wrong in (np.nan, np.inf):
        with pytest.raises(InvalidParameter, match="number"):
            encode(DESIGN, np.full(SHAPE, wrong, np.float32))
