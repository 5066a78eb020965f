"""Every decision has its words, and every phase, turn and space; all of them from what a viewer may know."""

from itertools import product
from typing import get_args

import pytest

from client.games.cote2.player_text import active, phase_words, round_words
from client.games.cote2.space_tooltip import describe
from client.table.prompts import Prompt, asked
from shared.board import BOARD
from shared.ids import NATURE, NONE
from shared.kernel import engine
from shared.kernel.frames import Deal, Dice, Draw, Frame
from shared.rulesets.cote2 import frames as f
from shared.rulesets.cote2.data import INDEX
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.stages import MotionStage, SeasonStep
from shared.rulesets.cote2.state import State, TableFields
from shared.sentences import cote2
from shared.vocabulary.frames import Onward
from tests.client.cote2.random_matches import walk, who
from tests.rulesets.cote2.test_secrets import twins
from tests.support.layout import sp
from tests.support.marks import pairs_in_stages
from tests.support.positionii import auction, galley, general, position

ASIA, RHODUS, VOTE = sp("asia"), sp("mare_rhodus"), INDEX["senate_emergency_tax"]
NO_SENATORS = ((0, 0, 0, 0),) * 3
FRAMES: list[tuple[Frame, str, str]] = [
    (f.Setup(1), "laid out", ""),
    (f.Season(1, 0), "laid out", ""),
    (f.Alliances(1, 0), "Alliances", ""),
    (f.Auction(9, 1), "Open", "one in box A and one in box B"),
    (f.Auction(9, 1, 15, 0, 1, 2), "Bid or pass", "Livia offers 15 talents: you for A and Cornelia for B"),
    (f.Deployments(1), "First units", ""),
    (
        f.Deployment(9, 1),
        "First units",
        "8 infantry, 2 cavalry, 1 catapult where you have influence, the galley",
    ),
    (f.Rounds(1), "next turn", ""),
    (f.Turn(9, 1, 2), "Two actions", "Choose an action"),
    (f.Turn(9, 1, 1, True), "One more", "You have taken a card"),
    (f.Turn(9, 1, 0), "Use a card?", "end your turn"),
    (f.Battle(9, ASIA, 0, 1), "Battle: Asia", ""),
    (f.Wind(9, 1, RHODUS, 0), "Slip away?", "Livia attacks you in Mare Rhodus"),
    (f.Commitment(9, 1, ASIA), "Galleys", "Asia: "),
    (f.Aid(9, 1, 0, ASIA), "Lend units to Livia?", "Livia fights"),
    (f.Casualties(9, 1, ASIA, (), (), 0, 2), "2 units fall", "Asia: choose your losses"),
    (f.Casualties(9, 1, ASIA, (), (), 0, 1), "1 unit falls", ""),
    (Onward(9, 1, ASIA), "Fight on?", "retreat"),
    (f.Withdrawal(9, 1, ASIA), "Leave Asia", "open to you are lit"),
    (f.Revolt(9, ASIA, 4, (1,)), "Slaves rise in Asia", ""),
    (f.Motion(9, VOTE, 0), "Vote on Emergency Tax", ""),
    (f.Vote(9, VOTE, 0, 1, NO_SENATORS), "Vote on Emergency Tax", "takes 40 talents. Show senators, or pass."),
    (f.Vote(9, VOTE, 0, 1, ((1, 1, 0, 0), *NO_SENATORS[1:]), 0), "Vote on Emergency Tax", "Livia leads with 3 votes"),
    (f.Muster(9, 1, 6), "New legions", "6 infantry join you: choose where they assemble, in Italia or in Neapolis."),
    (f.Theft(9, 1, 0, True), "A senator is drawn", ""),
]
DEALS: list[tuple[Frame, str]] = [
    (f.Setup(1), "first player"),
    (f.Setup(1, 0), "First influence"),
    (f.Season(1, 0, SeasonStep.TOKENS), "Tokens are dealt"),
    (f.Season(1, 0, SeasonStep.CARDS), "Cards are dealt"),
    (f.Theft(9, 1, 0, True), "A senator is drawn"),
    (f.Motion(9, VOTE, 0, MotionStage.DRAWN), "A senator is drawn"),
]


def table() -> State:
    """A position in the auctions, where players are to be proposed."""
    return auction(3)


def prompt(table: TableFields, frame: Frame) -> Prompt | None:
    """Return the prompt for a frame, as a player reads it."""
    told = cote2.frame_prompt(table, frame)
    return asked(told, who, told.seat) if told else None


@pytest.mark.parametrize(("frame", "what", "how"), FRAMES, ids=[type(frame).__name__ for frame, *_ in FRAMES])
def test_every_decision_has_its_words(frame: Frame, what: str, how: str) -> None:
    state = table()
    state.influence[ASIA] = (0, 1, 0)
    told = prompt(state, frame)
    assert told is not None
    assert what in told.what
    assert how in told.full
    assert bool(told.full) == (told.seat == 1)
    assert len(told.full) < 190, "more does not fit into its card"


def test_no_decision_is_forgotten() -> None:
    assert {type(frame) for frame, *_ in FRAMES} == set(get_args(f.AnyFrame)) - {Dice, Draw, Deal}


@pytest.mark.parametrize(("below", "what"), DEALS)
def test_dealt_pieces_follow_from_the_frame_below(below: Frame, what: str) -> None:
    state = table()
    state.frames = [below, Deal(20, 10, 2)]  # type: ignore[list-item]
    told = prompt(state, state.frames[-1])
    assert told is not None
    assert told.seat == NATURE
    assert what in told.what


def test_the_last_of_an_odd_number_is_proposed_alone() -> None:
    state = auction(3, allied=[(0, 0), (1, 1)])
    told = prompt(state, f.Auction(9, 1))
    assert told is not None
    assert "Put Cornelia in box A or B" in told.how
    told = prompt(state, f.Auction(9, 2))
    assert told is not None
    assert "Put yourself in box A or B, and bid; 0 talents will do." in told.how


@pytest.mark.parametrize(("season", "names"), [(1, 7), (2, 6)])
def test_phases_follow_the_steps_of_a_season(season: int, names: int) -> None:
    state = position(season=season)
    seen = []
    for step in SeasonStep:
        state.frames = [f.Season(1, 0, step)]
        words, on = phase_words(state)
        assert len(words) == names
        seen.append(words[on])
    assert sorted(set(seen), key=seen.index) == [word for word in words if word != "Placement" or season == 1]
    state.frames = [f.Season(1, 0, SeasonStep.ROUNDS.following)]
    words, on = phase_words(state)
    assert words[on] == "Actions"


def test_round_and_turn_in_words() -> None:
    state = position(3, season=2, round=3, turn=1)
    assert round_words(state) == "Season 2 · Round 3"
    assert active(state) == 1
    state = auction(3, opener=2)
    assert round_words(state) == "Season 2"
    assert active(state) == 2
    begun: State = engine.start(COTE2, 2, {}, engine.ignore_event)
    assert round_words(begun) == "Setting up"
    assert phase_words(begun)[1] == active(begun) == NONE


def test_a_key_province_says_what_it_is_worth_now() -> None:
    state = position(
        3, units={"asia": {0: (3, 1, 0)}}, leaders={"asia": [general(0)], "thracia": [general(1)]},
        influence={"asia": {0: 2, 1: 1}}, tokens={"asia": 2}, cities={"asia": 0},
        galleys={galley(1): "mare_aegaeum", galley(1, 1): "mare_aegaeum"},
    )  # fmt: skip
    assert describe(state, ASIA, who).split("\n") == [
        "Asia: victory points 10 / 5, city of Livia",
        "Influence (points now): Livia 2 (10) and Marcus 1 (5)",
        "For sale: 2 province tokens",
        "Livia: a general with 3 infantry, 1 cavalry",
        "Strait to Thracia (watch: Marcus)",
    ]
    assert describe(state, ASIA, lambda seat: "You" if seat == 0 else who(seat)).split("\n")[:4:3] == [
        "Asia: victory points 10 / 5, your city",
        "You: a general with 3 infantry, 1 cavalry",
    ]
    assert describe(state, sp("thracia"), who).startswith("Thracia\nMarcus: a general\nStrait to Asia")
    assert describe(state, sp("galatia"), who) == "Galatia: victory points 10 / 5\nNo influence yet"
    assert describe(state, sp("mare_aegaeum"), who).split("\n") == [
        "Mare Aegaeum",
        "Marcus: 2 galleys",
        "Galleys here watch the strait Asia – Thracia",
    ]


@pytest.mark.parametrize(
    ("seats", "seed"), pairs_in_stages(product((2, 3, 6), range(4)), zip((2, 3, 6), range(3), strict=True))
)
def test_random_positions_have_words(seats: int, seed: int) -> None:
    for state, view, _events in walk(seats, seed, 120):
        if state.winner != NONE:
            return
        frame = view.frames[-1]
        if not isinstance(frame, Dice):
            told = prompt(view, frame)
            assert told is not None
            assert (told.seat,) == engine.owed(COTE2, state)
            assert len(told.how) < 190, told.how
        words, on = phase_words(view)
        assert -1 <= on < len(words)
        assert round_words(view)
        assert active(view) in range(-1, seats)
        for space in range(BOARD.spaces):
            assert describe(view, space, who).startswith(BOARD.names[space])


@pytest.mark.parametrize("seed", range(2))
def test_words_of_a_position_reveal_nothing(seed: int) -> None:
    for state, twin, viewer, _rng in twins(4, seed, 60):
        views = [COTE2.view(position_, viewer) for position_ in (state, twin)]
        frames = [view.frames[-1] for view in views]
        if not isinstance(frames[0], Dice):
            assert prompt(views[0], frames[0]) == prompt(views[1], frames[1])
        for space in range(BOARD.spaces):
            assert describe(views[0], space, who) == describe(views[1], space, who)
