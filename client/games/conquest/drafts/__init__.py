"""Half-built actions: what a player has picked so far, before it becomes an action. They know no window."""
