"""Bots say why they decline a bargain that a person proposed."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from protocol import codec
from server.matches.bargain_reasons import say_why
from shared import messages as m
from shared.kernel import engine
from shared.kernel.frames import push
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.mb1984.actions import Reply
from shared.rulesets.mb1984.definition import MB1984
from shared.sentences.bargains import declined
from shared.tables import THE_TABLE
from shared.vocabulary.actions import Answer, EndTurn
from shared.vocabulary.frames import Bargain
from tests.server.lobby_harness import link, open_lobby, person
from tests.support import position1984
from tests.support.layout import prison
from tests.support.position import general, position

MINE, THEIRS = (general(0),), (general(1),)


def asked(seats: int = 3, talents: int = 90, **terms: Any) -> Any:
    """Return a position in which seat 0 has proposed a bargain to seat 1."""
    state = position(seats, leaders={prison(0): THEIRS, prison(1): MINE}, phase="placement")
    state.talents[1] = talents
    push(
        state,
        Bargain,
        1,
        0,
        terms.get("pays", 0),
        terms.get("gives", ()),
        terms.get("wants", 0),
        terms.get("takes", ()),
    )
    return state


async def reason(state: Any) -> str:
    found: list[str] = []

    async def proclaim(text: str) -> None:
        found.append(text)

    terms = declined(CLASSIC, state, codec.encode(Answer(False)))
    assert terms is not None and terms[0] == 0
    await say_why(proclaim, "Brutus", state, 1, terms[1])
    (text,) = found
    return text


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (asked(pays=10, takes=MINE), "Brutus declines: 10 talents are too few for that."),
        (asked(takes=MINE), "Brutus declines: it gives no general away for nothing."),
        (asked(2, pays=90, takes=MINE), "Brutus declines: its last opponent gets no general back."),
        (asked(gives=THEIRS, wants=80), "Brutus declines: it needs its talents for its army."),
        (asked(talents=500, gives=THEIRS, wants=80), "Brutus declines: 80 talents are too many for that."),
        (asked(gives=THEIRS, takes=MINE, wants=20), "Brutus declines: 20 talents are too many for that."),
        (asked(gives=THEIRS, takes=MINE), "Brutus declines: it sees no gain in that."),
    ],
)
async def test_the_terms_tell_why(state: Any, says: str) -> None:
    assert await reason(state) == says


def test_only_a_refusal_has_a_reason() -> None:
    state = asked(pays=10, takes=MINE)
    assert declined(CLASSIC, state, codec.encode(Answer(True))) is None
    assert declined(CLASSIC, state, codec.encode(EndTurn())) is None
    assert declined(CLASSIC, state, b"\xc1") is None


def test_a_reply_in_the_own_turn_is_a_refusal_too() -> None:
    state = position1984.position(3)
    state.proposals[2] = (0, 10, 0, 0)
    found = declined(MB1984, state, codec.encode(Reply(2, False)))
    assert found is not None and (found[0], found[1].pays) == (2, 10)


@pytest.mark.parametrize("person_asks", [True, False])
async def test_the_table_hears_it_if_a_person_asked(tmp_path: Path, person_asks: bool) -> None:
    async def decline(_ruleset: str, _kind: str, _seat: int, view: bytes, _seed: int, _seconds: float) -> bytes:
        state = CLASSIC.view_decoder.decode(view)
        bargain = isinstance(state.frames[-1], Bargain)
        return codec.encode(
            Answer(False) if bargain else engine.default(CLASSIC, state, engine.owed(CLASSIC, state)[0])
        )

    async with open_lobby(tmp_path, decline, rules=CLASSIC) as h:
        anna = person()
        await h.ask(anna, m.Create(1, "classic", 3, {"homes": 2}, "t"), m.Seated)
        for seat in (1, 2):
            await h.ask(anna, m.SetBot(2, seat, "normal"), m.Done)
        await h.ask(anna, m.Start(3), m.Done)
        running = h.only()
        running.table.match.state = asked(pays=10, takes=MINE)
        if not person_asks:
            bargain = running.table.match.state.frames[-1]
            running.table.match.state.frames[-1] = replace(bargain, proposer=2)
        running.table.match._seen = running.table.match._look(running.table.match.state)
        link(anna).sent.clear()
        running._play.call_bots()
        await h.quiet()
        assert not any(isinstance(frame, Bargain) for frame in running.table.match.state.frames)
        said = [line.text for line in link(anna).sent if isinstance(line, m.Said) and line.seat == THE_TABLE]
        assert said == ["Brutus declines: 10 talents are too few for that."] * person_asks
