"""What a board is worth: evaluations by formula, by network or by a function of the user."""
