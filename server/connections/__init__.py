"""Connections of clients: sockets, admission, limits."""
