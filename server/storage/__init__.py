"""What must survive: the port, and SQLite behind it."""
