"""What is kept of matches, for whoever may see it again: films of what one audience was shown, and records."""
