"""Studies: measured once, for docs/results; nothing is compared with an earlier commit."""
