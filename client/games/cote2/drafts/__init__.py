"""Drafts of actions of the second game. They do not depend on a window; the rules decide what is legal (`Check`)."""
