"""Drafts: what a player has picked so far, before it becomes an action. They do not depend on a window."""
