"""Searching bots: several plans are played out with random dice, and judged by the positions that they lead to.

A rule set joins by a `SearchedGame`. The search can stop at any time: a number of rollouts makes it repeatable, a
deadline cuts it short.
"""
