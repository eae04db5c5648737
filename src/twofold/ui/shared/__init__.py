"""What the command line, the terminal game and the page share."""
