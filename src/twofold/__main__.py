"""The command, as ``twofold`` or ``python -m twofold``; it imports the rest itself, so Ctrl-C is obeyed at once."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """The entry point of the installed command."""
    try:
        from twofold.ui.cli.app import main as run
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.stderr.flush()
        os._exit(130)
    run()


if __name__ == "__main__":
    main()
