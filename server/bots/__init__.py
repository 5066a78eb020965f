"""Bots: they get a seat's view and answer with an action, in worker processes."""
