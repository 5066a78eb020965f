"""What the settings are made of: pages of choices. A page for something else is a function like that of
`client/screens/sound_settings.py`, named in PAGES of `client/screens/settings.py`."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from client.language import _


class Choice(Struct, frozen=True):
    """One of several values. `labels`: what they are called; `index`: the one that holds now; `choose`: take another,
    at once."""

    words: str
    labels: tuple[str, ...]
    index: Callable[[], int]
    choose: Callable[[int], object]
    tip: str = ""


class Page(Struct, frozen=True):
    """Choices that belong together. `words`: what is to be known of them; `reset`: makes all as they were at first;
    `pictures`: pieces that show what comes of it."""

    title: str
    choices: tuple[Choice, ...]
    words: str
    reset: Callable[[], object]
    pictures: tuple[str, ...] = ()


def switch(
    words: str, now: Callable[[], bool], choose: Callable[[bool], object], tip: str = "", *, on: str = "", off: str = ""
) -> Choice:
    """A choice of two; `on` and `off`: what they are called, if not so."""
    labels = (on or _("on"), off or _("off"))
    return Choice(words, labels, lambda: int(not now()), lambda index: choose(not index), tip)
