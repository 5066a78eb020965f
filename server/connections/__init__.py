"""Strangers' bytes: sockets, limits, conversations."""
