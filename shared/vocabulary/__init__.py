"""Actions, events and frames that several games share, with the same meaning, fields and tag everywhere."""
