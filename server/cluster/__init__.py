"""Several servers that act as one: PostgreSQL stores, NATS carries, and clients need not know which node runs a match.

A server of its own needs nothing of this package; only `server.opening` imports it, for `--store` and `--bus`.
"""
