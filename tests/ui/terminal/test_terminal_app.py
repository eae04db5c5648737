"""The terminal game in a window without a terminal, and what is left of it at a real (pseudo) one."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("textual")

from rich.cells import cell_len
from textual import events
from textual.pilot import Pilot
from textual.widgets import Static

from tests.ui.command import here
from twofold import Board, Direction, Game, State, Variant, make_player, new_game, play_game
from twofold.coach import review
from twofold.coach.reasons import reason
from twofold.exact.problem import MAX_EXPECTED_SCORE, MAX_PROBABILITY
from twofold.exact.small import solve_position
from twofold.players.base import Decision
from twofold.records.record import Record
from twofold.ui.shared import session
from twofold.ui.shared.session import HINT_PLAYER
from twofold.ui.terminal import analyse
from twofold.ui.terminal.app import Options, TerminalGame
from twofold.ui.terminal.choose_player import ChoosePlayer
from twofold.ui.terminal.new_game import NewGame

CLASSIC = (80, 24)
Script = Callable[[TerminalGame, Pilot[None]], Awaitable[None]]


def in_window(options: Options, script: Script, size: tuple[int, int] = CLASSIC) -> TerminalGame:
    """The window after `script` has used it."""
    app = TerminalGame(options)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await script(app, pilot)

    with ThreadPoolExecutor(1) as pool:  # the browser of other tests may keep a loop in this thread
        pool.submit(lambda: asyncio.run(run())).result()
    return app


async def until(pilot: Pilot[None], holds: Callable[[], bool], seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        await pilot.pause(0.02)


def notice(app: TerminalGame) -> str:
    return str(app.room.query_one(".notice", Static).content)


def slow_player(stopped: threading.Event) -> Any:
    """A player that thinks until it is stopped."""

    class Slow:
        text = "slow"

        def decide(self, state: State, key: int = 0) -> Decision:
            stopped.wait(60)
            return Decision(state.legal_moves()[0])

        def stop(self) -> None:
            stopped.set()

    return Slow()


# Play


def test_keys_play_the_game_of_the_rules() -> None:
    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        other = new_game("4x4", 7)
        keys = {"left": "LEFT", "w": "UP", "J": "DOWN", "d": "RIGHT", "h": "LEFT", "k": "UP", "down": "DOWN"}
        for key, name in [*keys.items()] * 2:
            direction = Direction[name]
            await pilot.press(key)
            if direction in other.legal_moves():
                other.move(direction)
            else:
                assert "moves nothing" in notice(app)
            assert app.play_room.human.game.state == other.state
        assert app.play_room.view.board == other.board
        await pilot.press("u", "u", "r")
        other.undo()
        assert app.play_room.human.game.state == other.state
        await pilot.press("x")
        assert app.play_room.human.game.moves == other.moves
        assert "again" in notice(app)
        await pilot.press("x")
        assert app.play_room.human.game.state == new_game("4x4", 7).state

    in_window(Options(new_game("4x4", 7)), script)


def test_a_hint_shows_four_values_and_the_reason_for_the_move() -> None:
    game = new_game("4x4", 5)

    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        await pilot.press("i")
        await until(pilot, lambda: app.play_room.hint is not None)
        hint = app.play_room.hint
        assert hint is not None
        wanted = make_player(HINT_PLAYER).decide(game.state)
        assert hint.decision.values == wanted.values
        assert wanted.move is not None
        assert hint.reason == reason(game.state, wanted.move, wanted.values)
        shown = "\n".join(line.plain for line in app.play_room.view.lines(*app.play_room.view.size))
        assert f"hint: {wanted.move.arrow} {wanted.move.name}" in shown
        assert shown.count("█") > 4
        assert " ".join(hint.reason.split()[:3]) in shown
        await pilot.press("left", "up")
        assert app.play_room.hint is None

    in_window(Options(game), script)


def test_keys_are_heard_while_a_hint_is_thought_about(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = threading.Event()
    monkeypatch.setattr(session, "make_player", lambda _: slow_player(stopped))

    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        await pilot.press("i")
        await until(pilot, lambda: app.play_room.work.busy)
        assert not stopped.is_set()
        await pilot.press("left", "up", "left")
        assert app.play_room.human.game.moves > 0
        await until(pilot, stopped.is_set)
        await pilot.pause(0.1)
        assert app.play_room.hint is None

    in_window(Options(new_game("4x4", 7)), script)


def test_a_new_game_has_the_rules_of_the_dialog() -> None:
    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        await pilot.press("n")
        dialog = app.screen
        assert isinstance(dialog, NewGame)
        dialog.size_of.value, dialog.target.value, dialog.p4.value = "3x5", "64", "2"
        dialog.map.value, dialog.seed.value = "x . . . .|. . . . .|. . . . 4", "12"
        dialog.spawn.focus()
        await pilot.press("right", "right", "enter")
        assert app.screen is dialog  # refused, and nothing is lost
        assert "'2'" in str(dialog.query_one(".refusal", Static).content)
        dialog.p4.value = "0.5"
        await pilot.press("enter")
        await until(pilot, lambda: app.play_room.human.game.variant.rows == 3)
        game = app.play_room.human.game
        text = "map=x . . . .|. . . . .|. . . . 4;p4=0.5;target=64;spawn=tl-columns"
        assert game.state == new_game(Variant.parse(text), 12).state
        await pilot.press("n", "escape")
        assert app.play_room.human.game is game

    in_window(Options(new_game("4x4", 7)), script)


def test_new_tiles_change_in_the_middle_of_a_game() -> None:
    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        other = new_game("4x4;values=2:0.5,8:0.5", 7)
        for press in ("left", "p", "t", "up", "t", "right", "u", "u", "u", "r", "r", "r"):
            before = app.play_room.human.game.state
            await pilot.press(press)
            if press == "p":
                other.change_spawns(place="tl-rows")
                assert notice(app) == "new tiles from here on: top left first, by rows, 2 or 8"
            elif press == "t":
                other.change_spawns(value={"random": "2", "2": "4"}[before.variant.value])
            elif press == "u":
                other.undo()
            elif press == "r":
                other.redo()
            elif Direction[press.upper()] in other.legal_moves():
                other.move(press)
            assert app.play_room.human.game.state == other.state
        await pilot.press("n")
        dialog = app.screen
        assert isinstance(dialog, NewGame)
        assert dialog.values.value == "2:0.5,8:0.5"
        dialog.values.value, dialog.seed.value = "2:0.5,4:0.25,16:0.25", "3"
        await pilot.press("enter")
        await until(pilot, lambda: app.play_room.human.game.seed == 3)
        assert str(app.play_room.human.game.variant) == "4x4;values=2:0.5,4:0.25,16:0.25"

    in_window(Options(new_game("4x4;values=2:0.5,8:0.5", 7)), script)


def test_an_evil_game_is_played_beside_the_window() -> None:
    variant = Variant.parse("2x2;spawn=evil:depth=1,eval=default")

    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        other = new_game(variant, 1)
        direction = other.legal_moves()[0]
        other.move(direction)
        await pilot.press(direction.name.lower())
        await until(pilot, lambda: app.play_room.view.board == other.board)
        assert app.play_room.human.game.state == other.state

    in_window(Options(new_game(variant, 1)), script)


def test_the_record_is_kept_move_by_move(tmp_path: Path) -> None:
    path = tmp_path / "game.json"

    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        await pilot.press("left", "up", "right", "u")
        assert Record.from_json(path.read_text()).replay().state == app.play_room.human.game.state
        path.unlink()
        tmp_path.rmdir()
        await pilot.press("up")
        assert "can't write" in notice(app)

    app = in_window(Options(new_game("4x4", 7), path=path), script)
    assert app.play_room.human.game.moves


# Watch


def test_a_watched_game_is_that_of_play_game() -> None:
    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        wanted = play_game("greedy", Variant.parse("3x3"), 7)
        await until(pilot, lambda: app.watch_room.watching is not None and app.watch_room.watching.is_over)
        watching = app.watch_room.watching
        assert watching is not None
        assert watching.shot is not None
        await until(pilot, lambda: app.watch_room.view.board == wanted.board and "over" in notice(app))
        assert watching.shot.state.board == wanted.board == app.watch_room.view.board
        assert [row.moves for row in watching.rows] == list(range(1, wanted.moves + 1))
        assert watching.rows[-1].score == wanted.score
        assert "over" in notice(app)
        shown = "\n".join(line.plain for line in app.watch_room.view.lines(*app.watch_room.view.size))
        assert f"{wanted.score:,}" in shown
        # The chart ends where the game did.
        assert app.watch_room.score.line.data is not None
        assert app.watch_room.score.line.data[-1] == wanted.score

    options = Options(
        new_game("3x3", 1), ["greedy"], rules=Variant.parse("3x3"), seed=7, speed=None, room="watch"
    )
    in_window(options, script)


def test_pause_step_speed_and_leaving_change_nothing_of_the_game() -> None:
    wanted = play_game("greedy", Variant.parse("3x3"), 9)

    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        room = app.watch_room

        def moves() -> int:
            shot = room.watching.shot if room.watching is not None else None
            return shot.state.moves if shot is not None else -1

        await pilot.press("space")
        assert room.watching is not None
        assert room.watching.pace.paused
        await until(pilot, lambda: moves() >= 0)
        await pilot.pause(0.1)
        stood = moves()
        await pilot.press("n")
        await until(pilot, lambda: moves() == stood + 1)
        await pilot.pause(0.1)
        assert moves() == stood + 1
        await pilot.press("+")
        assert room.watching.pace.speed == 5
        first = room.watching
        await pilot.press("1")
        assert app.room is app.play_room
        first.join(60)
        assert not first.is_alive
        await pilot.press("2")
        assert room.watching is not first
        assert room.watching.pace.paused
        assert moves() == stood + 1
        room.watching.pace.set_speed(None)
        await pilot.press("space")
        await until(pilot, lambda: room.watching is not None and room.watching.is_over)
        assert room.watching.shot is not None
        assert room.watching.shot.state.board == wanted.board
        assert [row.moves for row in room.watching.rows] == list(range(1, wanted.moves + 1))
        await pilot.press("b")
        assert app.room is app.play_room
        await until(pilot, lambda: app.play_room.human.game.board == wanted.board)
        await pilot.press("u")
        assert app.play_room.human.game.moves == wanted.moves - 1

    rules = Variant.parse("3x3")
    options = Options(new_game("3x3", 1), ["greedy"], rules=rules, seed=9, speed=2, room="watch")
    in_window(options, script)


def test_another_player_is_chosen_by_its_text() -> None:
    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        await pilot.press("c")
        dialog = app.screen
        assert isinstance(dialog, ChoosePlayer)
        for text, told in (("greedyy", "greedy"), ("human", "screen Play"), ("random:x=1", "x")):
            dialog.player.value = text
            await pilot.press("enter")
            assert app.screen is dialog
            assert told in str(dialog.query_one(".refusal", Static).content)
        dialog.player.value, dialog.rules.value, dialog.seed.value = "random", "2x3", "4"
        await pilot.press("enter")
        room = app.watch_room
        await until(pilot, lambda: room.watching is not None and room.watching.text == "random")
        assert room.watching is not None
        room.watching.pace.set_speed(None)
        await until(pilot, lambda: room.watching is not None and room.watching.is_over)
        assert room.watching.shot is not None
        assert room.watching.shot.state.board == play_game("random", Variant.parse("2x3"), 4).board

    in_window(Options(new_game("4x4", 1), ["greedy"], room="watch"), script)


# Analyse


def test_a_board_is_edited_by_keys() -> None:
    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        room = app.analyse_room
        await pilot.press(*"131072", "right", "x", "down", "+", "+", "left", *"64", "-", "up", "up", "=")
        assert str(room.editor.board) == "131072 x . .|32 4 . .|. . . .|2 . . ."
        assert room.text.value == str(room.editor.board)
        await pilot.press("t")
        assert room.editor.board == Board.parse("131072 x . .|32 4 . .|. . . .|2 . . .").rotate()
        await pilot.press("t", "t", "t", "m", ".", "o")
        assert str(room.editor.board) == ". . x 131072|. . 4 32|. . . .|. . . 2"
        assert Board.parse(room.text.value) == room.editor.board
        assert room.text.value != str(room.editor.board)

    options = Options(new_game("4x4", 1), ["greedy"], board=Board.empty(4, 4), room="analyse")
    in_window(options, script)


def test_a_click_goes_to_a_cell_and_then_raises_its_tile() -> None:
    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        editor = app.analyse_room.editor
        top, left = editor.layout_now(*editor.size).corner(2, 1)
        await pilot.click(editor, offset=(left, top))
        assert editor.cursor == (2, 1)
        await pilot.click(editor, offset=(left + 1, top))
        await pilot.click(editor, offset=(left + 1, top))
        await pilot.click(editor, offset=(left, top), shift=True)
        await pilot.click(editor, offset=(0, 0))
        assert str(editor.board) == ". . . .|. . . .|. 2 . .|. . . ."

    options = Options(new_game("4x4", 1), ["greedy"], board=Board.empty(4, 4), room="analyse")
    in_window(options, script)


def test_boards_are_pasted_typed_and_refused() -> None:
    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        room = app.analyse_room
        room.editor.post_message(events.Paste("2 4 8\n16 x .\n. . 2\n"))
        await until(pilot, lambda: str(room.editor.board) == "2 4 8|16 x .|. . 2")
        room.text.focus()
        await pilot.press("ctrl+a", "ctrl+k")
        room.text.post_message(events.Paste("[[2, 0],\n [4, 8]]"))
        await until(pilot, lambda: room.text.value == "2 .|4 8")
        await pilot.press("enter")
        assert room.editor.board == Board.parse("2 .|4 8")
        room.text.focus()
        room.text.value = "2 3|4 8"
        await pilot.press("enter")
        assert "'3'" in notice(app)
        assert room.editor.board == Board.parse("2 .|4 8")

    in_window(Options(new_game("4x4", 1), ["greedy"], room="analyse"), script)


def test_players_answer_side_by_side_and_the_exact_value_is_told() -> None:
    board = Board.parse("2 4 .|8 . 2")
    state = State.of(board, Variant.of_size(2, 3, target=16))
    texts = ["greedy", "expectimax:depth=2", "rules"]

    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        room = app.analyse_room
        await pilot.press("enter")
        await until(pilot, lambda: len(room.blocks) == 3)
        for text, block in zip(texts, room.blocks, strict=True):
            wanted = make_player(text).decide(state)
            assert wanted.move is not None
            assert block[0].plain == text
            assert block[1].plain == f"best: {wanted.move.arrow} {wanted.move.name}"
        await pilot.press("e")
        await until(pilot, lambda: len(room.blocks) == 2)
        for objective, block in zip((MAX_EXPECTED_SCORE, MAX_PROBABILITY), room.blocks, strict=True):
            assert float(block[1].plain) == pytest.approx(solve_position(state, objective).value, rel=1e-11)
        await pilot.press("+")
        assert room.blocks == []  # they were about another position

    options = Options(
        new_game("4x4", 1), texts, board=board, rules=Variant.of_size(4, 4, target=16), room="analyse"
    )
    in_window(options, script)


def test_a_search_is_called_off_when_its_room_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = threading.Event()
    monkeypatch.setattr(analyse, "make_player", lambda _: slow_player(stopped))

    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await until(pilot, lambda: app.analyse_room.work.busy)
        assert not stopped.is_set()
        await pilot.press("f1")
        await until(pilot, stopped.is_set)
        await pilot.pause(0.1)
        assert app.analyse_room.blocks == []
        assert not app.analyse_room.work.busy

    in_window(Options(new_game("4x4", 1), ["greedy"], room="analyse"), script)


def test_a_position_too_large_to_solve_is_refused_in_one_line() -> None:
    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        app.analyse_room.take(State.of(Board.parse("x x|x x")))
        await pilot.press("e")
        assert "bricks only" in notice(app)

    in_window(Options(new_game("4x4", 1), ["greedy"], room="analyse"), script)


# The window


@pytest.mark.parametrize("side", [3, 16])
def test_every_board_fits_every_window(side: int) -> None:
    game = Game(Variant(start=Board.empty(side, side).with_cell(0, 17)), 3)

    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        for size in ((140, 45), CLASSIC, (40, 12), (10, 4), CLASSIC):
            await pilot.resize_terminal(*size)
            for key, view in (("f1", app.play_room.view), ("f3", app.analyse_room.editor)):
                await pilot.press(key)
                await pilot.pause()
                width, height = view.size
                lines = view.lines(width, height)
                assert len(lines) <= height
                if size >= CLASSIC:
                    assert height >= 16
                    assert all(cell_len(line.plain) <= width for line in lines)
                    assert any(label in line.plain for line in lines for label in ("131072", "128k", "17"))
        await pilot.press("left")

    in_window(Options(game, ["greedy"], board=game.board), script)


def test_rooms_send_positions_to_be_analysed() -> None:
    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        await pilot.press("left", "v")
        assert app.room is app.analyse_room
        assert app.analyse_room.editor.board == app.play_room.human.game.board
        assert app.analyse_room.state().variant.target == 512
        await pilot.press("q")

    app = in_window(Options(new_game("4x4;target=512", 1), ["greedy"]), script)
    assert not app.return_code


# The command


def test_what_is_missing_or_wrong_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert "needs a terminal" in here(capsys, "terminal").refusal()
    assert "'3' in row 1" in here(capsys, "terminal", "--board", "2 3|4 8").refusal()
    assert "greedy" in here(capsys, "terminal", "--player", "greedyy").refusal()
    assert "--speed" in here(capsys, "terminal", "--speed", "-1").refusal()
    record = tmp_path / "game.json"
    record.write_text("[]")
    assert "twofold game file" in here(capsys, "terminal", "--record", str(record)).refusal()
    assert "own rules" in here(capsys, "terminal", "--record", str(record), "--seed", "1").refusal()


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals are a thing of Unix")
@pytest.mark.parametrize(("end", "code"), [("q", 0), ("\x03", 130), ("TERM", 143)])
def test_the_terminal_is_restored(end: str, code: int) -> None:
    from tests.ui.terminal.test_terminal import Terminal, plain

    terminal = Terminal("terminal", "--seed", "3")
    try:
        terminal.wait_for("Analyse")
        terminal.press("a")
        terminal.wait_for("LEFT")
        if end == "TERM":
            terminal.process.send_signal(signal.SIGTERM)
        else:
            terminal.press(end)
        assert terminal.finish() == code
        assert terminal.is_restored()
        assert "moves     1" in plain(terminal.output)
        assert "Traceback" not in plain(terminal.output)
    finally:
        terminal.close()


def test_a_game_is_reviewed_at_its_end_and_from_a_file(tmp_path: Path) -> None:
    """Stepping, the next mistake, playing on from there; a file that is none is refused in one line."""
    game = new_game("2x3", 5)
    while not game.is_over:
        game.move(game.legal_moves()[0])
    found = review(game)
    path = tmp_path / "game.vrs"
    path.write_text("no game")
    other = tmp_path / "game.json"
    other.write_text(Record("2x2", 1, Record.of(badly_2x2()).moves).to_json())

    async def script(app: TerminalGame, pilot: Pilot[None]) -> None:
        room = app.review_room
        assert "e reviews it" in notice(app)
        await pilot.press("e")
        await until(pilot, lambda: room.found is not None)
        assert app.room is room
        assert room.found is not None
        assert room.found.facts() == found.facts()
        assert room.at == found.worst[0].number - 1
        await pilot.press("home", "right", "right", "left")
        assert room.at == 1
        text = screen_text(room.view)
        assert "Move 2 of" in text
        assert found.moves[1].grade in text
        assert " best" in text
        await pilot.press("n")
        assert found.moves[room.at].grade in ("mistake", "blunder")
        at = room.at
        await pilot.press("b")
        await until(pilot, lambda: app.play_room.human.game.moves == at)
        await pilot.press("4")
        room.file.value = str(path)
        room.file.focus()
        await pilot.press("enter")
        await until(pilot, lambda: "game.vrs" in notice(app))
        room.file.value = str(other)
        await pilot.press("enter")
        await until(pilot, lambda: room.found is not None and str(room.found.game.variant) == "2x2")

    in_window(Options(game), script)


def badly_2x2() -> Game:
    game = new_game("2x2", 1)
    while not game.is_over:
        game.move(game.legal_moves()[0])
    return game


def screen_text(view: Any) -> str:
    return "\n".join(line.plain for line in view.lines(80, 19))
