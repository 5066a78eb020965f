"""Every event of the second game has its sentence, and no sentence says more than the event."""

from typing import get_args

import pytest

from client.language import say, say_line
from client.table.words import and_words
from shared.ids import NONE
from shared.kernel import engine
from shared.kernel.frames import Event
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.data import INDEX
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.state import ALIENS, REBELS
from shared.sentences.cote2 import called, counted, tell
from shared.vocabulary.events import BattleBegan, Conceded, DiceFell, Fell, Retreated
from tests.client.cote2.random_matches import walk, who
from tests.rulesets.cote2.test_secrets import heard, twins
from tests.support.layout import sp
from tests.support.positionii import galley, general

ASIA, EGYPT, RHODUS = sp("asia"), sp("egyptus"), sp("mare_rhodus")
EVENTS: list[tuple[Event, str]] = [
    (e.FirstPlayer(1), "Marcus, the first player"),
    (e.InfluenceDrawn(0, (ASIA, EGYPT, ASIA)), "Livia begins with influence in Asia (2) and Egyptus."),
    (e.SeasonBegan(2), "season 2"),
    (e.TokensPlaced((EGYPT, ASIA, EGYPT)), "Asia and Egyptus (2)"),
    (e.CardsOpened((INDEX["politician"],)), "Politician"),
    (e.AuctionBegan(1), "Marcus opens"),
    (e.BidMade(0, 15, 1, 2), "Livia bids 15: Marcus in A and Cornelia in B."),
    (e.BidMade(0, 0, NONE, 2), "Livia bids 0: Cornelia in B."),
    (e.Passed(1), "Marcus passes."),
    (e.Allied(0, 15, 1, 0), "wins the auction for 15 talents: Marcus in A and Livia in B."),
    (e.Deployed(0, ((ASIA, 8, 2, 1),), ASIA, EGYPT, RHODUS), "in Asia, the Caesar in Asia, the galley lies in Mare"),
    (e.Deployed(0, ((ASIA, 8, 2, 1),), ASIA, EGYPT, NONE), "the Caesar in Asia."),
    (e.TurnBegan(0, 1, 3), "Season 1, round 3: the turn of Livia."),
    (e.CardTaken(0, INDEX["politician"], 15), "takes Politician for 15 talents."),
    (e.CardTaken(0, INDEX["senator_2"], 0), "takes Senator II."),
    (e.CardUsed(0, INDEX["merchant_asia"], 20), "uses Merchant: Asia and gains 20 talents."),
    (e.CardUsed(0, INDEX["assassin"], 0), "uses Assassin."),
    (e.CityBuilt(0, ASIA), "builds a city in Asia"),
    (e.CityTaken(0, ASIA, 1), "Livia takes Marcus's city in Asia."),
    (e.Rewarded(0, INDEX["senate_emergency_tax"], 40, 0), "brings Livia 40 talents"),
    (e.Rewarded(0, INDEX["barbarians_germania"], 0, 10), "brings Livia 10 victory points"),
    (e.Rewarded(0, INDEX["senate_bread_and_circuses"], 0, 0), "up to 10 chaos"),
    (e.Reinforced(0, ASIA, (3, 1, 0), ()), "receives 3 infantry, 1 cavalry in Asia"),
    (e.Reinforced(0, RHODUS, (0, 0, 0), (1, 2)), "receives 2 galleys in Mare Rhodus"),
    (e.Reinforced(0, RHODUS, (0, 0, 0), ()), "receives nobody"),
    (e.Recruited(0, ((ASIA, 3, 0, 0, 1),), ((RHODUS, 1),), 50),
     "for 50 talents: 3 infantry, a general in Asia; a galley in Mare Rhodus."),
    (e.InfluenceBought(0, ASIA, (NONE, 1), 20), "2 influence tokens in Asia from the bank and Marcus for 20"),
    (e.InfluenceBought(0, ASIA, (1, 1), 20), "from Marcus for 20"),
    (e.InfluenceGained(0, ASIA, 1), "gains an influence token in Asia"),
    (e.Levied(0, 25), "25 talents, and 5 chaos"),
    (e.Marched(0, ASIA, EGYPT, (0, 1), (3, 0, 1), False),
     "marches from Asia to Egyptus: the Caesar and a general with 3 infantry, 1 catapult."),
    (e.Marched(0, ASIA, EGYPT, (), (1, 0, 0), True), "sails from Asia to Egyptus: 1 infantry."),
    (e.Sailed(0, (0, 1), RHODUS), "sends 2 galleys to Mare Rhodus"),
    (BattleBegan(ASIA, 0, 1), "Livia attacks Marcus in Asia!"),
    (BattleBegan(ASIA, REBELS, 1), "The slave army attacks Marcus"),
    (e.SlippedAway(1, RHODUS), "Wind carries Marcus away"),
    (e.Committed(0, ASIA, (0,)), "brings a galley into the battle"),
    (e.Lent(2, 0, ASIA, (2, 0, 0), (galley(2),)), "Cornelia lends Livia 2 infantry, a galley."),
    (DiceFell(REBELS, ASIA, (0, 0, 5), 1), "The slave army rolls 3 dice: 1 hit."),
    (Fell(ALIENS, ASIA, (1, 0, 0)), "The auxiliary force loses 1 infantry in Asia."),
    (e.Sank(1, RHODUS, (8,), 1), "Marcus loses 2 galleys."),
    (Retreated(1, ASIA, EGYPT, (6,), (1, 0, 0)), "falls back from Asia to Egyptus"),
    (e.BattleEnded(ASIA, 0, 1), "Livia wins in Asia; Marcus gains 2 chaos."),
    (e.BattleEnded(ASIA, 0, REBELS), "Livia wins in Asia."),
    (e.BattleEnded(RHODUS, NONE, NONE), "Neither side is beaten"),
    (e.RevoltBegan(0, ASIA, (1, 0)), "stirs up"),
    (e.RevoltEnded(ASIA, 2), "the last slaves vanish"),
    (e.RevoltEnded(ASIA, 0), "no slave is left"),
    (e.GeneralKilled(0, general(1)), "kills a general of Marcus"),
    (e.SenatorTaken(0, 1, 3), "of Marcus changes over to Livia: Senator III."),
    (e.SenatorTaken(0, 1, 0), "to Livia."),
    (e.SenatorKilled(0, 1, 0), "kills a senator of Marcus."),
    (e.VoteBegan(0, INDEX["senate_emergency_tax"]), "Livia calls the senate"),
    (e.SenatorsShown(0, (2, 0, 1, 0), 5), "leads with 5 votes: Senators I (2) and III."),
    (e.VoteWon(0, INDEX["senate_emergency_tax"], (0, 0, 0, 1)), "spends Senator IV."),
    (e.VoteWon(NONE, INDEX["senate_emergency_tax"], (0, 0, 0, 0)), "No votes"),
    (e.SenatorDrawn(1, 0), "one of the spent senators."),
    (e.Taxed((20, 5, 0)), "Taxes: Livia 20, Marcus 5 and Cornelia 0 talents."),
    (e.Scored(ASIA, (5, 10, 0)), "Asia: Marcus 10 points and Livia 5 points."),
    (e.ChaosShown((12, 0, 4), (-10, 0, -5)), "Livia 12 (-10 points), Marcus 0 and Cornelia 4 (-5 points)"),
    (e.SeasonEnded(1, (INDEX["diplomacy_egypt"],)), "Back among the open cards: Diplomacy: Egypt."),
    (e.SeasonEnded(1, ()), "season 1 is over."),
    (Conceded(0, 1), "grant Marcus the victory"),
    (e.Won((1,), e.Why.POINTS), "Marcus rules the empire, with the most"),
    (e.Won((1,), e.Why.CONCEDED), "consent"),
    (e.Won((0, 1), e.Why.POINTS), "Livia and Marcus share"),
]  # fmt: skip


@pytest.mark.parametrize(("event", "part"), EVENTS, ids=[type(event).__name__ for event, _ in EVENTS])
def test_every_event_has_its_sentence(event: Event, part: str) -> None:
    words = say_line(tell(event), who)
    assert part in words
    assert words[0].isupper()
    assert words[-1] in ".!"


def test_no_event_is_forgotten() -> None:
    assert {type(event) for event, _ in EVENTS} == set(get_args(e.AnyEvent))


def test_lists_in_words() -> None:
    assert and_words(["a"]) == "a"
    assert and_words(iter("abc")) == "a, b and c"
    assert say(counted(["b", "a", "b"])) == "b (2) and a"
    assert [say(called(seat), who) for seat in (0, REBELS)] == ["Livia", "the slave army"]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_every_event_has_a_sentence(seats: int, seed: int) -> None:
    for _state, _view, events in walk(seats, seed, 160):
        for event in events:
            words = say_line(tell(event), who)
            assert words[-1] in ".!", event
            assert "  " not in words


@pytest.mark.parametrize("seed", range(4))
def test_words_reveal_nothing(seed: int) -> None:
    """The texts of an action depend only on what the viewer may know."""
    compared = 0
    for state, twin, viewer, rng in twins(4, seed, 120):
        (seat,) = engine.owed(COTE2, state)
        action = engine.chance_action(state, rng) if seat < 0 else rng.choice(engine.options(COTE2, state, seat))
        assert action is not None
        if seat < 0 or engine.check(COTE2, twin, seat, action) is not None:
            continue
        told = []
        for position_ in (state.clone(), twin.clone()):
            happened: list[Event] = []
            engine.play(COTE2, position_, seat, action, happened.append)
            if any(isinstance(event, e.ChaosShown | e.Won) for event in happened):
                break
            told.append([tell(event) for event in heard(happened, viewer) if event is not None])
        if len(told) == 2:
            assert told[0] == told[1]
            compared += 1
    assert compared > 20
