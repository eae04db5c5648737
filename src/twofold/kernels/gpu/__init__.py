"""Play and learning on a CUDA device (extra `gpu`)."""
