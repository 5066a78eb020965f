"""Half-made actions: every change is a new draft, every step can be taken back, and what comes out is legal."""

from client.games.cote2.drafts import land_move_draft as m
from client.games.cote2.drafts.land_move_draft import Party
from client.games.cote2.tasks.auction_task import Proposal, opening
from client.games.cote2.tasks.naval_move_task import VoyageDraft, choose, fights
from client.games.cote2.tasks.spending_tasks import Bargain
from client.table.desk import Check
from client.table.form_task import Steps
from shared.ids import NONE
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.refusal import Refusal
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.frames import Auction
from shared.rulesets.cote2.state import State
from shared.rulesets.cote2.ways import landings, reach
from tests.support.cote2_games import crowded
from tests.support.layout import sp
from tests.support.positionii import auction, caesar, galley, general, position


def checker(state: State, seat: int = 0) -> Check:
    """Return the check of the rules."""

    def check(action: Action) -> Refusal | None:
        return engine.check(COTE2, state, seat, action)

    return check


def test_steps_go_back_one_by_one() -> None:
    steps = Steps(1)
    steps.put(2)
    steps.put(2)
    steps.put(3)
    assert (steps.now, steps.fresh) == (3, False)
    assert steps.undo()
    assert steps.undo()
    assert (steps.now, steps.fresh) == (1, True)
    assert not steps.undo()


def test_a_march_splits_into_parties() -> None:
    state = position(units={"italia": {0: (4, 2, 0)}}, leaders={"italia": [caesar(0), general(0)]})
    march = m.muster(state, 0, sp("italia"))
    assert march.party.units == (4, 2, 0)
    march = m.toggle(m.set_units(march, 0, 1, 4), general(0))
    aimed = m.aim(march, sp("neapolis"), checker(state))
    assert isinstance(aimed, m.MarchDraft)
    rest = m.split(state, 0, aimed)
    assert rest.party == Party((3, 0, 0), (general(0),), NONE, (3, 0, 0))
    second = m.aim(rest, sp("rhaetia"), checker(state))
    assert isinstance(second, m.MarchDraft)
    order = second.order()
    assert order.armies == ((sp("neapolis"), 1, 2, 0), (sp("rhaetia"), 3, 0, 0))
    assert order.leaders == ((caesar(0), sp("neapolis")), (general(0), sp("rhaetia")))
    assert checker(state)(order) is None


def test_a_new_aim_has_the_whole_party_again() -> None:
    state = position(
        units={"neapolis": {0: (6, 0, 0)}}, leaders={"neapolis": [caesar(0)]}, galleys={galley(0): "mare_narbo"}
    )
    check = checker(state)
    by_sea = m.aim(m.muster(state, 0, sp("neapolis")), sp("corsica"), check)
    assert isinstance(by_sea, m.MarchDraft)
    assert by_sea.party.units == (4, 0, 0)
    by_land = m.aim(by_sea, sp("italia"), check)
    assert isinstance(by_land, m.MarchDraft)
    assert by_land.party.units == (6, 0, 0)


def test_every_end_of_a_march_can_be_aimed_at_and_no_other() -> None:
    for seed in range(6):
        state = crowded(4, seed)
        seat = engine.owed(COTE2, state)[0]
        check = checker(state, seat)
        for source in m.sources(state, seat):
            march = m.muster(state, seat, source)
            ends = m.ends(state, seat, march, check)
            assert set(ends) == reach(state, seat, source) | landings(state, seat, source)
            for to in ends:
                aimed = m.aim(march, to, check)
                assert isinstance(aimed, m.MarchDraft)
                assert check(aimed.order()) is None


def test_a_bargain_for_influence() -> None:
    offer = Bargain(sp("italia")).buy(2, 1).buy(NONE, 1)
    assert offer.order() == a.Influence(sp("italia"), (NONE, 2))
    assert offer.buy(2, -1).buy(1, -1).sellers == (NONE,)


def test_a_voyage_and_the_battles_after_it() -> None:
    state = position(
        3, sides=(0, 1, 0), galleys={galley(0): "mare_narbo", galley(0, 1): "mare_narbo", galley(0, 2): "mare_libycum",
                                     galley(1): "mare_aegaeum", galley(2): "mare_narbo"}
    )  # fmt: skip
    check = checker(state)
    voyage = choose(state, 0, choose(state, 0, VoyageDraft(), sp("mare_narbo"), 1), sp("mare_libycum"), 1)
    assert voyage.galleys == (galley(0), galley(0, 2))
    assert fights(state, 0, voyage, check) == []
    aimed = VoyageDraft(voyage.galleys, sp("mare_aegaeum"))
    assert fights(state, 0, aimed, check) == [(sp("mare_aegaeum"), 1)]
    stay = VoyageDraft((galley(0, 2),), sp("mare_libycum"))
    assert stay.order(state) == a.Sail(NONE, ()), "who is there already does not sail"


def test_markers_change_places() -> None:
    bid = Proposal(5, (0, 1))
    assert bid.put(1, 0).boxes == (1, 0)
    assert bid.put(2, 0).boxes == (2, 1)
    assert bid.put(0, -1).boxes == (NONE, 1)
    assert bid.put(2, -1).boxes == (0, 1)
    assert bid.swap().order() == a.Bid(5, 1, 0)


def test_the_first_bid_is_legal_for_every_bidder() -> None:
    for allied in ((), ((3, 0), (4, 1)), ((0, 0), (1, 1), (2, 0), (3, 1))):
        state = auction(5, opener=4, allied=allied)
        frame = state.frames[-1]
        assert isinstance(frame, Auction)
        assert checker(state, frame.seat)(opening(state, frame).order()) is None
