"""The random numbers of twofold: SplitMix64, used as a counter-based generator.

Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; the constants
are Stafford's variant 13, as in the reference code of Vigna. Being counter-based, word k of a stream needs
no state: undo rewinds chance by going back to a smaller k, and every machine, thread and device draws the
same word. Keys and words are whole numbers below 2^64.
"""

from __future__ import annotations

from enum import IntEnum

from twofold.errors import InvalidParameter, TwofoldError, quote

GAMMA = 0x9E3779B97F4A7C15
"""The step of the counter: 2^64 divided by the golden ratio, made odd."""

MASK = (1 << 64) - 1


class Stream(IntEnum):
    """The purpose of a random stream of a game."""

    SPAWN = 0
    PLAYER = 1


def mix64(z: int) -> int:
    """The finaliser of SplitMix64, a bijection of 64-bit numbers."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def word(key: int, k: int) -> int:
    """Output k (from 0) of SplitMix64 seeded with `key`: a 64-bit number."""
    return mix64((key + (k + 1) * GAMMA) & MASK)


def stream_key(seed: int, index: int, stream: int) -> int:
    """The key of one stream of game number `index` of the run with `seed`."""
    key = mix64((seed + GAMMA) & MASK)
    key = mix64((key + (index + 1) * GAMMA) & MASK)
    return mix64((key + (stream + 1) * GAMMA) & MASK)


def below(word: int, n: int) -> int:
    """A number from 0 to n−1 from the upper half of a word, uniform up to n/2^32."""
    return ((word >> 32) * n) >> 32


def checked_word(what: str, number: object, error: type[TwofoldError] = InvalidParameter) -> int:
    """`number`, a seed or an index, as an int from 0 to 2^64−1; raises `error` if it is anything else."""
    found = getattr(number, "__index__", lambda: -1)()
    if isinstance(number, bool) or not 0 <= found <= MASK:
        raise error(f"{what} {quote(number)} is not a whole number from 0 to 2^64-1")
    return int(found)


def four_threshold(p4: float) -> int:
    """The spawn is a 4 if the lower half of its word is below this: round(p4·2^32)."""
    return round(p4 * (1 << 32))
