"""Small functions on numbers, pieces and small tables, called by rule sets. None of them knows a rule set.

Differences between the games come in as parameters, such as leaders of a colour or the rule that a refusal names.
"""
