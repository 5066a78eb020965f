"""Words that several games share: one struct for one sentence, with the same meaning, fields and tag everywhere."""
