"""What the player chose: settings that are kept, and the table to be made."""
