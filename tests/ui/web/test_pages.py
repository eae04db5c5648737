"""Watch, Analyse, Experiments and the rooms in a real browser; what all pages hold: access, privacy, ends."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.ui.web.conftest import Server, come_to_rest, start, until
from twofold.art.picture import LETTER_COLOURS, PALETTE
from twofold.matches.play import play_game
from twofold.rules import Board, Direction

pytestmark = pytest.mark.slow  # a browser

Visit = Callable[..., Any]
PAGES = (
    "/",
    "/watch",
    "/analyse",
    "/review",
    "/experiments",
    "/rooms",
    "/rooms/painting",
    "/rooms/life",
    "/rooms/stereogram",
    "/rooms/paths",
)


def fact(page: Any, name: str) -> str:
    return str(page.locator(f".tf-facts-list div:has(dt:text-is('{name}')) dd").first.inner_text())


def test_watching_reaches_2048_and_goes_on(visit: Visit) -> None:
    page = visit("/watch", wait=".tf-cell")
    page.get_by_label("Speed", exact=True).select_option("fast")
    start(page, {"Player as text": "ntuple", "Seed": "1"})
    page.get_by_text("2,048 after").first.wait_for(
        timeout=600_000
    )  # the notice may be gone on a slow machine
    assert int(fact(page, "score").replace(",", "")) > 15_000
    assert "2,048 after" in page.locator("text=Tiles made:").inner_text()
    page.get_by_role("button", name="Pause").click()
    page.get_by_text("Paused").wait_for()
    seen = [fact(page, "moves")]

    def stands() -> bool:  # a move that was under way may still come
        page.wait_for_timeout(600)
        seen.append(fact(page, "moves"))
        return seen[-1] == seen[-2]

    until(page, stands)
    assert stands()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    lines = Path(download.value.path()).read_text().splitlines()
    assert lines[0].startswith("moves,move,score")
    assert len(lines) > 900


def test_a_watched_game_is_the_players_game_and_steps(visit: Visit) -> None:
    page = visit("/watch", wait=".tf-cell")
    page.get_by_label("Speed", exact=True).select_option("fast")
    page.get_by_label("Second player as text", exact=True).fill("random")
    start(page, {"Player as text": "greedy", "Seed": "5", "Rules": "3x3"})
    page.get_by_text("The game is over after").nth(1).wait_for(timeout=600_000)
    result = play_game("greedy", "3x3", 5)
    page.wait_for_function(
        "s => document.querySelector('.tf-facts-list dd').textContent === s", arg=f"{result.score:,}"
    )
    assert fact(page, "moves") == f"{result.moves:,}"
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Step").click()


def test_a_player_from_a_file_or_too_large_is_refused(visit: Visit) -> None:
    page = visit("/watch", wait=".tf-cell")
    for text, part in (  # what else is refused: test_limits.py
        ("ntuple:file=/etc/passwd", "only on the command line"),
        ("expectimx", "did you mean 'expectimax'"),
        ("<img src=x onerror=alert(1)>", "is not of the form name:key=value"),
    ):
        start(page, {"Player as text": text})
        said = page.locator(".q-notification").first
        said.wait_for()
        assert part in said.inner_text()
        said.get_by_text("Close").click()
        page.wait_for_function("!document.querySelector('.q-notification')")


def test_a_search_stops_when_its_client_leaves(visit: Visit, server: Server) -> None:
    page = visit("/watch", wait=".tf-cell")
    start(
        page, {"Player as text": "expectimax:depth=12", "Rules": "map=2 4 8 16|32 64 128 256|. . . .|. . . 2"}
    )
    until(page, lambda: server.load() > 0.3)
    page.context.close()
    end = time.monotonic() + 300  # it may be compiling, which can't be stopped
    while server.load() > 0.15:
        assert time.monotonic() < end


def test_a_board_with_131072_is_edited_and_analysed(visit: Visit) -> None:
    page = visit("/analyse?board=2 4 . .|. . . .|. . . .|. . . .")
    page.locator(".tf-board").click(position={"x": 30, "y": 30})
    page.locator(".tf-cell.selected").wait_for()
    for digit in "131072":
        page.keyboard.press(digit)
    page.locator(".t17").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("x")
    page.locator(".tf-cell.brick").wait_for()
    area = page.get_by_label("Board, in any notation", exact=True)
    page.wait_for_function("document.querySelector('textarea').value.startsWith('131072 4 . .|x')")
    players = page.get_by_label("Players, one per line", exact=True)
    players.fill("nobody")
    page.get_by_role("button", name="Compare moves").click()
    page.locator(".q-notification").get_by_text("unknown player 'nobody'").wait_for()
    players.fill("greedy\nexpectimax:depth=2\nrules")
    page.get_by_role("button", name="Compare moves").click()
    page.get_by_text("Expected line").wait_for(timeout=600_000)
    page.wait_for_function("document.querySelectorAll('.tf-table tr').length === 4")
    rows = page.locator(".tf-table tr").all_inner_texts()
    assert len(rows) == 4
    assert rows[2].startswith("expectimax:depth=2")
    page.get_by_role("button", name="Tree").click()
    page.locator(".tf-tree button").first.click()
    page.locator(".tf-tree .children button").first.click(timeout=600_000)
    page.locator(".tf-tree .children .children button").first.wait_for(timeout=600_000)
    area.fill("[[2,4],[0,2048]]")
    page.get_by_role("button", name="Read").click()
    page.wait_for_function("document.querySelectorAll('.tf-cell').length === 4")
    page.get_by_role("button", name="Exact value").click()
    page.get_by_text("Exact: points to come").wait_for(timeout=600_000)


@pytest.mark.parametrize(
    ("notation", "text"),
    [("hex", "1200000000000000"), ("array", "[[2,4,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]")],
)
def test_notations_are_written_and_read(visit: Visit, notation: str, text: str) -> None:
    page = visit("/analyse?board=2 4 . .|. . . .|. . . .|. . . .")
    page.get_by_label("Notation", exact=True).select_option(notation)
    page.wait_for_function("t => document.querySelector('textarea').value === t", arg=text)
    with page.expect_download() as download:
        page.get_by_role("button", name="PNG").click()
    assert Path(download.value.path()).read_bytes()[:4] == b"\x89PNG"
    page.get_by_label("Board, in any notation", exact=True).fill("2 3|4 8")
    page.get_by_role("button", name="Read").click()
    page.get_by_role("alert").get_by_text("'3' in row 1 is not a cell").wait_for()


def test_a_board_in_the_address_is_refused_and_old_answers_go(visit: Visit) -> None:
    page = visit("/analyse?board=2 3|4 8")
    page.get_by_role("alert").get_by_text("'3' in row 1 is not a cell").wait_for()
    page.get_by_label("Players, one per line", exact=True).fill("random")
    page.get_by_role("button", name="Compare moves").click()
    page.get_by_text("how far the others fall short").wait_for()
    page.get_by_role("button", name="Turn").click()  # the answers were about another board
    page.get_by_text("how far the others fall short").wait_for(state="hidden")


def test_the_fields_of_a_player_stay_in_their_panel(visit: Visit) -> None:
    page = visit("/watch", wait=".tf-cell")
    page.get_by_label("Player", exact=True).select_option("expectimax")
    page.get_by_text("Formula and settings").first.click()
    page.get_by_text("V(state) = max over moves of reward").first.wait_for()
    page.get_by_label("depth", exact=True).first.fill("2")
    until(page, lambda: page.get_by_label("Player as text", exact=True).input_value() == "expectimax:depth=2")
    beyond = """() => {
        const edge = document.querySelector("details").getBoundingClientRect().right;
        const fields = [...document.querySelectorAll("details[open] :is(input, select)")];
        return fields.filter((each) => each.getBoundingClientRect().right > edge + 1).length;
    }"""
    assert page.evaluate(beyond) == 0


def test_one_who_comes_back_finds_player_and_game(visit: Visit) -> None:
    page = visit("/watch", wait=".tf-cell")
    start(page, {"Player as text": "greedy", "Seed": "3"})
    until(page, lambda: fact(page, "moves") not in ("–", "0"))
    page.get_by_role("button", name="Pause").click()
    page.get_by_text("Paused").wait_for()
    seen = int(fact(page, "moves"))
    for leave in (page.reload, page.get_by_role("link", name="Play").click):
        leave()
        page.get_by_role("link", name="Watch").click()
        page.get_by_text("Paused").wait_for()
        assert seen <= int(fact(page, "moves")) <= seen + 1  # the move that was under way counts
        assert page.get_by_label("Player", exact=True).input_value() == "greedy"
        assert page.get_by_label("Seed", exact=True).input_value() == "3"
    page.get_by_role("button", name="Continue").click()
    until(page, lambda: int(fact(page, "moves")) > seen + 1)
    other = page.context.new_page()  # another tab has its own
    other.goto(page.url)
    other.get_by_text("Press Start").wait_for()


def test_a_refusal_takes_the_place_of_the_one_before(visit: Visit) -> None:
    page = visit("/watch", wait=".tf-cell")
    page.get_by_role("button", name="CSV").click()
    page.get_by_text("there is no move to save yet: press Start first").wait_for()
    page.get_by_role("button", name="Play on by hand").click()
    page.get_by_text("there is no game to take yet: press Start first").wait_for()
    until(page, lambda: page.locator(".q-notification").count() == 1)


def test_an_experiment_is_started_followed_and_reported(visit: Visit) -> None:
    page = visit("/experiments", wait=".tf-button")
    players = {"Players, one per line": "random\ngreedy", "Games per player": "20"}
    start(page, players | {"Rules": "3x3", "Name": "first"})
    page.get_by_text("first: 40 of 40 games, done").wait_for(timeout=600_000)
    page.get_by_role("button", name="Report of first").click()
    page.get_by_text("first: 20 games per player").wait_for(timeout=600_000)
    until(page, lambda: page.locator(".tf-echart canvas, .tf-echart svg").count() >= 3)
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    assert not axe.Axe().run(page).response["violations"]
    table = page.get_by_role("region", name="Players")
    table.focus()  # so that keys scroll it
    assert "random" in table.inner_text()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save games as CSV").click()
    assert saved.value.path().read_text().count("\n") == 41
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save tables as Markdown").click()
    assert "| player | games | mean score |" in saved.value.path().read_text()


def load_text(page: Any, text: str) -> None:
    page.locator("details", has_text="From text or an image").evaluate("each => each.open = true")
    page.get_by_label("Text", exact=True).fill(text)
    page.get_by_role("button", name="Load the text").click()
    rows = str(text.count("|") + 1)
    until(page, lambda: page.get_by_label("Rows", exact=True).input_value() == rows)


def tile_colours(page: Any) -> list[str]:
    """What is seen of the board, tile by tile in reading order."""
    return page.locator(".tf-stage .tf-tile").evaluate_all(
        """tiles => tiles.map(tile => [tile.getBoundingClientRect(), getComputedStyle(tile).backgroundColor])
        .sort(([a], [b]) => Math.round(a.y - b.y) || a.x - b.x).map(([, colour]) => colour)"""
    )


@pytest.mark.parametrize("method", ["planner", "rows"])
def test_a_picture_is_painted(visit: Visit, method: str) -> None:
    page = visit("/rooms/painting", wait="canvas")
    load_text(page, ".RR.|R..R|R..R|.RR.")
    page.get_by_label("Method", exact=True).select_option(method)
    page.get_by_role("button", name="Paint", exact=True).click()
    page.get_by_text("ends in this picture, checked against the rules").wait_for(timeout=600_000)
    red, ground = (f"rgb{colour}" for colour in (LETTER_COLOURS["R"][1], PALETTE[0]))
    wanted = [red if sign == "R" else ground for sign in ".RR.R..RR..R.RR."]
    until(page, lambda: tile_colours(page) == wanted)
    with page.expect_download() as download:
        page.get_by_role("button", name="Game as JSON").click()
    found = json.loads(Path(download.value.path()).read_text())
    values = [int(value) for value in found["board"].replace("|", " ").split()]
    assert [found["value_colours"][str(value)] for value in values] == [
        "#ce2d2d" if colour == red else "#f8f3e8" for colour in wanted
    ]
    told = page.locator(".tf-legend").inner_text().replace("\n", ", ").split(", ")
    assert sorted(int(value) for value in told) == sorted(set(values))
    with page.expect_download() as download:
        page.get_by_role("button", name="Game as GIF").click()
    with Image.open(download.value.path()) as shown:
        assert shown.n_frames > 1
    load_text(page, "RR..|...R|R..R")  # the game of the picture before is gone
    until(page, lambda: page.locator(".tf-stage .tf-cell").count() == 12)
    until(page, lambda: page.locator(".tf-stage .tf-tile, .tf-legend li").count() == 0)


def test_a_picture_of_a_size_that_there_is_not_is_refused(visit: Visit) -> None:
    page = visit("/rooms/painting", wait="canvas")
    rows = page.get_by_label("Rows", exact=True)
    rows.fill("40")
    rows.press("Tab")
    page.get_by_text("the web page shows boards up to 16x16").first.wait_for()
    rows.fill("9")
    rows.press("Tab")
    page.get_by_role("button", name="Paint", exact=True).click()
    page.get_by_text("ends in this picture").wait_for(timeout=600_000)
    until(page, lambda: page.locator(".tf-stage .tf-cell").count() == 72)


def test_an_image_is_painted(visit: Visit, tmp_path: Path) -> None:
    Image.new("RGB", (40, 40), (10, 200, 30)).save(tmp_path / "green.png")
    page = visit("/rooms/painting", wait="canvas")
    page.locator("summary", has_text="From text or an image").click()
    page.set_input_files("input[type=file]", tmp_path / "green.png")
    swatch = page.locator(".tf-swatches button")
    until(page, lambda: swatch.count() == 1)
    assert swatch.evaluate("each => getComputedStyle(each).backgroundColor") == "rgb(10, 200, 30)"


def test_life_steps_and_is_painted(visit: Visit) -> None:
    page = visit("/rooms/life", wait="canvas")
    for side in ("Rows", "Columns"):  # small, so that a slow machine draws it in time
        page.get_by_label(side, exact=True).fill("6")
        page.get_by_label(side, exact=True).press("Tab")
    page.get_by_label("Speed", exact=True).select_option("2")
    until(page, lambda: page.locator(".tf-stage .tf-cell").count() == 36)
    page.get_by_label("Pattern", exact=True).select_option("blinker")
    page.get_by_text("Generation 0, 3 alive").wait_for()
    page.get_by_role("button", name="Step").click()
    page.get_by_text("Generation 1, 3 alive, painted in").wait_for(timeout=600_000)
    alive = f"rgb{PALETTE[1]}"
    until(page, lambda: tile_colours(page).count(alive) == 3)
    until(page, lambda: page.locator(".tf-legend li").count() == 2)
    page.get_by_role("button", name="How it ends").click()
    page.get_by_text("it repeats every 2").wait_for()
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_function(
        "Number(document.body.innerText.match(/Generation ([0-9]+), 3 alive/)[1]) > 4", timeout=600_000
    )
    page.get_by_role("button", name="Pause").click()
    assert page.get_by_text("It repeats every 2 generations from generation 1 on.").is_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Run as GIF").click()
    with Image.open(download.value.path()) as shown:
        assert shown.n_frames >= 5
    page.get_by_role("button", name="Random").click()  # not painted yet
    until(page, lambda: page.locator(".tf-stage .tf-tile, .tf-legend li").count() == 0)


def test_paths_are_counted(visit: Visit) -> None:
    page = visit("/rooms/paths", wait=".tf-gallery figure")
    page.get_by_text("552 paths").wait_for()
    assert page.locator(".tf-starts td").all_inner_texts()[:2] == ["52", "25"]
    assert page.locator(".tf-gallery figure").count() == 69
    page.get_by_label("Size, or a board with bricks", exact=True).fill("3x40")
    page.get_by_role("button", name="Count").click()
    page.locator(".q-notification").get_by_text("120 cells").wait_for()


def test_a_stereogram_is_drawn(visit: Visit) -> None:
    page = visit("/rooms/stereogram", wait=".tf-picture img")
    page.get_by_label("Show the solution", exact=True).check()
    page.get_by_alt_text("the solution").wait_for(timeout=600_000)
    page.get_by_label("Seen with").select_option("crossed")
    page.get_by_text("Seen with crossed eyes: orange is raised").wait_for(timeout=600_000)


def test_a_stereogram_is_whole_on_a_phone(visit: Visit) -> None:
    page = visit("/rooms/stereogram", wait=".tf-picture img", viewport={"width": 390, "height": 844})
    box = page.get_by_alt_text("the stereogram").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_a_game_is_played_in_stereograms(visit: Visit) -> None:
    page = visit("/rooms/stereogram", wait=".tf-picture img")
    picture = page.get_by_alt_text("the stereogram")
    before = picture.get_attribute("src")
    page.get_by_role("button", name="Play a game").click()
    page.get_by_text("Score 0, moves 0").wait_for()
    until(page, lambda: picture.count() == 1 and picture.get_attribute("src") != before)
    told = page.locator("[aria-label^='the board in numbers']").get_attribute("aria-label")
    rows = [row.partition(": ")[2].split(", ") for row in told.partition(": ")[2].split("; ")]
    board = Board.from_values([[0 if cell == "empty" else int(cell) for cell in row] for row in rows])
    before = picture.get_attribute("src")
    page.keyboard.press(f"Arrow{board.legal_moves()[0].name.title()}")
    page.get_by_text(", moves 1.").wait_for()
    until(page, lambda: picture.count() == 1 and picture.get_attribute("src") != before)
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Score 0, moves 0").wait_for()
    for name in ("left", "up", "right", "down"):
        page.get_by_role("button", name=name, exact=True).click()
    page.get_by_text("Score 0, moves 0").wait_for(state="hidden")
    with page.expect_download() as download:
        page.get_by_role("button", name="Game as GIF").click()
    with Image.open(download.value.path()) as shown:
        assert shown.n_frames >= 2


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_no_serious_fault_in_both_themes(visit: Visit, path: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    page = visit(path, wait="h1, .tf-tile", color_scheme="light")
    page.wait_for_load_state("networkidle")
    come_to_rest(page)
    for _ in ("light", "dark"):
        found = axe.Axe().run(page).response["violations"]
        serious = [
            (each["id"], each["nodes"][0]["html"][:200], each["nodes"][0]["failureSummary"][:300])
            for each in found
            if each["impact"] in ("serious", "critical")
        ]
        assert not serious
        page.locator("#tf-theme").click()
        come_to_rest(page)


def test_the_keyboard_reaches_everything_and_shows_where_it_is(visit: Visit) -> None:
    page = visit("/")
    seen = []
    for _ in range(26):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate(
                "document.activeElement.getAttribute('role') || document.activeElement.textContent.trim().slice(0, 20)"
            )
        )
        if page.evaluate("document.activeElement === document.body"):
            break  # beyond the last
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", seen
    assert {"Skip to content", "Play", "Dark", "New game", "Hint", "Share", "application"} <= set(seen)


def test_the_live_region_tells_move_and_score(visit: Visit) -> None:
    page = visit("/#variant=map%3D2+2+.%7C.+.+.&seed=1")
    page.keyboard.press("ArrowLeft")
    page.locator("[aria-live]").get_by_text("left, 4 points. A ").wait_for()
    assert "Score 4." in page.locator("[aria-live]").first.inner_text()


def test_it_can_be_put_among_the_programs_of_a_phone(visit: Visit, server: Server) -> None:
    page = visit("/")
    found = page.evaluate("fetch('/app.webmanifest').then(answer => answer.json())")
    assert found["display"] == "standalone"
    assert found["icons"]


def test_a_name_of_another_site_is_not_answered(server: Server) -> None:
    request = urllib.request.Request(server.url, headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError, match="400") as caught:
        urllib.request.urlopen(request, timeout=60)
    caught.value.close()


def test_an_unknown_page_says_so_without_a_trace(visit: Visit, server: Server) -> None:
    page = visit("/nowhere/../../etc", wait="text=There is no such page")
    assert page.get_by_role("link", name="Play", exact=True).get_attribute("href") == "/"
    assert "Traceback" not in page.content()
    assert "site-packages" not in page.content()


def test_a_position_is_played_on_taken_back_and_kept_in_the_address(visit: Visit) -> None:
    page = visit("/analyse?board=2 2 .|. . .|. x 4&rules=target%3D64")
    area = page.get_by_label("Board, in any notation", exact=True)
    first = Board.parse("2 2 .|. . .|. x 4")

    def shown() -> Board:
        return Board.parse(area.input_value())

    page.keyboard.press("ArrowLeft")
    page.get_by_text("left for 4 points: a ").wait_for()
    until(page, lambda: shown() != first)
    left = shown()
    slide = first.slide(Direction.LEFT).board
    assert [a for a, b in zip(left.cells, slide.cells, strict=True) if a != b] in ([1], [2])
    page.get_by_role("button", name="move down").click()
    until(page, lambda: shown() not in (first, left))
    page.keyboard.press("u")
    until(page, lambda: shown() == left)
    page.get_by_role("button", name="Back").click()
    until(page, lambda: shown() == first)
    page.get_by_role("button", name="Back").click()
    page.locator(".q-notification").get_by_text("nothing to undo").wait_for()
    page.get_by_label("A click", exact=True).select_option("lower")
    page.locator(".tf-cell[data-cell='8']").click()
    until(page, lambda: shown() == Board.parse("2 2 .|. . .|. x 2"))
    until(page, lambda: "x+2" in page.url)
    page.reload()
    page.wait_for_selector(".tf-tile")
    until(page, lambda: shown() == Board.parse("2 2 .|. . .|. x 2"))
    assert page.get_by_label("Rules", exact=True).input_value() == "target=64"


def test_the_tree_shows_boards_and_the_chosen_players_values(visit: Visit) -> None:
    page = visit("/analyse?board=2 2 .|. . .|. x 4")
    page.get_by_label("Players, one per line", exact=True).fill("greedy\nrules")
    page.get_by_role("button", name="Tree").click()
    page.get_by_text("Values by greedy.").wait_for()
    page.locator(".tf-tree button").first.click()
    page.get_by_role("button", name="→ right +4: 4, best").wait_for(timeout=600_000)
    cells = page.locator(".tf-tree .children .tf-mini").last.locator("i").all_inner_texts()
    assert cells == ["4", "", "", "", "", "", "", "", "4"]


@pytest.mark.parametrize("width", [390, 1280])
def test_all_values_are_in_sight(visit: Visit, width: int) -> None:
    size = {"width": width, "height": 800}
    page = visit("/analyse?board=2 2 . .|. . . .|. x 4 .", viewport=size, is_mobile=width < 400)
    page.get_by_label("Players, one per line", exact=True).fill("greedy\nexpectimax:depth=1")
    page.get_by_role("button", name="Compare moves").click()
    page.wait_for_function("document.querySelectorAll('.tf-table tr').length === 3", timeout=600_000)
    beyond = "document.querySelectorAll('.tf-table :is(td, th)')"
    edge = page.evaluate("document.querySelector('.tf-table').getBoundingClientRect().right")
    assert edge <= width
    assert page.evaluate(f"[...{beyond}].filter((e) => e.getBoundingClientRect().right > {edge}).length") == 0
