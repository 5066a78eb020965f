"""Play now: what this player waits for at a server, who else waits, and the table that was found. Knows no window."""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final

from msgspec import Struct

from client.language import _, ngettext, say
from client.player.clock_presets import NAMED, exact, numbers
from client.player.clock_presets import read as read_pace
from client.player.match_status import short_name
from client.player.presence import reliability_words
from shared import messages as m
from shared.actions.name_lookup import Misread, either, find
from shared.kernel import engine
from shared.rulesets import registry
from shared.tables import NOT_COUNTED, Pace, Run

USUAL_PACE: Final = "evening"


class PlayNow:
    """Wishes of this player, and the answers of the server. `send` sends a request; `ref` numbers it."""

    def __init__(self, send: Callable[[Struct], object], ref: Callable[[], int]) -> None:
        self._send = send
        self._ref = ref
        self.tables: tuple[m.WaitingTable, ...] = ()
        self.wishes: tuple[m.TableWish, ...] = ()
        self.ended = ""
        """Why the wishes ended; see `Seeking.code`."""
        self.summons: m.Summons | None = None
        """The table that was found; None: there is none at present."""
        self._came = 0.0
        self._listed = 0.0

    def hear(self, message: m.ServerMessage) -> None:
        """React to a message."""
        match message:
            case m.Waiting():
                self.tables, self._listed = message.tables, monotonic()
            case m.Seeking():
                self.wishes, self.ended = message.wishes, message.code
                if not message.wishes and (self.summons is None or not self.summons.match):
                    self.summons = None
            case m.Summons():
                self.summons, self._came = (message if message.names else None), monotonic()
            case _:
                pass

    def seek(self, *wishes: m.TableWish) -> None:
        """Wait for tables of these wishes, in place of earlier ones; of none: no longer."""
        self._send(m.Seek(self._ref(), wishes))

    def join(self, table: m.WaitingTable) -> None:
        """Wait together with those people."""
        self.seek(m.TableWish(table.games, table.seats, table.pace))

    def confirm(self) -> None:
        """Come to the table that was found."""
        if self.summons is not None:
            self._send(m.Confirm(self._ref(), self.summons.number))

    @property
    def left(self) -> int:
        """Seconds in which the player must still confirm; 0 if they need not."""
        called = self.summons
        if called is None or called.match or called.here[called.you]:
            return 0
        return max(0, called.left - int(monotonic() - self._came))

    @property
    def lines(self) -> list[str]:
        """The people who wait, as a list shows them."""
        return [table_words(table, monotonic() - self._listed) for table in self.tables]

    @property
    def summons_words(self) -> str:
        """The table that was found, in a sentence; empty if there is none."""
        called = self.summons
        if called is None:
            return ""
        kind = _("{game} with {n}", game=short_name(called.ruleset), n=called.seats)
        names = ", ".join(name for place, name in enumerate(called.names) if place != called.you)
        found = _("A table is found: {kind}, with {names}.", kind=kind, names=names or _("bots"))
        if called.match:
            return found
        here = _("{here} of {all} have confirmed.", here=sum(called.here), all=len(called.names))
        return f"{found} {here}"


def table_words(table: m.WaitingTable, passed: float = 0.0) -> str:
    """Return a line of the list of people who wait; `passed`: seconds since it came."""
    shares = map(reliability_words, table.reliability or (NOT_COUNTED,) * len(table.names))
    names = ", ".join(name + share for name, share in zip(table.names, shares, strict=False))
    waits = ngettext("{n} waits for {kind} ({names})", "{n} wait for {kind} ({names})", len(table.names),
                     kind=kind_words(table.games, table.seats, table.pace), names=names)  # fmt: skip
    since = _("for {time}", time=_minutes(table.since + passed))
    bots = [_("with bots in {time}", time=_minutes(table.bots - passed))] if table.bots >= 0 else []
    return ", ".join([waits, since, *bots]) + "."


def _minutes(seconds: float) -> str:
    return exact(max(60, int(seconds) // 60 * 60) if seconds < 5400 else int(seconds) // 3600 * 3600)


def kind_words(games: Sequence[str], seats: Sequence[int], pace: Pace | None) -> str:
    """Return kinds of tables in words: "Classic or 1984 with 3 or 4, an evening"."""
    what, count = (say(either(words)) for words in ([short_name(game) for game in games], [str(n) for n in seats]))
    return _("{games} with {seats}, {pace}", games=what, seats=count, pace=pace_words(pace))


def pace_words(pace: Pace | None) -> str:
    """Return the name of clocks, or their times."""
    named = next((words for words, known in NAMED.values() if known == (pace or Pace())), "")
    return named or numbers(pace or Pace())


def read_wish(words: str) -> m.TableWish:
    """Read a typed wish: games, numbers of seats, and "pace=", "bots=" and "least=". Raises Misread."""
    named = dict(word.split("=", 1) for word in words.split() if "=" in word)
    plain = [part for word in words.split() if "=" not in word for part in word.split(",") if part]
    seats = tuple(dict.fromkeys(int(part) for part in plain if part.isdecimal()))
    known = [(key, key) for key in registry.RULESETS]
    games = tuple(dict.fromkeys(find(part, known, _("rule set")) for part in plain if not part.isdecimal()))
    strange = set(named) - {"pace", "bots", "least"}
    if strange or not games:
        raise Misread(_("Say which games: “now classic,cote2 4,5 pace=evening bots=10”."))
    bots, least = (named.get(key, "0") for key in ("bots", "least"))
    if not (bots.isdecimal() and least.isdecimal() and int(bots) <= 10_080 and int(least) <= 100):
        raise Misread(_("Say minutes and percent as numbers: “bots=10 least=80”."))
    return wish(games, seats or (4,), named.get("pace", USUAL_PACE), int(bots), int(least))


def wish(games: Sequence[str], seats: Sequence[int], pace: str, bots: int = 0, least: int = 0) -> m.TableWish:
    """Return a wish. Raises Misread, with what is wrong."""
    try:
        clocks = read_pace(pace)
        for game in games:
            for count in seats:
                engine.checked_options(registry.ruleset(game), count, {})
    except ValueError as error:
        raise Misread(str(error)) from None
    return m.TableWish(tuple(games), tuple(sorted(seats)), clocks if clocks.run is not Run.NONE else None, bots, least)
