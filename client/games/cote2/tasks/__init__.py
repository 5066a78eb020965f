"""What a seat of the second game can owe, each decision a task of its own; `owed` knows them all."""
