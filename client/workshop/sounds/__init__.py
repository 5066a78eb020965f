"""The workshop for the sounds: makes the recordings in `client/assets/sounds/`. Nothing that ships uses it."""
