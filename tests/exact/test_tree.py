"""Decision trees and graphs: values, kinds, stepping, drawings."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter

import pytest

from tests.exact.brute import Brute
from tests.exact.test_solve import problem
from twofold import Board, Direction, IllegalMove, InvalidLimit, State, Variant, make_player
from twofold.errors import InvalidSpawn, UnknownFormat
from twofold.exact.diagrams import FORMATS, draw
from twofold.exact.solver import solve
from twofold.exact.tree import Tree, build

TWOS = Variant.parse("2x2;value=2")


def counts(tree: Tree) -> Counter[str]:
    return Counter(node.kind for node, _ in tree.nodes())


@pytest.mark.parametrize(("target", "text"), [(16, "2 2|. ."), (32, "2 .|. 2"), (None, "4 2|. .")])
def test_the_whole_graph_is_the_solved_game(target: int | None, text: str) -> None:
    board = Board.parse(text)
    tree = build(board, Variant(start=board), target=target)
    solved = solve(problem(text, target, symmetric=False))
    assert tree.root.value == pytest.approx(solved.value, rel=1e-12)
    states = [node for node, _ in tree.nodes() if node.waits_for_move]
    after = [node for node, _ in tree.nodes() if not node.waits_for_move and not node.won]
    assert (len(states), len(after)) == (solved.states, solved.afterstates)
    merged = build(board, Variant(start=board), target=target, symmetric=True)
    assert merged.root.value == pytest.approx(solved.value, rel=1e-12)
    assert sum(counts(merged).values()) < sum(counts(tree).values()) / 4


def test_s2s_tree_of_2x2_with_2s_only() -> None:
    board = Board.parse("2 2|. .")
    graph = build(board, TWOS, target=16)
    brute = Brute(Variant.parse("map=2 2|. .;value=2"), 16)
    assert graph.root.value == pytest.approx(float(brute.value()), rel=1e-12)
    with pytest.raises(InvalidLimit, match="more than 10,000 nodes"):
        build(board, TWOS, target=16, merged=False, most=10_000)
    tree = build(board, TWOS, target=8, merged=False)
    assert tree.root.value == build(board, TWOS, target=8).root.value
    assert sum(counts(tree).values()) > 2 * sum(counts(build(board, TWOS, target=8)).values())


@pytest.mark.parametrize("merged", [True, False])
def test_a_limited_tree_says_what_expectimax_says(merged: bool) -> None:
    board = Board.parse("2 4 .|. 8 2|. . .")
    tree = build(board, Variant(start=board), depth=2, evaluation="default", merged=merged)
    decision = make_player("expectimax:depth=2,eval=default").decide(State.of(board))
    for mine, theirs in zip(tree.values, decision.values, strict=True):
        assert mine == pytest.approx(theirs, rel=1e-9) if theirs is not None else mine is None
    assert {node.note for node, _ in tree.nodes() if node.kind == "leaf"} == {"cut"}


def test_an_adversary_takes_the_least() -> None:
    board = Board.parse("2 2|. .")
    fair, worst = (build(board, Variant(start=board), target=16, worst=each) for each in (False, True))
    assert worst.root.value == 0 < fair.root.value
    assert counts(worst)["min"]
    assert not counts(worst)["chance"]
    assert build(board, Variant(start=board), target=8, worst=True).root.value == 1


@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize("depth", [2, 3])
def test_a_step_keeps_what_is_below(merged: bool, depth: int) -> None:
    board = Board.parse("2 2|. .")
    variant = Variant(start=board)
    tree = build(board, variant, depth=depth, evaluation="empty", merged=merged)
    before = sum(counts(tree).values())
    assert (tree.made, tree.kept) == (before, 0)
    tree.step(Direction.LEFT, 3, 1)
    after = Board.parse("4 .|. 2")
    fresh = build(after, variant, depth=depth, evaluation="empty", merged=merged)
    assert tree.root.board == after
    assert (tree.root.value, tree.values, counts(tree)) == (fresh.root.value, fresh.values, counts(fresh))
    assert 0 < tree.kept < before
    assert tree.kept + tree.made == fresh.made
    with pytest.raises(IllegalMove):
        build(Board.parse("2 .|. ."), variant, depth=1).step(Direction.UP, 0, 1)
    with pytest.raises(InvalidSpawn):
        tree.step(Direction.LEFT, 0, 3)


def test_a_whole_tree_needs_nothing_new_after_a_step() -> None:
    board = Board.parse("2 2|. .")
    tree = build(board, Variant(start=board), target=16)
    tree.step(Direction.LEFT, 3, 1)
    assert tree.made == 0
    assert tree.root.value == build(Board.parse("4 .|. 2"), Variant(start=board), target=16).root.value


def test_drawings() -> None:
    board = Board.parse("2 .|4 4")
    tree = build(board, TWOS, depth=1)
    assert draw(tree, "text").splitlines()[0] == "2 .|4 4  max 8"
    assert len(draw(tree, "text").splitlines()) == sum(counts(tree).values())
    dot = draw(tree, "dot")
    assert dot.startswith("digraph")
    assert dot.count("->") == len(tree.root.edges or ())
    mermaid = draw(tree, "mermaid")
    assert mermaid.startswith("flowchart TD")
    assert "LEFT +8" in mermaid
    root = ET.fromstring(draw(tree, "svg"))
    assert root.tag.endswith("svg")
    assert len(root.findall(".//{http://www.w3.org/2000/svg}svg")) == sum(counts(tree).values())
    with pytest.raises(UnknownFormat, match="did you mean 'svg'"):
        draw(tree, "svgg")
    with pytest.raises(InvalidLimit, match="too many for a picture"):
        draw(build(Board.parse("2 2 .|. . ."), Variant.parse("2x3"), depth=7), "dot")
    assert set(FORMATS) == {"text", "dot", "mermaid", "svg"}


def test_a_shared_position_is_shown_once() -> None:
    text = draw(build(Board.parse("2 2|. ."), TWOS, target=8), "text")
    assert "see above" in text
    assert text.count("\n") < 200
