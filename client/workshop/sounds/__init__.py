"""Generator of the recordings in `client/assets/sounds/`. It is not shipped."""
