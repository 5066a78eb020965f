"""Players' clocks as they follow from a log."""

from collections.abc import Sequence

from shared.clocks import Clocks
from shared.history import Course, Entry
from shared.tables import Pace


def clocks_after(course: Course, pace: Pace, begun: int, entries: Sequence[Entry]) -> Clocks:
    """Return the clocks at the end of a log. begun: the age at which the match began. course: at its start."""
    clocks = Clocks(pace, course.seats)
    clocks.begin(begun)
    clocks.owe(course.rules, course.state)
    for passed in course.follow(entries):
        clocks.take(passed.entry)
        clocks.owe(course.rules, passed.state)
    return clocks
