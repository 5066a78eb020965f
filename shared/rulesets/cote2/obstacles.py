"""Reasons why there is no way: the first obstacle on the shortest one, by its name."""

from shared.board import BOARD
from shared.ids import Seat, Space
from shared.language.sentence import BETWEEN, _, listing
from shared.refusal import Refusal
from shared.rulesets.cote2.data import SEAS
from shared.rulesets.cote2.state import TableFields, others_in
from shared.rulesets.cote2.ways import BRIDGES, closed_straits, galleys_closing, neighbours


def no_way(table: TableFields, seat: Seat, source: Space, to: Space) -> Refusal:
    """Return the reason why units of `seat` cannot get from one province to another (II-MOVE-02 to -04)."""
    overseas = SEAS[source] and SEAS[to]
    for here, there in _steps(table, source, to):
        refusal = closed(table, seat, here, there, "II-MOVE-03")
        # The last province may be hostile: marching into it is allowed (II-D27), beyond it is not.
        if refusal is None and there != to and others_in(table, table.units[there], seat):
            text = _("Units of the other alliance in {place} block the way.", place=BOARD.names[there])
            refusal = Refusal("barred", "II-MOVE-02", text)
        if refusal is not None:
            return _or_by_sea(refusal, to) if overseas else refusal
    if overseas:
        return Refusal("no-way", "II-MOVE-04", _("No galley of yours lies next to {place}.", place=BOARD.names[to]))
    text = _(
        "No way by land leads to {to}, and {place} has no coast to embark from.",
        to=BOARD.names[to],
        place=BOARD.names[source],
    )
    return Refusal("no-way", "II-MOVE-04", text)


def _or_by_sea(refusal: Refusal, to: Space) -> Refusal:
    """Return the refusal with the other way to get there."""
    text = _(
        "{reason} By sea it takes a galley of yours next to {place}.", reason=refusal.sentence, place=BOARD.names[to]
    )
    return Refusal(refusal.code, refusal.rule, text)


def no_retreat(table: TableFields, seat: Seat, source: Space, to: Space) -> Refusal:
    """Return the reason why `seat` cannot retreat from one province to another (II-RETREAT-01, II-D42)."""
    if to not in neighbours(table, source):
        text = _("A retreat leads to a province next to {place}.", place=BOARD.names[source])
        return Refusal("not-adjacent", "II-RETREAT-01", text)
    text = _("Units of the other alliance are in {place}.", place=BOARD.names[to])
    return closed(table, seat, source, to, "II-D42") or Refusal("no-retreat", "II-RETREAT-01", text)


def closed(table: TableFields, seat: Seat, here: Space, there: Space, rule: str) -> Refusal | None:
    """Return the refusal of a step across a strait that galleys close to `seat`, with their zones; `rule` forbids
    it.
    """
    shut = [strait for strait, far in BRIDGES[here] if far == there and strait in closed_straits(table, seat)]
    if not shut:
        return None
    zones = listing((BOARD.names[zone] for zone in galleys_closing(table, seat, shut[0])), BETWEEN)
    text = _("Galleys of the other alliance in {places} close the strait to {to}.", places=zones, to=BOARD.names[there])
    return Refusal("strait-closed", rule, text)


def _steps(table: TableFields, source: Space, to: Space) -> list[tuple[Space, Space]]:
    """Return the shortest way over land and straits as if no units stood in it; [] if there is none."""
    before = {source: source}
    border = [source]
    while border and to not in before:
        here = border.pop(0)
        for there in neighbours(table, here):
            if there not in before:
                before[there] = here
                border.append(there)
    steps = []
    while to in before and to != source:
        steps.append((before[to], to))
        to = before[to]
    return steps[::-1]
