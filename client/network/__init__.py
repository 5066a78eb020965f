"""The way to the server, and what it said."""
