"""Bots that search: several ways to go on are played out with the chance of the dice, and judged by where they lead.

A rule set joins by a `Game`. Searching is anytime: a count of rollouts makes it repeatable, a deadline cuts it short.
"""
