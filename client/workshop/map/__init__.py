"""Scripts that grow the shapes of the board and paint its artwork; the game itself never imports them."""
