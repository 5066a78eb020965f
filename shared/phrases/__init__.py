"""Actions in words, as people type them: a grammar for each game."""
