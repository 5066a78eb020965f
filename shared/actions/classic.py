"""Labels and forms of the actions of Classic."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import astuple, replace

from shared.actions import conquest, examples
from shared.actions.conquest import LOSSES, RETREAT, buy_label, fleet_words, march_label, plain, stops_label
from shared.actions.description import Choice, Field, FieldKind, Filter, Form, Label
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Seat, Space
from shared.kernel import engine
from shared.kernel.frames import Action, Frame
from shared.kernel.ruleset import AnyRuleset
from shared.language.sentence import Person, Sentence, _, pgettext
from shared.mechanics.armies import army_of, choices
from shared.mechanics.wares import pieces_words, ware_words
from shared.refusal import Refusal
from shared.rulesets.classic import actions as a
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.classic.diplomacy import STANDING, check_offer, partners
from shared.rulesets.classic.economy import cost, stock
from shared.rulesets.classic.frames import Casualties, Formation, Placement, Sinking, Withdrawal
from shared.rulesets.classic.galleys import boardable, can_board, check_sail
from shared.rulesets.classic.legions import check_march, road_trip, units_of
from shared.rulesets.classic.options import prices, steps, wall_worth
from shared.rulesets.classic.table import TableFields
from shared.rulesets.conquest.pieces import galleys_at, legion_limit, ready
from shared.vocabulary.actions import Offer
from shared.vocabulary.frames import Captives, Movement, Purchase

_RULES: Final[AnyRuleset] = CLASSIC
LEGION: Final = pgettext("heading", "Battle legion")
PURSUIT: Final = pgettext("heading", "Pursuit")
MOST_STOPS: Final = 16
"""Stops that a march can name."""


def label(table: TableFields, seat: Seat, action: Action) -> Label:
    """Return the label of an action."""
    return _LABELS[type(action)](table, seat, action)


def _march(table: TableFields, seat: Seat, march: a.March) -> Label:
    return stops_label(march_label(table, seat, march), march.drops)


def _form(table: TableFields, _seat: Seat, form: a.Form) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Formation)
    army = ware_words((form.infantry, form.cavalry, form.catapults))
    return Label(_("Fight with {army}", army=army), LEGION, to=frame.space)


def _lose(table: TableFields, seat: Seat, lose: a.Lose) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Casualties)
    army = ware_words((lose.infantry, lose.cavalry, lose.catapults))
    if frame.owner == seat:
        return Label(_("Lose {army}", army=army), LOSSES, to=frame.space)
    text = _("Catch {army} of {who}", army=army, who=Person(frame.owner))
    return Label(text, PURSUIT, to=frame.space)


def _withdraw(table: TableFields, _seat: Seat, withdraw: a.Withdraw) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Withdrawal)
    if withdraw.to == NONE:
        return Label(_("Surrender the leaders: no way is open"), RETREAT, frame.space, grave=True)
    source, to = BOARD.names[frame.space], BOARD.names[withdraw.to]
    text = _("Lead the leaders from {source} to {to}", source=source, to=to)
    return Label(text, RETREAT, frame.space, withdraw.to)


def _sink(table: TableFields, seat: Seat, sink: a.Sink) -> Label:
    frame = table.frames[-1]
    assert isinstance(frame, Sinking)
    text = _("Let {galleys} sink", galleys=fleet_words(table, seat, sink.galleys))
    return Label(text, LOSSES, to=frame.zone, piece=conquest.only(sink.galleys))


def _buy(table: TableFields, _seat: Seat, buy: a.Buy) -> Label:
    counts = astuple(buy)
    return buy_label(counts, cost(table, counts))


_LABELS: Final[conquest.Labels] = {
    **conquest.LABELS,
    a.March: _march,
    a.EndCombat: plain(_("End the combat"), conquest.END, grave=True),
    a.Form: _form,
    a.Lose: _lose,
    a.Withdraw: _withdraw,
    a.Sink: _sink,
    a.Buy: _buy,
}


# --- forms ---


def forms(table: TableFields, seat: Seat, wanted: Filter) -> Sequence[Form]:
    """Return the forms for kinds of actions within a filter which the options do not exhaust, or in a long list."""
    standing = conquest.standing_forms(table, seat, wanted, STANDING.check)
    if seat not in engine.owed(_RULES, table):
        return standing
    frame = table.frames[-1]
    made = _FORMS.get(type(frame))
    return [*(made(table, frame, seat, wanted) if made else ()), *standing]


MOVES: Final = conquest.Moves(
    check_march=check_march,
    check_sail=check_sail,
    march=a.March,
    steps=steps,
    road_trip=road_trip,
    can_board=lambda table, seat, _galley, leader: can_board(table, seat, leader),
    boardable=lambda table, seat, _galley, space: boardable(table, seat, space),
)


def _movement(table: TableFields, _frame: Frame, seat: Seat, wanted: Filter) -> list[Form]:
    return [*_march_form(table, seat, wanted), *conquest.sail_form(table, seat, wanted, MOVES)]


def _march_form(table: TableFields, seat: Seat, wanted: Filter) -> list[Form]:
    found = conquest.marches(table, seat, wanted, MOVES)
    if not found:
        return []
    stops = _widest([stop for march in _loaded(found) for stop in _stops(table, seat, march)])
    arms = tuple([pieces_words(2, kind) for kind in range(3)])
    label = _("Units left on the way") if stops else ""
    rows = Field("drops", FieldKind.ROWS, label, 0, min(MOST_STOPS, len(stops)), options=stops, columns=arms)
    fields = [*conquest.march_fields(table, seat, found), rows]
    return examples.form(found, _("March"), conquest.MARCH, fields, conquest.fullest(found))


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


def _formation(table: TableFields, frame: Formation, seat: Seat, wanted: Filter) -> list[Form]:
    if not (examples.asks(wanted, a.Form) and examples.meets(wanted, to=frame.space)):
        return []
    found = [a.Form(*army) for army in choices(army_of(table.units[frame.space], seat), frame.size)]
    draft = engine.default(_RULES, table, seat)
    return examples.form(found, _("Choose the battle legion"), LEGION, conquest.units_fields(found), draft)


def _casualties(table: TableFields, frame: Casualties, seat: Seat, wanted: Filter) -> list[Form]:
    if not (examples.asks(wanted, a.Lose) and examples.meets(wanted, to=frame.space)):
        return []
    found = [a.Lose(*army) for army in choices(frame.legion, frame.hits)]
    name, group = (_("Choose the losses"), LOSSES) if frame.owner == seat else (_("Choose who is caught"), PURSUIT)
    return examples.form(found, name, group, conquest.units_fields(found), engine.default(_RULES, table, seat))


def _sinking(table: TableFields, frame: Sinking, seat: Seat, wanted: Filter) -> list[Form]:
    if not (examples.asks(wanted, a.Sink) and examples.meets(wanted, to=frame.zone, piece=wanted.piece)):
        return []
    fleet = galleys_at(table, seat, frame.zone)
    if wanted.piece != NONE:
        fleet = (wanted.piece,) if wanted.piece in fleet and frame.hits == 1 else ()
    found = [a.Sink(tuple([*fleet, *fleet][at : at + frame.hits])) for at in range(len(fleet))]
    shown = conquest.galley_choice(table, seat)
    fields = [examples.several(found, "galleys", _("Galleys"), shown)]
    return examples.form(found, _("Choose the galleys that sink"), LOSSES, fields)


def _purchase(table: TableFields, frame: Purchase, seat: Seat, wanted: Filter) -> list[Form]:
    return conquest.buy_form(_RULES, table, seat, wanted, a.Buy, stock(table, seat), prices(table), _uses(table))


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


def _placement(table: TableFields, frame: Placement, seat: Seat, wanted: Filter) -> list[Form]:
    if not (examples.asks(wanted, Offer) and examples.meets(wanted)):
        return []
    return conquest.bargain_forms(table, seat, Offer, partners(table, seat), partial(_check_offer, frame))


def _check_offer(frame: Placement, table: TableFields, seat: Seat, offer: Offer) -> Refusal | None:
    return check_offer(table, frame, seat, offer)


_FORMS: Final[Mapping[type[Frame], Callable[[TableFields, Any, Seat, Filter], list[Form]]]] = {
    Movement: _movement,
    Formation: _formation,
    Casualties: _casualties,
    Sinking: _sinking,
    Captives: conquest.judge_form,
    Purchase: _purchase,
    Placement: _placement,
}
