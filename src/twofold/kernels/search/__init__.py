"""Search templates over board operations and an evaluator: expectimax, minimax, sampling, Monte Carlo tree search."""
