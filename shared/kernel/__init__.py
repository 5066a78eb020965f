"""What every rule set stands on: owed frames, the one engine loop, chance."""
