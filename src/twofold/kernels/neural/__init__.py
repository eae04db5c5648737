"""The neural value network: evaluated in the search, and games side by side for its training."""
