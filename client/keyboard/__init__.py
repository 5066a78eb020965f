"""Commands and their keys, in one table for the whole program."""
