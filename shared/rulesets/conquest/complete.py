"""Position from a view: nothing is hidden in either game, so it is the whole one."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from shared.kernel.chance import Source

S_co = TypeVar("S_co", covariant=True)


class CompleteView(Protocol[S_co]):
    """A view that shows the whole position."""

    @property
    def frames(self) -> Sequence[Any]:
        """Owed frames, the top one last."""

    def position(self, pushed: int) -> S_co:
        """Return a position that shares nothing mutable with the view."""


def complete(view: CompleteView[S_co], _chance: Source) -> S_co:
    """Return a position that goes on as the viewer's does; it shares nothing mutable with the view."""
    # `pushed` does not travel. Any number that is not below those in use keeps frame numbers unique.
    return view.position(max(frame.no for frame in view.frames))
