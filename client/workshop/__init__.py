"""Generators of the shipped files: map, cards, sounds, web page data and translations. Not part of the package."""
