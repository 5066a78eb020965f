"""Delivery to clients: peers and the port to their table, outgoing messages, bounded outboxes."""
