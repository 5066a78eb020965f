"""The table: the board, the pieces on it, and all that one needs to play on it."""
