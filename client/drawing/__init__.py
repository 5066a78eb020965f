"""Drawing: shapes, widgets, colours."""
