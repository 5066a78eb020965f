"""Webhooks of tables."""
