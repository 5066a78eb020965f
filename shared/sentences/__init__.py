"""Sentences of the games: events, decisions owed, players and places, each written once for every program."""
