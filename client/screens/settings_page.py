"""What the settings are made of: pages of choices. A page for something else is a function like that of
`client/screens/sound_settings.py`, named in PAGES of `client/screens/settings.py`."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct


class Choice(Struct, frozen=True):
    """One of several values. `labels`: what they are called; `index`: the one that holds now; `choose`: take another,
    at once."""

    words: str
    labels: tuple[str, ...]
    index: Callable[[], int]
    choose: Callable[[int], object]
    tip: str = ""


class Page(Struct, frozen=True):
    """Choices that belong together. `words`: what is to be known of them; `reset`: makes all as they were at first."""

    title: str
    choices: tuple[Choice, ...]
    words: str
    reset: Callable[[], object]
