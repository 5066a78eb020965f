"""Text client: plain lines for screen readers and terminals, and typed commands."""
