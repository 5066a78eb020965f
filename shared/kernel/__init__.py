"""The base of every rule set: owed frames, the engine loop, chance."""
