"""Decision trees as text, Graphviz DOT, Mermaid and SVG."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from twofold.errors import InvalidLimit, UnknownFormat
from twofold.exact.tree import Edge, Node, Tree
from twofold.files import begins
from twofold.rules.draw import to_svg

MOST_DRAWN = 2_000
"""The most nodes of a picture."""

_COLOURS = {"max": "#cfe8cf", "chance": "#f6e3b4", "min": "#f3c1c1", "leaf": "#dddddd"}
_SHAPES = {"max": "box", "chance": "ellipse", "min": "hexagon", "leaf": "plaintext"}
_MERMAID = {"max": ("[", "]"), "chance": ("([", "])"), "min": ("{{", "}}"), "leaf": (">", "]")}


def draw(tree: Tree, form: str) -> str:
    """The tree in one of the FORMATS. Raises UnknownFormat, or InvalidLimit for a picture of too many nodes."""
    if form not in FORMATS:
        raise UnknownFormat(form, FORMATS)
    if form != "text":
        count = sum(1 for _ in tree.nodes())
        if count > MOST_DRAWN:
            raise InvalidLimit(
                f"{count:,} nodes are too many for a picture of at most {MOST_DRAWN:,}: give a --depth"
            )
    return FORMATS[form](tree)


def _edge_text(edge: Edge, parent: Node, worst: bool) -> str:
    if parent.kind == "max":
        return f"{edge.label} +{edge.reward}" if edge.reward else edge.label
    return edge.label if worst else f"{edge.label} {100 * edge.probability:.4g} %"


def _value_text(node: Node) -> str:
    note = f" {node.note}" if node.note else ""
    return f"{node.kind} {node.value:.6g}{note}"


def _text(tree: Tree) -> str:
    """One line a node, children indented; a node that was shown before is named by its number."""
    numbers: dict[int, int] = {}
    shared = _shared(tree)
    lines: list[str] = []
    todo: list[tuple[Node, str, int]] = [(tree.root, "", 0)]
    while todo:
        node, label, level = todo.pop()
        mark = ""
        again = id(node) in numbers
        if id(node) in shared:
            mark = f" #{numbers.setdefault(id(node), len(numbers) + 1)}"
        head = f"{'  ' * level}{label}{': ' if label else ''}"
        lines.append(f"{head}{node.board}  {_value_text(node)}{mark}{', see above' if again else ''}")
        if not again:
            todo += [
                (edge.node, _edge_text(edge, node, tree.worst), level + 1)
                for edge in reversed(tree.edges_of(node))
            ]
    return "\n".join(lines) + "\n"


def _shared(tree: Tree) -> set[int]:
    """The nodes with several parents."""
    once: set[int] = set()
    twice: set[int] = set()
    for node, _ in tree.nodes():
        for edge in tree.edges_of(node):
            (twice if id(edge.node) in once else once).add(id(edge.node))
    return twice


def _named(tree: Tree) -> tuple[list[Node], dict[int, str]]:
    nodes = [node for node, _ in tree.nodes()]
    return nodes, {id(node): f"n{i}" for i, node in enumerate(nodes)}


def _dot(tree: Tree) -> str:
    nodes, names = _named(tree)
    lines = [
        "digraph tree {",
        '  node [fontname="monospace" style=filled];',
        '  edge [fontname="monospace"];',
    ]
    for node in nodes:
        rows = "\\n".join(str(node.board).split("|"))
        lines.append(
            f'  {names[id(node)]} [shape={_SHAPES[node.kind]} fillcolor="{_COLOURS[node.kind]}" '
            f'label="{rows}\\n{_value_text(node)}"];'
        )
        for edge in tree.edges_of(node):
            best = " penwidth=3" if _is_best(tree, node, edge) else ""
            lines.append(
                f"  {names[id(node)]} -> {names[id(edge.node)]} "
                f'[label="{_edge_text(edge, node, tree.worst)}"{best}];'
            )
    return "\n".join([*lines, "}", ""])


def _is_best(tree: Tree, node: Node, edge: Edge) -> bool:
    points = 0.0 if tree.target is not None else tree.reward
    return node.kind == "max" and points * edge.reward + edge.node.value == node.value


def _mermaid(tree: Tree) -> str:
    nodes, names = _named(tree)
    lines = ["flowchart TD"]
    for kind, colour in _COLOURS.items():
        lines.append(f"  classDef {kind} fill:{colour},stroke:#555,color:#111")
    for node in nodes:
        before, after = _MERMAID[node.kind]
        rows = "<br/>".join(str(node.board).split("|"))
        lines.append(f'  {names[id(node)]}{before}"{rows}<br/>{_value_text(node)}"{after}:::{node.kind}')
        for edge in tree.edges_of(node):
            arrow = "==>" if _is_best(tree, node, edge) else "-->"
            label = _edge_text(edge, node, tree.worst)
            lines.append(f'  {names[id(node)]} {arrow}|"{label}"| {names[id(edge.node)]}')
    return "\n".join([*lines, ""])


def _places(tree: Tree) -> tuple[dict[int, tuple[float, int]], float, int]:
    """Column and level of each node: leaves side by side, a parent over the middle of the children first met there."""
    places: dict[int, tuple[float, int]] = {}
    column = 0.0
    depth = 0
    owned: dict[int, list[Node]] = {}
    claimed = {id(tree.root)}
    todo: list[tuple[Node, int, bool]] = [(tree.root, 0, False)]
    while todo:
        node, level, is_done = todo.pop()
        depth = max(depth, level)
        if not is_done:
            children = []
            for edge in tree.edges_of(node):
                if id(edge.node) not in claimed:
                    claimed.add(id(edge.node))
                    children.append(edge.node)
            owned[id(node)] = children
            todo.append((node, level, True))
            todo += [(child, level + 1, False) for child in reversed(children)]
        elif owned[id(node)]:
            middle = [places[id(child)][0] for child in owned[id(node)]]
            places[id(node)] = ((middle[0] + middle[-1]) / 2, level)
        else:
            places[id(node)] = (column, level)
            column += 1
    return places, column, depth


def _svg(tree: Tree) -> str:
    places, columns, depth = _places(tree)
    rows, across = tree.root.board.size
    cell = 18
    width, height = max(cell * across * 1.2, 100) + 20, cell * rows * 1.2 + 40
    gap = 70

    def centre(node: Node) -> tuple[float, float]:
        column, level = places[id(node)]
        return (column + 0.5) * (width + 12) + 6, level * (height + gap) + 6

    total = (columns * (width + 12) + 12, (depth + 1) * (height + gap) - gap + 12)
    out = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total[0]:.0f} {total[1]:.0f}" '
            f'width="{total[0]:.0f}" height="{total[1]:.0f}" role="img" aria-label="decision tree">'
        ),
        f"<title>decision tree of {escape(str(tree.root.board))}</title>",
        '<g font-family="system-ui, sans-serif" font-size="12" text-anchor="middle">',
    ]
    for node, _ in tree.nodes():
        x, y = centre(node)
        for edge in tree.edges_of(node):
            x2, y2 = centre(edge.node)
            weight = 3 if _is_best(tree, node, edge) else 1
            out.append(
                f'<line x1="{x:.1f}" y1="{y + height:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#888" '
                f'stroke-width="{weight}"/><text x="{(x + 2 * x2) / 3:.1f}" y="{(y + height + 2 * y2) / 3:.1f}" '
                f'fill="#333">{escape(_edge_text(edge, node, tree.worst))}</text>'
            )
    for node, _ in tree.nodes():
        x, y = centre(node)
        inner = to_svg(node.board, cell).replace(
            "<svg ", f'<svg x="{x - cell * across * 0.58:.1f}" y="{y + 6:.1f}" ', 1
        )
        out.append(
            f'<rect x="{x - width / 2:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="6" '
            f'fill="{_COLOURS[node.kind]}"/>{inner}'
            f'<text x="{x:.1f}" y="{y + height - 8:.1f}" fill="#111">{escape(_value_text(node))}</text>'
        )
    return "\n".join([*out, "</g>", "</svg>", ""])


FORMATS: dict[str, Callable[[Tree], str]] = {"text": _text, "dot": _dot, "mermaid": _mermaid, "svg": _svg}
"""The formats by name."""

HEADS: dict[str, Callable[[bytes], bool]] = {
    "text": lambda content: re.match(rb"[\dx.| ]+  ", content) is not None,
    "dot": begins(b"digraph"),
    "mermaid": begins(b"flowchart"),
    "svg": begins(b"<"),
}
"""Whether a file's content begins as in each."""
