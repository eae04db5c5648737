"""The generator: its published vector, its streams, its spread."""

from __future__ import annotations

from twofold.rules import Stream, below, four_threshold, mix64, stream_key, word


def test_the_published_vector() -> None:
    """The first outputs of SplitMix64 from seed 1234567, as published (for example at Rosetta Code)."""
    assert [word(1234567, k) for k in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_words_wrap_at_64_bits() -> None:
    assert word(2**64 - 1, 0) == mix64(0x9E3779B97F4A7C14)
    assert 0 <= word(2**64 - 1, 2**63) < 2**64


def test_streams_have_keys_of_their_own() -> None:
    keys = {stream_key(seed, index, stream) for seed in range(20) for index in range(20) for stream in Stream}
    assert len(keys) == 800
    gamma, mask = 0x9E3779B97F4A7C15, 2**64 - 1
    a = mix64((7 + gamma) & mask)
    b = mix64((a + 4 * gamma) & mask)
    assert stream_key(7, 3, Stream.PLAYER) == mix64((b + 2 * gamma) & mask)


def test_streams_are_pinned() -> None:
    """Every stored game depends on these numbers: they must never change."""
    assert stream_key(0, 0, Stream.SPAWN) == 0x238275BC38FCBE91
    assert stream_key(42, 7, Stream.PLAYER) == 0x17E03160B6345C52


def test_below_is_uniform() -> None:
    counts = [0] * 7
    for k in range(70_000):
        counts[below(word(5, k), 7)] += 1
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts) < 22.46  # chi-square, 6 degrees, p = 0.001
    assert below(2**64 - 1, 7) == 6
    assert below(0, 7) == 0


def test_the_threshold_of_a_four() -> None:
    assert four_threshold(0.0) == 0
    assert four_threshold(1.0) == 2**32  # above every 32-bit number: always
    assert four_threshold(0.1) == 429496730
