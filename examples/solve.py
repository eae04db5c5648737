"""The game on 2x2 solved: its value, and the best first move."""

from twofold import Board, Variant
from twofold.exact import Problem, policy_of, solve

solution = solve(Problem(Variant.of_size(2, 2, target=32)))
policy = policy_of(solution)
print(solution, policy.best(Board.parse("2 .|. 2")), sep="\n")
