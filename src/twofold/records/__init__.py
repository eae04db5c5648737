"""Games in files: our own record and other programs' replays."""
