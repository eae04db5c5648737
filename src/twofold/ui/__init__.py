"""Command line and terminal: thin over the library."""
