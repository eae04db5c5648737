"""The default player is the expectimax that it stands for, on every board, and says so where it is asked."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tests.players.test_search_players import VARIANTS, positions
from tests.waiting import wait_for
from twofold import Board, Player, State, Variant, check_player, make_player
from twofold.evaluation.registry import EVALUATIONS, evaluation_info
from twofold.kernels.compile_time import WATCH
from twofold.players.base import Limit
from twofold.players.default import Default
from twofold.players.defaults import DEFAULT_PLAYER
from twofold.players.expectimax import Expectimax
from twofold.players.fingerprint import fingerprint
from twofold.players.registry import canonical_text, player_info

LEARNED = "expectimax:nodes=3000,cut=3e-05,bound=2000,eval=network"
HAND_MADE = "expectimax:nodes=3000,cut=0.0001"


@pytest.fixture(scope="module")
def players() -> dict[str, Player]:
    return {text: make_player(text) for text in ("default:nodes=3000", LEARNED, HAND_MADE)}


def same(first: Player, second: Player, state: State) -> None:
    one, two = first.decide(state, 7), second.decide(state, 7)
    assert replace(one, seconds=0.0) == replace(two, seconds=0.0)
    assert one.move is not None
    assert one.nodes > 0


@pytest.mark.parametrize("variant", ["4x4", "4x4;p4=0.5;target=64", "4x4;spawn=tl-rows", "4x4;spawn=evil"])
def test_on_the_open_4x4_board_it_searches_with_the_network(players: dict[str, Player], variant: str) -> None:
    text = "4x4;spawn=evil:depth=1,eval=empty" if variant.endswith("evil") else variant
    for state in positions(3, text):
        same(players["default:nodes=3000"], players[LEARNED], state)


@pytest.mark.slow
@pytest.mark.parametrize(
    "board",
    [
        "131072 65536 32768 16384|2048 4096 4096 8192|4 2 16 8|. . . 2",
        "131072 65536 131072 2|. . . .|. . . .|. . . 2",
        "2 . . .|. . . .|. . . .|. . . 1048576",
    ],
)
def test_large_tiles(players: dict[str, Player], board: str) -> None:
    same(players["default:nodes=3000"], players[LEARNED], State.of(Board.parse(board)))


@pytest.mark.parametrize("variant", ["3x3", "5x5", "3x5", "4x5", "1x8"])
def test_elsewhere_by_the_hand_made_evaluation(players: dict[str, Player], variant: str) -> None:
    for state in positions(2, variant):
        same(players["default:nodes=3000"], players[HAND_MADE], state)


def test_on_4x4_with_a_brick_too(players: dict[str, Player]) -> None:
    state = State.of(Board.parse("2 4 x .|. . . .|. . 2 .|. . . ."))
    same(players["default:nodes=3000"], players[HAND_MADE], state)


def test_the_usual_limits() -> None:
    player = make_player(DEFAULT_PLAYER)
    board = Board.parse("2 4 8 16|256 128 64 32|512 . . .|2 . . .")
    same(player, make_player("expectimax:nodes=8000,cut=3e-05,bound=2000,eval=network"), State.of(board))
    small = State.of(Board.parse("2 4 8|64 32 16|. . 2"))
    same(player, make_player("expectimax:nodes=50000,cut=0.0001"), small)
    assert player.limit == Limit(nodes=50_000)
    assert make_player().text == DEFAULT_PLAYER


@pytest.mark.parametrize(
    ("text", "learned", "hand_made", "limit"),
    [
        ("default", "nodes=8000,", "nodes=50000,", Limit(nodes=50_000)),
        ("default:nodes=9", "nodes=9,", "nodes=9,", Limit(nodes=9)),
        ("default:time=0.25", "time=0.25,", "time=0.25,", Limit(seconds=0.25)),
        ("default:time=2,nodes=9", "nodes=9,time=2,", "nodes=9,time=2,", Limit(nodes=9, seconds=2.0)),
    ],
)
def test_parameters(text: str, learned: str, hand_made: str, limit: Limit) -> None:
    player = make_player(text)
    assert isinstance(player, Default)
    assert player.limit == limit
    assert canonical_text(player.text_for(Board.empty(4, 4))) == canonical_text(
        f"expectimax:{learned}cut=3e-05,bound=2000,eval=network"
    )
    assert canonical_text(player.text_for(Board.empty(4, 3))) == canonical_text(
        f"expectimax:{hand_made}cut=0.0001"
    )


def test_what_is_told_of_it_is_true() -> None:
    player = make_player(DEFAULT_PLAYER)
    assert isinstance(player, Default)
    told = player_info(DEFAULT_PLAYER).formula
    assert canonical_text(player.text_for(Board.empty(4, 4))) in told
    assert canonical_text(player.text_for(Board.empty(3, 3))) in told


@pytest.mark.slow
def test_the_contract() -> None:
    check_player("default:nodes=2000", VARIANTS, moves=4)


def test_a_small_board_loads_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a network was loaded")

    monkeypatch.setattr("twofold.evaluation.learned.read_network", refuse)
    player = make_player("default:nodes=500")
    assert player.decide(State.of(Board.parse("2 4 .|. . .|. . 2"))).move is not None
    with pytest.raises(AssertionError):
        player.decide(State.of(Board.parse("2 4 . .|. . . .|. . 2 .|. . . .")))


def test_loading_counts_as_compiling_not_as_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(text: str) -> Player:
        wait_for(lambda: WATCH.current > 0.05)
        return make_player(text)

    monkeypatch.setattr("twofold.players.default.make_player", slow)
    before = WATCH.seconds
    assert make_player("default:nodes=500").decide(State.of(Board.parse("2 4 .|. . .|. . 2"))).nodes > 0
    assert WATCH.seconds - before > 0.05


def test_it_can_be_stopped() -> None:
    player = make_player("default:time=3600")
    assert isinstance(player, Default)
    player.stop()  # there is nothing to stop yet
    state = State.of(Board.parse("2 4 8|64 32 16|. . 2"))  # minutes, if it were not stopped
    found = []
    thread = threading.Thread(target=lambda: found.append(player.decide(state)), daemon=True)
    thread.start()

    def ended() -> bool:
        player.stop()
        thread.join(0.2)
        return not thread.is_alive()

    wait_for(ended)
    assert found[0].move is not None


def test_a_stop_reaches_both_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    player, stopped = make_player("default:nodes=500"), []
    assert isinstance(player, Default)
    for board in (Board.parse("2 4 . .|. . . .|. . 2 .|. . . ."), Board.parse("2 4 .|. . .|. . 2")):
        player.decide(State.of(board))
    monkeypatch.setattr(Expectimax, "stop", lambda self: stopped.append(self.text))
    player.stop()
    assert stopped == [canonical_text(LEARNED.replace("3000", "500")), "expectimax:nodes=500,cut=0.0001"]


def test_its_meaning_changes_with_the_network_and_with_the_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ("default", "default:nodes=9", "endgame:file=none,then=default", "formation:opening=default")
    texts += ("strongest", "endgame:file=none")
    before = [fingerprint(text) for text in texts]
    assert len(set(before)) == len(texts)
    with monkeypatch.context() as patch:
        patch.setattr("twofold.players.fingerprint.shipped_path", lambda _: tmp_path / "other")
        assert [fingerprint(text) == old for text, old in zip(texts, before, strict=True)] == [False] * 5 + [
            True
        ]
    info = evaluation_info("default")
    first = replace(info.parameters[0], default=info.parameters[0].default + 1)
    monkeypatch.setitem(
        EVALUATIONS._infos, "default", replace(info, parameters=(first, *info.parameters[1:]))
    )
    assert [fingerprint(text) == old for text, old in zip(texts, before, strict=True)] == [
        *[False] * 4,
        True,
        False,
    ]


@pytest.mark.slow
def test_a_game_by_it_is_the_same_game_again() -> None:
    variant = Variant(start=Board.parse("4 8 2 4|2 64 8 2|4 2 32 8|# # 4 2"))
    games = [[state.board for state in positions_of("default:nodes=1000", variant)] for _ in range(2)]
    assert games[0] == games[1]
    assert len(games[0]) > 20


def positions_of(text: str, variant: Variant) -> list[State]:
    from twofold import new_game

    player, game = make_player(text), new_game(variant, 5)
    states = [game.state]
    while not game.is_over and len(states) < 30:
        move = player.decide(game.state).move
        assert move is not None
        game.move(move)
        states.append(game.state)
    return states
