"""Client of Conquest of the Empire."""

import os

# pyglet looks for errors after every call to the graphics library, which takes a sixth of a repaint. It reads this when
# it is imported, so it must be set before. Tests keep the checks.
os.environ.setdefault("PYGLET_DEBUG_GL", "false")
