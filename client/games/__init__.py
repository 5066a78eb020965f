"""What the table must know of each game beside its rules. Tables of all games read alike; see `position`."""
