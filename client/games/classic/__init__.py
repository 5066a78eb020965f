"""Classic (2005) at the table."""
