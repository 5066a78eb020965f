"""The table in words: plain lines for screen readers and terminals, and commands that are typed."""
