"""Descriptions of the actions that Classic and 1984 share."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any, Final, TypeAlias

from msgspec import Struct, structs

from shared.actions import examples, typed
from shared.actions.action import ActionDescription, Labeller, plain
from shared.actions.description import Choice, Field, Filter, Form, Label, only
from shared.actions.examples import first, form
from shared.actions.grammar import Known, Phrase, PhraseContext, PhrasePart, ThingKind, Values
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Leader, Position, Seat, Space
from shared.kernel import engine
from shared.kernel.frames import Action, Frame
from shared.kernel.ruleset import AnyRuleset
from shared.language.sentence import Person, Sentence, Value, _, and_list, listing, ngettext, pattern, pgettext
from shared.mechanics import galleys, prisoners
from shared.mechanics.bargains import Terms
from shared.mechanics.galleys import where_words
from shared.mechanics.marching import Ready
from shared.mechanics.pieces import ABOARD, PRISON, living, own
from shared.mechanics.tribute import city_tribute
from shared.mechanics.wares import ONE, Ware, count_words, pieces_words, ware_words
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
from shared.vocabulary.frames import Bargain, Captives, Destruction, HomeChoice, Movement, Onward, Purchase

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

Check: TypeAlias = Callable[[Any, Seat, Any], object]
"""A game's check of an action: None if it is legal."""


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


# --- fields of forms ---


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


def galley_choice(table: TableFields, seat: Seat) -> Callable[[int], Choice]:
    """Return the maker of choices of galleys."""

    def choice(galley: int) -> Choice:
        at = table.galley_at[galley]
        name = pattern("{where}: {galley}", where=where_words(at), galley=galley_words(table, seat, galley))
        return Choice(galley, name, BOARD.ashore[at])

    return choice


def person_choice(seat: Seat) -> Choice:
    """Return the choice of a player, or of none."""
    return Choice(seat, _("nobody") if seat == NONE else Person(seat))


# --- marches ---


class Moves(Struct, frozen=True):
    """Rules of movement that differ between the games.

    march: the action. steps, road_trip: the spaces that a march might reach. can_board, boardable: whether a leader,
    and which units, may go aboard a galley.
    """

    check_march: Check
    check_sail: Check
    march: type[Any]
    steps: Callable[[Any], Sequence[Sequence[Space]]]
    road_trip: Callable[[Any, Seat, Space], set[Space]]
    can_board: Callable[[Any, Seat, int, Leader], bool]
    boardable: Callable[[Any, Seat, int, Space], Army]


def march(
    moves: Moves,
    label: Labeller,
    parts: tuple[PhrasePart, ...] = (),
    fields: Callable[[Any, Seat, Sequence[Any]], list[Field]] = lambda _table, _seat, _found: [],
) -> ActionDescription:
    """Return the description of marches. `parts`, `fields`: of what one game adds."""

    def forms(table: TableFields, _frame: Frame, seat: Seat, query: Filter) -> list[Form]:
        found = _marches(table, seat, query, moves)
        if not found:
            return []
        chosen = [*_march_fields(table, seat, found), *fields(table, seat, found)]
        return form(fullest(found), _("March"), MARCH, chosen)

    typed_parts = (
        PhrasePart("", typed.ARMS, typed.units(_all_units), late=True),
        PhrasePart("from", ("source",), typed.PROVINCE),
        PhrasePart("to", ("to",), typed.PROVINCE),
        PhrasePart("with", ("leaders",), _ESCORTS, needed=False, late=True),
        PhrasePart("tired", ("tired",), _TIRED, needed=False, late=True),
        *parts,
    )
    phrase = Phrase("march", _("A legion marches one step, or along a road."), typed_parts)
    return ActionDescription(moves.march, label, (phrase,), (Movement,), forms)


def _all_units(scene: PhraseContext, known: Known) -> Sequence[int]:
    foot, fresh, engines, tired = ready(scene.table, scene.seat, known["source"])
    return foot, fresh + tired, engines


def _read_escorts(text: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    """Return the named leaders; without any, all groups that could lead, small ones without the Caesar first."""
    if text:
        return typed.LEADERS.read(text, scene, known)
    table, here = scene.table, leaders_at(scene.table, scene.seat, known["source"])
    able = sorted((x for x in here if can_march(table, x)), key=lambda x: x % table.leaders_each == 0)
    return [(led,) for led in examples.parties(able)] or [((),)]


def _read_tired(text: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    """Return the number of horsemen that have moved already, as few as possible if not given."""
    if text:
        return typed.TALENTS.read(text, scene, known)
    return [(n,) for n in range(ready(scene.table, scene.seat, known["source"])[3] + 1)]


_ESCORTS: Final = ThingKind("LEADER, ...", typed.LEADERS.say, _read_escorts)
_TIRED: Final = ThingKind("NUMBER", typed.TALENTS.say, _read_tired)


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


def _marches(table: TableFields, seat: Seat, query: Filter, moves: Moves) -> list[Any]:
    """Return examples of the marches within a filter."""
    found: list[Any] = []
    for source in range(BOARD.provinces) if query.source == NONE else (query.source,):
        leaders = [x for x in leaders_at(table, seat, source) if can_march(table, x) and query.piece in (NONE, x)]
        if leaders and source < BOARD.provinces:
            targets = sorted(moves.road_trip(table, seat, source).union(moves.steps(table)[source]))
            ways = targets if query.to == NONE else sorted({query.to}.intersection(targets))
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


def _march_fields(table: TableFields, seat: Seat, found: Sequence[Any]) -> list[Field]:
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


# --- sailing ---


def sail(moves: Moves) -> ActionDescription:
    """Return the description of sailing one step."""

    def forms(table: TableFields, _frame: Frame, seat: Seat, query: Filter) -> list[Form]:
        found = _sails(table, seat, query, moves)
        fields = [
            examples.one(found, "galley", _("Galley"), galley_choice(table, seat)),
            examples.one(found, "to", _("To"), position_choice),
            leaders_field(table, seat, found, "leaders", _("Leaders")),
            *units_fields(found),
        ]
        return form(fullest(found), _("Sail"), SAIL, fields)

    def boardable(scene: PhraseContext, known: Known) -> Sequence[int]:
        galley = known["galley"]
        return moves.boardable(scene.table, scene.seat, galley, BOARD.ashore[scene.table.galley_at[galley]])

    cargo = typed.units(boardable)
    load = ThingKind(cargo.name, lambda values, scene: cargo.say(values, scene) if any(values) else "", cargo.read)
    parts = (
        PhrasePart("", ("galley",), typed.GALLEY),
        PhrasePart("to", ("to",), typed.BERTH),
        PhrasePart("with", ("leaders",), typed.PERHAPS_LEADERS, needed=False),
        PhrasePart("carrying", typed.ARMS, load, needed=False, late=True),
    )
    phrase = Phrase("sail", _("A galley moves one step; leaving a coast it takes these aboard."), parts)
    return ActionDescription(a.Sail, _sail_label, (phrase,), (Movement,), forms)


def _sail_label(table: TableFields, seat: Seat, sail: a.Sail) -> Label:
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


def _sails(table: TableFields, seat: Seat, query: Filter, moves: Moves) -> list[a.Sail]:
    """Return examples of the sails within a filter."""
    found: list[a.Sail] = []
    for galley in own(table, seat, table.galleys_each):
        at = table.galley_at[galley]
        if at < BOARD.positions and query.piece in (NONE, galley) and query.source in (NONE, BOARD.ashore[at]):
            crew = examples.parties(_crew(table, seat, galley, moves))
            for sail in galleys.courses(galley, at):
                if query.to in (NONE, BOARD.ashore[sail.to]):
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


# --- battles and captives ---


def _fight(_table: TableFields, _seat: Seat, fight: a.Fight) -> Label:
    who, place = Person(fight.enemy), BOARD.names[fight.space]
    if BOARD.is_sea(fight.space):
        return Label(_("Attack {who} on {place}", who=who, place=place), FIGHT, to=fight.space)
    return Label(_("Attack {who} in {place}", who=who, place=place), FIGHT, to=fight.space)


FIGHT_ON: Final = _("Fight on")


def stand(text: Sentence) -> ActionDescription:
    """Return the description of fighting on. `text`: that of its label."""
    return ActionDescription(
        a.Stand,
        lambda table, _seat, _action: Label(text, FIGHT, to=table.frames[-1].space),
        (Phrase("stand", _("Fight another round.")),),
        (Onward,),
    )


def retreat(means: Sentence) -> ActionDescription:
    """Return the description of a retreat. `means`: what the phrase means."""
    return ActionDescription(a.Retreat, _retreat_label, leaving("retreat", means), (Onward,))


def leaving(verb: str, means: Sentence) -> tuple[Phrase, ...]:
    """Return the phrases for leaving a battle: to a province or, without a way out, by giving up all pieces."""
    return (
        Phrase(f"{verb} nowhere", _("Where no way is open: all is lost."), fixed={"to": NONE}),
        Phrase(verb, means, (PhrasePart("to", ("to",), typed.PROVINCE),)),
    )


def _retreat_label(table: TableFields, _seat: Seat, retreat: a.Retreat) -> Label:
    source = table.frames[-1].space
    if retreat.to == NONE:
        return Label(_("Give up the battle: no way is open, and all are lost"), RETREAT, source, grave=True)
    text = _("Retreat from {source} to {to}", source=BOARD.names[source], to=BOARD.names[retreat.to])
    return Label(text, RETREAT, source, retreat.to)


def three(verb: str, means: Sentence) -> tuple[Phrase, ...]:
    """Return the phrase for numbers of each kind of unit."""
    return (Phrase(verb, means, (PhrasePart("", typed.ARMS, typed.UNITS),)),)


def _judge_label(table: TableFields, seat: Seat, judge: a.Judge) -> Label:
    if judge.kill:
        names = leader_names(seat, judge.kill, table.leaders_each)
        return Label(_("Kill {captives}", captives=names), CAPTIVES, grave=True)
    held = _judged(table, table.frames[-1], seat)
    return Label(_("Hold {captives} for ransom", captives=leader_names(seat, held, table.leaders_each)), CAPTIVES)


def _judge_forms(table: TableFields, frame: Captives, seat: Seat, query: Filter) -> list[Form]:
    if not query.meets():
        return []
    found = [a.Judge(()), *[a.Judge(party) for party in examples.parties(_judged(table, frame, seat))]]
    fields = [leaders_field(table, seat, found, "kill", _("Kill"))]
    return form(found[0], _("Kill captives"), CAPTIVES, fields)


def _judged(table: TableFields, frame: Captives, seat: Seat) -> list[Leader]:
    """Return the captives that a seat may kill."""
    return [leader for leader in frame.leaders if prisoners.is_prisoner(table, leader, seat, table.leaders_each)]


# --- purchases and buildings ---


def buy(
    rules: AnyRuleset, kind: type[Any], prices: Callable[[Any], Sequence[int]],
    cost: Callable[[Any, Any], int],
    stock: Callable[[Any, Seat], Sequence[int]], uses: Callable[[Any], Sequence[Value]],
) -> ActionDescription:  # fmt: skip
    """Return the description of a purchase.

    prices: the basic ones of a table, by `Ware`. cost: of numbers of each ware. stock: the most of each. uses: what
    each is good for.
    """
    names = tuple([field.name for field in structs.fields(kind)])

    def label(table: TableFields, _seat: Seat, order: Any) -> Label:
        counts = structs.astuple(order)
        if not any(counts):
            return Label(_("Buy nothing"), BUY)
        price = talents_words(cost(table, counts))
        return Label(_("Buy {wares} for {cost}", wares=ware_words(counts), cost=price), BUY)

    def forms(table: TableFields, _frame: Purchase, seat: Seat, query: Filter) -> list[Form]:
        if not query.meets():
            return []
        most, money, each = stock(table, seat), table.talents[seat] // table.inflation, prices(table)
        found = [kind()]
        for ware, price in enumerate(each):

            def order(count: int, cities: int, ware: int = ware) -> Any:
                return kind(*[count * (n == ware) + cities * (n == Ware.CITIES) for n in range(len(names))])

            def legal(count: int, cities: int, order: Callable[[int, int], Any] = order) -> bool:
                return engine.check(rules, table, seat, order(count, cities)) is None

            upper = max(0, min(most[ware], money // price))
            found.append(order(*examples.most_with(legal, upper, most[Ware.CITIES] if ware > Ware.CITIES else 0)))
        fields = [
            structs.replace(examples.number(found, name, pieces_words(2, ware)), uses=(use,))
            for ware, (name, use) in enumerate(zip(names, uses(table), strict=True))
        ]
        costs = tuple([price * table.inflation for price in each])
        return form(found[0], _("Buy"), BUY, fields, prices=costs, purse=table.talents[seat])

    goods = typed.counted("GOODS", "ware", names, ONE[: len(names)])
    phrase = Phrase("buy", _("Your whole purchase of this turn; or buy nothing."), (PhrasePart("", names, goods),))
    return ActionDescription(kind, label, (phrase,), (Purchase,), forms)


def city_use(table: TableFields) -> Sentence:
    """Return what a city is good for."""
    return _("Adds {n} to the tribute of each turn, and joins roads.", n=city_tribute(table))


def _raze(table: TableFields, seat: Seat, raze: a.Raze) -> Label:
    left, place = table.marker[seat] - city_tribute(table), BOARD.names[raze.space]
    text = _("Raze the city in {place}: your tribute falls to {n}", place=place, n=left)
    return Label(text, CITIES, to=raze.space, grave=True)


def _place_galley(_table: TableFields, _seat: Seat, action: a.PlaceGalley) -> Label:
    text = _("Place a galley in {where}", where=where_words(action.position))
    return Label(text, BUILD, to=BOARD.ashore[action.position])


def _place_road(_table: TableFields, _seat: Seat, action: a.PlaceRoad) -> Label:
    text = _("Build a road from {source} to {to}", source=BOARD.names[action.a], to=BOARD.names[action.b])
    return Label(text, BUILD, action.a, action.b)


# --- bargains ---


def bargain(
    kind: type[Any], label: Labeller, phrases: tuple[Phrase, ...], frames: tuple[type[Frame], ...],
    others: Callable[[Any, Seat], Iterable[Seat]], check: Check,
    before: Callable[[Any, Seat], list[Form]] = lambda _table, _seat: [],
) -> ActionDescription:  # fmt: skip
    """Return the description of an action that proposes a bargain.

    kind: `Offer`, or an action with its fields. others: the partners that a seat may have. before: forms of another
    sort for that action, which come first.
    """

    def forms(table: TableFields, _frame: Frame, seat: Seat, query: Filter) -> list[Form]:
        if not query.meets():
            return []
        partners = [other for other in others(table, seat) if other != seat]
        bargains = [found for other in partners for found in _bargain_form(table, seat, kind, other, check)]
        return [*before(table, seat), *bargains]

    return ActionDescription(kind, label, phrases, frames, forms)


def terms(verb: str, means: Sentence) -> Phrase:
    """Return the phrase for a bargain: partner, payment, gifts, demands."""
    parts = (
        PhrasePart("", ("to",), typed.PLAYER),
        PhrasePart("pay", ("pays",), typed.TALENTS, needed=False),
        PhrasePart("give", ("gives",), typed.PERHAPS_LEADERS, needed=False),
        PhrasePart("want", ("wants",), typed.TALENTS, needed=False),
        PhrasePart("take", ("takes",), typed.PERHAPS_LEADERS, needed=False),
    )
    return Phrase(verb, means, parts)


def offer(
    frames: tuple[type[Frame], ...], others: Callable[[Any, Seat], Iterable[Seat]], check: Check
) -> ActionDescription:
    """Return the description of an offer in the own turn; arguments as for `bargain`."""
    phrases = (terms("offer", _("Offer a bargain for captured generals.")),)
    return bargain(a.Offer, _offer_label, phrases, frames, others, check)


def terms_words(table: TableFields, seat: Seat, terms: Terms) -> Sentence:
    """Return terms that `seat` proposes, with the names of the generals: ``"20 talents for general 2"``."""
    return exchange_words(terms, lambda leaders: leader_names(seat, leaders, table.leaders_each))


def turned(terms: Terms, proposer: Seat) -> a.Offer:
    """Return terms as the player sees them who was asked."""
    return a.Offer(proposer, terms.wants, terms.takes, terms.pays, terms.gives)


def _offer_label(table: TableFields, seat: Seat, offer: a.Offer) -> Label:
    return Label(_("Offer {who}: {bargain}", who=Person(offer.to), bargain=terms_words(table, seat, offer)), BARGAIN)


def _answer_label(table: TableFields, seat: Seat, answer: a.Answer) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Bargain)
    bargain = terms_words(table, seat, turned(frame, frame.proposer))
    if answer.accept:
        return Label(_("Accept the bargain: {bargain}", bargain=bargain), BARGAIN, grave=True)
    return Label(_("Decline the bargain: {bargain}", bargain=bargain), BARGAIN)


def _bargain_form(table: TableFields, seat: Seat, kind: Any, other: Seat, check: Check) -> list[Form]:
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
    return form(first(found), _("Bargain with {who}", who=Person(other)), BARGAIN, fields)


# --- all that both games have alike ---


def _in_place(text: Sentence, group: Sentence, field: str) -> Labeller:
    """Return the maker of labels whose text names the `{place}` that a field of the action has."""

    def label(_table: TableFields, _seat: Seat, action: Action) -> Label:
        space = getattr(action, field)
        return Label(Sentence(text.key, {"place": BOARD.names[space]}), group, to=space)

    return label


def _concede_label(_table: TableFields, _seat: Seat, concede: a.Concede) -> Label:
    if concede.to == NONE:
        return Label(_("Fight on for the victory after all"), GIVE_UP)
    return Label(_("Grant {who} the victory", who=Person(concede.to)), GIVE_UP, grave=True)


def common(
    check: Check, combat: type[Frame], placement: type[Frame], stand: ActionDescription, offer: ActionDescription
) -> tuple[ActionDescription, ...]:
    """Return the descriptions of the actions that both games have alike, with those of two that differ.

    combat, placement: the frames of these phases in the game.
    """

    def concede_forms(table: TableFields, _frame: Frame, seat: Seat, query: Filter) -> list[Form]:
        if not query.meets():
            return []
        granted = table.conceded[seat]
        found = [a.Concede(other) for other in living(table) if check(table, seat, a.Concede(other)) is None]
        found = [*([a.Concede(NONE)] if granted != NONE else []), *(each for each in found if each.to != granted)]
        fields = [examples.one(found, "to", _("Victory of"), person_choice)]
        return form(first(found), _("Grant the victory"), GIVE_UP, fields)

    def placing(verb: str, means: Sentence) -> tuple[Phrase, ...]:
        return (Phrase(verb, means, (PhrasePart("in", ("space",), typed.PROVINCE),)),)

    ways = PhrasePart("from", ("a",), typed.PROVINCE), PhrasePart("to", ("b",), typed.PROVINCE)
    enemy = PhrasePart("", ("enemy",), typed.PLAYER), PhrasePart("in", ("space",), typed.SPACE)
    return (
        ActionDescription(
            a.ChooseHome,
            _in_place(_("Begin in {place}"), HOME, "home"),
            (Phrase("choose home", _("Your empire begins there."), (PhrasePart("", ("home",), typed.PROVINCE),)),),
            (HomeChoice,),
        ),
        ActionDescription(
            a.EndMovement,
            plain(_("End the movement"), END, grave=True),
            (Phrase("end movement", _("End your movement; the battles begin.")),),
            (Movement,),
        ),
        ActionDescription(a.Fight, _fight, (Phrase("fight", _("Which battle is fought next."), enemy),), (combat,)),
        stand,
        ActionDescription(
            a.Judge,
            _judge_label,
            (
                Phrase("hold all", _("All captured generals are held for ransom."), fixed={"kill": ()}),
                Phrase(
                    "kill", _("These of the generals just captured die."), (PhrasePart("", ("kill",), typed.LEADERS),)
                ),
            ),
            (Captives,),
            _judge_forms,
        ),
        ActionDescription(a.Raze, _raze, placing("raze", _("Destroy your city there.")), (Destruction,)),
        ActionDescription(
            a.EndDestruction,
            plain(_("Keep the cities"), END),
            (Phrase("keep cities", _("Destroy no more cities.")),),
            (Destruction,),
        ),
        ActionDescription(
            a.PlaceGalley,
            _place_galley,
            (Phrase("place galley", _("A new galley."), (PhrasePart("at", ("position",), typed.BERTH),)),),
            (placement,),
        ),
        ActionDescription(
            a.PlaceCity,
            _in_place(_("Build a city in {place}"), BUILD, "space"),
            placing("place city", _("A new city.")),
            (placement,),
        ),
        ActionDescription(
            a.PlaceFortification,
            _in_place(_("Fortify the city in {place}"), BUILD, "space"),
            placing("place fortification", _("Walls for a city of yours.")),
            (placement,),
        ),
        ActionDescription(
            a.PlaceRoad,
            _place_road,
            (Phrase("place road", _("A road between two cities of yours."), ways),),
            (placement,),
        ),
        offer,
        ActionDescription(
            a.Answer,
            _answer_label,
            (
                Phrase("accept", _("Accept the bargain."), fixed={"accept": True}),
                Phrase("decline", _("Decline the bargain."), fixed={"accept": False}),
            ),
            (Bargain,),
        ),
        ActionDescription(
            a.EndTurn,
            plain(_("End the turn"), END, grave=True),
            (Phrase("end turn", _("Your turn is over.")),),
            (placement,),
        ),
        ActionDescription(
            a.Concede,
            _concede_label,
            (
                Phrase("fight on", _("Take back that you conceded."), fixed={"to": NONE}),
                Phrase(
                    "concede",
                    _("Agree that another player has won."),
                    (PhrasePart("to", ("to",), typed.PERHAPS_PLAYER),),
                ),
            ),
            forms=concede_forms,
        ),
        ActionDescription(
            a.Resign,
            plain(_("Resign: leave the match"), GIVE_UP, grave=True),
            (Phrase("resign", _("Leave the match for good, where the table allows it.")),),
        ),
    )
