"""Short vectors for exact play: a board's rows put together, and the largest of up to four words.

What the compiler makes of the same in words is two to three times as many instructions, or a branch for each word that
a processor would have to guess. LLVM lowers these operations on any processor.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from twofold.kernels.bits import U
from twofold.kernels.compiling import helper

_I16, _I32, _I64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)
_FOUR = ir.VectorType(_I64, 4)


def _picked(places: list[int]) -> Any:
    return ir.Constant(ir.VectorType(_I32, len(places)), [_I32(place) for place in places])


def _build_slides(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    table, board = values
    table = builder.inttoptr(table, _I64.as_pointer())
    rows, earned = [], _I64(0)
    for row in range(4):
        line = builder.and_(builder.lshr(board, _I64(16 * row)), _I64(0xFFFF))
        entry = builder.gep(table, [line])
        rows.append(builder.load(builder.bitcast(entry, ir.VectorType(_I16, 4).as_pointer()), align=8))
        points = builder.gep(builder.bitcast(entry, _I32.as_pointer()), [_I64(1)])
        earned = builder.add(earned, builder.zext(builder.load(points), _I64))
    pairs = [
        builder.bitcast(
            builder.shuffle_vector(rows[i], rows[i + 1], _picked([0, 4, 1, 5])), ir.VectorType(_I32, 2)
        )
        for i in (0, 2)
    ]
    both = builder.bitcast(builder.shuffle_vector(*pairs, _picked([0, 2, 1, 3])), ir.VectorType(_I64, 2))
    out = [builder.extract_element(both, _I32(i)) for i in range(2)]
    return context.make_tuple(builder, signature.return_type, [*out, earned])


@intrinsic
def slid(typing: Any, table: Any, board: Any) -> Any:
    """`packed.slide_rows` with the address of the table: all rows left, all rows right, the reward of either."""
    return types.UniTuple(types.uint64, 3)(types.uint64, types.uint64), _build_slides


def _build_largest(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    address, count = values
    words = builder.load(builder.inttoptr(address, _FOUR.as_pointer()), align=8)
    count = builder.insert_element(ir.Constant(_FOUR, ir.Undefined), count, _I32(0))
    count = builder.shuffle_vector(count, count, _picked([0] * 4))
    inside = builder.icmp_unsigned("<", ir.Constant(_FOUR, [_I64(i) for i in range(4)]), count)
    words = builder.select(inside, words, ir.Constant(_FOUR, [_I64(0)] * 4))
    kind = ir.FunctionType(_I64, [_FOUR])
    return builder.call(
        cgutils.get_or_insert_function(builder.module, kind, "llvm.vector.reduce.umax.v4i64"), [words]
    )


@intrinsic
def largest(typing: Any, address: Any, count: Any) -> Any:
    """The largest of the first `count` (at most 4) of the four words that lie at an address; 0 of none."""
    return types.uint64(types.uint64, types.uint64), _build_largest


_UPENDED = [6, 7, 4, 5, 2, 3, 0, 1]
_MIRRORED = [1, 0, 3, 2, 5, 4, 7, 6]  # of a board whose nibbles are swapped in each byte; the next too
_TURNED = [7, 6, 5, 4, 3, 2, 1, 0]
_QUARTERS = [0, 4, 2, 6, 1, 5, 3, 7]


class _Boards:
    """Writes the images of some boards at once, as in canonical.py, and keeps the least."""

    def __init__(self, builder: Any, parameters: Any, width: int) -> None:
        self.builder, self.width = builder, width
        self.kind = ir.VectorType(_I64, width)
        base = builder.inttoptr(parameters, _I64.as_pointer())
        read = [builder.load(builder.gep(base, [_I64(i)])) for i in range(10)]
        edge, shift_x, shift_y = read[:3]
        self.edge, self.shift_x, self.shift_y = self.all(edge), self.all(shift_x), self.all(shift_y)
        self.shift_both = self.all(builder.add(shift_x, shift_y))
        self.masks = [self.all(builder.or_(edge, no_image)) for no_image in read[3:]]

    def all(self, word: Any) -> Any:
        """One word in every place."""
        one = self.builder.insert_element(ir.Constant(self.kind, ir.Undefined), word, _I32(0))
        return self.builder.shuffle_vector(one, one, _picked([0] * self.width))

    def number(self, number: int) -> Any:
        """A constant in every place."""
        return ir.Constant(self.kind, [_I64(number)] * self.width)

    def bytes(self, boards: Any, order: list[int]) -> Any:
        """The bytes of each word in another order."""
        kind = ir.VectorType(ir.IntType(8), 8 * self.width)
        boards = self.builder.bitcast(boards, kind)
        places = [8 * word + place for word in range(self.width) for place in order]
        return self.builder.bitcast(self.builder.shuffle_vector(boards, boards, _picked(places)), self.kind)

    def moved(self, boards: Any, mask: int, shift: int) -> Any:
        """The bits in `mask`, shifted to the left (to the right if `shift` is negative)."""
        move = self.builder.shl if shift > 0 else self.builder.lshr
        return move(self.builder.and_(boards, self.number(mask)), self.number(abs(shift)))

    def transpose(self, boards: Any) -> Any:
        """`packed.transpose`."""
        builder = self.builder
        kept = builder.and_(boards, self.number(0xF0F00F0FF0F00F0F))
        there = self.moved(boards, 0x0000F0F00000F0F0, 12)
        back = self.moved(boards, 0x0F0F00000F0F0000, -12)
        return self.bytes(builder.or_(builder.or_(kept, there), back), _QUARTERS)

    def least(self, a: Any, b: Any) -> Any:
        """The smaller one in every place."""
        return self.builder.select(self.builder.icmp_unsigned("<", a, b), a, b)

    def least_flip(self, x: Any, own: Any, masks: list[Any]) -> Any:
        """The least of `own` and of x mirrored, upended and both, with `masks` set in these."""
        builder = self.builder
        swapped = builder.or_(
            self.moved(x, 0x0F0F0F0F0F0F0F0F, 4),
            builder.and_(builder.lshr(x, self.number(4)), self.number(0x0F0F0F0F0F0F0F0F)),
        )
        images = [
            builder.or_(builder.lshr(self.bytes(boards, order), shift), mask)
            for boards, order, shift, mask in (
                (swapped, _MIRRORED, self.shift_x, masks[0]),
                (x, _UPENDED, self.shift_y, masks[1]),
                (swapped, _TURNED, self.shift_both, masks[2]),
            )
        ]
        return self.least(self.least(own, images[0]), self.least(images[1], images[2]))


def _least_images(width: int, turns: bool) -> Any:
    """For `least_images`: one intrinsic."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        words, blocks, parameters = values
        boards = _Boards(builder, parameters, width)
        words = builder.inttoptr(words, boards.kind.as_pointer())
        with cgutils.for_range(builder, blocks) as block:
            place = builder.gep(words, [block.index])
            x = builder.load(place, align=8)
            best = boards.least_flip(x, x, boards.masks[:3])
            if turns:
                y = boards.transpose(x)
                own = builder.or_(y, boards.masks[3])
                best = boards.least(best, boards.least_flip(y, own, boards.masks[4:]))
            builder.store(best, place, align=8)
        return context.get_dummy_value()

    @intrinsic
    def replace(typing: Any, words: Any, blocks: Any, parameters: Any) -> Any:
        return types.void(types.uint64, types.uint64, types.uint64), build

    return replace


_WIDE = 4
_flips, _images = _least_images(_WIDE, False), _least_images(_WIDE, True)
_flip, _image = _least_images(1, False), _least_images(1, True)


@helper
def least_images(words, n, parameters, turns):  # type: ignore[no-untyped-def]
    """Replace `n` grid boards at the address `words` by the least of their images.

    parameters: the address of the array that canonical.py describes. turns: whether transposed boards count.
    """
    blocks = U(n) // U(_WIDE)
    rest = words + U(8 * _WIDE) * blocks
    if turns:
        _images(words, blocks, parameters)
        _image(rest, U(n) % U(_WIDE), parameters)
    else:
        _flips(words, blocks, parameters)
        _flip(rest, U(n) % U(_WIDE), parameters)
