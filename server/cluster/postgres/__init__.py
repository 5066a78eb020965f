"""The store in PostgreSQL, which several servers can share."""
