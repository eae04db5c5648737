"""Which weights an evaluation has, and texts of players with other weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from twofold.errors import InvalidParameter, UnknownEvaluation
from twofold.evaluation.registry import list_evaluations, make_evaluation
from twofold.tune.fitness import Fitness
from twofold.tune.space import Space, check_player


def test_every_evaluation_with_numbers_can_be_tuned() -> None:
    tuned = 0
    for info in list_evaluations():
        try:
            space = Space.of(info.name)
        except InvalidParameter as refusal:
            assert "no weights" in str(refusal)
            continue
        tuned += 1
        rng = np.random.default_rng(1)
        for weights in (space.start, space.draw(rng), space.rounded([1e9] * len(space.genes))):
            text = space.text(weights)
            assert space.weights_of(text) == weights
            make_evaluation(text)
    assert tuned >= 8


def test_a_function_in_a_file_can_be_tuned(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "def worth(ranks, corner: float = 2.0, free: float = 1.0):\n    return corner * ranks[0, 0]\n"
    )
    space = Space.of(f"{file}:worth")
    assert space.names == ("corner", "free")
    assert "corner=5" in space.text((5.0, 1.0))


def test_s0_has_six_weights() -> None:
    space = Space.of("chain:along=1")
    assert space.names == ("largest", "monotonicity", "empty", "chain", "shift", "adjacent")
    assert space.text((1.0, 2.0, 3.0, 4.0, 5.0, 6.0)) == (
        "chain(largest=1,monotonicity=2,empty=3,chain=4,shift=5,adjacent=6,along=1)"
    )
    player = space.player("chain:mode=mean", (1.0, *space.start[1:]))
    assert player == "chain:mode=mean,eval=chain(largest=1,along=1)"


def test_ranges() -> None:
    one, other = Space.of("chain", ["largest", "empty"], ["0..5", "empty=-3..3"]).genes
    assert (one.low, one.high, one.unit) == (0, 5, 0.1)
    assert (other.low, other.high) == (-3, 3)
    assert [one.value(i) for i in (0, 1, 50)] == [0, 0.1, 5]
    assert one.count == 51
    assert one.number(2.04) == 20
    assert Space.of("default", ["mono_power"]).genes[0].low == 0  # its minimum


@pytest.mark.parametrize(
    ("names", "ranges", "told"),
    [
        (["larges"], [], "did you mean"),
        (["empty", "empty"], [], "twice"),
        (None, ["5..1"], "LOW..HIGH"),
        (None, ["nonsense"], "'nonsense'"),
        (None, ["1.2.3..4"], "LOW..HIGH"),
        (None, ["dead=0..1"], "not for a weight"),
    ],
)
def test_refusals(names: list[str] | None, ranges: list[str], told: str) -> None:
    with pytest.raises(InvalidParameter, match=told):
        Space.of("chain", names, ranges)


def test_more_refusals() -> None:
    with pytest.raises(UnknownEvaluation, match="chian"):
        Space.of("chian")
    with pytest.raises(InvalidParameter, match="beyond 0 to 8"):
        Space.of("default", ["mono_power"], ["0..9"])
    with pytest.raises(InvalidParameter, match="takes no evaluation"):
        check_player("greedy")
    with pytest.raises(InvalidParameter, match="leave eval out"):
        check_player("expectimax:eval=snake")
    with pytest.raises(InvalidParameter, match="other weights"):
        Space.of("chain").weights_of("snake")


def test_fitness() -> None:
    scores, tiles = [1023, 4095, 0], [64, 256, 4]
    assert Fitness.parse("s0").of_games(scores, tiles).mean() == 108
    # S0's words: the sum over tiles of the tile times the chance that it is the best one.
    assert sum(tile * tiles.count(tile) / 3 for tile in set(tiles)) == pytest.approx(108)
    assert Fitness.parse("mean-score").of_games(scores, tiles).mean() == 1706
    assert Fitness.parse("log-score").of_games(scores, tiles).tolist() == [10, 12, 0]
    assert Fitness.parse("rate:64").of_games(scores, tiles).tolist() == [1, 1, 0]
    for wrong in ("rate:63", "rate:", "rate:2", "s1", "", "rate:" + "9" * 99):
        with pytest.raises(InvalidParameter, match="fitness"):
            Fitness.parse(wrong)
