"""Decision trees and their merged form, built from a position: whole, or to a depth with an evaluation.

Four kinds of node, as in report S2's figure 1: a *max* node is a state (the player chooses), a *chance* node an
afterstate (a tile spawns), a *min* node an afterstate where an adversary spawns the worst tile, a *leaf* is an end:
no move left, the target made, or the afterstate where a limited search stops. As a tree every path has nodes of its
own; as a graph (report S4, 3.2) equal positions are one node. `step` walks to a child and keeps all that lies below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from twofold.errors import IllegalMove, InvalidLimit, InvalidSpawn, quote
from twofold.evaluation.base import EvaluationLike
from twofold.exact.problem import weighted_mean
from twofold.exact.states import check_variant, symmetric_images
from twofold.registry import load_attribute
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS, Direction
from twofold.rules.spawn import spawns_of
from twofold.rules.variant import Variant

MOST_NODES = 200_000
"""The most nodes of a tree, unless another number is given."""


@dataclass(slots=True, eq=False)
class Edge:
    """A move (`UP`, its points as reward) or a spawn (`2@3`: a 2 on cell 3, with its probability) and what follows."""

    label: str
    node: Node
    probability: float = 1.0
    reward: int = 0


@dataclass(slots=True, eq=False)
class Node:
    """A position. ply: moves made since the first root. note: why a leaf ends: `won`, `lost` or `cut`."""

    waits_for_move: bool
    board: Board
    ply: int
    won: bool = False
    edges: list[Edge] | None = None
    kind: str = "leaf"
    value: float = 0.0
    note: str = ""


@dataclass(slots=True)
class Tree:
    """A decision tree, or graph; `build` makes it, `step` moves on in it.

    target: the rank that wins; None: values are points to come. depth: moves looked ahead, None for all.
    evaluate: the value of a cut afterstate; reward: what points count beside it. merged: a graph.
    worst: spawns are an adversary's. kept, made: nodes taken over and newly made by the last `build` or `step`.
    """

    variant: Variant
    target: int | None
    depth: int | None
    evaluate: Callable[[Board], float]
    reward: float
    dead: float
    merged: bool
    symmetric: bool
    worst: bool
    most: int
    root: Node = field(init=False)
    kept: int = 0
    made: int = 0
    _pool: dict[tuple[bool, Board, int], Node] = field(default_factory=dict)

    def __repr__(self) -> str:
        root, nodes = self.root, self.made + self.kept
        return f"Tree({str(root.board)!r}: {root.kind} {root.value:.6g}, {nodes:,} nodes)"

    def _repr_svg_(self) -> str:
        """What a notebook shows. Raises InvalidLimit for a tree too large for a picture."""
        return str(load_attribute("twofold.exact.diagrams:draw")(self, "svg"))

    # Building

    def _node(self, board: Board, ply: int, *, waits_for_move: bool, won: bool = False) -> Node:
        if self.symmetric:
            board = min(symmetric_images(board), key=lambda image: image.cells)
        key = (waits_for_move, board, -1 if won else ply if self.depth is not None else 0)
        found = self._pool.get(key) if self.merged else None
        if found is None:
            self.made += 1
            if self.made > self.most:
                raise InvalidLimit(
                    f"the tree has more than {self.most:,} nodes: give a depth, a smaller board or more --most"
                )
            found = Node(waits_for_move, board, ply, won)
            if self.merged:
                self._pool[key] = found
        return found

    def _expand(self, node: Node) -> None:
        node.edges = []
        if node.won:
            return
        if node.waits_for_move:
            for direction in node.board.legal_moves():
                slide = node.board.slide(direction)
                won = self.target is not None and slide.makes(self.target)
                child = self._node(slide.board, node.ply + 1, waits_for_move=False, won=won)
                node.edges.append(Edge(direction.name, child, 1.0, slide.reward))
            return
        for after, p in spawns_of(self.variant, node.board):
            cell = next(
                i for i, (a, b) in enumerate(zip(after.cells, node.board.cells, strict=True)) if a != b
            )
            child = self._node(after, node.ply, waits_for_move=True)
            node.edges.append(Edge(f"{1 << after.cells[cell]}@{cell}", child, p))

    def _is_cut(self, node: Node) -> bool:
        return self.depth is not None and not node.waits_for_move and node.ply >= self.root.ply + self.depth

    def _grow(self) -> None:
        """Expand whatever lies within the depth, then value everything below the root."""
        seen = {id(self.root)}
        order = [self.root]
        for node in order:  # grows meanwhile
            if self._is_cut(node) and not node.won:
                continue
            if node.edges is None:
                self._expand(node)
            for edge in node.edges or ():
                if id(edge.node) not in seen:
                    seen.add(id(edge.node))
                    order.append(edge.node)
        # Tile sums rise along every path, and at equal sums afterstates lie below states.
        for node in sorted(
            order, key=lambda each: (each.board.tile_sum, not each.waits_for_move), reverse=True
        ):
            self._value(node)
        self.kept = len(order) - self.made

    def _value(self, node: Node) -> None:
        if node.won:
            node.kind, node.note, node.value = "leaf", "won", 1.0
        elif self._is_cut(node):
            node.kind, node.note, node.value = "leaf", "cut", self.evaluate(node.board)
        elif not node.edges:
            node.kind, node.note, node.value = "leaf", "lost", self.dead
        elif node.waits_for_move:
            node.kind, node.note = "max", ""
            points = 0.0 if self.target is not None else self.reward
            node.value = max(points * edge.reward + edge.node.value for edge in node.edges)
        elif self.worst:
            node.kind, node.note, node.value = "min", "", min(edge.node.value for edge in node.edges)
        else:
            node.kind, node.note = "chance", ""
            node.value = weighted_mean(
                [edge.probability for edge in node.edges], [edge.node.value for edge in node.edges]
            )

    # Looking and walking

    def edges_of(self, node: Node) -> list[Edge]:
        """What follows a node, nothing for a leaf."""
        return [] if node.kind == "leaf" else node.edges or []

    def nodes(self) -> Iterator[tuple[Node, int]]:
        """Every node once, parents first, with its distance from the root in edges (the least, in a graph)."""
        seen = {id(self.root)}
        order = [(self.root, 0)]
        for node, level in order:
            yield node, level
            for edge in self.edges_of(node):
                if id(edge.node) not in seen:
                    seen.add(id(edge.node))
                    order.append((edge.node, level + 1))

    @property
    def values(self) -> tuple[float | None, ...]:
        """The value of each move of the root, None where it is illegal."""
        points = 0.0 if self.target is not None else self.reward
        found = {edge.label: points * edge.reward + edge.node.value for edge in self.edges_of(self.root)}
        return tuple(found.get(direction.name) for direction in DIRECTIONS)

    def step(self, direction: Direction, cell: int, rank: int) -> None:
        """Go to the state after a move and a spawn, keep what is below, and look as far ahead as before.

        Raises IllegalMove or InvalidSpawn if the position has no such move or spawn.
        """
        if self.symmetric:
            raise InvalidSpawn(
                "a tree of symmetric positions has no cells to step to: build it without merging"
            )
        move = next((edge for edge in self.edges_of(self.root) if edge.label == direction.name), None)
        if move is None:
            raise IllegalMove(f"{direction.name} is not legal on {quote(str(self.root.board))}")
        after = move.node
        if after.edges is None:
            self._expand(after)
        label = f"{1 << rank}@{cell}"
        spawn = next((edge for edge in after.edges or () if edge.label == label), None)
        if spawn is None:
            raise InvalidSpawn(f"no {label} can spawn on {quote(str(after.board))}")
        self.made = 0
        self.root = spawn.node
        self._grow()
        if self.merged:  # forget what can't be reached any more
            alive = {id(node) for node, _ in self.nodes()}
            self._pool = {key: node for key, node in self._pool.items() if id(node) in alive}


def build(
    board: Board,
    variant: Variant,
    *,
    target: int | None = None,
    depth: int | None = None,
    evaluation: EvaluationLike | None = None,
    merged: bool = True,
    symmetric: bool = False,
    worst: bool = False,
    most: int = MOST_NODES,
) -> Tree:
    """The tree below a state.

    target: the face value that wins; None for points. depth: at least 1, None for the whole game. evaluation: what
    cut afterstates are worth (0 without). merged: equal positions are one node; symmetric: so are images of each
    other. worst: an adversary spawns. Raises InvalidLimit if it has more than `most` nodes.
    """
    check_variant(variant)
    if depth is not None and depth < 1:
        raise InvalidLimit(f"depth {quote(depth)} is not at least 1")
    evaluate, reward, dead = _evaluator(evaluation)
    rank = None if target is None else target.bit_length() - 1
    merged = merged or symmetric
    tree = Tree(variant, rank, depth, evaluate, reward, dead, merged, symmetric, worst, most)
    tree.root = tree._node(board, 0, waits_for_move=True)
    tree._grow()
    return tree


def _evaluator(given: EvaluationLike | None) -> tuple[Callable[[Board], float], float, float]:
    """(value of a board, weight of points, value of a dead board)."""
    if given is None:
        return (lambda _: 0.0), 1.0, 0.0
    from twofold.evaluation.registry import as_evaluation
    from twofold.search.evaluate import evaluate_board

    evaluation = as_evaluation(given)
    return (lambda board: evaluate_board(evaluation, board)), evaluation.reward, evaluation.dead
