"""What goes out: peers, their messages, their bounded outboxes."""
