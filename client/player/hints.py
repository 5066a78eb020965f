"""What was said to a player at the first ordinary game of each rule set: kept with the settings."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field


class Hints(Struct, omit_defaults=True):
    """`on`: whether anything is to be said. `games`: by rule set, the match in which it is; `told`: what was said."""

    on: bool = True
    games: dict[str, str] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)

    def renew(self) -> None:
        """Everything is said again, in the next match of each rule set."""
        self.on, self.games, self.told = True, {}, []


class FirstGame:
    """What is remembered at one table. `save`: keeps the settings."""

    def __init__(self, hints: Hints, game: str, match: str, save: Callable[[], object]) -> None:
        self._hints = hints
        self._game = game
        self._match = match
        self._save = save

    @property
    def on(self) -> bool:
        """Whether this is the first match of its rule set, and hints are wanted."""
        return self._hints.on and self._hints.games.get(self._game, self._match) == self._match

    def told(self, key: str) -> bool:
        """Whether that was said before."""
        return f"{self._game} {key}" in self._hints.told

    def tell(self, key: str) -> None:
        """That is said now."""
        self._hints.games.setdefault(self._game, self._match)
        self._hints.told.append(f"{self._game} {key}")
        self._save()

    def stop(self) -> None:
        """The player wants no more of them, here and elsewhere."""
        self._hints.on = False
        self._save()
