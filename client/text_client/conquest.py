"""Common texts of Classic and 1984: positions of pieces, borders, prices."""

from collections.abc import Callable, Iterator, Sequence

from client.games.conquest.player_text import PHASES, phase, round_words
from client.games.conquest.position_queries import T, held, prisoners
from client.language import _
from client.table.words import and_words, army_words, coast_name, talents_words
from shared.actions.grammar import PhraseContext
from shared.actions.typed import (
    BERTH,
    galley_name,
    leader_name,
)
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Leader, Seat, Space
from shared.mechanics.armies import army_of
from shared.mechanics.pieces import ABOARD, living
from shared.mechanics.wares import ONE
from shared.rulesets.conquest.pieces import galleys_at, leaders_at
from shared.rulesets.conquest.table import TableFields
from shared.vocabulary.frames import Movement

# --- positions of pieces ---


def pieces(scene: PhraseContext, seat: Seat) -> list[str]:
    """Return a line for each province and galley of a player, then their captives."""
    table = scene.table
    return [
        *(line for space in range(BOARD.provinces) if (line := _force(scene, seat, space))),
        *(_ship(scene, seat, galley) for at in range(BOARD.positions) for galley in galleys_at(table, seat, at)),
        *_captives(scene, seat),
    ] or [_("No pieces on the board.")]


def _force(scene: PhraseContext, seat: Seat, space: Space) -> str:
    table = scene.table
    army = army_of(table.units[space], seat)
    parts = [_leader(scene, seat, leader) for leader in leaders_at(table, seat, space)]
    parts += [army_words(army)] if any(army) else []
    return f"{BOARD.names[space]}: {', '.join(parts)}." if parts else ""


def _leader(scene: PhraseContext, seat: Seat, leader: Leader) -> str:
    """Return a leader's name, with their moves so far while they could move."""
    used = scene.table.leader_used[leader]
    moving = any(isinstance(frame, Movement) and frame.seat == seat for frame in scene.table.frames)
    done = ("", _(" (moved one step)"), _(" (has moved)")) if moving else ("", "", "")
    return f"{leader_name(scene, leader)}{done[min(used, 2)]}"


def _ship(scene: PhraseContext, seat: Seat, galley: int) -> str:
    table = scene.table
    at = table.galley_at[galley]
    aboard = [leader_name(scene, leader) for leader in leaders_at(table, seat, ABOARD + galley)]
    cargo = table.cargo[galley] or NO_ARMY
    load = ", ".join([*aboard, *([army_words(cargo)] if any(cargo) else [])])
    name, place = galley_name(scene, galley), BERTH.say((at,), scene)
    if BOARD.is_sea(at):
        where = _("{galley} at sea in {place}", galley=f"{name[:1].upper()}{name[1:]}", place=place)
    else:
        where = _("{galley} at the coast of {place}", galley=f"{name[:1].upper()}{name[1:]}", place=place)
    return _("{where}, carrying {load}.", where=where, load=load) if load else _("{where}, empty.", where=where)


def _captives(scene: PhraseContext, seat: Seat) -> Iterator[str]:
    table = scene.table
    if kept := prisoners(table, seat):
        yield _held(scene, seat, kept)
    for captor in living(table):
        if lost := held(table, captor, seat):
            yield _held(scene, captor, lost)


def _held(scene: PhraseContext, captor: Seat, leaders: Sequence[Leader]) -> str:
    names = and_words([leader_name(scene, leader) for leader in leaders])
    if captor == scene.seat:
        return _("You hold {leaders}.", leaders=names)
    return _("{who} holds {leaders}.", who=scene.who(captor), leaders=names)


def heading(phases: Sequence[int], table: TableFields) -> str:
    """``"Round 3, Movement"``."""
    now = phase(table, phases)
    return f"{round_words(table)}, {PHASES[now]}" if now >= 0 else round_words(table)


def prices(
    costs: Callable[[T], Sequence[int]], stock: Callable[[T, Seat], Sequence[int]], scene: PhraseContext, _said: str
) -> list[str]:
    """Return the present price of each ware, and how many a player could buy. `costs`: the basic prices of a table."""
    table, seat = scene.table, scene.seat
    wares = [
        (ware.capitalize(), talents_words(cost * table.inflation))
        for ware, cost in zip(ONE, costs(table), strict=False)
    ]
    if seat not in living(table):
        return [_("{ware}: {price}.", ware=ware, price=price) for ware, price in wares]
    return [
        _("{ware}: {price}, {n} to be had.", ware=ware, price=price, n=n)
        for (ware, price), n in zip(wares, stock(table, seat), strict=True)
    ]


def borders(steps: Callable[[T], Sequence[Sequence[Space]]], table: T, space: Space) -> list[str]:
    """Return the neighbours of a space: by land or strait, by sea, by road."""
    if space >= BOARD.provinces:
        coasts = [BERTH.say((at,), PhraseContext(table, NONE, str)) for at in BOARD.landings[space]]
        seas = [BOARD.names[zone] for zone in BOARD.coast_seas[space]]
        return [
            _("Seas beside it: {places}.", places=and_words(seas)),
            _("Coasts: {places}.", places=and_words(coasts)),
        ]
    roads = map(BOARD.edges.__getitem__, table.roads)
    ends = [BOARD.names[b if a == space else a] for a, b in roads if space in (a, b)]
    return [
        _(
            "Next to it by land: {places}.",
            places=and_words([BOARD.names[to] for to in steps(table)[space]]) or _("nothing"),
        ),
        *map(_reachable_seas, BOARD.coasts[space]),
        *([_("Roads to {places}.", places=and_words(ends))] if ends else []),
    ]


def _reachable_seas(at: int) -> str:
    """Return the seas that galleys of a coast can reach."""
    seas, coast = and_words([BOARD.names[zone] for zone in BOARD.coast_seas[at]]), coast_name(at)
    if coast:
        return _("By sea from the {coast} coast: {places}.", coast=coast, places=seas)
    return _("By sea: {places}.", places=seas)
