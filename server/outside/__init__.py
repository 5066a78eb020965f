"""Words that leave the game: webhooks of tables."""
