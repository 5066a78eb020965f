"""Options of a new table, which forms and the command line fill in. Knows no window."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from msgspec import Struct, field

from client.language import _, ngettext
from client.player.clock_presets import is_plain
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset, Option, oldest
from shared.levels import NORMAL
from shared.messages import Create
from shared.rulesets import registry
from shared.tables import MAX_TITLE, Away, Pace, Rated

BY_SEAT: Final = "by seat"
"""Label of the value of the option "homes" that gives each seat its home in the order of play."""
ABSENT: Final = (
    (Away.ASK, 0, _("the others decide")),
    (Away.WAIT, 0, _("the match waits")),
    (Away.BOT, 30, _("a bot plays after 30 seconds")),
    (Away.BOT, 60, _("a bot plays after 1 minute")),
    (Away.BOT, 120, _("a bot plays after 2 minutes")),
    (Away.BOT, 600, _("a bot plays after 10 minutes")),
)
"""Choices for what happens for absent players: `away`, `takeover`, and the label."""
SOON: Final = 60
"""Seconds after which a bot plays where a player chooses a bot without a time."""
TOGETHER: Final = (
    (False, False, _("more than half agree")),
    (True, False, _("all agree")),
    (False, True, _("more than half; no going back")),
    (True, True, _("all; no going back")),
)
"""Choices for what a table may decide together: `unanimous`, `forward_only`, and the label."""
_STEPS: Final = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500, 1000)
_LONG: Final = 24


class TableOptions(Struct):
    """Options of a new table.

    `home`: the seat to sit at, -1 any; other than -1 it fixes all homes by seat. `bots`: levels of the others at a
    private table; the last one goes for all further seats. `away`, `takeover`: what happens for absent players, and the
    seconds after which a bot plays for them. `advice`: also while other people play. `forward_only`: they
    may not agree to go back; `unanimous`: decisions need all players; `closed_hands`: secrets stay hidden after the
    end, too. `people`: names of those who share this computer, if there are several; `curtain`: as in `SavedSeat`.
    `public`: our server is also for friends elsewhere; `at`: address of another server that has the table.
    `rated`: it counts for the people's ratings there.
    """

    ruleset: str = "classic"
    seats: int = 4
    title: str = ""
    options: dict[str, int] = field(default_factory=dict)
    listed: bool = True
    pace: Pace = Pace()
    away: Away = Away.ASK
    takeover: int = 0
    home: int = -1
    bots: tuple[str, ...] = (NORMAL,)
    advice: bool = False
    forward_only: bool = False
    unanimous: bool = False
    closed_hands: bool = False
    people: tuple[str, ...] = ()
    curtain: bool = False
    public: bool = False
    at: str = ""
    rated: Rated = Rated.NO

    @property
    def rules(self) -> AnyRuleset:
        """Rule set of the table."""
        return registry.ruleset(self.ruleset)

    def request(self, ref: int) -> Create:
        """Return the message that creates the table."""
        chosen = dict(self.options)
        if self.home >= 0:
            chosen |= by_seat(self.rules)
        plain = is_plain(self.pace)
        return Create(ref, self.ruleset, self.seats, chosen, self.title or _("A table"), self.listed, self.home,
                      self.pace.each if plain else 0, self.takeover, self.advice,
                      pace=None if plain else self.pace, forward_only=self.forward_only, unanimous=self.unanimous,
                      closed_hands=self.closed_hands, away=self.away, rated=self.rated,
        )  # fmt: skip


def usual_title(name: str) -> str:
    """Return the default title of a player's table."""
    return _("{name}'s table", name=name)[:MAX_TITLE]


def by_seat(rules: AnyRuleset) -> dict[str, int]:
    """Return the options that give each seat its home in the order of play; empty if the rule set has none."""
    for option in rules.options:
        if option.key == "homes" and BY_SEAT in option.labels:
            return {"homes": option.values[option.labels.index(BY_SEAT)]}
    return {}


@lru_cache
def homes_by_seat(ruleset: str, seats: int) -> tuple[str, ...]:
    """Return the names of the homes by seat; empty if the rule set has no such option."""
    rules = registry.ruleset(ruleset)
    chosen = by_seat(rules)
    if not chosen:
        return ()
    state = engine.start(rules, seats, chosen, engine.ignore_event)
    return tuple(rules.seat_name(state, seat) for seat in range(seats))


def home_number(ruleset: str, seats: int, name: str) -> int:
    """Return the seat with that home. Raise ValueError naming the available homes."""
    homes = homes_by_seat(ruleset, seats)
    for seat, home in enumerate(homes):
        if home.casefold() == name.strip().casefold():
            return seat
    offered = ", ".join(homes) or "none, this game has no fixed homes"
    raise ValueError(f"With {seats} players there is no home {name!r}; homes are: {offered}.")


def away_options(name: str) -> tuple[Away, int]:
    """Return `away` and `takeover` for a choice by its name, such as "bot". Raise ValueError naming all."""
    try:
        away = Away[name.strip().upper()]
    except KeyError:
        names = ", ".join(each.name.lower() for each in Away)
        raise ValueError(f"What happens for absent players is one of {names}, not {name!r}.") from None
    return away, SOON if away is Away.BOT else 0


def thinned(option: Option) -> list[int]:
    """Return the values of an option to step through: all, or a selection of many numbers."""
    if len(option.values) <= _LONG:
        return list(option.values)
    # The default always stays, as it must be possible to come back to it.
    return [value for value in option.values if value in _STEPS or value == option.default]


def label(option: Option, value: int) -> str:
    """Return the label of an option's value."""
    return _(option.labels[option.values.index(value)]) if value in option.values else str(value)


def nearest(values: Iterable[int], value: int) -> int:
    """Return the index of the nearest value."""
    return min(enumerate(values), key=lambda entry: abs(entry[1] - value))[0]


def summary(ruleset: str, options: dict[str, int], version: int = 0) -> list[str]:
    """Return a line for each option that is not at its default, and for the amendments of that version (0: unknown)."""
    try:
        rules = registry.ruleset(ruleset)
    except ValueError:
        return []
    chosen = [
        f"{_(option.label)}: {label(option, options[option.key])}"
        for option in rules.options
        if options.get(option.key, option.default) != option.default
    ]
    return chosen + (_amendments(rules, version) if oldest(rules) <= version <= rules.version else [])


def _amendments(rules: AnyRuleset, version: int) -> list[str]:
    """Return a line on the amendments that do not bind a table of that version; the help lists them."""
    newer = len(rules.amendments) - (version - oldest(rules))
    words = ngettext(
        "{n} newer amendment of the rules does not hold here; the rules name it.",
        "{n} newer amendments of the rules do not hold here; the rules name them.",
        newer,
    )
    return [words] if newer else []
