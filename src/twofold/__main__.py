"""``python -m twofold`` is the command line."""

from twofold.ui.cli import main

main()
