"""Who chooses a move: the protocol, the registry and its notation, one module per family."""
