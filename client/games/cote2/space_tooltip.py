"""Description of a space of the second game, for the tooltip beside the mouse."""

from client.language import Who, _, ngettext
from client.table.words import and_words, force_line, galleys_words
from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.mechanics.armies import army_of
from shared.rulesets.cote2.data import KEY_SET
from shared.rulesets.cote2.options import strait_seas, victory_numbers
from shared.rulesets.cote2.property import present
from shared.rulesets.cote2.scoring import province_points
from shared.rulesets.cote2.state import LEADERS, TableFields, galleys_at, is_zone, leaders_at
from shared.rulesets.cote2.ways import BRIDGES


def describe(table: TableFields, space: Space, who: Who) -> str:
    """Return a space's worth, influence, city and all pieces in words, a line each."""
    if is_zone(space):
        return "\n".join([BOARD.names[space], *_fleets(table, space, who), *_closed_from(table, space)])
    lines = [_head(table, space, who)]
    if space in KEY_SET:
        lines += _influence(table, space, who)
    lines += [_force(table, space, seat, who) for seat in range(table.seats) if present(table, seat, space)]
    return "\n".join([*lines, *_crossings(table, space, who)])


def _head(table: TableFields, space: Space, who: Who) -> str:
    name = BOARD.names[space]
    if space not in KEY_SET:
        return name
    worth = " / ".join(map(str, victory_numbers(table, space)))
    owner = who(table.owner[space]) if table.owner[space] != NONE else ""
    city = "" if not owner else _(", your city") if owner == _("You") else _(", city of {who}", who=owner)
    return _("{name}: victory points {worth}{city}", name=name, worth=worth, city=city)


def _influence(table: TableFields, space: Space, who: Who) -> list[str]:
    """Return lines on the influence, with the points that it would bring now, and on tokens for sale."""
    points = province_points(table, space)
    ranked = sorted((-n, seat) for seat, n in enumerate(table.influence[space]) if n)
    shown = [f"{who(seat)} {-n}" + (f" ({points[seat]})" if points[seat] else "") for n, seat in ranked]
    lines = [_("Influence (points now): {listed}", listed=and_words(shown))] if shown else [_("No influence yet")]
    if table.tokens[space]:
        lines.append(
            _("For sale: {tokens}", tokens=ngettext("a province token", "{n} province tokens", table.tokens[space]))
        )
    return lines


def _force(table: TableFields, space: Space, seat: Seat, who: Who) -> str:
    return force_line(who, seat, leaders_at(table, seat, space), army_of(table.units[space], seat), LEADERS)


def _fleets(table: TableFields, zone: Space, who: Who) -> list[str]:
    counts = [(seat, len(galleys_at(table, seat, zone))) for seat in range(table.seats)]
    return [f"{who(seat)}: {galleys_words(number)}" for seat, number in counts if number]


def _closed_from(table: TableFields, zone: Space) -> list[str]:
    """Return lines on the straits that galleys in a zone close to the other alliance."""
    pairs = zip(BOARD.straits, strait_seas(table), strict=True)
    return [
        _("Galleys here watch the strait {a} – {b}", a=BOARD.names[a], b=BOARD.names[b])
        for (a, b), seas in pairs
        if zone in seas
    ]


def _crossings(table: TableFields, space: Space, who: Who) -> list[str]:
    """Return lines on the straits that begin in a province, and on the players whose galleys watch them."""
    lines = []
    for strait, there in BRIDGES[space]:
        zones = strait_seas(table)[strait]
        watch = [who(seat) for seat in range(table.seats) if any(galleys_at(table, seat, zone) for zone in zones)]
        lines.append(
            _("Strait to {there}", there=BOARD.names[there])
            + (_(" (watch: {listed})", listed=and_words(watch)) if watch else "")
        )
    return lines
