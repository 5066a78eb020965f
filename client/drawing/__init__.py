"""How things are drawn: brush, widgets, colours."""
