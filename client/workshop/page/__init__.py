"""What the page for browsers is given of the client: the painted board, the pieces, the words."""
