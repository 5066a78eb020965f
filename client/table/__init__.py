"""The table: the board, its pieces, and the controls with which a match is played."""
