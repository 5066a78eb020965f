"""The protocol versions that both ends compare when they greet."""

from typing import Final

OLDEST: Final = 1
"""The oldest version that is still spoken."""
PROTOCOL: Final = 2
"""The newest one. Raised when an old peer would misread a new one; appended fields with defaults do not raise it.

1: requests with more fields than a server knew were refused, and refusals of unread bytes had no number.
2: unknown fields at the end are ignored, and every refusal has the number of what it answers.
"""


def common(lowest: int, highest: int) -> int:
    """Return the newest version that we and a peer with these versions speak; 0 if there is none."""
    newest = min(PROTOCOL, max(lowest, highest))
    return newest if newest >= max(OLDEST, lowest) else 0
