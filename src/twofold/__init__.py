"""twofold: the 2048 workbench."""
