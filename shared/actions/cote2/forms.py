"""Forms for the actions of Conquest II that are too many for a list."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from shared.actions.cote2 import groups, turn_forms
from shared.actions.cote2.fields import (
    GALLEY_COUNT,
    UNITS,
    at_space,
    at_spaces,
    form,
    galleys,
    kept,
    number,
    one,
    placeless,
    rows,
    seats,
    some,
    tag_of,
)
from shared.actions.description import Choice, Field, Filter, Form
from shared.ids import NONE, Seat
from shared.kernel.frames import Action
from shared.language.sentence import Person, _
from shared.mechanics import armies
from shared.mechanics.armies import total
from shared.mechanics.vote import weight
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.actions import Bid, Commit, Deploy, Lend
from shared.rulesets.cote2.alliances import DEPLOYMENT, camps, harbours, unallied
from shared.rulesets.cote2.combat_phase import lendable
from shared.rulesets.cote2.data import SEAS
from shared.rulesets.cote2.definition import extreme_actions
from shared.rulesets.cote2.frames import Aid, Auction, Casualties, Commitment, Deployment, Turn, Vote
from shared.rulesets.cote2.losses import CASUALTIES
from shared.rulesets.cote2.options import bid_step
from shared.rulesets.cote2.senate import VOTE, hidden, high
from shared.rulesets.cote2.state import TableFields, galleys_in, start_army
from shared.sentences.cote2 import VALUES, called


def forms(view: TableFields, seat: Seat, wanted: Filter) -> list[Form]:
    """Return a form for each kind of action within the filter that the options of the frame do not exhaust.

    `seat` owes the frame. Cards that are obtained have no form: options list them all, but for galleys of one zone,
    which are equal.
    """
    frame = view.frames[-1]
    kinds = dict.fromkeys(type(action) for action in extreme_actions(view, seat))
    if isinstance(frame, Turn) and not frame.left:
        kinds = {a.Use: None}
    made = [
        _FORMS[kind](view, frame, seat, wanted)
        for kind in kinds
        if kind in _FORMS and wanted.kind in (NONE, tag_of(kind))
    ]
    return [each for each in made if each is not None]


def composed(view: TableFields, seat: Seat, kind: type[Action]) -> list[Form]:
    """Return the form of a kind of action, if it can be composed now, also where options exhaust it."""
    found = _FORMS[kind](view, view.frames[-1], seat, Filter())
    return [found] if found is not None else []


# --- before the turns ---


def bid_form(table: TableFields, frame: Auction, seat: Seat, wanted: Filter) -> Form | None:
    """Return the form of a bid."""
    low, most = frame.talents + bid_step(table), table.talents[seat] // bid_step(table) * bid_step(table)
    if most < low or not placeless(wanted):
        return None
    left = unallied(table)
    named = left if len(left) > 1 else [NONE, *left]
    first = sorted(left, key=lambda other: other != seat)
    draft = Bid(low, first[0], first[1] if len(first) > 1 else NONE)
    boxes = [one(name, _("Box {box}", box=name.upper()), seats(named, _("nobody"), seat)) for name in ("a", "b")]
    return form(
        draft, _("Bid"), groups.ALLIANCES, [number("talents", _("Talents"), low, most, bid_step(table)), *boxes]
    )


def deploy_form(table: TableFields, frame: Deployment, seat: Seat, wanted: Filter) -> Form | None:
    """Return the form of the first units."""
    spaces, zones = kept(wanted.to, camps(table, seat)), harbours(table, seat)
    if not spaces or not placeless(replace(wanted, to=NONE)):
        return None
    draft = DEPLOYMENT.default(table, frame, seat)
    if len(spaces) == 1:
        draft = Deploy(((spaces[0], *start_army()),), spaces[0], spaces[0], next(iter(zones), NONE))
    return form(
        draft,
        _("Place your first units"),
        groups.DEPLOYMENT,
        [
            rows("armies", _("Army"), [at_space(space, start_army()) for space in spaces], UNITS),
            one("caesar", _("Where the Caesar begins"), at_spaces(spaces)),
            one("general", _("Where the general begins"), at_spaces(spaces)),
            one("galley", _("Where the galley begins"), at_spaces(zones) or [Choice(NONE, _("nowhere"))]),
        ],
    )


# --- battles ---


def commit_form(table: TableFields, frame: Commitment, seat: Seat, wanted: Filter) -> Form | None:
    """Return the form of galleys that join a land battle."""
    able = kept(wanted.piece, galleys_in(table, seat, tuple(kept(wanted.source, SEAS[frame.space]))))
    if not able or wanted.to not in (NONE, frame.space):
        return None
    low = int(wanted.source != NONE or wanted.piece != NONE)
    field = some("galleys", GALLEY_COUNT, galleys(table, able), low, len(able))
    return form(Commit(tuple(able)), _("Bring galleys into the battle"), groups.BATTLE, [field])


def lend_form(table: TableFields, frame: Aid, seat: Seat, wanted: Filter) -> Form | None:
    """Return the form of units that an ally lends."""
    army, fleet = lendable(table, seat, frame.space)
    able = kept(wanted.piece, fleet)
    if wanted.source != NONE or wanted.to not in (NONE, frame.space) or (wanted.piece != NONE and not able):
        return None
    names = ("infantry", "cavalry", "catapults")
    counts = [number(name, label, 0, most) for name, label, most in zip(names, UNITS, army, strict=True)]
    low = int(wanted.piece != NONE)
    return form(
        Lend(galleys=tuple(able[:low])),
        _("Lend units to {who}", who=Person(frame.to)),
        groups.BATTLE,
        [*counts, some("galleys", GALLEY_COUNT, galleys(table, able), low, len(able))],
    )


def lose_form(table: TableFields, frame: Casualties, seat: Seat, wanted: Filter) -> Form | None:
    """Return the form of a choice of losses."""
    able = kept(wanted.piece, frame.galleys)
    forced = int(wanted.piece != NONE)
    on_land = sum([total(army) for _owner, army in armies.armies(frame.army)])
    if wanted.source != NONE or wanted.to not in (NONE, frame.space) or len(able) < forced:
        return None
    if on_land + frame.extra + len(able) < frame.hits:
        return None
    draft = CASUALTIES.default(table, frame, seat)
    if forced:
        rest = CASUALTIES.default(table, replace(frame, galleys=(), hits=frame.hits - 1), seat)
        draft = replace(rest, galleys=(wanted.piece,))
    return form(draft, _("Choose your losses"), groups.BATTLE, _loss_fields(table, frame, able, on_land, forced))


def _loss_fields(table: TableFields, frame: Casualties, able: list[int], on_land: int, forced: int) -> list[Field]:
    """Return the fields of losses. `able`: galleys to choose from, of which at least `forced` are lost."""
    free = frame.hits - forced
    lost = [
        Choice(owner, called(owner), most=tuple([min(units, free) for units in army]))
        for owner, army in armies.armies(frame.army)
    ]
    least = max(forced, frame.hits - on_land - frame.extra)
    fewest = max(0, frame.hits - on_land - len(able))
    return [
        rows("armies", _("Army"), lost, UNITS),
        some("galleys", GALLEY_COUNT, galleys(table, able), least, min(len(able), frame.hits)),
        number("extra", _("Auxiliary galleys"), fewest, min(frame.extra, free)),
    ]


# --- the senate ---


def show_form(table: TableFields, frame: Vote, seat: Seat, wanted: Filter) -> Form | None:
    """Return the form of senators that are shown."""
    mine = hidden(table, frame, seat)
    need = high(frame) - weight(frame.shown[seat]) + 1
    if weight(mine) < need or not placeless(wanted):
        return None
    draft = VOTE.options(table, frame, seat)[1]
    fields = []
    for value, name in enumerate(("one", "two", "three", "four")):
        others = weight(mine) - (value + 1) * mine[value]
        least = max(0, -(-(need - others) // (value + 1)))
        fields.append(number(name, _("Senators {value}", value=VALUES[value]), least, mine[value]))
    return form(draft, _("Show senators"), groups.SENATE, fields)


_FORMS: Final[Mapping[type[Action], Callable[[TableFields, Any, Seat, Filter], Form | None]]] = {
    a.Bid: bid_form,
    a.Deploy: deploy_form,
    a.Campaign: turn_forms.campaign_form,
    a.Incite: turn_forms.incite_form,
    a.Recruit: turn_forms.recruit_form,
    a.Influence: turn_forms.influence_form,
    a.Move: turn_forms.move_form,
    a.Sail: turn_forms.sail_form,
    a.Use: turn_forms.use_form,
    a.Commit: commit_form,
    a.Lend: lend_form,
    a.Lose: lose_form,
    a.Show: show_form,
}
