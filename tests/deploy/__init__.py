"""Tests of the files in deploy/, as far as they run without containers."""
