"""Replay contents of a match of a conquest game."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from client.games.conquest.player_text import round_words
from client.games.conquest.position_queries import T
from client.language import _
from client.replay.game_replay import Concerns, GameReplay, HighlightKind, Income, Measure, concerned
from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Event
from shared.mechanics.armies import army_of
from shared.odds.dice import Hits
from shared.rulesets.conquest.pieces import galley_lord, is_caesar, leader_lord
from shared.rulesets.conquest.table import TableFields
from shared.vocabulary import events as e

CONCERNS: Final[Concerns] = {
    e.TurnBegan: ("seat",),
    e.BattleBegan: ("attacker", "defender"),
    e.DiceFell: ("seat",),
    e.Fell: ("seat",),
    e.Sank: ("seat",),
    e.Retreated: ("seat",),
    e.Conquered: ("seat", "loser"),
    e.Captured: ("seat",),
    e.Killed: ("seat",),
    e.Freed: ("seat",),
    e.Eliminated: ("seat", "by"),
    e.Razed: ("seat",),
    e.Offered: ("seat", "to"),
    e.Conceded: ("to",),
    e.Won: ("seat",),
}
"""Events that concern a returning player, with the fields that name the seats."""


def subject(
    prices: Callable[[TableFields], Sequence[int]], incomes: Callable[[Event], Sequence[Income]],
    rolling: Callable[[T, Seat], Hits],
    besides: Concerns | None = None,
) -> GameReplay[T]:  # fmt: skip
    """Return the subject of a game with these basic prices. `besides`: the game's own events that concern seats."""
    table = {**CONCERNS, **(besides or {})}
    measures: tuple[Measure[TableFields], ...] = (
        Measure(_("Tribute"), lambda table, seat: table.marker[seat]),
        Measure(_("Provinces"), lambda table, seat: table.owner.count(seat)),
        Measure(_("Army in talents"), lambda table, seat: army_worth(table, seat, prices(table))),
    )
    return GameReplay(
        round_words, mark, measures, _("Sources of talents"), incomes, rolling, partial(_event_concerns, table),
        _holder,
        outcome=lambda event: isinstance(event, e.BattleEnded),
    )  # fmt: skip


def _holder(table: TableFields, space: Space) -> Seat:
    return table.owner[space]


def _event_concerns(table: Concerns, event: Event, seat: Seat, before: TableFields) -> bool:
    """Whether an event concerns a seat. Seats that lose leaders to others are concerned too."""
    taken = event.leaders if isinstance(event, e.Captured | e.Killed) else ()
    return concerned(table, event, seat) or any(leader_lord(before, leader) == seat for leader in taken)


def army_worth(table: TableFields, seat: Seat, prices: Sequence[int]) -> int:
    """Return the worth of a seat's units and galleys. `prices`: basic, of infantry, cavalry, catapult and galley."""
    fleet = [g for g, at in enumerate(table.galley_at) if at < BOARD.positions and galley_lord(table, g) == seat]
    armies = [army_of(cell, seat) for cell in table.units if cell]
    armies += [(cargo[0], cargo[1], cargo[2]) for g in fleet if (cargo := table.cargo[g])]
    return sum(prices[arm] * army[arm] for army in armies for arm in range(3)) + prices[3] * len(fleet)


def mark(event: Event, before: TableFields) -> HighlightKind | None:
    """Return the kind of an event marked in the replay:

    a battle, a captured city or Caesar, a fallen player, the end.
    """
    match event:
        case e.BattleBegan():
            return HighlightKind.BATTLE
        case e.Conquered(space=space, loser=loser) if loser != NONE and before.built[space]:
            return HighlightKind.CAPTURE
        case e.Captured(leaders=leaders) if any(is_caesar(before, leader) for leader in leaders):
            return HighlightKind.CAPTURE
        case e.Eliminated():
            return HighlightKind.CAPTURE
        case e.Won():
            return HighlightKind.END
        case _:
            return None


def tribute(event: Event) -> list[Income]:
    """List the talents that an event of tribute brings."""
    if isinstance(event, e.Tribute) and event.talents:
        return [Income(event.seat, _("Tribute"), _("Tribute"), event.talents)]
    return []
