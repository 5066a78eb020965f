"""Tests of the library, through its public names."""
