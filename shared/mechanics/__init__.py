"""Small functions on numbers, pieces and small tables, called by rule sets. None of them knows a rule set.

What the games tell apart (how many leaders a colour has, which rule a refusal names) comes in as a parameter.
"""
