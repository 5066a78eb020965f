"""Display of battles of the second game: the units of each owner, the dice of each side, and open questions."""

from __future__ import annotations

from typing import Final

from client.games.battle_dice import marked_roll
from client.games.cote2.battle_state import BATTLE_ODDS, Fight, Side, after, changed, read
from client.language import _, ngettext
from client.table.battle_playback import BattleScene, Block, Lost, Note, PlaybackStep, Roll, Verdict
from client.table.pieces import ARMS
from shared.board import BOARD
from shared.ids import GALLEY, Seat
from shared.kernel.frames import Event
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.combat_phase import NAVAL_ROUNDS
from shared.rulesets.cote2.state import ALIENS, GALLEYS, LEADERS, REBELS
from shared.vocabulary.events import DiceFell, Fell, Retreated

_JOINED: Final = 1.1
"""Seconds for which units that join a battle are shown."""


def title(fight: Fight) -> str:
    """Return the battle's title."""
    name = BOARD.names[fight.space]
    if fight.gathering:
        return _("{name} · the fleets gather", name=name) if fight.naval else _("{name} · the armies gather", name=name)
    if fight.naval:
        return _("{name} · round {round} of {naval_rounds}", name=name, round=fight.round, naval_rounds=NAVAL_ROUNDS)
    if fight.attacker.seat == REBELS:
        return _("Slave revolt in {name} · round {round}", name=name, round=fight.round)
    return _("Battle of {place} · round {round}", place=name, round=fight.round)


def blocks(beat: PlaybackStep[Fight], seat: Seat) -> list[Block]:
    """Return the units of a side by owner: its own first, then those that help."""
    found = []
    for band in beat.fight.side(seat).bands():
        helps = "" if band.owner == seat else _("auxiliaries") if band.owner == ALIENS else _("lent")
        found += [Block(band.owner, kind, count, helps=helps)
                  for kind, count in enumerate((*band.army, band.galleys)) if count]  # fmt: skip
    return found


def notes(beat: PlaybackStep[Fight], seat: Seat) -> list[Note]:
    """Return the number of a side's dice with its sources, and its open question."""
    side = beat.fight.side(seat)
    found = [Note(f"{ngettext('{n} die', '{n} dice', side.rolls)} {sources(side)}".strip())]
    if side.status and beat.roll is None and not beat.verdict:
        found.append(Note(side.status, strong=True, asked=side.asked))
    return found


def sources(side: Side) -> str:
    """Return the sources of a side's dice: ``"3 + leader + 2 training"``; empty if there are fewer than two."""
    if len(side.dice) < 2:
        return ""
    parts = [name if number == 1 and name else f"{number} {name}".strip() for name, number in side.dice]
    return f"= {' + '.join(parts)}"


def roll(event: DiceFell, fight: Fight) -> Roll:
    """Return the roll with its hits marked: dice that find a unit of their kind, `event.hits` of them at most."""
    side = fight.side(event.seat)
    room = {name: 0 if fight.naval else side.count(arm) for arm, name in enumerate(ARMS)} | {"galley": side.galleys}
    return marked_roll(event.faces, event.seat, event.hits, room)


def pause(event: Event) -> float:
    """Return how many seconds joining units are shown; 0 for other events."""
    return _JOINED if isinstance(event, e.Committed | e.Lent) else 0.0


def verdict(event: Event) -> Verdict | None:
    """Return what an event says of a battle's end, or None."""
    match event:
        case e.BattleEnded(winner=winner):
            return Verdict(over=True, winner=winner)
        case e.CityTaken() | e.SlippedAway() | Retreated():
            return Verdict()
        case _:
            return None


def lost(event: Event) -> Lost:
    """Return the units that an event says are lost, by owner and kind."""
    match event:
        case Fell(seat=seat, army=army):
            return {(seat, arm): count for arm, count in enumerate(army)}
        case e.Sank(seat=seat, galleys=galleys, extra=extra):
            owners = [galley // GALLEYS for galley in galleys]
            return {**{(owner, GALLEY): owners.count(owner) for owner in owners}, (ALIENS, GALLEY): extra}
        case _:
            return {}


BATTLE_SCENE: Final = BattleScene(
    verdict, read, roll, after, pause, changed, title, blocks, notes, LEADERS, BATTLE_ODDS,
    {REBELS: _("The slaves")}, lost,
)  # fmt: skip
