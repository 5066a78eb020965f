"""Durable storage: the port, and its implementations for SQLite and PostgreSQL."""
