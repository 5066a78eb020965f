"""Screens of the program; the window shows one at a time."""
