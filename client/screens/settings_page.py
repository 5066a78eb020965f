"""Building blocks of the settings: pages of choices.

To add a page, write a function like that of `client/screens/sound_settings.py` and name it in PAGES of
`client/screens/settings.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from client.language import _


class Choice(Struct, frozen=True):
    """Choice among several values.

    `labels`: their names; `index`: the present one; `choose`: apply another at once.
    """

    words: str
    labels: tuple[str, ...]
    index: Callable[[], int]
    choose: Callable[[int], object]
    tip: str = ""


class Page(Struct, frozen=True):
    """Choices that belong together.

    `words`: a note on them; `reset`: restores the defaults; `pictures`: pieces that show the effect.
    """

    title: str
    choices: tuple[Choice, ...]
    words: str
    reset: Callable[[], object]
    pictures: tuple[str, ...] = ()


def switch(
    words: str, now: Callable[[], bool], choose: Callable[[bool], object], tip: str = "", *, on: str = "", off: str = ""
) -> Choice:
    """Return a choice of two; `on` and `off` replace the usual labels."""
    labels = (on or _("on"), off or _("off"))
    return Choice(words, labels, lambda: int(not now()), lambda index: choose(not index), tip)
