"""The games, each a value in a package of its own."""
