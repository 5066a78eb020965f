"""What goes out: peers and the port to their table, their messages, their bounded outboxes."""
