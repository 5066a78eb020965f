"""Positions of games, which stay readable after the game has gone on."""

from __future__ import annotations

from typing import Any, TypeAlias

from shared.ids import Seat
from shared.kernel import engine, frames
from shared.kernel.ruleset import AnyRuleset

Log: TypeAlias = "tuple[Log, Seat, frames.Action] | None"
"""Actions so far, the last one first, shared by all clones."""


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

    def leave(self, kept: Any, since: Log, log: Log) -> None:
        """Give the table up. kept: an older table that never changes. since, log: actions up to that and to here."""
        self.now, self._since = None, (kept, since, log)

    def _made_again(self) -> Any:
        kept, since, log = self._since
        moves = []
        while log is not since:
            assert log is not None
            log, seat, raw = log
            moves.append((seat, raw))
        table = kept.clone()
        for seat, raw in reversed(moves):
            engine.perform(self._rules, table, seat, raw, engine.ignore_event)
        return table
