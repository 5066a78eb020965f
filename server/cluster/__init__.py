"""Many servers, one game: PostgreSQL keeps, NATS carries, and nobody needs to know who runs which match."""
