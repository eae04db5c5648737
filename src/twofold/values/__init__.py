"""What a board is worth: evaluations by formula, by network or by a user's function, and the search over them."""
