"""What can be done with keys, and by which: one table that everything reads."""
