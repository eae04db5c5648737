"""Draws the pictures of the page in docs/images: python docs/make_web_images.py (needs Chromium and playwright)."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.web import chromium, server
from twofold.matches.play import new_game, play_game
from twofold.records.record import Record, letters

IMAGES = Path(__file__).parent / "images"


def a_game(moves: int) -> str:
    """The fragment of a game that a good player began."""
    game = new_game("4x4", 3)
    directions: list[Any] = []
    play_game(
        "ntuple",
        "4x4",
        3,
        on_event=lambda event, decision: directions.append(getattr(event, "direction", None)),
    )
    for direction in [d for d in directions if d is not None][:moves]:
        game.move(direction)
    return Record("4x4", 3, letters(game.history)).to_fragment()


def save(page: Any, name: str) -> None:
    """A screenshot with few colours, which is small."""
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    image.quantize(128, dither=Image.Dither.NONE).save(IMAGES / name, optimize=True)


def main() -> None:
    """Four pictures."""
    with server() as (url, _), chromium() as browser:
        game = a_game(720)

        def visit(path: str, wait: str, theme: str, width: int = 1200, height: int = 760) -> Any:
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)
            page.goto(url + path)
            page.wait_for_selector(wait)
            return page

        page = visit("/#" + game, ".tf-tile", "light")
        page.get_by_role("button", name="Hint").click()
        page.wait_for_selector(".tf-advice", timeout=90_000)
        page.wait_for_timeout(500)
        save(page, "web-play.png")
        page = visit("/watch", ".tf-cell", "dark", 1200, 860)
        page.get_by_label("Speed", exact=True).select_option("fast")
        page.get_by_label("Second player as text", exact=True).fill("expectimax:depth=1")
        page.get_by_label("Seed", exact=True).fill("2")
        page.wait_for_timeout(300)
        page.get_by_role("button", name="Start").click()
        page.wait_for_timeout(12_000)
        save(page, "web-watch.png")
        page = visit("/analyse", ".tf-tile", "light", 1200, 980)
        page.get_by_role("button", name="Compare moves").click()
        page.get_by_text("Expected line").wait_for(timeout=90_000)
        save(page, "web-analyse.png")


if __name__ == "__main__":
    main()
