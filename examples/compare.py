"""Two players on the same hundred seeds: the mean difference of their scores, with its interval."""

from twofold.arena import Experiment, run
from twofold.players import Expectimax, Greedy

summary = run(Experiment([Greedy(), Expectimax(depth=1, evaluation="empty")], games=100, variant="3x3"))
(found,) = summary.comparisons
print(summary)
low, high = found.difference.interval
print(f"{found.difference.mean:,.0f} points, 95 % interval {low:,.0f} to {high:,.0f}")
