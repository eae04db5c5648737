"""One module per command; nothing heavy is imported before a command runs."""
