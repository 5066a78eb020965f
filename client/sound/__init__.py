"""Sounds: their names, volumes and playback."""
