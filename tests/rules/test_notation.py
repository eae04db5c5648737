"""Board texts: each notation read, written, and refused with a reason."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.rules.strategies import boards
from tests.waiting import at_once
from twofold.errors import InvalidBoard, InvalidNotation, TwofoldError, UnknownNotation
from twofold.rules import NOTATIONS, Board, format_board, parse_board, parse_size

ENDGAME = Board.parse("2 4 . .|. . . .|. . . .|. . . .")


@pytest.mark.parametrize(
    ("text", "spaced"),
    [
        ("####|2###|#2##|####", ". . . .|2 . . .|. 2 . .|. . . ."),
        ("2#x8", "2 . x 8|"),
        (". 2 16 x|", ". 2 16 x|"),
        (".,2,16,x|2, 4, 8, 16", ". 2 16 x|2 4 8 16"),
        ("#  16 2048 X |", ". 16 2048 x|"),
        ("16 2|##", "16 2|. ."),
        ("2048|1024|x", "2048|1024|x"),
        ("2\n4\n#", "2|4|."),
        ("2 4\r\n8 16\r\n", "2 4|8 16"),
        ("2 4|\n8 16|\n. .", "2 4|8 16|. ."),
        ("2 4 | 8 16", "2 4|8 16"),
        ("0 2|4 0", ". 2|4 ."),
        ("[[0,2],[4,8]]", ". 2|4 8"),
        ("[[0, 2],\n [4, 8],\n]", ". 2|4 8"),
        ('[[null, 2], [-1, "x"]]', ". 2|x x"),
        ("18ff07ff15ff1334", "2 256 32768 32768|. 128 32768 32768|2 32 32768 32768|2 8 8 16"),
        ("0123456789abcdef", ". 2 4 8|16 32 64 128|256 512 1024 2048|4096 8192 16384 32768"),
        ("GH00000000000000", "65536 131072 . .|. . . .|. . . .|. . . ."),
        ("0x1200000000000000", "2 4 . .|. . . .|. . . .|. . . ."),
        ("0x21", ". . . .|. . . .|. . . .|. . 4 2"),
        (" ".join(["#"] * 16) + "|", " ".join(["."] * 16) + "|"),
    ],
)
def test_texts_read_by_their_look(text: str, spaced: str) -> None:
    assert str(parse_board(text)) == spaced


def test_packed_numbers_in_both_orders() -> None:
    """`FORMATS` 2: EndgameTablebase counts from the top nibble, nneonneo from the bottom one."""
    assert format_board(ENDGAME, "u64") == "0x1200000000000000"
    assert format_board(ENDGAME, "u64-low") == "0x0000000000000021"
    assert parse_board("0x21", notation="u64-low") == ENDGAME
    assert parse_board("33", notation="u64-low") == ENDGAME
    assert parse_board(str(0x1200000000000000), notation="u64") == ENDGAME


def test_formats() -> None:
    board = Board.parse("2 x|. 8")
    assert format_board(board) == "2 x|. 8"
    assert format_board(board, "map") == "2x|#8"
    assert format_board(Board.parse("2 x|. 16"), "map") == "2 x|# 16"
    assert format_board(board, "array") == "[[2,-1],[0,8]]"
    assert format_board(Board.empty(1, 16), "map") == " ".join("#" * 16) + "|"
    assert format_board(Board.empty(4, 4), "hex") == "0" * 16


def test_a_size_cuts_a_single_row() -> None:
    assert str(parse_board("0,2,4,8", (2, 2))) == ". 2|4 8"
    assert str(parse_board("[0,2,4,8,16,32]", (2, 3))) == ". 2 4|8 16 32"
    store = "2 0 0 0 0 4 0 0 0 0 0 0 0 0 0 0"  # term2048's
    assert str(parse_board(store, (4, 4))) == "2 . . .|. 4 . .|. . . .|. . . ."
    assert parse_board("2 4|8 16", (2, 2)).size == (2, 2)
    with pytest.raises(InvalidBoard, match="2 rows of 2 cells, not the 3x3"):
        parse_board("2 4|8 16", (3, 3))
    with pytest.raises(InvalidBoard, match="1 row of 4 cells, not the 2x3"):
        parse_board("[0,2,4,8]", (2, 3))


@pytest.mark.parametrize("notation", NOTATIONS)
@given(data=st.data())
def test_every_notation_round_trips_or_says_why_not(notation: str, data: st.DataObject) -> None:
    board = data.draw(boards(max_rank=60) | boards(max_rank=17, bricks=False, size=(4, 4)))
    try:
        text = format_board(board, notation)
    except InvalidNotation as refusal:
        assert board.size != (4, 4) or board.has_bricks or board.max_rank > 15
        assert notation in str(refusal)
        return
    assert parse_board(text, notation=notation) == board
    assert parse_board(text, board.size, notation) == board
    if notation not in ("u64-low", "exponents"):  # all others are recognised by their look
        assert parse_board(text) == board


@given(boards(max_rank=60))
@example(Board.parse("2 4 8 x 2 4 8 x 2 4 8 x 2 4 8 x|"))
@example(Board.empty(1, 16))
@example(Board.empty(16, 1))
@example(Board.parse("2|1024"))
def test_the_notations_of_every_board(board: Board) -> None:
    for notation in ("spaced", "map", "array"):
        assert parse_board(format_board(board, notation)) == board


@pytest.mark.parametrize(
    "board", ["2 4|", "x . . .|. . . .|. . . .|. . . .", "262144 . . .|. . . .|. . . .|. . . ."]
)
@pytest.mark.parametrize("notation", ["hex", "u64", "u64-low"])
def test_what_sixteen_digits_cannot_hold(board: str, notation: str) -> None:
    with pytest.raises(InvalidNotation, match=r"4x4 boards only|no sign for a brick|holds tiles up to"):
        Board.parse(board).format(notation)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("####|2###|#2#|####", r"row 3 has 3 cells but row 1 has 4 in '####\|2###\|#2#\|####'"),
        ("?###|####", r"'\?' in row 1 is not a cell: write '\.' or '#'"),
        ("2 . 3", "'3' in row 1 is not a cell: tiles are the powers of two"),
        ("-2 2", "'-2' in row 1.*powers of two"),
        ("2305843009213693952 .", "powers of two from 2 to 2\\^60"),
        ("", "an empty text is not a board; write"),
        (" \n ", "an empty text"),
        ("\0\0", r"'\\x00' in row 1"),
        ("2 \0|. .", r"'\\x00' in row 1"),
        ("2 \x1b[31m", r"'\\x1b\[31m'"),
        ("[[0,2],[4]]", "row 2 has 1 cell but row 1 has 2"),
        ("[[0,3]]", "'3' in row 1 is not a cell: write 0, a power of two"),
        ("[0,2,4,8]", "flat list, which needs a size"),
        ("2 4 8 16", "flat list, which needs a size: 1x4 or 2x2 or 4x1 hold 4 cells"),
        ("2 . x", "needs a size: 1x3 or 3x1"),
        ("2x2", "is a size, not a board: an empty 2x2 board is"),
        (" 16x4\n", "'16x4' is a size, not a board"),
        ("[[", "not an array; write"),
        ("[[0,2],[4,8]", "not an array; write"),
        ("0xzz", "not a packed board; write"),
        ("0x11111111111111111", "not a packed board; write"),
        ("18ff07ff15ff133", "a hex board has 16 digits, this has 15"),
        ("18ff07ff15ff133z", "not a hex board.*1x16 map needs separators"),
        ("################", "1x16 map needs separators"),
        ("2||2", "row 2 is empty"),
        ("|2 2", "row 1 is empty"),
        ("2", "no board of '1x1': sizes go from"),
        ("#16#", "put spaces between cells"),
        ("2,,4", "nothing stands between two commas"),
        ("\u0662 2", "in row 1 is not a cell"),  # a digit, but not one of ours
        (". " * 65 + "|", "1x65"),
    ],
)
def test_bad_texts_say_what_would_be_right(text: str, message: str) -> None:
    with pytest.raises(InvalidBoard, match=message) as caught:
        parse_board(text)
    line = str(caught.value)
    assert line.isprintable()
    assert len(line) < 250


@pytest.mark.parametrize(
    "text", ["2" * 10**6, "[" * 10**6, "x|" * 10**6, " " * 10**6 + "2", "2 " * 49_000, "|" * 99_999]
)
def test_huge_texts_are_refused_at_once(text: str) -> None:
    with pytest.raises(InvalidBoard) as caught, at_once():
        parse_board(text)
    assert len(str(caught.value)) < 250


@given(st.text(alphabet="02468x#.| ,[]-\n1fgXh\0é", max_size=40) | st.text(max_size=40))
def test_any_text_is_a_board_or_one_printable_line(text: str) -> None:
    try:
        board = parse_board(text)
    except InvalidBoard as refusal:
        assert str(refusal).isprintable()
    else:
        assert parse_board(str(board)) == board


def test_unknown_notation() -> None:
    with pytest.raises(UnknownNotation, match="did you mean 'spaced'"):
        format_board(ENDGAME, "spacd")
    with pytest.raises(UnknownNotation):
        parse_board("2 2", notation="fen")
    with pytest.raises(InvalidBoard, match="must be a string"):
        parse_board(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "size"), [("4x4", (4, 4)), (" 3X5 ", (3, 5)), ("1 x 2", (1, 2)), ("16×16", (16, 16))]
)
def test_sizes(text: str, size: tuple[int, int]) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize(
    "text", ["", "4", "4x", "-4x4", "0x4", "1x1", "65x2", "99999x99999", "axb", "4x4x4", "9" * 10**6]
)
def test_bad_sizes(text: str) -> None:
    with pytest.raises(TwofoldError, match=r"sizes go from 1x2 to 64x64|write ROWSxCOLUMNS"):
        parse_size(text)
