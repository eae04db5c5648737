"""Random-dot stereograms: the dots that all tiles share, and textures in which parts of them are shifted.

All textures of a set are made of one random pattern, the *ground* (Julesz 1959). In a texture some of its dots
stand a few dots to the right or left of their place, as its *shift map* says. Two textures side by side, each
seen by one eye, fuse into one picture: a dot that is shifted by p in the left texture and by q in the right one
has the *disparity* p − q. With the eyes parallel (the left eye sees the left texture) a positive disparity is
seen raised, a negative one sunken; with crossed eyes it is the other way round.

Designations are those of report S0: the figures of a *left* texture are shifted to the right, those of a *right*
one to the left. So a left texture to the left of a right one shows its figure raised to parallel eyes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InvalidParameter, quote
from twofold.rules.random import GAMMA, stream_key

Bits = NDArray[np.bool_]
"""A picture of dots, (rows, columns); True is black."""
Shifts = NDArray[np.int16]
"""A whole number of dots per place, (rows, columns): a shift map or a map of disparities."""

_Array = TypeVar("_Array", bound=NDArray[Any])

MIN_DOTS, MAX_DOTS = 24, 1024
"""The least and most dots along the side of a texture."""
_GROUND, _FILL = 0, 1


class Designation(IntEnum):
    """Which of a pair a texture is meant to be; the value is the sign of its shift, positive to the right."""

    LEFT = 1
    RIGHT = -1

    @property
    def other(self) -> Designation:
        """The opposite one."""
        return Designation(-self)

    @property
    def letter(self) -> str:
        """`L` or `R`."""
        return self.name[0]


@dataclass(frozen=True, eq=False)
class Texture:
    """One tile's picture.

    name: for people and ids in files, for example `2L`; bits: the dots; shift: where each dot of the ground has
    gone, in dots to the right of its place. Both arrays are read-only.
    """

    name: str
    bits: Bits
    shift: Shifts

    @property
    def dots(self) -> int:
        """Dots along a side."""
        return int(self.bits.shape[0])


def random_bits(seed: int, stream: int, rows: int, columns: int) -> Bits:
    """Dots that are black with probability 1/2: bit 63 of word k of a stream of `rules/random.py`, row by row."""
    key = stream_key(seed, 0, stream)
    with np.errstate(over="ignore"):
        z = np.uint64(key) + np.arange(1, rows * columns + 1, dtype=np.uint64) * np.uint64(GAMMA)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return (z >> np.uint64(63)).astype(np.bool_).reshape(rows, columns)


class Dots:
    """The random pattern of a set of textures, and how textures are made from it."""

    def __init__(self, dots: int, seed: int = 0) -> None:
        """`dots` along a side, 24 to 1024. Raises InvalidParameter."""
        if not MIN_DOTS <= dots <= MAX_DOTS:
            raise InvalidParameter(
                f"{quote(dots)} dots along a tile: a texture has {MIN_DOTS} to {MAX_DOTS} of them"
            )
        self.dots = dots
        self.seed = seed
        self.ground = _frozen(random_bits(seed, _GROUND, dots, dots))
        # What shows where dots have moved away. It is one pattern for all textures, so that two textures with the
        # same shift are the same there too, and a second one, so that nothing of the ground shows twice.
        self._fill = random_bits(seed, _FILL, dots, dots)

    def texture(self, name: str, shift: Shifts) -> Texture:
        """The ground with each dot moved by `shift`, shape (dots, dots); what leaves the texture is lost.

        Where two dots meet, the one that has moved farther is seen.
        """
        bits = self.ground.copy()
        # What moves away uncovers the fill first; then the dots land, the farthest last.
        bits[shift != 0] = self._fill[shift != 0]
        for step in sorted(set(np.unique(shift).tolist()) - {0}, key=abs):
            rows, columns = np.nonzero(shift == step)
            inside = (columns + step >= 0) & (columns + step < self.dots)
            rows, columns = rows[inside], columns[inside]
            bits[rows, columns + step] = self.ground[rows, columns]
        return Texture(name, _frozen(bits), _frozen(shift.astype(np.int16)))

    def plain(self, name: str = "plain") -> Texture:
        """The ground itself: no figure."""
        return self.texture(name, np.zeros((self.dots, self.dots), np.int16))


def disparity(left: Texture, right: Texture) -> Shifts:
    """The viewing key of two textures side by side: disparities in dots, at the places of the ground.

    A disparity is the shift in the left texture minus the shift in the right one.
    """
    return left.shift - right.shift


def check_depth(depth: int, dots: int) -> int:
    """`depth` if it is an even number of dots from 2 to a twelfth of a texture. Raises InvalidParameter."""
    most = max(2, dots // 12)
    if depth < 2 or depth % 2 or depth > most:
        raise InvalidParameter(
            f"depth {quote(depth)} is not an even number of dots from 2 to {most - most % 2} "
            f"(a twelfth of the {dots} dots along a tile)"
        )
    return depth


def _frozen(array: _Array) -> _Array:
    array.setflags(write=False)
    return array
