"""Archive of matches: films of what one audience was shown, and records."""
