"""Labels and forms of the actions that Classic and 1984 share."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, Final, TypeAlias

from msgspec import Struct, structs

from shared.actions import examples
from shared.actions.description import Choice, Field, Filter, Form, Label
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Leader, Position, Seat, Space
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.language.sentence import Person, Sentence, Value, _, and_list, listing, ngettext, pattern, pgettext
from shared.mechanics import galleys, prisoners
from shared.mechanics.bargains import Terms
from shared.mechanics.galleys import where_words
from shared.mechanics.marching import Ready
from shared.mechanics.pieces import ABOARD, PRISON, living, own
from shared.mechanics.tribute import city_tribute
from shared.mechanics.wares import Ware, count_words, pieces_words, ware_words
from shared.rulesets.conquest.pieces import (
    can_march,
    galley_lord,
    galleys_at,
    leaders_at,
    legion_limit,
    movement_points,
    ready,
)
from shared.rulesets.conquest.table import TableFields
from shared.sentences.common import talents_words
from shared.sentences.conquest import exchange_words
from shared.vocabulary import actions as a
from shared.vocabulary.actions import MarchFields
from shared.vocabulary.frames import Bargain, Captives

HOME: Final = pgettext("heading", "Home")
MARCH: Final = pgettext("heading", "March")
SAIL: Final = pgettext("heading", "Sail")
FIGHT: Final = pgettext("heading", "Fight")
RETREAT: Final = pgettext("heading", "Retreat")
LOSSES: Final = pgettext("heading", "Losses")
CAPTIVES: Final = pgettext("heading", "Captives")
CITIES: Final = pgettext("heading", "Cities")
BUY: Final = pgettext("heading", "Buy")
BUILD: Final = pgettext("heading", "Build")
BARGAIN: Final = pgettext("heading", "Bargain")
END: Final = pgettext("heading", "End")
GIVE_UP: Final = pgettext("heading", "Give up")

Labels: TypeAlias = Mapping[type[Action], Callable[[Any, Seat, Any], Label]]
"""Makers of labels, by the kind of action."""


# --- words for pieces ---


def leader_words(seat: Seat, leader: Leader, each: int) -> Sentence:
    """Return a leader's name as its reader, `seat`, needs it: ``"the Caesar"``, ``"general 2"``, ``"general 2 of
    Livia"``."""
    colour, number = divmod(leader, each)
    if colour == seat:
        return _("general {number}", number=number) if number else _("the Caesar")
    if number:
        return _("general {number} of {who}", number=number, who=Person(colour))
    return _("the Caesar of {who}", who=Person(colour))


def leader_names(seat: Seat, leaders: Sequence[Leader], each: int) -> Value:
    """Return the names of leaders as a list."""
    return and_list([leader_words(seat, leader, each) for leader in leaders])


def force_names(seat: Seat, leaders: Sequence[Leader], army: Sequence[int], each: int) -> Value:
    """Return units, and leaders by their names: ``"3 infantry, the Caesar and general 2"``.

    The units come first: "general 4 and 5 infantry" could be two generals.
    """
    led = [leader_words(seat, leader, each) for leader in leaders]
    return and_list([*[count_words(number, kind) for kind, number in enumerate(army[:3]) if number], *led])


def aboard(table: TableFields, galley: int) -> tuple[tuple[Leader, ...], Army]:
    """Return the leaders and units aboard a galley."""
    cargo = table.cargo[galley]
    army = (cargo[0], cargo[1], cargo[2]) if cargo else NO_ARMY
    return leaders_at(table, galley_lord(table, galley), ABOARD + galley), army


def galley_words(table: TableFields, seat: Seat, galley: int) -> Sentence:
    """Return a galley's name by its passengers: ``"the galley with general 2"``."""
    force = force_names(seat, *aboard(table, galley), table.leaders_each)
    return _("the galley with {aboard}", aboard=force) if force else _("an empty galley")


def fleet_words(table: TableFields, seat: Seat, fleet: Sequence[int]) -> Value:
    """Return galleys by their passengers; empty ones are counted."""
    laden = [galley for galley in fleet if aboard(table, galley) != ((), NO_ARMY)]
    empty = len(fleet) - len(laden)
    parts = [galley_words(table, seat, galley) for galley in laden]
    return and_list([*parts, *([ngettext("an empty galley", "{n} empty galleys", empty)] if empty else [])])


def only(pieces: Sequence[int]) -> int:
    """Return the only piece of several, or NONE."""
    return pieces[0] if len(pieces) == 1 else NONE


# --- movement ---


def march_label(table: TableFields, seat: Seat, march: MarchFields) -> Label:
    """Return the label of a march without stops."""
    army = (march.infantry, march.cavalry, march.catapults)
    text = _(
        "March from {source} to {to} with {force}",
        source=BOARD.names[march.source],
        to=BOARD.names[march.to],
        force=force_names(seat, march.leaders, army, table.leaders_each),
    )
    if march.tired and has_fresh(ready(table, seat, march.source)):
        tired = ngettext("{n} of the cavalry moved before", "{n} of the cavalry moved before", march.tired)
        text = pattern("{march} ({tired})", march=text, tired=tired)
    return Label(text, MARCH, march.source, march.to, only(march.leaders))


def has_fresh(here: Ready) -> bool:
    """Whether there are cavalry units which did not move beside those that did."""
    return here[1] > 0


def stops_label(plain: Label, drops: Sequence[Sequence[int]]) -> Label:
    """Return the label of a march that leaves or collects units on its way."""
    stops = [part for space, *counts in drops for part in _stop(space, counts)]
    if not stops:
        return plain
    text = pattern("{march}, {stops}", march=plain.text, stops=listing(stops))
    return Label(text, plain.group, plain.source, plain.to, plain.piece, tuple([drop[0] for drop in drops]))


def _stop(space: Space, counts: Sequence[int]) -> list[Sentence]:
    left, taken = [max(0, number) for number in counts], [max(0, -number) for number in counts]
    place = BOARD.names[space]
    found = [_("leaving {army} in {place}", army=ware_words(left), place=place)] if any(left) else []
    return found + ([_("collecting {army} in {place}", army=ware_words(taken), place=place)] if any(taken) else [])


def _sail(table: TableFields, seat: Seat, sail: a.Sail) -> Label:
    at = table.galley_at[sail.galley]
    leaders, army = sail.leaders, (sail.infantry, sail.cavalry, sail.catapults)
    if BOARD.is_sea(at):
        leaders, army = aboard(table, sail.galley)
    text = _voyage(at, sail.to, force_names(seat, leaders, army, table.leaders_each))
    used = table.galley_used[sail.galley]
    if any(table.galley_used[beside] != used for beside in galleys_at(table, seat, at)):
        steps = ngettext("{n} step left", "{n} steps left", movement_points(table) - used)
        text = pattern("{sail} ({steps})", sail=text, steps=steps)
    return Label(text, SAIL, BOARD.ashore[at], BOARD.ashore[sail.to], sail.galley)


def _voyage(at: Position, to: Position, force: Value) -> Sentence:
    source, goal = where_words(at), where_words(to)
    if not force:
        return _("Sail an empty galley from {source} to {to}", source=source, to=goal)
    if BOARD.is_sea(to):
        return _("Sail from {source} to {to} with {force}", source=source, to=goal, force=force)
    return _("Land from {source} in {to} with {force}", source=source, to=goal, force=force)


# --- combat ---


def _fight(_table: TableFields, _seat: Seat, fight: a.Fight) -> Label:
    who, place = Person(fight.enemy), BOARD.names[fight.space]
    if BOARD.is_sea(fight.space):
        return Label(_("Attack {who} on {place}", who=who, place=place), FIGHT, to=fight.space)
    return Label(_("Attack {who} in {place}", who=who, place=place), FIGHT, to=fight.space)


def _stand(table: TableFields, _seat: Seat, _action: a.Stand) -> Label:
    return Label(_("Fight on"), FIGHT, to=table.frames[-1].space)


def _retreat(table: TableFields, _seat: Seat, retreat: a.Retreat) -> Label:
    source = table.frames[-1].space
    if retreat.to == NONE:
        return Label(_("Give up the battle: no way is open, and all are lost"), RETREAT, source, grave=True)
    text = _("Retreat from {source} to {to}", source=BOARD.names[source], to=BOARD.names[retreat.to])
    return Label(text, RETREAT, source, retreat.to)


def _judge(table: TableFields, seat: Seat, judge: a.Judge) -> Label:
    if judge.kill:
        names = leader_names(seat, judge.kill, table.leaders_each)
        return Label(_("Kill {captives}", captives=names), CAPTIVES, grave=True)
    frame, each = table.frames[-1], table.leaders_each
    held = [leader for leader in frame.leaders if prisoners.is_prisoner(table, leader, seat, each)]
    return Label(_("Hold {captives} for ransom", captives=leader_names(seat, held, each)), CAPTIVES)


# --- cities, purchases, buildings ---


def _choose_home(_table: TableFields, _seat: Seat, action: a.ChooseHome) -> Label:
    return Label(_("Begin in {place}", place=BOARD.names[action.home]), HOME, to=action.home)


def _raze(table: TableFields, seat: Seat, raze: a.Raze) -> Label:
    left, place = table.marker[seat] - city_tribute(table), BOARD.names[raze.space]
    text = _("Raze the city in {place}: your tribute falls to {n}", place=place, n=left)
    return Label(text, CITIES, to=raze.space, grave=True)


def buy_label(counts: Sequence[int], cost: int) -> Label:
    """Return the label of a purchase; `counts` by `Ware`."""
    if not any(counts):
        return Label(_("Buy nothing"), BUY)
    return Label(_("Buy {wares} for {cost}", wares=ware_words(counts), cost=talents_words(cost)), BUY)


def _place_galley(_table: TableFields, _seat: Seat, action: a.PlaceGalley) -> Label:
    text = _("Place a galley in {where}", where=where_words(action.position))
    return Label(text, BUILD, to=BOARD.ashore[action.position])


def _place_city(_table: TableFields, _seat: Seat, action: a.PlaceCity) -> Label:
    return Label(_("Build a city in {place}", place=BOARD.names[action.space]), BUILD, to=action.space)


def _place_walls(_table: TableFields, _seat: Seat, action: a.PlaceFortification) -> Label:
    return Label(_("Fortify the city in {place}", place=BOARD.names[action.space]), BUILD, to=action.space)


def _place_road(_table: TableFields, _seat: Seat, action: a.PlaceRoad) -> Label:
    text = _("Build a road from {source} to {to}", source=BOARD.names[action.a], to=BOARD.names[action.b])
    return Label(text, BUILD, action.a, action.b)


# --- bargains, ends ---


def terms_words(table: TableFields, seat: Seat, terms: Terms) -> Sentence:
    """Return terms that `seat` proposes, with the names of the generals: ``"20 talents for general 2"``."""
    return exchange_words(terms, lambda leaders: leader_names(seat, leaders, table.leaders_each))


def turned(terms: Terms, proposer: Seat) -> a.Offer:
    """Return terms as the player sees them who was asked."""
    return a.Offer(proposer, terms.wants, terms.takes, terms.pays, terms.gives)


def _offer(table: TableFields, seat: Seat, offer: a.Offer) -> Label:
    return Label(_("Offer {who}: {bargain}", who=Person(offer.to), bargain=terms_words(table, seat, offer)), BARGAIN)


def _answer(table: TableFields, seat: Seat, answer: a.Answer) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Bargain)
    bargain = terms_words(table, seat, turned(frame, frame.proposer))
    if answer.accept:
        return Label(_("Accept the bargain: {bargain}", bargain=bargain), BARGAIN, grave=True)
    return Label(_("Decline the bargain: {bargain}", bargain=bargain), BARGAIN)


def _concede(_table: TableFields, _seat: Seat, concede: a.Concede) -> Label:
    if concede.to == NONE:
        return Label(_("Fight on for the victory after all"), GIVE_UP)
    return Label(_("Grant {who} the victory", who=Person(concede.to)), GIVE_UP, grave=True)


def plain(text: Sentence, group: Sentence, *, grave: bool = False) -> Callable[[Any, Seat, Action], Label]:
    """Return the maker of a label that is always the same."""
    label = Label(text, group, grave=grave)
    return lambda _table, _seat, _action: label


LABELS: Final[Labels] = {
    a.ChooseHome: _choose_home,
    a.Sail: _sail,
    a.EndMovement: plain(_("End the movement"), END, grave=True),
    a.Fight: _fight,
    a.Stand: _stand,
    a.Retreat: _retreat,
    a.Judge: _judge,
    a.Raze: _raze,
    a.EndDestruction: plain(_("Keep the cities"), END),
    a.PlaceGalley: _place_galley,
    a.PlaceCity: _place_city,
    a.PlaceFortification: _place_walls,
    a.PlaceRoad: _place_road,
    a.Offer: _offer,
    a.Answer: _answer,
    a.EndTurn: plain(_("End the turn"), END, grave=True),
    a.Concede: _concede,
    a.Resign: plain(_("Resign: leave the match"), GIVE_UP, grave=True),
}


# --- forms ---


class Moves(Struct, frozen=True):
    """Rules of movement that differ between the games.

    march: the action. steps, road_trip: the spaces that a march might reach. can_board, boardable: whether a leader,
    and which units, may go aboard a galley.
    """

    check_march: examples.Check
    check_sail: examples.Check
    march: type[Any]
    steps: Callable[[Any], Sequence[Sequence[Space]]]
    road_trip: Callable[[Any, Seat, Space], set[Space]]
    can_board: Callable[[Any, Seat, int, Leader], bool]
    boardable: Callable[[Any, Seat, int, Space], Army]


def place_choice(space: Space) -> Choice:
    """Return the choice of a province or sea."""
    return Choice(space, BOARD.names[space], space)


def position_choice(position: Position) -> Choice:
    """Return the choice of a sea or coast."""
    return Choice(position, where_words(position), BOARD.ashore[position])


def leaders_field(table: TableFields, seat: Seat, found: Sequence[Action], name: str, label: Value) -> Field:
    """Return the field for a set of leaders, of which generals who stand and have moved alike make up a sort."""
    each = table.leaders_each

    def choice(leader: Leader) -> Choice:
        colour, at, used = leader // each, table.leader_at[leader], table.leader_used[leader]
        sort: Value = _("Generals") if colour == seat else _("Generals of {who}", who=Person(colour))
        if at < PRISON and used:
            moved = ngettext("{n} step left", "{n} steps left", max(0, movement_points(table) - used))
            sort = pattern(
                "{sort} ({moved})", sort=sort, moved=moved if 0 < used < movement_points(table) else _("moved before")
            )
        if len(places) > 1:
            sort = pattern("{where}: {sort}", where=BOARD.names[at], sort=sort)
        return Choice(leader, leader_words(seat, leader, each), sort=sort if leader % each else "")

    places = {table.leader_at[leader] for action in found for leader in getattr(action, name)}
    return examples.several(found, name, label, choice)


def units_fields(found: Sequence[Action]) -> list[Field]:
    """Return the fields for units of the three kinds."""
    names = ("infantry", "cavalry", "catapults")
    return [examples.number(found, name, pieces_words(2, kind)) for kind, name in enumerate(names)]


def marches(table: TableFields, seat: Seat, wanted: Filter, moves: Moves) -> list[Any]:
    """Return examples of the marches within a filter."""
    if not examples.asks(wanted, moves.march):
        return []
    found: list[Any] = []
    for source in range(BOARD.provinces) if wanted.source == NONE else (wanted.source,):
        leaders = [x for x in leaders_at(table, seat, source) if can_march(table, x) and wanted.piece in (NONE, x)]
        if leaders and source < BOARD.provinces:
            targets = sorted(moves.road_trip(table, seat, source).union(moves.steps(table)[source]))
            ways = targets if wanted.to == NONE else sorted({wanted.to}.intersection(targets))
            tried = examples.parties(leaders)
            for to in ways:
                columns = list(_columns(table, seat, source, to, tried, moves))
                tried = examples.outermost([march.leaders for march in columns]) or tried
                found += columns
    return found


def _columns(
    table: TableFields, seat: Seat, source: Space, to: Space, parties: Iterable[tuple[Leader, ...]], moves: Moves
) -> Iterator[Any]:
    """Yield examples of marches of these leaders from a province to another."""
    here = ready(table, seat, source)
    whole = (here[0], here[1] + here[3], here[2])

    def order(party: tuple[Leader, ...], army: Army, more: int = 0) -> Any:
        return moves.march(source, to, party, *army, max(0, army[1] - here[1]) + more)

    def legal(march: Action) -> bool:
        return moves.check_march(table, seat, march) is None

    for party in parties:
        fits = partial(_fits, legal, partial(order, party))
        for army in examples.loads(fits, whole, legion_limit(table) * len(party)):
            yield order(party, army)
            rest = min(here[3], army[1]) - max(0, army[1] - here[1])
            if rest and legal(tired := order(party, army, rest)):
                yield tired


def march_fields(table: TableFields, seat: Seat, found: Sequence[Any]) -> list[Field]:
    """Return the fields of a march without stops."""
    return [
        examples.one(found, "source", _("From"), place_choice),
        examples.one(found, "to", _("To"), place_choice),
        leaders_field(table, seat, found, "leaders", _("Leaders")),
        *units_fields(found),
        _tired_field(table, seat, found),
    ]


def _tired_field(table: TableFields, seat: Seat, found: Sequence[Any]) -> Field:
    """Return the field for horsemen with one point left: the fewest possible go if players say nothing."""
    field = examples.number(found, "tired", _("Cavalry among them that moved before"))
    sources = {march.source for march in found}
    if not field.high or len(sources) > 1:
        return field
    fresh = ready(table, seat, sources.pop())[1]
    return structs.replace(field, label=field.label if fresh else "", follows="cavalry", beyond=fresh)


def fullest(found: Sequence[Any]) -> Any:
    """Return the action with most units, led by as few leaders as possible.

    Strong units come before weak ones, and generals before the Caesar."""
    return max(
        found,
        key=lambda x: (x.infantry + x.cavalry + x.catapults, -len(x.leaders), x.catapults, x.cavalry, x.leaders),
        default=None,
    )


def sails(table: TableFields, seat: Seat, wanted: Filter, moves: Moves) -> list[a.Sail]:
    """Return examples of the sails within a filter."""
    found: list[a.Sail] = []
    if not examples.asks(wanted, a.Sail):
        return found
    for galley in own(table, seat, table.galleys_each):
        at = table.galley_at[galley]
        if at < BOARD.positions and wanted.piece in (NONE, galley) and wanted.source in (NONE, BOARD.ashore[at]):
            crew = examples.parties(_crew(table, seat, galley, moves))
            for sail in galleys.courses(galley, at):
                if wanted.to in (NONE, BOARD.ashore[sail.to]):
                    voyages = list(_voyages(table, seat, sail, crew, moves))
                    crew = examples.outermost([laden.leaders for laden in voyages if laden.leaders]) or crew
                    found += voyages
    return found


def _crew(table: TableFields, seat: Seat, galley: int, moves: Moves) -> list[Leader]:
    """Return the leaders that may go aboard."""
    at = table.galley_at[galley]
    here = () if BOARD.is_sea(at) else leaders_at(table, seat, BOARD.ashore[at])
    return [leader for leader in here if moves.can_board(table, seat, galley, leader)]


def _voyages(
    table: TableFields, seat: Seat, empty: a.Sail, parties: Iterable[tuple[Leader, ...]], moves: Moves
) -> Iterator[a.Sail]:
    """Yield examples of a sail: as it is, and with these leaders."""

    def legal(sail: a.Sail) -> bool:
        return moves.check_sail(table, seat, sail) is None

    if legal(empty):
        yield empty
    space = BOARD.ashore[table.galley_at[empty.galley]]
    for party in parties:
        whole = moves.boardable(table, seat, empty.galley, space)
        load = partial(_laden, empty, party)
        for army in examples.loads(partial(_fits, legal, load), whole, legion_limit(table)):
            yield load(army)


def _laden(empty: a.Sail, leaders: tuple[Leader, ...], army: Army) -> a.Sail:
    return a.Sail(empty.galley, empty.to, leaders, *army)


def _fits(legal: Callable[[Any], bool], order: Callable[[Army], Action], army: Army) -> bool:
    """Whether an order with that load is legal."""
    return legal(order(army))


def sail_form(table: TableFields, seat: Seat, wanted: Filter, moves: Moves) -> list[Form]:
    """Return the form for sails within a filter."""
    found = sails(table, seat, wanted, moves)
    fields = [
        examples.one(found, "galley", _("Galley"), galley_choice(table, seat)),
        examples.one(found, "to", _("To"), position_choice),
        leaders_field(table, seat, found, "leaders", _("Leaders")),
        *units_fields(found),
    ]
    return examples.form(found, _("Sail"), SAIL, fields, fullest(found))


def galley_choice(table: TableFields, seat: Seat) -> Callable[[int], Choice]:
    """Return the maker of choices of galleys."""

    def choice(galley: int) -> Choice:
        at = table.galley_at[galley]
        name = pattern("{where}: {galley}", where=where_words(at), galley=galley_words(table, seat, galley))
        return Choice(galley, name, BOARD.ashore[at])

    return choice


def buy_form(
    rules: AnyRuleset, table: TableFields, seat: Seat, wanted: Filter, order: type[Any], stock: Sequence[int],
    prices: Sequence[int], uses: Sequence[Value],
) -> list[Form]:  # fmt: skip
    """Return the form for purchases, if it is within the filter.

    order: the action. stock: the most of each ware. prices: the basic ones. uses: what each ware is good for.
    """
    if not (examples.asks(wanted, order) and examples.meets(wanted)):
        return []
    money = table.talents[seat] // table.inflation
    found = [order()]
    for ware, price in enumerate(prices):

        def legal(count: int, cities: int, ware: int = ware) -> bool:
            buy = order(*[count * (each == ware) + cities * (each == Ware.CITIES) for each in range(len(prices))])
            return engine.check(rules, table, seat, buy) is None

        upper = max(0, min(stock[ware], money // price))
        count, cities = examples.most_with(legal, upper, stock[Ware.CITIES] if ware > Ware.CITIES else 0)
        found.append(order(*[count * (each == ware) + cities * (each == Ware.CITIES) for each in range(len(prices))]))
    names = [field.name for field in structs.fields(order)]
    fields = [
        structs.replace(examples.number(found, name, pieces_words(2, ware)), uses=(uses[ware],))
        for ware, name in enumerate(names)
    ]
    costs = tuple([price * table.inflation for price in prices])
    return examples.form(found, _("Buy"), BUY, fields, prices=costs, purse=table.talents[seat])


def city_use(table: TableFields) -> Sentence:
    """Return what a city is good for."""
    return _("Adds {n} to the tribute of each turn, and joins roads.", n=city_tribute(table))


def judge_form(table: TableFields, frame: Captives, seat: Seat, wanted: Filter) -> list[Form]:
    """Return the form for the judgement of captives, if it is within the filter."""
    if not (examples.asks(wanted, a.Judge) and examples.meets(wanted)):
        return []
    here = [leader for leader in frame.leaders if prisoners.is_prisoner(table, leader, seat, table.leaders_each)]
    found = [a.Judge(()), *[a.Judge(party) for party in examples.parties(here)]]
    fields = [leaders_field(table, seat, found, "kill", _("Kill"))]
    return examples.form(found, _("Kill captives"), CAPTIVES, fields)


def bargain_forms(
    table: TableFields, seat: Seat, kind: type[a.Offer] | Any, others: Iterable[Seat], check: examples.Check
) -> list[Form]:
    """Return a form for bargains with each partner. `kind`: `Offer` or an action with its fields."""
    return [found for other in others if other != seat for found in _bargain_form(table, seat, kind, other, check)]


def _bargain_form(table: TableFields, seat: Seat, kind: Any, other: Seat, check: examples.Check) -> list[Form]:
    each, talents = table.leaders_each, table.talents
    theirs = prisoners.held_generals(table, seat, other, each)
    mine = prisoners.held_generals(table, other, seat, each)
    swaps = product([(), *examples.parties(theirs)], [(), *examples.parties(mine)])
    sums = ((0, 0), (talents[seat], 0), (0, talents[other]))
    found = [kind(other, pays, gives, wants, takes) for gives, takes in swaps for pays, wants in sums]
    # Nothing of value is given away before the player says so.
    found = [kind(other, 0, (), min(1, talents[other]), ()), kind(other, min(1, talents[seat])), *found]
    found = [terms for terms in found if check(table, seat, terms) is None]
    fields = [
        examples.one(found, "to", "", person_choice),
        examples.number(found, "pays", _("Talents that you pay")),
        leaders_field(table, seat, found, "gives", _("Generals that you free")),
        examples.number(found, "wants", _("Talents that you get")),
        leaders_field(table, seat, found, "takes", _("Generals that you get back")),
    ]
    return examples.form(found, _("Bargain with {who}", who=Person(other)), BARGAIN, fields)


def person_choice(seat: Seat) -> Choice:
    """Return the choice of a player, or of none."""
    return Choice(seat, _("nobody") if seat == NONE else Person(seat))


def standing_forms(table: TableFields, seat: Seat, wanted: Filter, check: examples.Check) -> list[Form]:
    """Return the form for conceding, if the filter names that kind."""
    if wanted.kind != a.Concede.__struct_config__.tag or not examples.meets(wanted):
        return []
    granted = table.conceded[seat]
    found = [a.Concede(other) for other in living(table) if check(table, seat, a.Concede(other)) is None]
    found = [*([a.Concede(NONE)] if granted != NONE else []), *(each for each in found if each.to != granted)]
    fields = [examples.one(found, "to", _("Victory of"), person_choice)]
    return examples.form(found, _("Grant the victory"), GIVE_UP, fields)
