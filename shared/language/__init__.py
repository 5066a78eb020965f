"""Sentences as data, and the catalogues that put them into a language."""
