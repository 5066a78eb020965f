"""Several servers that act as one: PostgreSQL stores, NATS carries, and clients need not know which node runs a
match."""
