"""Positions of games, which stay readable after the game has gone on."""

import copyreg
from typing import Any, TypeAlias

from shared.ids import Seat
from shared.kernel import engine, frames
from shared.kernel.ruleset import AnyRuleset, Ruleset, rules_of
from shared.rulesets.registry import RULESETS

Log: TypeAlias = "tuple[Log, Seat, frames.Action] | None"
"""Actions so far, the last one first, shared by all clones."""


def _named(game: str, version: int) -> AnyRuleset:
    return rules_of(RULESETS, game, version)


# Rules are functions, which cannot be pickled; their name and version can.
copyreg.pickle(Ruleset, lambda rules: (_named, (rules.id, rules.version)))


class Position:
    """Position of a game or view.

    A game changes its table in place while the table is not `lent`: a copy for each action costs a tenth of the time.
    Legal actions of a position that was left are rarely looked at. Then its table is made again, by the actions since
    an older table that was kept.
    """

    __slots__ = ("_rules", "_since", "lent", "now")

    def __init__(self, rules: AnyRuleset, table: Any, lent: bool = False) -> None:
        self._rules = rules
        self._since: tuple[Any, Log, Log] = (None, None, None)
        self.now = table
        """The table, None once the game has changed it."""
        self.lent = lent
        """Whether the table must never change again."""

    @property
    def present(self) -> Any:
        """The table, for use within a call: it may change after that."""
        return self.table if self.now is None else self.now

    @property
    def table(self) -> Any:
        """The table, which will not change any more."""
        self.lent = True
        if self.now is None:
            self.now = self._made_again()
        return self.now

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, (self._rules, self.table, True)

    def leave(self, table: Any, since: Log, log: Log) -> None:
        """Give the table up. table: an older table that never changes. since, log: actions up to that and to here."""
        self.now, self._since = None, (table, since, log)

    def _made_again(self) -> Any:
        older, since, log = self._since
        moves = []
        while log is not since:
            assert log is not None
            log, seat, raw = log
            moves.append((seat, raw))
        table = older.clone()
        for seat, raw in reversed(moves):
            engine.perform(self._rules, table, seat, raw, engine.ignore_event)
        return table
