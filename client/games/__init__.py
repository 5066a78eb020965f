"""Each game's own part of the table, beside its rules. The tables of all games have the same fields; see `position`."""
