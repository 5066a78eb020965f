"""A closed kind of action says which condition fails in this position, never the general rule alone."""

from typing import Any

import pytest

from client.games.cote2.tasks.turn_task import KINDS
from client.games.static_match import LocalMatch
from shared.board import BOARD
from shared.ids import Seat
from shared.language.sentence import in_english
from shared.rulesets.cote2.data import KEY_SET
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.state import LEADERS, OFF
from shared.rulesets.registry import RULESETS
from tests.support.marks import mostly_long


def facts(table: Any, frame: Turn, seat: Seat) -> dict[str, bool]:
    """Return beginnings of reasons, and whether each is true of a position."""
    led = {at for at in table.leader_at[seat * LEADERS : (seat + 1) * LEADERS] if at != OFF}
    units = {space for space, cell in enumerate(table.units) if seat in cell[::4]}
    sold = [space for space in led & KEY_SET if table.tokens[space]]
    return {
        f"You have {table.talents[seat]} talents": True,
        "You took a card": frame.obtained,
        "No card lies open": not any(table.row),
        "None of the open cards": any(table.row),
        "You have no leader on the board": not led,
        "You have no influence where your leaders are": not any(
            table.influence[space] and table.influence[space][seat] for space in led
        ),
        "What you can pay is all on the board": bool(led),
        "No influence is sold where your leaders are": bool(led) and not led & KEY_SET,
        "No influence is for sale": bool(led & KEY_SET) and not sold,
        "All your influence is on the board": bool(sold),
        "From ": bool(led),
        "You have no infantry": not units,
        "No enemy that you can attack": bool(units),
        "You have no galley": table.galley_at[seat * 6 : seat * 6 + 6].count(OFF) == 6 or OFF in table.galley_at,
    }


@pytest.mark.parametrize("seed", mostly_long(range(12), 0, 1))
def test_reasons_name_what_is_so_now(seed: int) -> None:
    match, told = LocalMatch(RULESETS["cote2"], 4, seed=seed, seat=0), set()
    for _step in range(150):
        frame = match.state.frames[-1] if match.state.frames else None
        if isinstance(frame, Turn) and frame.left:
            for kind in KINDS:
                if kind.closed is None or kind.possible(match.state, frame, frame.seat):
                    continue
                words = in_english(kind.closed(match.state, frame, frame.seat))
                (fact,) = (so for begin, so in facts(match.state, frame, frame.seat).items() if words.startswith(begin))
                assert fact, (kind.name, words)
                places = [place for place in BOARD.names if place in words]
                assert places or ":" not in words, words
                told.add(words)
        if not match.step():
            break
    assert told
