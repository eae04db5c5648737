"""The page Play in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.ui.web.conftest import HOSTILE, Server, come_to_rest, hears, start, until
from twofold.matches.play import new_game, play_game
from twofold.records.record import Record
from twofold.rules import DIRECTIONS, Board, Direction, Game

pytestmark = pytest.mark.slow  # a browser

Visit = Callable[..., Any]
KEYS = {Direction.UP: "ArrowUp", Direction.RIGHT: "d", Direction.DOWN: "j", Direction.LEFT: "ArrowLeft"}


def link(variant: str, seed: int = 1, moves: str = "") -> str:
    return "/#" + Record(variant, seed, moves).to_fragment()


def visit_game(visit: Visit, variant: str, seed: int = 1, **context: Any) -> Any:
    """A page on which the game of a link is being played."""
    page = visit(link(variant, seed), **context)
    page.wait_for_function(
        "text => document.querySelector('.tf-rules').textContent.includes(text)", arg=f"seed {seed},"
    )
    return page


def fact(page: Any, name: str) -> int:
    return int(
        page.locator(f".tf-facts div:has(dt:text-is('{name}')) dd")
        .inner_text()
        .split("\n")[0]
        .replace(",", "")
    )


def board(page: Any) -> Board:
    """The board as screen readers are told of it."""
    told = page.locator("#tf-cells").filter(has_text=": ").inner_text()  # empty while the page is made anew
    rows = [row.partition(": ")[2].split(", ") for row in told.split("; ")]
    return Board.from_values(
        [["x" if c == "brick" else 0 if c == "empty" else int(c) for c in row] for row in rows]
    )


def tiles(page: Any) -> list[str]:
    return sorted(page.locator(".tf-tile:not(.leaving)").all_inner_texts())


def wait_moves(page: Any, moves: int) -> None:
    page.wait_for_function(
        "n => document.querySelectorAll('.tf-facts dd')[2]?.textContent === String(n)", arg=moves
    )


def press(page: Any, game: Game, direction: Direction) -> None:
    """Presses a key and plays the move in `game` too, which is the page's; waits until it is made, if it is legal."""
    page.keyboard.press(KEYS[direction])
    if direction in game.legal_moves():
        game.move(direction)
        wait_moves(page, game.moves)


def kept(page: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.evaluate("localStorage.getItem('twofold.game')"))
    return found


def test_keys_play_the_game_of_the_rules_and_the_page_stands_still(visit: Visit) -> None:
    page = visit_game(visit, "4x4", 7, viewport={"width": 700, "height": 380})
    game = new_game("4x4", 7)
    for number in range(1, 13):
        direction = game.legal_moves()[number % len(game.legal_moves())]
        game.move(direction)
        page.keyboard.press(KEYS[direction])
        wait_moves(page, number)
    until(page, lambda: board(page) == game.board)
    assert fact(page, "Score") == game.score
    shown = sorted(str(2**rank) for rank in game.board.tile_ranks)
    until(page, lambda: tiles(page) == shown)
    assert page.evaluate("document.documentElement.scrollHeight > innerHeight")
    assert page.evaluate("scrollY") == 0


def test_a_move_that_moves_nothing_does_nothing(visit: Visit) -> None:
    page = visit_game(visit, "map=2 . .|. . .|. . .", 1)
    page.keyboard.press("ArrowLeft")
    page.get_by_text("LEFT moves nothing").first.wait_for()
    assert fact(page, "Moves") == 0
    assert tiles(page) == ["2"]
    assert kept(page)["moves"] == ""
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelectorAll('.tf-tile').length === 2")


def test_undo_goes_back_over_a_win_and_keeps_the_best_score(visit: Visit) -> None:
    page = visit_game(visit, "map=1024 1024 .|. . .|2 . .", 3)
    page.keyboard.press("ArrowLeft")
    page.get_by_text("You made 2,048! You can play on.").first.wait_for()
    assert fact(page, "Score") == fact(page, "Best") == 2048
    page.keyboard.press("u")
    wait_moves(page, 0)
    assert fact(page, "Score") == 0
    assert fact(page, "Best") == 2048
    assert page.locator(".tf-notice.won").count() == 0
    assert kept(page)["undone"] == "L"
    page.keyboard.press("r")
    wait_moves(page, 1)
    page.keyboard.press("ArrowDown")
    wait_moves(page, 2)
    page.get_by_role("button", name="Restart").click()
    wait_moves(page, 0)
    # A restart by mistake loses nothing: undo brings the game before back.
    page.keyboard.press("u")
    wait_moves(page, 2)
    assert kept(page)["moves"] == "LD"


def test_a_reload_and_another_server_lose_nothing(visit: Visit, server: Server) -> None:
    page = visit_game(visit, "5x5;p4=0.3", 11)
    game = new_game("5x5;p4=0.3", 11)
    for direction in [Direction.LEFT, Direction.UP] * 6:
        press(page, game, direction)
    page.keyboard.press("u")
    game.undo()
    moves, score, before = game.moves, game.score, game.board
    assert moves > 2
    until(page, lambda: Record.from_json(json.dumps(kept(page))) == Record.of(game))
    until(page, lambda: (fact(page, "Moves"), board(page)) == (moves, before))
    record = kept(page)
    assert fact(page, "Score") == score
    assert "#" not in page.url
    page.reload()
    page.wait_for_function(
        "n => document.querySelectorAll('.tf-facts dd')[2]?.textContent === String(n)", arg=moves
    )
    assert (fact(page, "Score"), board(page), kept(page)) == (score, before, record)
    assert page.get_by_role("button", name="Redo").is_enabled()
    page.evaluate("window.is_old = true")
    server.stop()
    server.start()
    page.keyboard.press("r")  # lost on the way, or played: either is a game by the rules
    page.wait_for_function("!window.is_old && window.did_handshake")  # the page has made itself anew
    page.wait_for_function(
        "n => [String(n), String(n + 1)].includes(document.querySelectorAll('.tf-facts dd')[2]?.textContent)",
        arg=moves,
    )
    page.keyboard.press("u")
    until(page, lambda: board(page) == Record.from_json(json.dumps(kept(page))).replay().board)


def test_a_link_brings_a_game_and_sharing_gives_it_back(visit: Visit) -> None:
    game = new_game("map=. . . .|. x . .|. . . .;target=512", 42)
    for _ in range(9):
        game.move(game.legal_moves()[0])
    address = link(str(game.variant), 42, Record.of(game).moves)
    page = visit(address)
    wait_moves(page, 9)
    assert board(page) == game.board
    page.get_by_role("button", name="Share").click()
    shared = page.locator(".tf-share input[readonly]").input_value()
    again = visit("/" + shared.partition("/#")[2].join(["#", ""]))
    wait_moves(again, 9)
    assert board(again) == game.board


def test_a_hostile_link_is_refused_in_one_line_and_a_game_begins(visit: Visit) -> None:
    hostile = HOSTILE[:4]  # the others are refused in the same place
    page = visit("/#" + hostile[0])
    for number, fragment in enumerate(hostile):
        if number:
            page.evaluate("text => { window.location.hash = text; }", fragment)
        said = page.locator(".q-notification").first
        said.wait_for()
        text = said.inner_text()
        assert "/usr" not in text
        assert "Traceback" not in text
        assert len(text) < 300
        said.get_by_text("Close").click()
        page.wait_for_function("!document.querySelector('.q-notification') && !window.location.hash")
    assert board(page).size == (4, 4)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    page.wait_for_function("document.querySelectorAll('.tf-facts dd')[2]?.textContent !== '0'")


def test_what_the_browser_keeps_is_checked_too(visit: Visit) -> None:
    page = visit("/")
    false = "JSON.stringify({variant: '4x4', seed: 1, moves: 'UUUUUUUUUUUUU'})"
    page.evaluate(f"for (const each of [localStorage, sessionStorage]) each.setItem('twofold.game', {false})")
    page.reload()
    page.get_by_text("can't be made there").first.wait_for()
    assert fact(page, "Moves") == 0


def test_a_tab_goes_on_with_its_own_game(visit: Visit) -> None:
    page, game = visit_game(visit, "4x4", 2**64 - 1), Game(seed=2**64 - 1)
    for direction in (Direction.LEFT, Direction.DOWN):
        press(page, game, direction)
    moves = kept(page)["moves"]
    assert len(moves) == game.moves > 0
    other = "JSON.stringify({variant: '3x3', seed: '1', moves: ''})"  # another tab has kept its game
    page.evaluate(f"localStorage.setItem('twofold.game', {other})")
    page.reload()
    wait_moves(page, len(moves))
    assert kept(page) == {"variant": "4x4", "seed": str(2**64 - 1), "moves": moves}
    assert Record.from_json(json.dumps(kept(page))).replay().moves == len(moves)


def test_a_new_game_with_bricks(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Options").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("summary").click()
    dialog.locator(".tf-cell").first.wait_for()
    set_range(dialog, "Rows", 3)
    set_range(dialog, "Columns", 5)
    page.wait_for_function("document.querySelectorAll('[role=dialog] .tf-cell').length === 15")
    dialog.get_by_label("New tiles appear", exact=True).select_option("tl-rows")
    dialog.get_by_label("Seed", exact=True).fill("5")
    come_to_rest(page)
    for cell in (3, 7):
        dialog.locator(f".tf-cell[data-cell='{cell}']").click()
        dialog.locator(f".tf-cell.brick[data-cell='{cell}']").wait_for()
    dialog.get_by_role("button", name="Begin").click()
    page.wait_for_function("document.querySelector('.tf-rules').textContent.includes('seed 5,')")
    found = board(page)
    assert found.size == (3, 5)
    assert found.bricks == (3, 7)
    assert kept(page)["variant"] == "map=. . . x .|. . x . .|. . . . .;spawn=tl-rows"
    until(page, lambda: page.get_by_role("dialog").count() == 0)
    page.keyboard.press("ArrowRight")
    wait_moves(page, 1)


def set_range(dialog: Any, label: str, value: int) -> None:
    dialog.get_by_label(label, exact=True).evaluate(
        "(e, v) => { e.value = v; e.dispatchEvent(new Event('input', { bubbles: true })); }", str(value)
    )


def test_a_new_game_that_cannot_be_is_refused_in_the_dialog(visit: Visit) -> None:
    page = visit("/")
    page.keyboard.press("o")
    dialog = page.get_by_role("dialog")
    dialog.locator("summary").click()
    dialog.get_by_label("Or all the rules as one text", exact=True).fill("4x4;target=7")
    dialog.get_by_role("button", name="Begin").click()
    page.get_by_role("alert").get_by_text("target '7' is not a power of two").wait_for()
    page.keyboard.press("Escape")


def test_swipes_and_buttons_play_on_a_phone(visit: Visit) -> None:
    page = visit_game(
        visit,
        "map=. . .|. 2 .|. . .",
        1,
        viewport={"width": 390, "height": 700},
        has_touch=True,
        is_mobile=True,
    )
    box = page.locator(".tf-play .tf-board").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    for number, (dx, dy) in enumerate([(-90, 5), (0, 90)], 1):
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for step in (0.3, 0.6, 1.0):
            point = {"x": x + dx * step, "y": y + dy * step}
            session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        wait_moves(page, number)
    assert kept(page)["moves"] == "LD"
    assert page.evaluate("scrollY") == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    game = Record("map=. . .|. 2 .|. . .", 1, "LD").replay()
    page.get_by_role("button", name=game.legal_moves()[0].name.lower(), exact=True).click()
    wait_moves(page, 3)


def test_a_hint_has_values_and_a_reason(visit: Visit) -> None:
    page = visit_game(visit, "map=512 . 2 .|4 . . .|. . . .|. . . .", 1)
    page.keyboard.press("i")
    advice = page.locator(".tf-advice")
    advice.wait_for(timeout=600_000)
    assert len(advice.inner_text()) > 10
    cells = page.locator(".tf-hint td:last-child").all_inner_texts()
    assert len(cells) == len(DIRECTIONS)
    assert cells.count("-") == 4 - len(Board.parse("512 . 2 .|4 . . .|. . . .|. . . .").legal_moves())
    page.keyboard.press("ArrowDown")
    wait_moves(page, 1)
    assert page.locator(".tf-advice").count() == 0


def test_many_keys_at_once_break_nothing(visit: Visit) -> None:
    page = visit_game(visit, "4x4", 9)
    page.evaluate(
        """() => { for (let i = 0; i < 400; i++) {
        const key = ['ArrowLeft', 'ArrowUp', 'u', 'ArrowDown'][i % 4];
        document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })); } }"""
    )
    page.keyboard.press("o")
    page.get_by_role("dialog").wait_for()  # the server has come to the last of them

    def agree() -> bool:
        replayed = Record.from_json(json.dumps(kept(page))).replay()
        return (board(page), fact(page, "Score")) == (replayed.board, replayed.score)

    until(page, agree)


@pytest.mark.parametrize("variant", ["1x2", "4x4", "16x16", "16x3"])
def test_every_board_fits_every_window(visit: Visit, variant: str) -> None:
    page = visit_game(visit, variant, 1)
    for width, height in ((320, 568), (390, 844), (1280, 720), (3840, 2160)):
        page.set_viewport_size({"width": width, "height": height})
        come_to_rest(page)
        until(page, lambda size=(width, height): fits(page, *size))


def fits(page: Any, width: int, height: int) -> bool:
    box = page.locator(".tf-play .tf-board").bounding_box()
    within = box["x"] >= 0 and box["x"] + box["width"] <= width and box["height"] <= height
    return within and box["width"] > 50 and page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_number_of_any_length_stays_on_its_tile(visit: Visit) -> None:
    ranks = [[17, 16, 14, 13], [20, 30, 40, 60], [10, 7, 3, 1], [0, 0, 0, 0]]
    variant = "map=" + str(Board.from_ranks(ranks))
    page = visit_game(visit, variant, 5, viewport={"width": 320, "height": 568})
    game = new_game(variant, 5)
    for _ in range(3):  # no shrinking from move to move
        press(page, game, Direction.DOWN)
        press(page, game, Direction.UP)
    come_to_rest(page)
    sizes = page.evaluate(
        """() => [...document.querySelectorAll('.tf-tile')].map(t => [t.dataset.rank, t.textContent,
        t.firstChild.offsetWidth, t.offsetWidth, parseFloat(t.firstChild.style.fontSize)])"""
    )
    for rank, text, inner, outer, size in sizes:
        assert inner <= outer, (rank, text)
        assert size >= 8, (rank, text)
    assert page.locator(".t17").first.inner_text() in ("131072", "128k")


def test_no_animation_where_it_is_not_wanted(visit: Visit) -> None:
    page, game = visit_game(visit, "4x4", 5, reduced_motion="reduce"), new_game("4x4", 5)
    page.evaluate(
        """() => { window.animated = 0; const old = Element.prototype.animate;
        Element.prototype.animate = function (...a) { window.animated++; return old.apply(this, a); }; }"""
    )
    for direction in DIRECTIONS:
        press(page, game, direction)
    assert game.moves > 2
    assert page.evaluate("window.animated") == 0


def test_only_games_by_hand_count_for_the_best_score(visit: Visit) -> None:
    variant, moves = "map=512 512 .|. . .|. . .", "L"
    page = visit(link(variant, 1, moves))  # someone's link, as from Watch
    wait_moves(page, 1)
    assert (fact(page, "Score"), fact(page, "Best")) == (1024, 0)
    page.keyboard.press("ArrowDown")
    wait_moves(page, 2)
    page.reload()
    wait_moves(page, 2)
    assert fact(page, "Best") == 0
    page.keyboard.press("x")  # the same game from its first move
    wait_moves(page, 0)
    page.keyboard.press("ArrowLeft")
    wait_moves(page, 1)
    assert fact(page, "Best") == 1024
    page.evaluate("localStorage.removeItem('twofold.best')")
    page.reload()  # one's own game is one's own after a reload too
    wait_moves(page, 1)
    assert fact(page, "Best") == 1024


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_a_large_score_stays_on_one_line_of_its_box(visit: Visit, width: int) -> None:
    page = visit(link("4x4", 1) + "&start_score=123932100", viewport={"width": width, "height": 800})
    page.get_by_text("123,932,100").first.wait_for()
    for each in page.locator(".tf-facts dd").all():
        room = each.evaluate(
            """e => { const range = document.createRange(); range.selectNodeContents(e);
            return [range.getClientRects().length, range.getBoundingClientRect().width, e.clientWidth]; }"""
        )
        assert room[0] == 1
        assert room[1] <= room[2]


def test_sharing_says_what_was_copied_and_leaves_no_older_link(visit: Visit, server: Server) -> None:
    page = visit(link("4x4", 7))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
    page.get_by_role("button", name="Share").click()
    page.get_by_text("The link is copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").endswith("/#variant=4x4&seed=7")
    variant = "map=" + "|".join([" ".join(["1073741824"] * 16)] * 15 + [" ".join("." * 16)])
    page.evaluate("text => { window.location.hash = text; }", Record(variant, 7).to_fragment())
    page.wait_for_function("document.querySelectorAll('.tf-cell').length === 256")
    page.get_by_role("button", name="Share").click()
    page.get_by_text("too long for a link").wait_for()
    assert page.locator(".tf-share input[readonly]").count() == 0
    page.get_by_text("Its record is copied.").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert Record.from_json(copied) == Record(variant, 7)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as file").click()
    assert Record.from_json(Path(download.value.path()).read_text()) == Record(variant, 7)


def test_the_end_is_told_over_the_board(visit: Visit) -> None:
    page, game = visit_game(visit, "2x2", 1), new_game("2x2", 1)
    end = page.locator(".tf-end")
    while not game.is_over:
        press(page, game, game.legal_moves()[0])
    letters = Record.of(game).moves
    assert len(letters) > 2
    assert game.outcome is not None
    end.get_by_text(f"Game over: {game.outcome.reason}.").wait_for()
    assert f"{game.score} points, largest tile {game.board.max_tile}, {game.moves} moves." in end.inner_text()
    end.get_by_role("button", name="Undo").click()
    wait_moves(page, game.moves - 1)
    assert end.count() == 0
    page.keyboard.press("r")
    end.get_by_role("button", name="New game").click()
    wait_moves(page, 0)
    assert kept(page)["variant"] == "2x2"
    assert kept(page)["seed"] != "1"
    page.keyboard.press("u")  # undo brings the game before back
    wait_moves(page, game.moves)
    assert kept(page)["moves"] == letters
    end.get_by_role("button", name="Review").click()
    page.get_by_text(f"{game.score} after {game.moves} moves").wait_for(timeout=600_000)


def test_enter_begins_the_game_of_the_options(visit: Visit) -> None:
    page = visit("/")
    page.get_by_text("Two equal tiles that meet become one").wait_for()  # to whoever has never played
    page.keyboard.press("o")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Target", exact=True).select_option("512")
    dialog.get_by_label("Target", exact=True).press("Enter")
    page.get_by_text("target=512").wait_for()
    until(page, lambda: page.get_by_role("dialog").count() == 0)
    page.keyboard.press("o")
    dialog.get_by_role("button", name="Begin").and_(page.locator(":focus")).wait_for()
    seed = kept(page)["seed"]
    page.keyboard.press("Enter")  # at once, with nothing changed
    until(page, lambda: page.get_by_role("dialog").count() == 0)
    until(page, lambda: kept(page)["seed"] != seed)
    page.get_by_role("button", name="New game").click()
    until(page, lambda: kept(page)["variant"] == "4x4;target=512" and kept(page)["moves"] == "")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    until(page, lambda: fact(page, "Moves") > 0)
    page.reload()
    page.wait_for_selector(".tf-tile")
    assert page.locator(".tf-how").get_attribute("open") is None


def test_a_hint_on_a_phone_scrolls_nothing_away(visit: Visit) -> None:
    page = visit_game(visit, "4x4", 3, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Hint").click()
    page.locator(".tf-advice").wait_for(timeout=600_000)
    assert page.evaluate("scrollY") == 0
    hint, board = page.locator(".tf-hint").bounding_box(), page.locator(".tf-play .tf-board").bounding_box()
    assert hint["y"] + hint["height"] <= 845
    assert hint["y"] > board["y"] + board["height"] / 2
    page.get_by_role("button", name="Close the hint").click()
    assert page.locator(".tf-hint").count() == 0


def test_a_game_is_taken_along_to_analyse(visit: Visit) -> None:
    page = visit(link("map=2 2 .|. x .|. . 4;target=64;p4=0.5", 5))
    page.wait_for_function("document.querySelectorAll('.tf-cell').length === 9")
    game = new_game("map=2 2 .|. x .|. . 4;target=64;p4=0.5", 5)
    press(page, game, Direction.LEFT)
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url("**/analyse?**")
    area = page.get_by_label("Board, in any notation", exact=True)
    until(page, lambda: area.input_value() == str(game.board))
    rules = page.get_by_label("Rules", exact=True).input_value()
    assert sorted(rules.split(";")) == ["p4=0.5", "target=64"]


def test_a_player_goes_on_from_a_position_which_is_analysed_then(visit: Visit) -> None:
    variant = "map=2 2 .|. x .|. . 4;target=64;p4=0.5"
    page, game = visit(link(variant, 5)), new_game(variant, 5)
    page.wait_for_function("document.querySelectorAll('.tf-cell').length === 9")
    press(page, game, Direction.LEFT)
    page.get_by_role("button", name="Watch").click()
    page.wait_for_url("**/watch?**")
    rules, position = page.get_by_label("Rules", exact=True), replace(game.variant, start=game.board)
    until(page, lambda: rules.input_value() == str(position))
    hears(page)
    page.get_by_label("Speed", exact=True).select_option("fast")
    start(page, {"Player as text": "greedy", "Seed": "3"})
    page.get_by_text("The game is over after").wait_for(timeout=600_000)
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url("**/analyse?**")
    area = page.get_by_label("Board, in any notation", exact=True)
    until(page, lambda: area.input_value() == str(play_game("greedy", position, 3).board))
    assert sorted(rules.input_value().split(";")) == ["p4=0.5", "target=64"]


def test_new_tiles_change_in_the_middle_of_a_game(visit: Visit) -> None:
    page = visit_game(visit, "4x4", 7)
    game = new_game("4x4", 7)
    press(page, game, game.legal_moves()[0])
    page.locator("summary", has_text="New tiles: anywhere, 2 or 4").click()
    page.get_by_label("From now on they appear").select_option(label="top left first, by rows")
    game.change_spawns(place="tl-rows")
    page.locator("summary", has_text="New tiles: top left first, by rows").wait_for()
    page.get_by_label("and are").select_option(label="always 4")
    game.change_spawns(value="4")
    page.locator("summary", has_text="always 4").wait_for()
    page.locator("[role=application]").focus()
    for _ in range(4):
        press(page, game, game.legal_moves()[0])
    until(page, lambda: board(page) == game.board)
    assert kept(page)["changes"] == "1:tl-rows,4"
    for _ in range(5):
        page.keyboard.press("u")
    page.locator("summary", has_text="New tiles: anywhere, 2 or 4").wait_for()
    for number in range(1, 6):
        page.keyboard.press("r")
        wait_moves(page, number)
    page.reload()
    page.locator("summary", has_text="always 4").wait_for()
    until(page, lambda: board(page) == game.board)
