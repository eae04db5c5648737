"""The page Review in a real browser: games from everywhere, the graph, the moves, mistakes to learn from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.ui.web.conftest import HOSTILE, until
from tests.ui.web.test_play import board, link, visit_game, wait_moves
from twofold.coach import review
from twofold.matches.play import new_game
from twofold.records import Record, encode_record
from twofold.rules import Board, Game

pytestmark = pytest.mark.slow  # a browser

Visit = Callable[..., Any]


def badly(variant: str, seed: int, most: int = 10_000) -> Game:
    """A game whose player always takes the first legal move."""
    game = new_game(variant, seed)
    while not game.is_over and game.moves < most:
        game.move(game.legal_moves()[0])
    return game


def reviewed(page: Any) -> str:
    """What is said of the move that is shown."""
    page.locator(".tf-moves [aria-current]").wait_for()
    return str(page.locator(".said h2").inner_text())


def shows(page: Any, number: int) -> None:
    until(page, lambda: reviewed(page).startswith(f"Move {number} "))


def test_a_game_is_looked_through(visit: Visit) -> None:
    game = badly("2x3", 5)
    found = review(game)
    page = visit(
        "/review#" + Record.of(game).to_fragment(),
        ".tf-moves button",
        viewport={"width": 1280, "height": 800},
    )
    shows(page, found.worst[0].number)
    assert page.locator(".tf-moves button").count() == game.moves
    assert "exactly" in page.locator(".tf-facts-list").inner_text()
    page.get_by_role("button", name="First").click()
    shows(page, 1)
    page.keyboard.press("ArrowRight")
    shows(page, 2)
    page.get_by_role("button", name="Back").click()
    shows(page, 1)
    mistakes = [move.number for move in found.moves if move.grade in ("mistake", "blunder")]
    page.get_by_role("button", name="Next mistake").click()
    shows(page, next(number for number in mistakes if number > 1))
    page.locator(".tf-moves button").nth(3).click()
    shows(page, 4)
    box = page.locator(".tf-graph svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 1, box["y"] + 20)
    shows(page, game.moves)
    page.get_by_role("button", name="Play on from here").click()
    wait_moves(page, game.moves - 1)


def test_mistakes_are_learned_from(visit: Visit) -> None:
    game = badly("2x3", 5)
    found = review(game)
    page = visit("/review#" + Record.of(game).to_fragment(), ".tf-moves button")
    shows(page, found.worst[0].number)
    page.get_by_role("button", name="First").click()
    shows(page, 1)
    page.get_by_role("button", name="Learn from mistakes").click()
    page.get_by_text("what would you play?").wait_for()
    number = int(reviewed(page).split()[1].rstrip(":"))
    assert number in [move.number for move in found.moves if move.grade in ("mistake", "blunder")]
    assert found.moves[number - 1].best.name not in page.locator(".said").inner_text()
    page.keyboard.press("Arrow" + found.moves[number - 1].best.name.capitalize())
    page.get_by_text("Right:").wait_for()


@pytest.mark.parametrize("form", ["rpl", "verse2", "twofold"])
def test_files_of_other_programs_are_opened_here_and_on_play(form: str, visit: Visit, tmp_path: Path) -> None:
    game = badly("4x4", 3, 20)
    path = tmp_path / {"rpl": "game.rpl", "verse2": "game.txt", "twofold": "game.json"}[form]
    path.write_bytes(encode_record(Record.of(game), form))
    page = visit("/")
    page.get_by_role("button", name="Share").click()
    page.locator(".tf-share input[type=file]").set_input_files(path)
    wait_moves(page, game.moves)
    page.goto(page.url.partition("#")[0] + "review")
    page.locator(".tf-games input[type=file]").set_input_files(path)
    reviewed(page)
    assert page.locator(".tf-moves button").count() == game.moves
    path.write_bytes(path.read_bytes()[:-2])
    page.locator(".tf-games input[type=file]").set_input_files(path)
    if form != "verse2":  # cut between two moves it would be a game that wasn't finished
        page.locator(".q-notification").first.wait_for()


def drop(page: Any, place: str, name: str, content: bytes) -> None:
    """A file is let go over a part of the page."""
    page.evaluate(
        """([place, name, bytes]) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
          const options = { dataTransfer, bubbles: true, cancelable: true };
          const target = document.querySelector(place);
          for (const kind of ["dragover", "drop"]) target.dispatchEvent(new DragEvent(kind, options));
        }""",
        [place, name, list(content)],
    )


def test_a_file_of_each_format_opens_where_it_is_dropped(visit: Visit) -> None:
    """Games on Play with all their moves, and positions; then games on Review."""
    endings = {
        "twofold": ".json",
        "verse1": ".txt",
        "verse2": ".txt",
        "rpl": ".rpl",
        "rec": ".rec",
        "vrs": ".vrs",
    }
    page = visit("/", ".tf-play")
    for moves, (form, ending) in enumerate(endings.items(), 15):
        game = badly("4x4", 3, moves)
        drop(page, ".tf-play", f"game{ending}", encode_record(Record.of(game), form))
        wait_moves(page, moves)
        assert board(page) == game.board, form
    original = Record.of(badly("4x4", 4, 12))
    drop(page, ".tf-play", "state", encode_record(original, "original", last=True))
    wait_moves(page, 0)
    assert board(page) == original.replay().board
    drop(page, ".tf-play", "term2048", b"2 0 0 0 0 4 0 0 0 0 0 0 0 0 0 0\n8\n")
    until(page, lambda: board(page) == Board.parse("2 . . .|. 4 . .|. . . .|. . . ."))
    page.goto(page.url.partition("#")[0] + "review")
    page.locator(".tf-games").wait_for()
    for moves, (form, ending) in enumerate(endings.items(), 15):
        drop(page, ".tf-games", f"game{ending}", encode_record(Record.of(badly("4x4", 3, moves)), form))
        page.locator(f".tf-moves button >> nth={moves - 1}").wait_for()
        assert page.locator(".tf-moves button").count() == moves


def test_games_that_ended_or_were_left_are_kept(visit: Visit) -> None:
    page = visit_game(visit, "2x2", 1)
    game = new_game("2x2", 1)
    while not game.is_over:
        game.move(game.legal_moves()[0])
        page.keyboard.press("Arrow" + game.history[-1].name.capitalize())
        wait_moves(page, game.moves)
    page.get_by_role("button", name="New game").first.click()
    wait_moves(page, 0)
    page.get_by_role("link", name="Review").click()
    page.get_by_text("Saved games (1)").click()
    page.get_by_text(f"{game.score} points").wait_for()
    page.locator(".tf-games li").get_by_role("button", name="Review").click()
    reviewed(page)
    assert page.locator(".tf-moves button").count() == game.moves
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Really remove").click()
    until(page, lambda: page.locator(".tf-games li").count() == 0)


def test_a_long_game_fits_a_link(visit: Visit) -> None:
    game = badly("4x4", 8)
    assert game.moves > 60
    page = visit(link("4x4", 8, Record.of(game).moves))
    wait_moves(page, game.moves)
    page.get_by_role("button", name="See the board").click()
    page.get_by_role("button", name="Share").click()
    shared = page.locator(".tf-share input[readonly]").input_value()
    assert "packed=" in shared
    assert Record.from_fragment(shared.partition("#")[2]) == Record.of(game)
    assert len(shared) < 200 + game.moves / 3


def test_a_link_longer_than_a_message_is_refused(visit: Visit) -> None:
    visit("/review#" + HOSTILE[1], wait=".tf-games").get_by_text(
        "the web page accepts at most"
    ).first.wait_for()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_all_of_it_fits_the_window(size: tuple[int, int], visit: Visit) -> None:
    window = {"width": size[0], "height": size[1]}
    page = visit("/review#" + Record.of(badly("4x4", 3)).to_fragment(), ".tf-moves button", viewport=window)
    reviewed(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    if size[0] > 1000:  # the move and what is said of it, without scrolling
        box = page.locator(".said").bounding_box()
        assert box["y"] + box["height"] <= size[1]
