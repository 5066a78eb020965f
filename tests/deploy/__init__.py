"""What lies in deploy/, as far as it runs without containers."""
