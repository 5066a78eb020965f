"""Forms for the actions of a turn."""

from collections.abc import Iterable
from typing import Final

from shared.actions.cote2 import groups
from shared.actions.cote2.card_labels import label_use
from shared.actions.cote2.fields import (
    GALLEY_COUNT,
    GENERALS,
    NO_ATTACK,
    UNITS,
    at_space,
    at_spaces,
    galleys,
    kept,
    leaders,
    number,
    one,
    rows,
    seats,
    some,
)
from shared.actions.cote2.unit_labels import label_sail
from shared.actions.description import Choice, Field, FieldKind, Filter, Form
from shared.actions.examples import form
from shared.board import BOARD
from shared.ids import NONE, Army, Leader, Seat, Space
from shared.language.sentence import Person, Value, _, pgettext
from shared.mechanics.armies import army_of, choices, enemies_in, take_by_kind
from shared.rulesets.cote2.actions import Campaign, Incite, Influence, Move, Recruit, Sail, Use
from shared.rulesets.cote2.data import CARDS, KEYS, NAMED, SEAS
from shared.rulesets.cote2.economy import (
    bases,
    buyable,
    most_tokens,
)
from shared.rulesets.cote2.effects import BY_CARD, obtain_check, use_check, use_options
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.joining import ZONES, sail_check
from shared.rulesets.cote2.movement import room
from shared.rulesets.cote2.options import campaign_units, each_landing, galley_load, influence_price, prices
from shared.rulesets.cote2.property import army_supply, galley_supply, general_supply, influence_supply, unused
from shared.rulesets.cote2.state import GALLEYS, LEADERS, OFF, TableFields, allied, leaders_at
from shared.rulesets.cote2.ways import landings, reach

Limits = dict[Space, Army]
"""By destination, the most infantry, cavalry and catapults that can go there."""


def _sources(table: TableFields, seat: Seat, query: Filter) -> dict[Space, list[Leader]]:
    """Return the provinces with own leaders within the filter, with those of them that may move."""
    first = seat * LEADERS
    spaces = sorted({at for at in table.leader_at[first : first + LEADERS] if at != OFF})
    found = {space: kept(query.piece, leaders_at(table, seat, space)) for space in kept(query.source, spaces)}
    return {space: there for space, there in found.items() if there}


def _limits(table: TableFields, seat: Seat, source: Space, query: Filter) -> Limits:
    """Return the destinations from a province within the filter, those over land first."""
    army = army_of(table.units[source], seat)
    by_land = sorted(reach(table, seat, source))
    # Where land leads, no galley is needed and all may go.
    by_sea = sorted(landings(table, seat, source) - set(by_land))
    found = dict.fromkeys(kept(query.to, by_land), army)
    for to in kept(query.to, by_sea):
        most = room(table, seat, to)
        found[to] = (min(army[0], most), min(army[1], most), min(army[2], most))
    return found


# --- moves ---


def move_form(table: TableFields, _frame: Turn, seat: Seat, query: Filter) -> list[Form]:
    """Return the form of a move."""
    sources = _sources(table, seat, query)
    ways = {source: limits for source in sources if (limits := _limits(table, seat, source, query))}
    if not ways:
        return []
    able = [leader for source in ways for leader in sources[source]]
    reached = sorted({to for limits in ways.values() for to in limits})
    most = {to: _most(limits[to] for limits in ways.values() if to in limits) for to in reached}
    alone = query.piece != NONE
    pairs = Field(
        "leaders",
        FieldKind.PAIRS,
        _("Leaders"),
        int(alone),
        len(able),
        options=tuple(leaders(table, able)),
        others=tuple(at_spaces(reached)),
    )
    fields = [
        one("source", _("From"), at_spaces(ways)),
        rows("armies", _("Units"), [at_space(to, most[to]) for to in reached], UNITS),
        pairs,
    ]
    source, limits = next(iter(ways.items()))
    return form(_whole_move(table, seat, source, limits, sources[source]), _("Move units"), groups.MOVE, fields)


def _most(armies: Iterable[Army]) -> Army:
    """Return the greatest number of each kind."""
    infantry, cavalry, catapults = map(max, zip(*armies, strict=True))
    return infantry, cavalry, catapults


def _whole_move(table: TableFields, seat: Seat, source: Space, limits: Limits, able: list[Leader]) -> Move:
    """Return the move of as much as can go to the first destination."""
    to = next(iter(limits))
    army = army_of(table.units[source], seat)
    if to not in reach(table, seat, source):
        army = take_by_kind(army, room(table, seat, to), (0, 1, 2))
    return Move(source, ((to, *army),) if any(army) else (), tuple([(leader, to) for leader in able]))


def campaign_form(table: TableFields, frame: Turn, seat: Seat, query: Filter) -> list[Form]:
    """Return the form of a march against the Barbarians."""
    sources = _sources(table, seat, query)
    found = [
        Campaign(card, source, *army)
        for card, effect in enumerate(BY_CARD)
        if effect.taken.action is Campaign and table.row[card] and query.to in (NONE, NAMED[card][0])
        for source in sources
        for army in choices(army_of(table.units[source], seat), campaign_units(table))
    ]
    ways = [way for way in found if obtain_check(table, frame, seat, way) is None]
    if not ways:
        return []
    able = sorted({leader for way in ways for leader in sources[way.source]})
    armies = [(way.infantry, way.cavalry, way.catapults) for way in ways]
    names = ("infantry", "cavalry", "catapults")
    counts = [
        number(name, label, min(units), max(units))
        for name, label, units in zip(names, UNITS, zip(*armies, strict=True), strict=True)
    ]
    low = int(query.piece != NONE)
    fields = [
        one("card", _("Card"), _cards({way.card for way in ways})),
        one("source", _("From"), at_spaces({way.source for way in ways})),
        *counts,
        some("leaders", _("Leaders"), leaders(table, able), low, len(able)),
    ]
    first = ways[-1]
    draft = Campaign(first.card, first.source, *armies[-1], tuple(sources[first.source][-1:]))
    return form(draft, _("March against the Barbarians"), groups.CARDS, fields)


def _cards(cards: Iterable[int]) -> list[Choice]:
    return [Choice(card, CARDS[card].name) for card in sorted(cards)]


# --- galleys ---


def sail_form(table: TableFields, frame: Turn, seat: Seat, query: Filter) -> list[Form]:
    """Return the form of a voyage with or without an attack."""
    own = [galley for galley in range(seat * GALLEYS, (seat + 1) * GALLEYS) if table.galley_at[galley] != OFF]
    able = [galley for galley in kept(query.piece, own) if query.source in (NONE, table.galley_at[galley])]
    ways = [
        way
        for way in _voyages(table, seat, able)
        if sail_check(table, frame, seat, way) is None and query.takes(label_sail(table, seat, way))
    ]
    if not ways:
        return []
    moved = {table.galley_at[galley] for way in ways for galley in way.galleys}
    able = [galley for galley in able if table.galley_at[galley] in moved]
    fields = [
        one("to", _("To"), _zones({way.to for way in ways}, _("no voyage"))),
        some("galleys", GALLEY_COUNT, galleys(table, able), min(len(way.galleys) for way in ways), len(able)),
        one("zone", _("Attack in"), _zones({way.zone for way in ways}, NO_ATTACK)),
        one("enemy", _("Enemy"), seats({way.enemy for way in ways}, NO_ATTACK)),
    ]
    return form(_whole_voyage(table, ways[0], able), _("Send galleys"), groups.SAIL, fields)


def _voyages(table: TableFields, seat: Seat, able: list[int]) -> Iterable[Sail]:
    """Yield voyages of no galley or one of each zone, those without an attack first."""
    # Galleys of one zone are alike: one stands for all.
    single = {table.galley_at[galley]: galley for galley in able}.values()
    battles = sorted(
        {
            (zone, galley // GALLEYS)
            for galley, zone in enumerate(table.galley_at)
            if zone != OFF and not allied(table, seat, galley // GALLEYS)
        }
    )
    here = {NONE, *table.galley_at[seat * GALLEYS : (seat + 1) * GALLEYS]}
    for zone, enemy in [(NONE, NONE), *battles]:
        goals = ZONES if zone in here else [zone]  # An attack needs a galley that stays there or comes.
        yield from [Sail(to, (galley,), zone, enemy) for to in goals for galley in single]
        yield Sail(NONE, (), zone, enemy)


def _whole_voyage(table: TableFields, way: Sail, able: list[int]) -> Sail:
    """Return the voyage of all galleys of the zone from which one sails."""
    from_there = [
        galley for galley in able if way.galleys and table.galley_at[galley] == table.galley_at[way.galleys[0]]
    ]
    return Sail(way.to, tuple(from_there)) if way.enemy == NONE else way


def _zones(zones: Iterable[Space], none: Value) -> list[Choice]:
    return [at_space(zone) if zone != NONE else Choice(NONE, none) for zone in sorted(zones)]


# --- money ---


_USES: Final = (
    _("Cheap to lose; two of a die's six faces hit with it."),
    *[_("Hits with a face of its own: mixed armies hit more often.")] * 2,
    _("Needed to move and to recruit; adds a die in battle."),
)
"""Uses of each unit and of a general, in words."""


def recruit_form(table: TableFields, _frame: Turn, seat: Seat, query: Filter) -> list[Form]:
    """Return the form of a recruitment."""
    sites, money = bases(table, seat), table.talents[seat]
    zones = sorted({zone for space in sites for zone in SEAS[space]})
    infantry, cavalry, catapults, galley, general = prices(table)
    supply = (*army_supply(table, seat), len(general_supply(table, seat)))
    ashore = infantry, cavalry, catapults, general
    # Each kind by itself; what all cost together is limited by the purse.
    most = [min(left, money // price) for left, price in zip(supply, ashore, strict=True)]
    afloat = min(len(galley_supply(table, seat)), money // galley)
    carries = (
        _("Brings {n} units ashore in each province; adds its face in battles there.", n=galley_load(table))
        if each_landing(table)
        else _("Brings {n} units ashore; adds its face in battles beside it.", n=galley_load(table))
    )
    armies = rows(
        "armies", _("Units"), [at_space(space, most) for space in kept(query.to, sites)], (*UNITS, GENERALS), _USES
    )
    fleets = rows(
        "fleets",
        GALLEY_COUNT,
        [at_space(zone, (afloat,)) for zone in kept(query.to, zones)],
        (GALLEY_COUNT,),
        (carries,),
    )
    if query.source != NONE or query.piece != NONE or not (armies.options or fleets.options):
        return []
    return form(_one_recruit(armies, fleets), _("Recruit units"), groups.RECRUIT, (armies, fleets),
                (*ashore, galley), money)  # fmt: skip


def _one_recruit(armies: Field, fleets: Field) -> Recruit:
    """Return the recruitment of one unit, the first that can be had."""
    if not armies.options:
        return Recruit((), ((fleets.options[0].value, 1),))
    row = armies.options[0]
    kind = next(kind for kind, most in enumerate(row.most) if most)
    return Recruit(((row.value, int(kind == 0), int(kind == 1), int(kind == 2), int(kind == 3)),))


def influence_form(table: TableFields, _frame: Turn, seat: Seat, query: Filter) -> list[Form]:
    """Return the form of a purchase of influence, where two tokens can be bought."""
    limit = min(influence_supply(table, seat), table.talents[seat] // influence_price(table))
    offered = {space: buyable(table, seat, space) for space in kept(query.to, KEYS)}
    most = {space: min(limit, most_tokens(table, seat, space), len(found)) for space, found in offered.items()}
    spaces = [space for space, tokens in most.items() if tokens > 0]
    if query.source != NONE or query.piece != NONE or max(most.values(), default=0) < 2:
        return []
    sellers = sorted({seller for space in spaces for seller in offered[space]})
    bank = pgettext("seller", "the bank")
    fields = [
        one("space", _("Province"), at_spaces(spaces)),
        Field("sellers", FieldKind.LIST, _("From"), 1, max(most.values()), options=tuple(seats(sellers, bank))),
    ]
    draft = Influence(spaces[0], tuple(offered[spaces[0]][:1]))
    return form(draft, _("Buy influence"), groups.INFLUENCE, fields)


# --- cards ---


def incite_form(table: TableFields, frame: Turn, seat: Seat, query: Filter) -> list[Form]:
    """Return the form of a slave revolt, where the slaves attack in more orders than are listed."""
    ways = [
        Incite(space, tuple(enemies_in(cell, seat)))
        for space, cell in enumerate(table.units)
        if query.to in (NONE, space)
    ]
    ways = [way for way in ways if obtain_check(table, frame, seat, way) is None]
    numbers = [len(way.victims) for way in ways]
    if query.source != NONE or query.piece != NONE or max(numbers, default=0) < 3:
        return []
    victims = {victim for way in ways for victim in way.victims}
    fields = [
        one("space", _("Province"), at_spaces({way.space for way in ways})),
        Field(
            "victims",
            FieldKind.LIST,
            _("Order of attack"),
            min(numbers),
            max(numbers),
            options=tuple(seats(victims, "")),
        ),
    ]
    draft = max(ways, key=lambda way: len(way.victims))
    return form(draft, _("Stir up slaves"), groups.CARDS, fields)


def use_form(table: TableFields, frame: Turn, seat: Seat, query: Filter) -> list[Form]:
    """Return the form of the use of a card, where an assassin has more victims than are listed."""
    found = [
        way
        for card in unused(table, seat)
        for way in (
            Use(card),
            *[Use(card, leader) for leader in range(len(table.leader_at))],
            *[Use(card, seat=who) for who in range(table.seats)],
        )
        if use_check(table, frame, seat, way) is None
    ]
    ways = [way for way in found if query.takes(label_use(table, seat, way))]
    listed = set(use_options(table, frame, seat))
    if set(ways) <= listed:
        return []
    fields = [
        one("card", _("Card"), _cards({way.card for way in ways})),
        one("leader", _("Against a general"), [_victim(table, leader) for leader in sorted({w.leader for w in ways})]),
        one("seat", _("Against a senator"), seats({way.seat for way in ways}, _("nobody"))),
    ]
    draft = next((way for way in ways if way in listed), ways[0])
    return form(draft, _("Use a card"), groups.CARDS, fields)


def _victim(table: TableFields, leader: Leader) -> Choice:
    if leader == NONE:
        return Choice(NONE, _("nobody"))
    space = table.leader_at[leader]
    who = Person(leader // LEADERS)
    return Choice(leader, _("a general of {who} in {place}", who=who, place=BOARD.names[space]), space)
