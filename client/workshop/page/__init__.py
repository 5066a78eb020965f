"""Data of the client for the web page: the painted board, the pieces, the translations."""
