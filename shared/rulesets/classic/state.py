"""Position of a Classic match: numbers of pieces, and their places."""

LEADERS = 5
"""Leaders per colour: a Caesar (number 0) and four generals (CL-COMP-02)."""
GALLEYS = 8
"""Galleys per colour."""
POOL = (20, 20, 6, GALLEYS)
"""Infantry, cavalry, catapults, galleys per colour (CL-COMP-02, CL-D46)."""
CITIES, FORTIFICATIONS, ROADS = 16, 16, 20
"""The common supply (CL-COMP-03)."""
