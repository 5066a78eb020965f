"""Hints shown in the first ordinary match of each rule set, saved with the settings."""

from collections.abc import Callable

from msgspec import Struct, field


class Hints(Struct, omit_defaults=True):
    """State of the hints. `on`: whether they are shown. `games`: their match, by rule set; `told`: the shown ones."""

    on: bool = True
    games: dict[str, str] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)

    def renew(self) -> None:
        """Show all hints again, in the next match of each rule set."""
        self.on, self.games, self.told = True, {}, []


class FirstGame:
    """Hints at one table. `save`: saves the settings."""

    def __init__(self, hints: Hints, game: str, match: str, save: Callable[[], object]) -> None:
        self._hints = hints
        self._game = game
        self._match = match
        self._save = save

    @property
    def on(self) -> bool:
        """Whether hints are on and this is the first match of its rule set."""
        return self._hints.on and self._hints.games.get(self._game, self._match) == self._match

    def told(self, key: str) -> bool:
        """Whether that hint was shown before."""
        return f"{self._game} {key}" in self._hints.told

    def tell(self, key: str) -> None:
        """Note that the hint is shown now."""
        # The first match that shows a hint is the only one that does.
        self._hints.games.setdefault(self._game, self._match)
        self._hints.told.append(f"{self._game} {key}")
        self._save()

    def stop(self) -> None:
        """Switch all hints off, here and at other tables."""
        self._hints.on = False
        self._save()
