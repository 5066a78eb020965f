"""Actions of Classic: labels, forms and typed commands."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from shared.actions import conquest, examples, typed
from shared.actions.action import ActionDescription, GameActions, plain
from shared.actions.conquest import LOSSES, RETREAT, fleet_words, march_label, stops_label
from shared.actions.description import Choice, Field, FieldKind, Filter, Form, Label, only
from shared.actions.examples import first, form
from shared.actions.grammar import Phrase, PhrasePart
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Seat, Space
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.language.sentence import Person, Sentence, _, pgettext
from shared.mechanics.armies import army_of, choices
from shared.mechanics.wares import pieces_words, ware_words
from shared.rulesets.classic import actions as a
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.classic.diplomacy import partners
from shared.rulesets.classic.economy import cost, stock
from shared.rulesets.classic.frames import Casualties, Combat, Formation, Placement, Sinking, Withdrawal
from shared.rulesets.classic.galleys import boardable, can_board, check_sail
from shared.rulesets.classic.legions import check_march, road_trip, units_of
from shared.rulesets.classic.options import prices, steps, wall_worth
from shared.rulesets.classic.table import TableFields
from shared.rulesets.conquest.pieces import galleys_at, legion_limit, ready

_RULES: Final[AnyRuleset] = CLASSIC
CHECK: Final = partial(engine.check, _RULES)
LEGION: Final = pgettext("heading", "Battle legion")
PURSUIT: Final = pgettext("heading", "Pursuit")
MOST_STOPS: Final = 16
"""Stops that a march can name."""

# --- marches ---


def _march(table: TableFields, seat: Seat, march: a.March) -> Label:
    return stops_label(march_label(table, seat, march), march.drops)


def _stop_fields(table: TableFields, seat: Seat, found: Sequence[a.March]) -> list[Field]:
    stops = _widest([stop for march in _loaded(found) for stop in _stops(table, seat, march)])
    arms = tuple([pieces_words(2, kind) for kind in range(3)])
    label = _("Units left on the way") if stops else ""
    return [Field("drops", FieldKind.ROWS, label, 0, min(MOST_STOPS, len(stops)), options=stops, columns=arms)]


def _loaded(found: Sequence[a.March]) -> list[a.March]:
    """Return the fullest march of each way."""
    ways: dict[tuple[Space, Space], list[a.March]] = {}
    for march in found:
        ways.setdefault((march.source, march.to), []).append(march)
    return [conquest.fullest(marches) for marches in ways.values()]


def _stops(table: TableFields, seat: Seat, march: a.March) -> Iterator[Choice]:
    """Yield the cities in which units can be left or collected on the way, with the most and the least numbers."""
    carried = units_of(march)
    for city in sorted(road_trip(table, seat, march.source)):
        there = ready(table, seat, city)
        left = tuple([_most_left(table, seat, march, city, kind, number) for kind, number in enumerate(carried)])
        taken = tuple([_most_left(table, seat, march, city, kind, -there[kind]) for kind in range(3)])
        if any(left) or any(taken):
            yield Choice(city, BOARD.names[city], city, left, taken if any(taken) else ())


def _most_left(table: TableFields, seat: Seat, march: a.March, city: Space, kind: int, number: int) -> int:
    """Return the greatest legal part of so many units to leave in a city; of a negative number, to collect there."""
    counts = range(number, 0, 1 if number < 0 else -1)
    # Without units of its own the march has most room for those that it collects.
    plain = replace(march, infantry=0, cavalry=0, catapults=0, tired=0) if number < 0 else march
    drops = [(count, (city, *[count * (arm == kind) for arm in range(3)])) for count in counts]
    return next((n for n, drop in drops if check_march(table, seat, replace(plain, drops=(drop,))) is None), 0)


def _widest(stops: Sequence[Choice]) -> tuple[Choice, ...]:
    """Return each city once, with the widest ranges."""
    found: dict[int, Choice] = {}
    for stop in stops:
        known = found.get(stop.value, stop)
        most = tuple(map(max, known.most, stop.most))
        least = tuple(map(min, known.least or NO_ARMY, stop.least or NO_ARMY))
        found[stop.value] = replace(known, most=most, least=least if any(least) else ())
    return tuple(found.values())


MOVES: Final = conquest.Moves(
    check_march=check_march,
    check_sail=check_sail,
    march=a.March,
    steps=steps,
    road_trip=road_trip,
    can_board=lambda table, seat, _galley, leader: can_board(table, seat, leader),
    boardable=lambda table, seat, _galley, space: boardable(table, seat, space),
)

# --- battles ---


def _form_label(table: TableFields, _seat: Seat, form: a.Form) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Formation)
    army = ware_words((form.infantry, form.cavalry, form.catapults))
    return Label(_("Fight with {army}", army=army), LEGION, to=frame.space)


def _form_forms(table: TableFields, frame: Formation, seat: Seat, query: Filter) -> list[Form]:
    if not query.meets(to=frame.space):
        return []
    found = [a.Form(*army) for army in choices(army_of(table.units[frame.space], seat), frame.size)]
    draft = engine.default(_RULES, table, seat)
    return form(draft, _("Choose the battle legion"), LEGION, conquest.units_fields(found))


def _lose_label(table: TableFields, seat: Seat, lose: a.Lose) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Casualties)
    army = ware_words((lose.infantry, lose.cavalry, lose.catapults))
    if frame.owner == seat:
        return Label(_("Lose {army}", army=army), LOSSES, to=frame.space)
    text = _("Catch {army} of {who}", army=army, who=Person(frame.owner))
    return Label(text, PURSUIT, to=frame.space)


def _lose_forms(table: TableFields, frame: Casualties, seat: Seat, query: Filter) -> list[Form]:
    if not query.meets(to=frame.space):
        return []
    found = [a.Lose(*army) for army in choices(frame.legion, frame.hits)]
    name, group = (_("Choose the losses"), LOSSES) if frame.owner == seat else (_("Choose who is caught"), PURSUIT)
    return form(engine.default(_RULES, table, seat), name, group, conquest.units_fields(found))


def _withdraw(table: TableFields, _seat: Seat, withdraw: a.Withdraw) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Withdrawal)
    if withdraw.to == NONE:
        return Label(_("Surrender the leaders: no way is open"), RETREAT, frame.space, grave=True)
    source, to = BOARD.names[frame.space], BOARD.names[withdraw.to]
    text = _("Lead the leaders from {source} to {to}", source=source, to=to)
    return Label(text, RETREAT, frame.space, withdraw.to)


def _sink_label(table: TableFields, seat: Seat, sink: a.Sink) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Sinking)
    text = _("Let {galleys} sink", galleys=fleet_words(table, seat, sink.galleys))
    return Label(text, LOSSES, to=frame.zone, piece=only(sink.galleys))


def _sink_forms(table: TableFields, frame: Sinking, seat: Seat, query: Filter) -> list[Form]:
    if not query.meets(to=frame.zone, piece=query.piece):
        return []
    fleet = galleys_at(table, seat, frame.zone)
    if query.piece != NONE:
        # An action has a piece only if a single galley sinks.
        fleet = (query.piece,) if query.piece in fleet and frame.hits == 1 else ()
    # Around the fleet, so that each galley occurs in an example.
    found = [a.Sink(tuple([*fleet, *fleet][at : at + frame.hits])) for at in range(len(fleet))]
    shown = conquest.galley_choice(table, seat)
    fields = [examples.several(found, "galleys", _("Galleys"), shown)]
    return form(first(found), _("Choose the galleys that sink"), LOSSES, fields)


# --- purchases ---


def _uses(table: TableFields) -> tuple[Sentence, ...]:
    """Return what each ware is good for, in a line."""
    return (
        _("Cheap to lose; two of a die's six faces hit with it."),
        _("Marches two steps a turn; hits those who retreat."),
        _("Hits from the reserve, too; takes a die from walls."),
        _("Carries {n} units and any number of leaders; two dice at sea.", n=legion_limit(table)),
        conquest.city_use(table),
        _("Gives the city's defender more dice: {n}.", n=wall_worth(table)),
        _("A journey along roads costs one step, however long."),
    )


CLASSIC_ACTIONS: Final = GameActions(CLASSIC, (
    conquest.march(MOVES, _march, (PhrasePart("stopping", ("drops",), typed.STOPS, needed=False),), _stop_fields),
    conquest.sail(MOVES),
    ActionDescription(
        a.EndCombat,
        plain(_("End the combat"), conquest.END, grave=True),
        (Phrase("end combat", _("No more battles at sea.")),),
        (Combat,),
    ),
    ActionDescription(
        a.Form, _form_label, conquest.three("form", _("Your battle legion for this round.")), (Formation,), _form_forms
    ),
    ActionDescription(a.Lose, _lose_label, conquest.three("lose", _("Which units fall.")), (Casualties,), _lose_forms),
    conquest.retreat(_("Leave the battle; the enemy's cavalry pursues.")),
    ActionDescription(
        a.Withdraw, _withdraw, conquest.leaving("withdraw", _("Where your leaders without units go.")), (Withdrawal,)
    ),
    ActionDescription(
        a.Sink,
        _sink_label,
        (Phrase("sink", _("Which of your galleys go down."), (PhrasePart("", ("galleys",), typed.GALLEYS),)),),
        (Sinking,),
        _sink_forms,
    ),
    conquest.buy(CLASSIC, a.Buy, prices, cost, stock, _uses),
    *conquest.common(
        CHECK,
        Combat,
        Placement,
        conquest.stand(conquest.FIGHT_ON),
        conquest.offer((Placement,), partners, CHECK),
    ),
))  # fmt: skip
