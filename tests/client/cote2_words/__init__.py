"""Tests of the second game in words, and of its battles as they are shown."""
