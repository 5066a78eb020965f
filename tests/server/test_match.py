"""The synchronous core: every audience follows by deltas what a snapshot would tell."""

import random

import pytest

from protocol import codec
from protocol.session import ClientSession
from server.matches.dice import Dice
from server.matches.match import RING, AcceptedAction, Match, RepeatedCommand
from shared.history import Entry
from shared.ids import NATURE
from shared.kernel import engine, ruleset
from shared.refusal import Refusal
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.events import SenatorTaken
from shared.rulesets.registry import RULESETS
from tests.server.toy import HIDDEN, TOY, Name, Quit
from tests.support.positionii import obtain, position

GAMES = [(TOY, {"rounds": 12})] + [
    (rules, {"round_limit": 4} if any(o.key == "round_limit" for o in rules.options) else {})
    for rules in RULESETS.values()
]


def toy(rounds: int = 3, seats: int = 3) -> Match:
    return Match(TOY, seats, {"rounds": rounds}, Dice(1))


def played(match: Match, seat: int, number: int, command: int = 0) -> AcceptedAction:
    outcome = match.submit(seat, command, match.frame, codec.encode(Name(number)))
    assert isinstance(outcome, AcceptedAction), outcome
    match.commit(outcome)
    return outcome


@pytest.mark.parametrize(("rules", "options"), GAMES, ids=lambda value: getattr(value, "id", ""))
@pytest.mark.parametrize("seed", [1, 2])
def test_deltas_add_up_to_snapshots_for_every_audience(
    rules: ruleset.AnyRuleset, options: dict[str, int], seed: int
) -> None:
    match = Match(rules, 3, options, Dice(seed))
    rng = random.Random(seed)
    followers = [ClientSession(f"Viewer {i}") for i in range(match.seats + 1)]
    for audience, follower in enumerate(followers):
        follower.receive(match.snapshot(audience))
    step = match.chance()
    while not match.finished:
        if step is None:
            seat = rng.choice(match.owed)
            action = rng.choice(engine.options(rules, match.state, seat))
            outcome = match.submit(seat, match.version + 1, match.frame, codec.encode(action))
            assert isinstance(outcome, AcceptedAction), (outcome, action)
            step = outcome
        match.commit(step)
        for turned in step.turned:
            for audience, follower in enumerate(followers):
                received = follower.receive(turned.frames[audience])
                assert received.message is not None
                assert codec.ENCODER.encode(follower.view) == turned.seen[audience].encoded
        step = None
    assert all(follower.version == match.version and not follower.mismatches for follower in followers)


def test_secrets_stay_with_their_seat_and_equal_views_share_their_bytes() -> None:
    match = toy()
    step = played(match, 0, 7)
    frames = step.turned[0].frames
    assert frames[1] is frames[2] is frames[match.public]
    assert frames[0] is not frames[1]
    assert TOY.view_decoder.decode(match.view(0)).named == [7, 0, 0]
    assert TOY.view_decoder.decode(match.view(match.public)).named == [HIDDEN, 0, 0]
    other = toy()
    assert played(other, 0, 3).turned[0].frames[1] == frames[1]


def test_chance_follows_in_the_same_step() -> None:
    match = toy()
    played(match, 0, 1)
    played(match, 1, 1)
    step = played(match, 2, 1)
    assert [entry.seat for entry in step.entries] == [2, NATURE]
    assert [turned.version for turned in step.turned] == [3, 4]
    assert match.version == 4

    assert [(entry.n, entry.command, entry.frame) for entry in step.entries] == [(3, 0, 2), (4, 0, 3)]
    assert [match.highest_command(seat) for seat in range(3)] == [0, 0, 0]


def test_a_match_may_begin_with_chance() -> None:
    match = Match(TOY, 2, {"rounds": 3, "opening": 1}, Dice(1))
    assert match.owed == (NATURE,) and match.version == 0
    step = match.chance()
    assert step is not None and [(entry.n, entry.seat, entry.command) for entry in step.entries] == [(1, NATURE, 0)]
    assert match.version == 0, "nothing has happened before it is durable"
    before = match.snapshot(0)
    match.commit(step)
    assert match.version == 1 and match.chance() is None and match.snapshot(0) != before
    assert toy().chance() is None


def test_draws_depend_on_the_version_alone() -> None:
    dice = Dice(3)
    assert [dice.source(n).randrange(10**9) for n in (1, 2)] == [Dice(3).source(n).randrange(10**9) for n in (1, 2)]
    assert len({Dice(seed).source(n).randrange(10**9) for seed in (3, 4) for n in (1, 2)}) == 4
    assert dice.bot_seed(5, 1) == Dice(3).bot_seed(5, 1) != dice.bot_seed(5, 2)
    seeds = [dice.bot_seed(n, 0) for n in range(200)]
    assert len(set(seeds)) == 200 and (1 << 31) <= max(seeds) < (1 << 32)
    fair = Dice()
    drawn = [fair.bot_seed(1, 0) for _ in range(200)]
    assert len(set(drawn)) > 190 and (1 << 31) <= max(drawn) < (1 << 32)
    assert len({fair.source(1).randrange(10**9) for _ in range(9)}) > 1, "nobody can foretell it"


def test_a_command_sent_twice_acts_once_and_is_answered_the_same() -> None:
    match = toy()
    frame, raw = match.frame, codec.encode(Name(4))
    step = match.submit(1, 9, frame, raw)
    assert isinstance(step, AcceptedAction)
    match.commit(step)
    played(match, 0, 2)
    assert match.submit(1, 9, frame, raw) == RepeatedCommand(1)
    again = match.submit(1, 9, frame, codec.encode(Name(5)))
    assert isinstance(again, Refusal) and again.code == "command-reused"
    assert match.highest_command(1) == 9


@pytest.mark.parametrize(
    ("seat", "frame", "raw", "code"),
    [
        (0, 99, codec.encode(Name(1)), "stale-frame"),
        (0, 0, codec.encode(Name(1)), "stale-frame"),
        (0, None, codec.encode(Name(10)), "bad-number"),
        (0, None, b"\xc1", "bad-action"),
        (0, None, b"\x92\x0a", "bad-action"),
        (0, None, b"\x93\x0a\xa1x\x00", "bad-action"),
        (0, None, b"\x91" * 9000, "bad-action"),
        (0, None, b"\x92\x00\x91\x03", "wrong-action"),
    ],
)
def test_illegal_actions_are_refused_with_a_code(seat: int, frame: int | None, raw: bytes, code: str) -> None:
    match = toy()
    before = match.view(seat)
    outcome = match.submit(seat, 1, match.frame if frame is None else frame, raw)
    assert isinstance(outcome, Refusal) and outcome.code == code
    assert match.view(seat) == before and match.version == 0


def test_a_standing_action_answers_no_frame() -> None:
    match = toy()
    outcome = match.submit(2, 1, 0, codec.encode(Quit()))
    assert isinstance(outcome, AcceptedAction)
    match.commit(outcome)
    assert match.finished and match.owed == ()
    late = match.submit(0, 1, match.frame, codec.encode(Name(1)))
    assert isinstance(late, Refusal) and late.code == "over"


def test_a_log_rebuilds_the_match_with_its_answers_and_its_tail() -> None:
    match = toy(rounds=300, seats=2)
    log: list[Entry] = []
    while len(log) < RING + 50:
        for seat in match.owed:
            log += played(match, seat, 1 + len(log) % 9, command=len(log) + 1).entries
    again = toy(rounds=300, seats=2)
    assert list(again.replay(log))[-1] > RING, "others had their turn on the way"
    for audience in range(3):
        assert again.snapshot(audience) == match.snapshot(audience)
        assert again.tail(audience, match.version - RING) == match.tail(audience, match.version - RING)
    entry = next(entry for entry in reversed(log) if entry.command)
    assert again.submit(entry.seat, entry.command, entry.frame, entry.action) == RepeatedCommand(entry.n)


@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, RING - 1, RING, RING + 1, RING + 2, RING + 20])
def test_a_log_of_any_length_rebuilds_all_that_can_be_asked(length: int) -> None:
    match = toy(rounds=300, seats=2)
    log: list[Entry] = []
    while len(log) < length:
        for seat in match.owed:
            log += played(match, seat, 1 + len(log) % 9).entries
    again = toy(rounds=300, seats=2)
    again.snapshot(0)
    assert list(again.replay(log)) == list(range(15, len(log), 16)), "where others have their turn"
    assert (again.version, again.owed, again.frame) == (match.version, match.owed, match.frame)
    for audience in range(3):
        assert again.snapshot(audience) == match.snapshot(audience)
        assert again.view(audience) == match.view(audience) and again.digest(audience) == match.digest(audience)
        for have in range(match.version + 2):
            assert again.tail(audience, have) == match.tail(audience, have)
    if length >= RING:
        frames = match.tail(0, match.version - RING)
        assert frames is not None and len(frames) == RING
        assert again.story(0)[-50:] == match.story(0)[-50:]


def test_clients_without_state_need_a_snapshot() -> None:
    match = toy()
    for seat in (0, 1):
        played(match, seat, 3)
    assert match.tail(0, 0) is None and match.tail(0, 3) is None and match.tail(0, 2) == []
    assert len(match.tail(0, 1) or ()) == 1


def test_commands_count_up_although_they_come_out_of_order() -> None:
    match = toy(rounds=9, seats=2)
    played(match, 0, 1, command=7)
    played(match, 1, 1, command=2)
    played(match, 0, 1, command=4)
    assert (match.highest_command(0), match.highest_command(1)) == (7, 2)


def test_a_tail_leads_to_now_and_older_versions_need_a_snapshot() -> None:
    match = toy(rounds=300, seats=2)
    seen: dict[int, bytes] = {}
    for _ in range(200):
        for seat in match.owed:
            played(match, seat, 2)
            seen[match.version] = match.snapshot(0)
    follower = ClientSession("Late")
    have = max(version for version in seen if version <= match.version - 10)
    follower.receive(seen[have])
    tail = match.tail(0, have)
    assert tail is not None and len(tail) == match.version - have
    for frame in tail:
        assert follower.receive(frame).message is not None
    assert follower.version == match.version and not follower.mismatches
    assert match.tail(0, match.version) == []
    whole = match.tail(0, match.version - RING)
    assert whole is not None and len(whole) == RING
    assert match.tail(0, match.version - RING - 1) is None
    assert match.tail(0, match.version + 1) is None
    assert match.tail(0, 0) is None


def test_each_audience_is_told_its_own_variant_of_an_event() -> None:
    """A bribed senator: only two are told which it was."""
    match = Match(COTE2, 4, {}, Dice(3))
    match.state = position(4, row=["bribe_senator"], senators={1: (0, 0, 0, 2)})
    match._seen = match._look(match.state)
    step = match.submit(0, 1, match.frame, codec.encode(obtain("bribe_senator", 1)))
    assert isinstance(step, AcceptedAction)
    frames = step.turned[-1].frames
    told = [codec.encode(SenatorTaken(0, 1, value)) for value in (4, 0)]
    assert [[event in frame for event in told] for frame in frames] == [[True, False]] * 2 + [[False, True]] * 3


def test_a_story_that_was_told_goes_on() -> None:
    match = Match(TOY, 2, {"rounds": 50}, Dice(1))
    told = []
    for number in (3, 4):
        for seat in match.owed:
            played(match, seat, number)
        assert match.story(0) == match.story(0)
        told.append(match.story(0))
    assert len(told[1]) > len(told[0]) > 0 and told[1][: len(told[0])] == told[0]
