"""At the beginning of their turn players read first what cost them most since their last one.

The losses are counted from positions before and after every decision, without the events that the sentences use.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import pytest

from client.games.static_match import LocalMatch
from shared.board import BOARD
from shared.language.sentence import in_english
from shared.mechanics.pieces import ABOARD, OFF, PRISON
from shared.rulesets.classic import table as classic
from shared.rulesets.cote2 import state as cote2
from shared.rulesets.mb1984 import table as mb1984
from shared.rulesets.registry import RULESETS
from shared.sentences.registry import SENTENCES
from shared.sentences.since_turn import Happening, since_turn
from shared.vocabulary.events import TurnStart

WORTH: Final = {"infantry": 10, "cavalry": 20, "catapults": 30, "galley": 20, "general": 60, "Caesar": 500, "city": 60,
                "province": 40, "influence": 25}  # fmt: skip
GALLEYS: Final = {"classic": classic.GALLEYS, "mb1984": mb1984.GALLEYS, "cote2": cote2.GALLEYS}


def owned(view: Any, seat: int, game: str) -> Counter[tuple[str, int]]:
    """Count what a seat has, by kind and place."""
    each, fleet = SENTENCES[game].leaders, GALLEYS[game]
    have: Counter[tuple[str, int]] = Counter()
    for space, flat in enumerate(view.units):
        for i in range(0, len(flat), 4):
            if flat[i] == seat:
                have.update({(kind, space): n for kind, n in zip(list(WORTH)[:3], flat[i + 1 : i + 4], strict=True)})
    for galley in range(seat * fleet, seat * fleet + fleet):
        if (at := view.galley_at[galley]) < OFF:
            have["galley", at] += 1
            for kind, n in zip(list(WORTH)[:3], getattr(view, "cargo", {galley: ()})[galley] or (), strict=False):
                have[kind, at] += n
    for leader in range(seat * each, seat * each + each):
        at = view.leader_at[leader]
        if at < PRISON:
            have["general" if leader % each else "Caesar", view.galley_at[at - ABOARD] if at >= ABOARD else at] += 1
    for space, owner in enumerate(view.owner):
        have["city" if game == "cote2" else "province", space] += owner == seat
    for space, tokens in enumerate(getattr(view, "influence", ())):
        have["influence", space] += tokens[seat] if tokens else 0
    return +have


def lost(before: Counter[tuple[str, int]], after: Counter[tuple[str, int]]) -> Counter[int]:
    """Return the worth of what was lost between two positions, by place."""
    places: Counter[int] = Counter()
    for kind, worth in WORTH.items():
        less = before.total() and {s: n - after[k, s] for (k, s), n in before.items() if k == kind and n > after[k, s]}
        whole = sum(n for (k, _s), n in before.items() if k == kind) - sum(
            n for (k, _s), n in after.items() if k == kind
        )
        if kind in ("city", "province", "influence"):
            places.update({space: worth * n for space, n in (less or {}).items()})
        elif whole > 0 and less:
            places[max(less, key=lambda space: less[space])] += worth * whole
    return places


def turns(
    game: str, seats: int, seed: int, rounds: int, seat: int
) -> Iterator[tuple[Counter[int], list[Happening], Any]]:
    """Play a match; yield at each turn of a seat what it lost since the last one, and what it is told."""
    match = LocalMatch(RULESETS[game], seats, seed=seed, seat=seat)
    told, losses, own = [], Counter[int](), False
    while rounds:
        have = owned(match.view, seat, game)
        if not match.step():
            return
        events = [(one.version, one.event) for one in match.take_events()]
        told += events
        starts = [event.seat for _version, event in events if isinstance(event, TurnStart)]
        if not own:
            losses.update(lost(have, owned(match.view, seat, game)))
        if seat in starts:
            yield losses, since_turn(SENTENCES[game], told, seat), match
            rounds -= 1
        if starts:
            losses, own = (Counter[int](), True) if starts[-1] == seat else (losses, False)


def first_line_names(said: list[Happening], losses: Counter[int]) -> bool:
    """Whether the first line names the place of the greatest loss, or the leader that was lost.

    A senator may come first: whether one was lost or spent cannot be seen from positions.
    """
    most = max(losses.values(), default=0)
    if not most:
        return True
    first = in_english(said[0].words) if said else ""
    names = [BOARD.names[space] for space, n in losses.items() if n == most]
    leader = "|general|Caesar" if most % WORTH["general"] == 0 else ""
    return re.search("|".join(names) + leader + "|senator of yours", first) is not None


@pytest.mark.parametrize(
    ("game", "seed", "rounds"),
    [("classic", 7, 8), ("mb1984", 3, 8), ("cote2", 7, 8),
     *(pytest.param(game, seed, 40, marks=pytest.mark.long)
       for game, seed in (("classic", 7), ("mb1984", 0), ("cote2", 0))),
     *(pytest.param(game, 0, 200, marks=pytest.mark.exhaustive) for game in GALLEYS)],
)  # fmt: skip
def test_the_greatest_loss_is_in_the_first_line(game: str, seed: int, rounds: int) -> None:
    lossy = 0
    while rounds > 0:
        seed += 1
        for losses, said, match in turns(game, 2 + seed % 5, seed, min(rounds, 30), seed % 2):
            rounds -= 1
            lossy += bool(losses)
            assert first_line_names(said, losses), (game, seed, match.version, losses, said[:2])
    assert lossy
