"""Round, phase and players of a conquest game in words. Pure."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from client.games.conquest.position_queries import leader_colour, prisoners
from client.language import Who, _, ngettext
from client.table.words import and_words, army_words, talents_words
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.mechanics.armies import army_of
from shared.mechanics.pieces import PRISON
from shared.rulesets.conquest.pieces import galley_lord, leader_lord
from shared.rulesets.conquest.table import TableFields
from shared.vocabulary import frames as f

PHASES: Final = (_("Movement"), _("Combat"), _("Tribute"), _("Cities"), _("Purchase"), _("Placement"))


def phase(table: TableFields, phases: Sequence[int]) -> int:
    """Return the phase of the present turn; -1 before the first turn and after the end. `phases`: by `Turn.step`."""
    turn = table.frames[0] if table.frames else None
    if table.winner != NONE or not isinstance(turn, f.Turn):
        return -1
    return phases[turn.step]


def active(table: TableFields) -> Seat:
    """Return the seat whose turn it is; NONE before the first turn."""
    turn = table.frames[0] if table.frames else None
    return turn.seat if isinstance(turn, f.Turn) else NONE


def round_words(table: TableFields) -> str:
    """Return the round in words: ``"Round 3"``."""
    return _("Round {round}", round=table.round) if table.round else _("Setting up")


def person_words(table: TableFields, seat: Seat, who: Who) -> str:
    """Return more about a player than fits into the player's line."""
    if table.lord[seat] != seat:
        return _("You are out of the game.") if who(seat) == _("You") else _("{who} is out of the game.", who=who(seat))
    home = f", {BOARD.names[table.home[seat]]}" if table.home[seat] != NONE else ""
    lands = ngettext("{n} province", "{n} provinces", table.owner.count(seat))
    stand = _(
        "{who}{home}: {talents}, tribute {marker}, {lands}. ",
        who=who(seat),
        home=home,
        talents=talents_words(table.talents[seat]),
        marker=table.marker[seat],
        lands=lands,
    )
    return stand + _pieces(table, seat) + _held(table, seat, who)


def _held(table: TableFields, seat: Seat, who: Who) -> str:
    """Return whose generals a player holds, in words; empty if none."""
    owners = Counter(who(leader_colour(table, x)) for x in prisoners(table, seat))
    names = [
        _("{count} of yours", count=count) if owner == _("You") else _("{count} of {owner}", count=count, owner=owner)
        for owner, n in owners.items()
        for count in (ngettext("{n} general", "{n} generals", n),)
    ]
    return _(" Holds {generals}.", generals=and_words(names)) if names else ""


def _pieces(table: TableFields, seat: Seat) -> str:
    """Return the number of a player's pieces of each kind on the board, in words."""
    leaders = sum(1 for x, at in enumerate(table.leader_at) if at < PRISON and leader_lord(table, x) == seat)
    fleet = [g for g, at in enumerate(table.galley_at) if at < BOARD.positions and galley_lord(table, g) == seat]
    armies = [army_of(cell, seat) for cell in table.units] + [table.cargo[g] for g in fleet if table.cargo[g]]
    army = [sum(army[arm] for army in armies) for arm in range(3)]
    galleys = ngettext("{n} galley", "{n} galleys", len(fleet))
    led = ngettext("{n} leader", "{n} leaders", leaders)
    return f"{led}, {army_words(army)}, {galleys}."
