"""Forms for the actions of Conquest II that are too many for a list."""

from msgspec.structs import replace

from shared.actions.cote2 import groups
from shared.actions.cote2.fields import (
    GALLEY_COUNT,
    UNITS,
    at_space,
    at_spaces,
    galleys,
    kept,
    number,
    one,
    rows,
    seats,
    some,
)
from shared.actions.description import Choice, Field, Filter, Form
from shared.actions.examples import form
from shared.ids import NONE, Seat
from shared.language.sentence import Person, _
from shared.mechanics import armies
from shared.mechanics.armies import total
from shared.mechanics.vote import weight
from shared.rulesets.cote2.actions import Bid, Commit, Deploy, Lend
from shared.rulesets.cote2.alliances import DEPLOYMENT, camps, harbours, unallied
from shared.rulesets.cote2.combat_phase import lendable
from shared.rulesets.cote2.data import SEAS
from shared.rulesets.cote2.frames import Aid, Auction, Casualties, Commitment, Deployment, Vote
from shared.rulesets.cote2.losses import CASUALTIES
from shared.rulesets.cote2.options import bid_step
from shared.rulesets.cote2.senate import VOTE, hidden, high
from shared.rulesets.cote2.state import TableFields, galleys_in, start_army
from shared.sentences.cote2 import VALUES, called

# --- before the turns ---


def bid_form(table: TableFields, frame: Auction, seat: Seat, query: Filter) -> list[Form]:
    """Return the form of a bid."""
    low, most = frame.talents + bid_step(table), table.talents[seat] // bid_step(table) * bid_step(table)
    if most < low or not query.meets():
        return []
    left = unallied(table)
    # The last player of an odd number is proposed alone.
    named = left if len(left) > 1 else [NONE, *left]
    first = sorted(left, key=lambda other: other != seat)
    draft = Bid(low, first[0], first[1] if len(first) > 1 else NONE)
    boxes = [one(name, _("Box {box}", box=name.upper()), seats(named, _("nobody"), seat)) for name in ("a", "b")]
    return form(
        draft, _("Bid"), groups.ALLIANCES, [number("talents", _("Talents"), low, most, bid_step(table)), *boxes]
    )


def deploy_form(table: TableFields, frame: Deployment, seat: Seat, query: Filter) -> list[Form]:
    """Return the form of the first units."""
    spaces, zones = kept(query.to, camps(table, seat)), harbours(table, seat)
    if not spaces or not query.meets(to=query.to):
        return []
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


def commit_form(table: TableFields, frame: Commitment, seat: Seat, query: Filter) -> list[Form]:
    """Return the form of galleys that join a land battle."""
    able = kept(query.piece, galleys_in(table, seat, tuple(kept(query.source, SEAS[frame.space]))))
    if not able or query.to not in (NONE, frame.space):
        return []
    low = int(query.source != NONE or query.piece != NONE)
    field = some("galleys", GALLEY_COUNT, galleys(table, able), low, len(able))
    return form(Commit(tuple(able)), _("Bring galleys into the battle"), groups.BATTLE, [field])


def lend_form(table: TableFields, frame: Aid, seat: Seat, query: Filter) -> list[Form]:
    """Return the form of units that an ally lends."""
    army, fleet = lendable(table, seat, frame.space)
    able = kept(query.piece, fleet)
    if query.source != NONE or query.to not in (NONE, frame.space) or (query.piece != NONE and not able):
        return []
    names = ("infantry", "cavalry", "catapults")
    counts = [number(name, label, 0, most) for name, label, most in zip(names, UNITS, army, strict=True)]
    low = int(query.piece != NONE)
    return form(
        Lend(galleys=tuple(able[:low])),
        _("Lend units to {who}", who=Person(frame.to)),
        groups.BATTLE,
        [*counts, some("galleys", GALLEY_COUNT, galleys(table, able), low, len(able))],
    )


def lose_form(table: TableFields, frame: Casualties, seat: Seat, query: Filter) -> list[Form]:
    """Return the form of a choice of losses."""
    able = kept(query.piece, frame.galleys)
    forced = int(query.piece != NONE)
    on_land = sum([total(army) for _owner, army in armies.armies(frame.army)])
    if query.source != NONE or query.to not in (NONE, frame.space) or len(able) < forced:
        return []
    if on_land + frame.extra + len(able) < frame.hits:
        return []
    draft = CASUALTIES.default(table, frame, seat)
    if forced:
        rest = CASUALTIES.default(table, replace(frame, galleys=(), hits=frame.hits - 1), seat)
        draft = replace(rest, galleys=(query.piece,))
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


def show_form(table: TableFields, frame: Vote, seat: Seat, query: Filter) -> list[Form]:
    """Return the form of senators that are shown."""
    mine = hidden(table, frame, seat)
    need = high(frame) - weight(frame.shown[seat]) + 1
    if weight(mine) < need or not query.meets():
        return []
    draft = VOTE.options(table, frame, seat)[1]
    fields = []
    for value, name in enumerate(("one", "two", "three", "four")):
        others = weight(mine) - (value + 1) * mine[value]
        # What the other senators do not reach must come from these, rounded up.
        least = max(0, -(-(need - others) // (value + 1)))
        fields.append(number(name, _("Senators {value}", value=VALUES[value]), least, mine[value]))
    return form(draft, _("Show senators"), groups.SENATE, fields)
