"""A match that is looked at again: its film, what stands out in it, what it came to in numbers. Knows no window."""
