"""Tasks for the decisions that a seat of the second game can owe; `owed` chooses among them."""
