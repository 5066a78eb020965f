"""Small pure functions on numbers and pieces, called by rule sets. None of them knows a rule set."""
