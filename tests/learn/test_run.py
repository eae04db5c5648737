"""Training from Python: what it leaves behind, and that it refuses what the command refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from twofold import Variant
from twofold.errors import InvalidFile, InvalidParameter
from twofold.evaluation.weights import load_network
from twofold.learn import CurvePoint, TrainingSettings, TupleStart, read_curve, train

SMALL = Variant.of_size(2, 3)


@pytest.mark.parametrize(
    ("wrong", "part"),
    [
        ({"within": 3.0}, "give --explore too"),
        ({"lanes": 8}, "--lanes is for --device cuda"),
        ({"device": "tpu"}, "neither cpu nor cuda"),
        ({"games": None}, "length of training"),
    ],
)
def test_settings_that_do_not_fit_together(wrong: dict[str, Any], part: str) -> None:
    with pytest.raises(InvalidParameter, match=part):
        TrainingSettings(**({"games": 1} | wrong))


@pytest.mark.parametrize(
    ("wrong", "part"),
    [
        ({"promote": True}, "to a trained network"),
        ({"forget": 0.5}, "to a trained network"),
        ({"trust": 0.5}, "to a trained network"),
        ({"resume": "a", "fall": 1.0}, "for a new network"),
        ({"resume": "a", "trust": 2.0}, "at most 1"),
        ({"optimistic": float("inf")}, "--optimistic inf"),
    ],
)
def test_starts_that_do_not_fit_together(wrong: dict[str, Any], part: str) -> None:
    with pytest.raises(InvalidParameter, match=part):
        TupleStart(**wrong)


@pytest.mark.parametrize("wrong", [{"forget": 0.5}, {"trust": 0.5}])
def test_what_is_for_temporal_coherence_alone(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameter, match="is for --method tc"):
        TupleStart(resume="a", **wrong).network("td")


def test_training_leaves_a_network_and_its_curve(tmp_path: Path) -> None:
    target = tmp_path / "a.2048net"
    seen: list[CurvePoint] = []
    start = TupleStart(variant=SMALL, optimistic=100.0)
    run = train(TrainingSettings(games=50, seed=1), start, out=str(target), watch=seen.append)
    assert run.figures["games"] == seen[-1].games == read_curve(run.curve.path)["games"][-1] == 50
    network = load_network(target)
    assert (network.origin["games"], network.design.variant) == ("50", SMALL)
    assert network.origin["command"] == "twofold.learn.train"
    # It isn't written over by another run; one that goes on with it may.
    with pytest.raises(InvalidFile, match="already exists"):
        train(TrainingSettings(games=1), start, out=str(target))
    on = train(TrainingSettings(games=10), TupleStart(resume=str(target)))
    assert on.figures["games"] == int(load_network(target).origin["games"]) == 60
    with pytest.raises(InvalidParameter, match="not for 3x3"):
        train(TrainingSettings(games=1), TupleStart(resume=str(target), variant=Variant.of_size(3, 3)))
    with pytest.raises(InvalidParameter, match="with --out"):
        train(TrainingSettings(games=1), TupleStart(resume=str(target), trust=0.1))


def test_who_is_killed_before_the_curve_is_there_can_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.2048net"

    def killed(*_: object, **__: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr("twofold.learn.run.Curve", killed)
        with pytest.raises(SystemExit):
            train(TrainingSettings(games=10), TupleStart(variant=SMALL), out=str(target))
    assert [each.name for each in tmp_path.iterdir()] == ["a.2048net"]
    run = train(TrainingSettings(games=10), TupleStart(resume=str(target)))
    assert run.figures["games"] == read_curve(run.curve.path)["games"][-1] == 10
