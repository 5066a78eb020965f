"""Translators' tools: they collect the texts of the program into the lists in `client/language/`.

They are not shipped.
"""
