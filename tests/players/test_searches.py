"""Every search against brute force in plain Python, on small boards, packed and as bytes, under every spawn rule."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from tests.players.brute import Brute, Leaf
from tests.thorough import quick_ones
from twofold import Board, Evil, State, Variant, make_player
from twofold.evaluation.registry import make_evaluation
from twofold.players.mcts import Mcts
from twofold.rules import BRICK
from twofold.search import workspace
from twofold.search.expectimax import Searcher

SIZES = ((2, 2), (1, 4), (2, 3), (3, 2), (3, 3), (1, 6))

STYLES = (
    {},
    {"p4": 0.35},
    {"value": "2"},
    {"p4": 1.0},
    {"place": "tl-rows"},
    {"place": "br-columns", "value": "4"},
    {"evil": Evil(1, "empty")},
    {"script": ((1, 2), (0, 1))},
)

OWN_VALUES = ((2, 0.5), (8, 0.3), (16, 0.2))
OWN_STYLES = (
    {"values": OWN_VALUES},
    {"values": ((4, 0.25), (32, 0.75))},
    {"values": OWN_VALUES, "place": "tr-columns"},
    {"values": OWN_VALUES, "evil": Evil(1, "empty")},
    {"values": OWN_VALUES, "script": ((1, 2), (0, 1))},
)


def empties(board: Board, score: int) -> float:
    return float(len(board.empty_cells))


def nothing(board: Board, score: int) -> float:
    return 0.0


EVALS: tuple[tuple[str, Leaf, float], ...] = (("empty", empties, 0.0), ("highscore", nothing, 1.0))


def some_states(count: int, seed: int = 5, styles: tuple[Any, ...] = STYLES) -> list[State]:
    """Random boards, some with bricks, each with a spawn rule; the first spawn of a script is still to come."""
    draw = random.Random(seed)
    found: list[State] = []
    while len(found) < count:
        rows, columns = draw.choice(SIZES)
        cells = [draw.choice((0, 0, 1, 1, 2, 3, draw.randrange(1, 13))) for _ in range(rows * columns)]
        if draw.random() < 0.4:
            cells[draw.randrange(len(cells))] = BRICK
        board = Board(rows, columns, bytes(cells))
        if board.is_dead:
            continue
        variant = replace(Variant(board.without_tiles()), **styles[len(found) % len(styles)])
        found.append(State(variant, board, score=draw.randrange(100)))
    return found


@pytest.fixture(params=quick_ones(["packed", "bytes"], "packed".__eq__))
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways in which a search holds its boards."""
    if request.param == "bytes":
        monkeypatch.setattr(workspace, "packs", lambda evaluation, board: False)
    return str(request.param)


def near(found: tuple[float | None, ...], wanted: tuple[float | None, ...]) -> bool:
    return all(
        (a is None) == (b is None) and (a is None or b is None or abs(a - b) <= 1e-10 * max(1.0, abs(b)))
        for a, b in zip(found, wanted, strict=True)
    )


def check(text: str, wanted: str, states: list[State], depths: tuple[int, ...]) -> None:
    for name, leaf, weight in EVALS:
        for depth in depths:
            player = make_player(text.format(eval=name, depth=depth, steps=depth - 1))
            for state in states:
                brute = Brute(state.variant, leaf, weight, worst=wanted == "worst")
                found = player.decide(state).values
                expected = brute.values(state, depth)
                assert near(found, expected), f"{player.text} on {state}: {found}, not {expected}"


@pytest.mark.parametrize(
    ("text", "wanted"),
    quick_ones(
        [
            ("expectimax:depth={depth},eval={eval}", "mean"),
            ("expectimax:depth={depth},eval={eval},table=0", "mean"),
            ("expectimax:depth={depth},eval={eval},table=3", "mean"),
            ("lookahead:steps={steps},eval={eval}", "mean"),
            ("minimax:depth={depth},eval={eval}", "worst"),
            ("minimax:depth={depth},eval={eval},table=0", "worst"),
            ("minimax:depth={depth},eval={eval},order=0,table=3", "worst"),
        ],
        lambda case: "table" not in case[0] and case[1] == "mean",
    ),
)
def test_search_is_brute_force(text: str, wanted: str, kind: str) -> None:
    check(text, wanted, some_states(40), (1, 2, 3))


@pytest.mark.parametrize(
    ("text", "wanted"),
    quick_ones(
        [
            ("expectimax:depth={depth},eval={eval}", "mean"),
            ("expectimax:depth={depth},eval={eval},table=0", "mean"),
            ("lookahead:steps={steps},eval={eval}", "mean"),
            ("minimax:depth={depth},eval={eval}", "worst"),
        ],
        lambda case: case[0] == "expectimax:depth={depth},eval={eval}",
    ),
)
def test_search_is_brute_force_where_other_tiles_spawn(text: str, wanted: str, kind: str) -> None:
    check(text, wanted, some_states(20, styles=OWN_STYLES), (1, 2, 3))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("expectimax:depth={depth},eval={eval}", "mean"),
        ("lookahead:steps={steps},eval={eval}", "mean"),
        ("minimax:depth={depth},eval={eval}", "worst"),
    ],
)
def test_search_is_brute_force_on_a_thousand_boards(text: str, wanted: str, kind: str) -> None:
    check(text, wanted, some_states(1000, seed=6), (2, 3))


@pytest.mark.parametrize(("name", "leaf", "weight"), EVALS)
# No ties: values of the table are rounded.
@pytest.mark.parametrize("bound", quick_ones([0.53, 0.97, 1.91], (0.97).__eq__))
def test_a_bound_is_brute_force(name: str, leaf: Leaf, weight: float, bound: float, kind: str) -> None:
    left_out = 0
    for depth in (2, 3):
        player = make_player(f"expectimax:depth={depth},eval={name},bound={bound}")
        for state in some_states(40, seed=7):
            found = player.decide(state)
            brute = Brute(state.variant, leaf, weight, bound=bound)
            assert near(found.values, brute.values(state, depth)), f"{player.text} on {state}"
            left_out += found.pruned
    assert left_out


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), [("empty", 16.0), ("highscore", 1e9)])
def test_a_bound_that_no_search_exceeds_changes_nothing(name: str, most: float, kind: str) -> None:
    for table in (18, 0):
        whole = make_player(f"expectimax:depth=3,eval={name},table={table}")
        bounded = make_player(f"expectimax:depth=3,eval={name},table={table},bound={most}")
        for state in some_states(40, seed=8):
            assert bounded.decide(state).values == whole.decide(state).values


def test_another_bound_finds_nothing_of_the_one_before() -> None:
    """What the table keeps was searched with its bound."""
    state = State.of(Board.parse("2 4 8 2|. . 4 .|. 2 . .|. . . ."))
    searcher = Searcher(make_evaluation("highscore"))
    searcher.start(state, depth=4)
    found = [searcher.search(4, bound=bound) for bound in (4.0, 400.0, 0.0)]
    wanted = [
        make_player(f"expectimax:depth=4,eval=highscore,bound={b}").decide(state).values for b in (4, 400, 0)
    ]
    assert found == wanted
    assert found[0] != found[2]


@pytest.mark.slow
def test_random_model_ignores_the_spawn_rule(kind: str) -> None:
    for state in some_states(24):
        plain = Variant(state.variant.start, p4=state.variant.p4, value=state.variant.value)
        for name, leaf, weight in EVALS:
            expected = Brute(plain, leaf, weight).values(state, 2)
            found = make_player(f"expectimax:depth=2,eval={name},model=random").decide(state).values
            assert near(found, expected)


def check_adls(states: list[State], samples: int) -> None:
    for name, leaf, weight in EVALS:
        for depth in (1, 2, 3):
            player = make_player(f"adls:depth={depth},samples={samples},eval={name}")
            for number, state in enumerate(states):
                brute = Brute(state.variant, leaf, weight)
                key = 0x9E3779B97F4A7C15 * (number + 1) & (1 << 64) - 1
                evil = state.variant.evil is not None
                expected = brute.values(state, depth) if evil else brute.sampled(state, depth, key, samples)
                assert near(player.decide(state, key).values, expected), f"{player.text} on {state}"


@pytest.mark.slow
def test_adls_is_the_mean_over_its_own_sampled_trees(kind: str) -> None:
    check_adls(some_states(40), 7)


@pytest.mark.slow
def test_adls_is_the_mean_over_its_own_sampled_trees_on_a_thousand_boards(kind: str) -> None:
    check_adls(some_states(1000, seed=7), 5)


BIG = (
    "32768 32768 2 4|4 2 8 2|2 16 . .|4 2 8 2",
    "65536 32768 32768 4|4 2 8 2|2 16 4 .|4 2 8 2",
    "65536 65536 2 4|4 2 8 2|2 16 4 .|4 2 8 2",
    "131072 32768 16384 16384|4 2 8 2|2 16 4 .|4 2 8 2",
    "32768 16384 16384 4|4 2 8 2|2 16 4 .|4 2 8 2",
)


@pytest.mark.slow
@pytest.mark.parametrize("text", BIG)
def test_tiles_above_32768_arise_inside_a_search(text: str) -> None:
    state = State.of(Board.parse(text))
    for name, leaf, weight in EVALS:
        for player, worst in (("expectimax", False), ("minimax", True)):
            found = make_player(f"{player}:depth=3,eval={name}").decide(state).values
            assert near(found, Brute(state.variant, leaf, weight, worst).values(state, 3)), player
        found = make_player(f"adls:depth=3,samples=3,eval={name}").decide(state, 9).values
        assert near(found, Brute(state.variant, leaf, weight).sampled(state, 3, 9, 3))


@pytest.mark.slow
def test_lookahead_of_full_depth_is_exact() -> None:
    """Expected score of the game on 2x2: 66.9641494571012598631936048 by exact backward induction."""
    player = make_player("lookahead:steps=30,eval=highscore,table=20")
    total = 0.0
    for cells, probability in EXACT_STARTS:
        state = State(Variant.of_size(2, 2), Board(2, 2, bytes(cells)))
        value = player.decide(state).value
        assert value is not None
        total += probability * value
    assert total == pytest.approx(66.9641494571012598631936048, rel=1e-11)


EXACT_STARTS = tuple(
    (tuple({a: ra, b: rb}.get(cell, 0) for cell in range(4)), pa * pb / 6)
    for a in range(4)
    for b in range(a + 1, 4)
    for ra, pa in ((1, 0.9), (2, 0.1))
    for rb, pb in ((1, 0.9), (2, 0.1))
)
"""The starts: two tiles on two of the four cells, as ranks in reading order, with their probability."""


@pytest.mark.slow
@pytest.mark.parametrize(("board", "close"), [("4 2|2 .", 0.1), ("8 2|4 4", 0.01), ("32 2|4 2", 0.01)])
def test_uct_approaches_expectimax(board: str, close: float) -> None:
    state = State(Variant.of_size(2, 2), Board.parse(board), score=0)
    exact = make_player("lookahead:steps=30,eval=highscore,table=20").decide(state).values
    errors = []
    for iterations in (100, 2000, 40000):
        found = make_player(f"mcts:iterations={iterations}").decide(state, 3).values
        errors.append(
            max(abs(a - b) for a, b in zip(found, exact, strict=True) if a is not None and b is not None)
        )
    assert errors[2] < errors[0]
    assert errors[2] < close * max(value for value in exact if value is not None), errors


def test_a_full_tree_is_still_descended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twofold.players.mcts.MOST_NODES", 40)
    player = make_player("mcts:iterations=3000")
    player.decide(State.of(Board.parse("2 4|4 .")), 3)
    assert isinstance(player, Mcts)
    visits = player.tree.visits
    assert len(visits) <= 40
    assert visits[0] == 3000
    # Nodes are made in the order of discovery, so the last ones lie deep: full, the tree still visits them.
    assert visits[20:40].sum() > 1500


def test_probability_cuts_prune() -> None:
    state = State.of(Board.parse("2 4 8 2|. . 4 .|. 2 . .|. . . ."))
    whole = make_player("expectimax:depth=4").decide(state)
    assert whole.pruned == 0
    assert whole.table_hits > 0
    assert make_player("expectimax:depth=4,table=0").decide(state).table_hits == 0
    for option in ("cut=0.001", "four_cut=0.05", "bound=4"):
        some = make_player(f"expectimax:depth=4,{option}").decide(state)
        assert some.pruned > 0
        assert some.nodes < whole.nodes
