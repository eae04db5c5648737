"""A review told to people: as lines of text, and as a page of HTML that needs nothing else."""

from __future__ import annotations

from html import escape

from twofold.coach.reasons import reason
from twofold.coach.reviewing import GRADES, MoveReview, Review
from twofold.errors import TwofoldError
from twofold.rules.direction import DIRECTIONS, Direction
from twofold.rules.state import play_move

AHEAD = 4
"""Moves of a continuation that are shown."""

_SIZE = (960, 220)
EDGE = 8
"""Of the graph's 960 units, left free at either side."""


def signed(points: float) -> str:
    """Points with their sign: `+12`, `−1,234`."""
    return f"{points:+,.0f}".replace("-", "−")


def plural(grade: str, count: int) -> str:
    """`2 mistakes`, `1 inaccuracy`."""
    if count == 1 or grade in ("best", "good"):
        return f"{count:,} {grade}"
    return f"{count:,} {grade[:-1]}ies" if grade.endswith("y") else f"{count:,} {grade}s"


def summary(review: Review) -> list[str]:
    """The figures of a review, one a line."""
    counts = ", ".join(plural(grade, review.count(grade)) for grade in GRADES)
    goes_on = "" if review.game.state.is_dead and review.complete else ", including what may still come"
    part = "" if review.complete else f" (the first {len(review.moves):,} of {len(review.game.moved):,})"
    start = f"best play would have scored {review.start_value:,.0f} with average luck"
    known = "known exactly" if review.exact else f"by {review.model}"
    less = f"{review.percentile:.0f} of 100 games have less"
    if not review.game.variant.is_drawn:
        less = "its tiles are not drawn by chance"
    return [
        f"score     {review.score:,.0f} after {len(review.moves):,} moves{part}{goes_on}; values {known}",
        f"accuracy  {review.accuracy:.1f} of 100: {counts}",
        f"luck      {signed(review.luck)} points; {less}",
        f"loss      {review.loss:,.0f} points; {start}",
    ]


def why(review: Review, move: MoveReview) -> str:
    """Why the best move was better than the one played, in words."""
    state = review.game.moved[move.number - 1].before
    up, right, down, left = (
        value if d in (move.move, move.best) else None
        for d, value in zip(DIRECTIONS, move.values, strict=True)
    )
    return reason(state, move.best, (up, right, down, left))


def continuation(review: Review, move: MoveReview) -> tuple[str, str]:
    """The moves that were played from here on, and those that begin with the best one, against the same tiles."""
    moved = review.game.moved
    played = " ".join(each.direction.name for each in moved[move.number - 1 : move.number - 1 + AHEAD])
    return played, " ".join(_best_line(review, move))


def named(direction: Direction) -> str:
    """A direction with its arrow."""
    return f"{direction.arrow} {direction.name}"


def headline(review: Review, move: MoveReview) -> str:
    """Which move of how many it is, what was played, and its grade."""
    return f"Move {move.number:,} of {len(review.moves):,}: {named(move.move)}, {move.grade}"


def told(review: Review, move: MoveReview) -> list[str]:
    """What there is to say of a move, in sentences: loss, best move and why, continuations, luck and value."""
    luck = f"Luck of the tile after it: {signed(move.luck)} points. Value {move.value:,.0f}."
    if move.loss == 0:
        later = (
            "" if move.move == move.best else " that lasts: some moves later the search thinks better of it"
        )
        return [f"Loses nothing{later}.", luck]
    played, best = continuation(review, move)
    return [
        f"Loses {move.loss:,.0f} points ({move.share:.1%} of those to come).",
        f"Best: {named(move.best)}. {why(review, move).capitalize()}.",
        f"Played: {played} … Best: {best} …",
        luck,
    ]


def _best_line(review: Review, move: MoveReview) -> list[str]:
    from twofold.matches.play import move_key
    from twofold.players.registry import make_player

    game, names = review.game, [move.best.name]
    state = game.moved[move.number - 1].before
    try:
        player = make_player(
            "expectimax:depth=2,eval=network" if state.board.is_open_4x4 else "default:nodes=20000"
        )
        state = play_move(state, move.best, game.spawn_key, None, game.given).state
        while len(names) < AHEAD:
            choice = player.decide(state, move_key(game)).move
            if choice is None:
                break
            names.append(choice.name)
            state = play_move(state, choice, game.spawn_key, None, game.given).state
    except TwofoldError:  # an evil variant's tiles are not drawn here
        pass
    return names


def lines(review: Review) -> list[str]:
    """The whole review for a terminal."""
    out = summary(review)
    for move in review.worst:
        board = review.game.moved[move.number - 1].before.board
        played, best = continuation(review, move)
        lost = f"loses {move.loss:,.0f} points ({move.share:.1%} of those to come)"
        out += [
            "",
            f"move {move.number:,}: {move.move.name} {lost}, {move.grade}; best was {move.best.name}",
            *board.pretty().splitlines(),
            f"{move.best.name}: {why(review, move)}",
            f"played {played} …   best {best} …",
        ]
    out += ["", "turning points"]
    for move in review.turning_points:
        out.append(
            f"move {move.number:,}: the value goes from {move.value:,.0f} to {move.value + move.swing:,.0f} "
            f"(loss {move.loss:,.0f}, luck {signed(move.luck)}); from here you could expect "
            f"{review.expected_from(move):,.0f} points"
        )
    return out


# The page


def graph(review: Review, width: int = _SIZE[0], height: int = _SIZE[1]) -> str:
    """The value (line) and the luck so far (dashed) over the moves, as SVG."""
    values = [move.value for move in review.moves] + [review.score]
    lucks = [0.0]
    for move in review.moves:
        lucks.append(lucks[-1] + move.luck)
    low, high = min(0.0, *lucks, *values), max(1.0, *lucks, *values)
    keep = _thinned(len(values), 2 * width)

    def place(index: int, value: float) -> str:
        x = EDGE + (width - 2 * EDGE) * index / max(1, len(values) - 1)
        return f"{x:.1f},{EDGE + (height - 2 * EDGE) * (high - value) / (high - low):.1f}"

    line = " ".join(place(i, values[i]) for i in keep)
    luck = " ".join(place(i, lucks[i]) for i in keep)
    zero = place(0, 0.0).split(",")[1]
    dots = "".join(
        _dot(place(move.number - 1, move.value), move)
        for move in review.moves
        if move.grade in ("mistake", "blunder")
    )
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="value and luck over the moves">'
        f'<line x1="{EDGE}" x2="{width - EDGE}" y1="{zero}" y2="{zero}" class="zero"/>'
        f'<polyline points="{luck}" class="luck"/><polyline points="{line}" class="value"/>{dots}</svg>'
    )


def _dot(place: str, move: MoveReview) -> str:
    told = f"move {move.number}: {move.move.name} loses {move.loss:,.0f}"
    return f'<path d="M{place}h.01" class="dot {move.grade}"><title>{told}</title></path>'


def _thinned(count: int, most: int) -> list[int]:
    step = max(1, -(-count // most))
    return [*range(0, count - 1, step), count - 1]


_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:62rem;padding:1rem;color:#222;background:#fff}
svg{width:100%;height:auto}.zero{stroke:#999;stroke-width:1}
.value{fill:none;stroke:#1f5fa8;stroke-width:2}.luck{fill:none;stroke:#777;stroke-width:1.5;stroke-dasharray:5 4}
.dot{stroke:#d9772b;stroke-width:8;stroke-linecap:round}.dot.blunder{stroke:#b3261e}
.worst{display:flex;gap:1rem;flex-wrap:wrap;align-items:flex-start;border-top:1px solid #ccc;padding:1rem 0}
.worst svg{width:14rem}.worst div{flex:1 1 18rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
td,th{padding:.2rem .6rem;text-align:right}td:nth-child(-n+3),th:nth-child(-n+3){text-align:left}
tr.blunder td{background:#fbe4e1}tr.mistake td{background:#fdeede}tr.inaccuracy td{background:#fdf7dc}
.list{max-height:32rem;overflow:auto;border:1px solid #ccc}
@media (prefers-color-scheme:dark){body{color:#ddd;background:#181818}
.value{stroke:#7fb2ec}
tr.blunder td{background:#4a1d19}tr.mistake td{background:#472b14}tr.inaccuracy td{background:#3d3612}}
"""


def page(review: Review) -> str:
    """The review as one HTML page: figures, graph, worst moves with pictures, turning points, all moves."""
    worst = "".join(_worst_block(review, move) for move in review.worst)
    turning = "".join(
        f"<li>Move {move.number:,}: value from {move.value:,.0f} to {move.value + move.swing:,.0f} "
        f"(loss {move.loss:,.0f}, luck {signed(move.luck)}); from here you could expect "
        f"{review.expected_from(move):,.0f} points.</li>"
        for move in review.turning_points
    )
    rows = "".join(
        f'<tr class="{move.grade}"><td>{move.number}</td><td>{move.move.name}</td><td>{move.best.name}</td>'
        f"<td>{move.value:,.0f}</td><td>{move.loss:,.0f}</td><td>{signed(move.luck)}</td><td>{move.grade}</td></tr>"
        for move in review.moves
    )
    figures = "".join(f"<p>{escape(line)}</p>" for line in summary(review))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>Review of a game of 2048</title><style>{_STYLE}</style></head><body>"
        f"<h1>Review of a game of {escape(str(review.game.variant))}</h1>{figures}"
        "<h2>Value and luck</h2><p>The solid line is the score of best play with average luck; the dashed "
        f"line is the luck so far. Dots are mistakes and blunders.</p>{graph(review)}"
        f"<h2>Worst moves</h2>{worst or '<p>No move lost anything.</p>'}"
        f"<h2>Turning points</h2><ul>{turning}</ul>"
        '<h2>All moves</h2><div class="list"><table><thead><tr><th>move</th><th>played</th><th>best</th><th>value</th>'
        f"<th>loss</th><th>luck</th><th>grade</th></tr></thead><tbody>{rows}</tbody></table></div></body></html>\n"
    )


def _worst_block(review: Review, move: MoveReview) -> str:
    board = review.game.moved[move.number - 1].before.board
    played, best = continuation(review, move)
    return (
        f'<div class="worst">{board.to_svg()}<div><h3>Move {move.number:,}: {move.move.name} instead of '
        f"{move.best.name}, {move.grade}</h3><p>Loses {move.loss:,.0f} points, {move.share:.1%} of those to come.</p>"
        f"<p>{move.best.name}: {escape(why(review, move))}.</p>"
        f"<p>Played: {played} …<br>Best: {best} …</p></div></div>"
    )
