"""Reviews: the sum that must hold, exact values, the planted blunder, luck without a bias, and what is told."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ui.command import here
from twofold import coach
from twofold.coach.report import graph, lines, page, summary
from twofold.coach.reviewing import GRADES, Review, accuracy_of, grade_of, review
from twofold.coach.values import Solved, model_for
from twofold.errors import InvalidParameter
from twofold.evaluation.registry import make_evaluation
from twofold.exact.policy_file import save_policy
from twofold.exact.problem import MAX_EXPECTED_SCORE, Problem
from twofold.exact.small import solve_position
from twofold.exact.solver import solve
from twofold.matches.play import move_key, new_game
from twofold.players.registry import make_player
from twofold.records.record import Record
from twofold.rules.game import Game
from twofold.rules.spawn import spawns_of
from twofold.rules.state import State
from twofold.rules.variant import Variant
from twofold.search.expectimax import Searcher


def played(player: str, variant: str = "4x4", seed: int = 1, index: int = 0, most: int = 10_000) -> Game:
    chooser, game = make_player(player), new_game(variant, seed, index=index)
    while not game.is_over and game.moves < most:
        move = chooser.decide(game.state, move_key(game)).move
        assert move is not None
        game.move(move)
    return game


def adds_up(found: Review) -> None:
    assert found.start_value + found.luck - found.loss == pytest.approx(found.score, rel=1e-9, abs=1e-6)
    assert found.loss == pytest.approx(math.fsum(move.loss for move in found.moves))
    for move, after in zip(found.moves, found.moves[1:], strict=False):
        assert move.value - move.loss + move.luck == pytest.approx(after.value, abs=1e-5)
    for move in found.moves:
        assert move.loss >= 0
        assert move.loss == 0 or move.move != move.best
        assert move.grade == grade_of(move.share)
    assert 0 <= found.accuracy <= 100
    assert 0 <= found.percentile <= 100


@pytest.mark.parametrize(
    ("variant", "player"),
    [
        ("2x2", None),
        ("2x3", None),
        ("2x3;spawn=tl-rows", None),
        pytest.param("1x5;p4=0.5", None, marks=pytest.mark.slow),
        ("4x4", "expectimax:depth=2,eval=highscore"),
        ("3x3;p4=0.3", "expectimax:depth=2,eval=order"),
        ("3x4", "expectimax:depth=3,eval=highscore"),
        ("4x4;spawn=br-columns", "expectimax:depth=2,eval=highscore"),
        ("3x3;spawn=script:0@2,4@4,8@2,1@2", "expectimax:depth=2,eval=highscore"),
        ("3x3;spawn=evil:depth=1,eval=empty", "expectimax:depth=2,eval=highscore"),
    ],
)
def test_start_value_and_luck_less_losses_is_the_score(variant: str, player: str | None) -> None:
    for seed in range(2):
        game = played("random", variant, seed, most=60)
        found = review(game, player)
        adds_up(found)
        assert len(found.moves) == game.moves
        if game.is_over:
            assert found.score == game.score


@pytest.mark.slow  # compiles four searches for both kinds of boards
@settings(max_examples=8)
@given(
    st.sampled_from(["network", "neural", "highscore", "order"]),
    st.sampled_from(
        ["4x4", "4x4;p4=0.5", "4x4;spawn=tl-rows", "3x3", "2x5", "map=. . .|. x .|. . .", "3x3;p4=1"]
    ),
    st.sampled_from(["random", "greedy"]),
    st.integers(0, 2**32),
    st.integers(1, 40),
)
def test_the_sum_holds_on_every_evaluation_that_counts_points(
    evaluation: str, variant: str, player: str, seed: int, most: int
) -> None:
    if evaluation in ("network", "neural") and not variant.startswith("4x4"):
        evaluation = "highscore"
    adds_up(review(played(player, variant, seed, most=most), f"expectimax:depth=2,eval={evaluation}"))


def test_a_policy_file_makes_a_review_exact(tmp_path: Path) -> None:
    """As the solution that is made where the game is small; a file of another game, or of a target, is refused."""
    problem = Problem(Variant.parse("2x3"), MAX_EXPECTED_SCORE)
    file = tmp_path / "game.2048exact"
    save_policy(file, solve(problem))
    game = played("random", "2x3", 8)
    found = review(game, f"optimal:file={file}")
    assert found.exact
    assert found.facts() == review(game).facts() == review(game, "optimal").facts()
    with pytest.raises(InvalidParameter, match="knows the game"):
        review(played("random", "2x2", 8), f"optimal:file={file}")
    save_policy(file, solve(Problem(Variant.parse("2x3;target=32"))))
    with pytest.raises(InvalidParameter, match="doesn't count points"):
        review(game, f"optimal:file={file}")
    with pytest.raises(InvalidParameter, match="exact solve 3x3 --score --out FILE"):
        review(played("random", "3x3", 8, most=5))


@pytest.mark.parametrize("variant", ["2x2", "2x3", "2x2;p4=0.5"])
def test_exact_losses_are_exact(variant: str) -> None:
    """Against the solution asked position by position; luck against the values of all tiles that could have come."""
    game = played("random", variant, 3)
    found = review(game)
    assert found.exact
    for move, moved in zip(found.moves, game.moved, strict=True):
        position = solve_position(moved.before)
        values = {each.direction: each.value for each in position.moves}
        assert move.value == pytest.approx(moved.before.score + position.value, rel=1e-6)
        assert move.loss == pytest.approx(max(values.values()) - values[moved.direction], rel=1e-6, abs=1e-6)
        after = solve_position(moved.state).value if moved.state.legal_moves() else 0.0
        assert move.luck == pytest.approx(
            moved.slide.reward + after - values[moved.direction], rel=1e-6, abs=1e-6
        )


@pytest.mark.slow
def test_luck_averages_to_nothing_whoever_plays() -> None:
    """500 games of players good and bad, on a board whose values are known."""
    for player in ("random", "greedy", "optimal"):
        lucks, errors = [], []
        for index in range(500):
            found = review(played(player, "2x2", 9, index))
            lucks.append(found.luck)
            errors.append(found.luck_error)
        mean = math.fsum(lucks) / 500
        spread = math.sqrt(math.fsum((luck - mean) ** 2 for luck in lucks) / 499)
        assert abs(mean) < 4 * spread / math.sqrt(500)
        assert spread == pytest.approx(
            math.sqrt(math.fsum(error**2 for error in errors) / 500), rel=0.5
        )  # rare large tiles of luck


@pytest.mark.parametrize("seed", [0, 2, 7])
def test_the_percentile_is_the_share_of_games_with_less_luck(seed: int) -> None:
    """Against every tile that could have come, in games whose luck is far from normal."""
    game = played("random", "2x2", seed, most=3)
    found = review(game)
    sums = {0.0: 1.0}
    for moved in game.moved:
        mine = next(m.value for m in solve_position(moved.before).moves if m.direction == moved.direction)
        tiles = []
        for board, chance in spawns_of(moved.before.variant, moved.slide.board):
            state = State(moved.before.variant, board)
            after = solve_position(state).value if state.legal_moves() else 0.0
            tiles.append((moved.slide.reward + after - mine, chance))
        added: dict[float, float] = {}
        for (luck, share), (more, chance) in itertools.product(sums.items(), tiles):
            total = round(luck + more, 2)
            added[total] = added.get(total, 0.0) + share * chance
        sums = added
    less = 100 * math.fsum(share for luck, share in sums.items() if luck < found.luck - 0.1)
    assert found.percentile == pytest.approx(less, abs=5)
    assert abs(50 * (1 + math.erf(found.luck / found.luck_error / 2**0.5)) - less) > 5


def test_long_games_draw_from_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    game = played("greedy", seed=3, most=200)
    whole = review(game, "expectimax:depth=2,eval=highscore")
    monkeypatch.setattr("twofold.coach.reviewing._LOOKED_AT", 0)
    assert review(game, "expectimax:depth=2,eval=highscore").percentile == pytest.approx(
        whole.percentile, abs=10
    )


def test_a_planted_blunder_is_named() -> None:
    game = new_game("2x3", 4)
    planted = 0
    while not game.is_over:
        values = {each.direction: each.value for each in solve_position(game.state).moves}
        worst = min(values, key=lambda direction: values[direction])
        if not planted and game.moves >= 6 and max(values.values()) - values[worst] > 20:
            game.move(worst)
            planted = game.moves
            continue
        game.move(max(values, key=lambda direction: values[direction]))
    assert planted
    found = review(game)
    assert [move.number for move in found.worst] == [planted]
    assert any(f"move {planted}:" in line for line in lines(found))
    assert "Move " in page(found)


def test_a_game_that_goes_on_is_worth_what_may_come() -> None:
    game = played("random", "2x3", 2, most=5)
    found = review(Record.of(game))
    adds_up(found)
    assert found.score == pytest.approx(game.score + solve_position(game.state).value)
    assert "what may still come" in lines(found)[0]


@pytest.mark.parametrize("at", [0, 4])
@pytest.mark.parametrize("change", [{"value": "4"}, {"place": "tl-rows", "value": "2"}])
def test_spawns_changed_in_the_game_are_judged_by_the_rules_of_their_move(
    at: int, change: dict[str, str]
) -> None:
    game = Game(Variant.parse("2x3"), 6)
    while not game.is_over and game.moves < 20:
        if game.moves == at:
            assert game.change_spawns(**change)
        game.move(game.legal_moves()[-1])
    assert game.moves > at + 4
    found = review(Record.of(game))
    adds_up(found)
    for move, moved in zip(found.moves, game.moved, strict=True):
        position = solve_position(moved.before)
        mine = next(each.value for each in position.moves if each.direction == moved.direction)
        after = solve_position(moved.state).value
        assert move.estimate == pytest.approx(moved.before.score + position.value)
        assert move.loss == pytest.approx(position.value - mine, abs=1e-9)
        assert move.luck == pytest.approx(moved.slide.reward + after - mine, abs=1e-9)


def test_a_review_broken_off_keeps_what_is_done() -> None:
    game = played("random", "2x3", 2)
    solved = model_for(game.state)
    assert isinstance(solved, Solved)

    class Tired:
        text, exact, calls = "tired", True, 0

        def moves(self, states):  # type: ignore[no-untyped-def]
            self.calls += 1
            if self.calls > 1:
                raise KeyboardInterrupt
            return solved.moves(states)

        def best(self, states):  # type: ignore[no-untyped-def]
            return solved.best(states)

    import twofold.coach.reviewing as module

    before, module._CHUNK = module._CHUNK, 3
    try:
        found = review(game, model=Tired())
    finally:
        module._CHUNK = before
    assert not found.complete
    assert len(found.moves) == 3
    adds_up(found)


@pytest.mark.parametrize(
    "variant",
    ["4x4", "4x4;spawn=br-rows", "3x3;spawn=script:0@2,4@4,8@2,1@2", "3x3;spawn=evil:depth=1,eval=empty"],
)
def test_a_game_searched_as_a_whole_has_the_values_of_its_positions(variant: str) -> None:
    """Whatever was found of the others before, and at whatever depth."""
    evaluation = make_evaluation("network" if variant.startswith("4x4") else "highscore")
    states = [moved.before for moved in played("greedy", variant, 3, most=120).moved]
    game, alone = Searcher(evaluation), Searcher(evaluation)
    for depth in (2, 3, 1, 3):
        for state, found in zip(states, game.search_many(states, depth), strict=True):
            alone.start(state, depth=depth)
            assert np.array_equal(found, np.array(alone.search(depth)), equal_nan=True)


def test_tiles_that_are_placed_are_not_called_luck_of_the_draw() -> None:
    for variant, drawn in (("2x2", True), ("3x3;spawn=script:0@2,4@4,8@2,1@2", False)):
        found = review(played("random", variant, most=2), "expectimax:depth=2,eval=highscore")
        assert len(repr(found)) < 400
        assert ("games have less" in summary(found)[2]) == drawn
        assert ("not drawn by chance" in summary(found)[2]) != drawn


def test_what_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="no move to review"):
        review(Game())
    game = played("random", "3x4", most=3)
    with pytest.raises(InvalidParameter, match="counts points on"):
        review(game)
    with pytest.raises(InvalidParameter, match="doesn't count points"):
        review(game, "expectimax:depth=2,eval=snake")
    with pytest.raises(InvalidParameter, match="no evaluation to review with"):
        review(game, "greedy")


def test_grades_and_accuracy_fall_with_the_loss() -> None:
    assert [grade_of(share) for share in (0, 0.002, 0.009, 0.03, 0.5)] == list(GRADES)
    assert accuracy_of(0) == 100
    assert accuracy_of(0.001) > accuracy_of(0.01) > accuracy_of(0.5) > 0


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = played("random", "2x3", 5)
    path = tmp_path / "game.json"
    path.write_text(Record.of(game).to_json())
    facts = here(capsys, "review", str(path), "--json").json()
    assert set(facts) >= {"score", "start_value", "luck", "loss", "accuracy", "moves"}
    assert set(facts["moves"][0]) >= {"number", "move", "best", "value", "loss", "luck", "grade"}
    assert facts["score"] == game.score
    assert facts["start_value"] + facts["luck"] - facts["loss"] == pytest.approx(game.score)
    told = here(capsys, "review", str(path)).out
    assert "known exactly" in told
    out = tmp_path / "page.html"
    assert here(capsys, "review", str(path), "--out", str(out)).code == 0
    assert "http" not in out.read_text().replace("http://www.w3.org/2000/svg", "")
    assert "is not a whole number" in here(capsys, "review", str(path), "--depth", "x").refusal()
    assert coach.review is review


def test_the_graph_is_svg_of_any_length() -> None:
    found = review(played("random", "2x3", 5))
    root = ElementTree.fromstring(graph(found))
    assert root.tag == "svg"
    assert len(root.findall("polyline")) == 2
