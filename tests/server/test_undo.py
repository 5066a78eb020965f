"""Taking back: as far as nothing but one's own decisions happened, and never behind anything that somebody learnt."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from protocol import codec
from protocol.session import ClientSession
from server.delivery.peer import Peer
from server.matches.dice import Dice
from server.matches.match import MOST_BACK, Match, Repeated, Step
from server.matches.undo import DEPTH
from shared.history import Deed, Entry
from shared.ids import NATURE, NONE
from shared.kernel import engine
from shared.kernel.engine import AnyRuleset
from shared.messages import Act, Done, Frame, Leave, Refused, Resume, SetBot, Snapshot, Start, Story, Undo, Watch
from shared.refusal import Refusal
from shared.rulesets.cote2 import complete
from shared.rulesets.cote2.game import COTE2
from shared.rulesets.mb1984.game import MB1984
from shared.rulesets.registry import RULESETS
from tests.server.fakes import FakeLink
from tests.server.house import House, house, link
from tests.server.toy import TOY, Name

GAMES = list(RULESETS.values())
SEATS = 3


def begun(rules: AnyRuleset, seed: int) -> tuple[Match, list[Entry]]:
    """A match that has begun, and its log."""
    short = {"round_limit": 3} if any(option.key == "round_limit" for option in rules.options) else {}
    match, log = Match(rules, SEATS, short, Dice(seed)), list[Entry]()
    step = match.chance()
    if step is not None:
        done(match, log, step)
    return match, log


def done(match: Match, log: list[Entry], outcome: Step | Repeated | Refusal) -> Step:
    assert isinstance(outcome, Step), outcome
    match.commit(outcome)
    log.extend(outcome.entries)
    return outcome


def acted(match: Match, log: list[Entry], rng: random.Random, most: int = 12) -> Step:
    """Somebody who owes does something at random, with a command of his own."""
    seat = rng.choice(match.owed)
    options = engine.options(match.rules, match.state, seat)
    action = rng.choice(options[:most] if rng.random() < 0.8 else options)
    return done(match, log, match.submit(seat, match.version + 1, match.frame, codec.encode(action)))


def may(match: Match) -> tuple[int, ...]:
    """By audience, how much may be taken back as the match's own snapshots tell it."""
    audiences = range(match.seats + 1)
    told = [codec.decode_server(match.snapshot(audience)) for audience in audiences]
    return tuple([message.undo for message in told if isinstance(message, Snapshot)])


def wandering(rules: AnyRuleset, seed: int, steps: int) -> Iterator[tuple[Match, list[Entry], Step]]:
    """A random match in which whoever may take something back often does, and all go back now and then."""
    match, log = begun(rules, seed)
    rng = random.Random(seed)
    states = {match.version: match.state}
    while not match.finished and match.version < steps:
        states[match.version] = match.state
        seat = next((seat for seat, undo in enumerate(may(match)) if undo), NONE)
        to = rng.choice([version for version in states if match.earliest <= version])
        if rng.random() < 0.03:
            yield match, log, done(match, log, match.rewind(NONE, to, states[to]))
        elif seat != NONE and rng.random() < 0.4:
            yield match, log, done(match, log, match.undo(seat, match.version))
        else:
            yield match, log, acted(match, log, rng)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.id)
@pytest.mark.parametrize("seed", [1, 2])
def test_everybody_follows_a_match_with_steps_back_by_its_frames_alone(rules: AnyRuleset, seed: int) -> None:
    match, _log = begun(rules, seed)
    followers = [ClientSession(f"Viewer {i}") for i in range(match.seats + 1)]
    for audience, follower in enumerate(followers):
        follower.receive(match.snapshot(audience))
    backs = 0
    for match, _log, step in wandering(rules, seed, 400):
        for turned in step.turned:
            backs += turned.back is not None
            for audience, follower in enumerate(followers):
                message = follower.receive(turned.frames[audience]).message
                assert isinstance(message, Frame) and message.back == turned.back
                assert codec.encode(match.rules.view_decoder.decode(codec.ENCODER.encode(follower.view)))
                assert codec.ENCODER.encode(follower.view) == turned.seen[audience].encoded
                assert message.undo == turned.undoable.steps(audience)
        assert may(match) == tuple(step.turned[-1].undoable.steps(audience) for audience in range(SEATS + 1))
    assert backs > 5 and not any(follower.mismatches for follower in followers)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.id)
def test_a_server_that_starts_again_has_the_same_position_and_lets_the_same_be_taken_back(rules: AnyRuleset) -> None:
    compared = undoable = 0
    for match, log, _step in wandering(rules, 5, 220):
        if match.version % 11:
            continue
        again = Match(rules, SEATS, match._options, Dice(5))
        for _ in again.replay(log):
            pass
        assert [again.view(audience) for audience in range(SEATS + 1)] == [match.view(a) for a in range(SEATS + 1)]
        assert (again.state.pushed, again.owed, may(again)) == (match.state.pushed, match.owed, may(match))
        for audience in range(SEATS + 1):
            assert again.tail(audience, match.version - 1) == match.tail(audience, match.version - 1)
        assert again.backs() == match.backs() and again.earliest == match.earliest
        compared += 1
        undoable += any(may(match))
    assert compared > 10 and undoable > 2


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.id)
def test_what_is_taken_back_was_decided_by_that_seat_alone(rules: AnyRuleset) -> None:
    for _match, log, step in wandering(rules, 9, 300):
        entry = step.entries[0]
        if entry.deed is Deed.BACK and entry.seat != NONE:
            between = [kept for kept in log if entry.to < kept.n < entry.n]
            assert (
                between and {kept.seat for kept in between} == {entry.seat} and NATURE not in {k.seat for k in between}
            )
            assert all(kept.deed is Deed.BACK or kept.command for kept in between)


def views(state: Any, rules: AnyRuleset) -> list[bytes]:
    return [codec.encode(rules.view(state, audience)) for audience in (*range(SEATS), None)]


def test_a_decision_that_may_be_taken_back_shows_the_same_whatever_is_hidden() -> None:
    """Whoever took it back and chose again could know nothing that he did not know before."""
    match, log = begun(COTE2, 4)
    rng, tried = random.Random(4), 0
    while not match.finished and match.version < 900:
        before = match.state
        seen = match._seen
        step = acted(match, log, rng)
        entry = step.entries[0]
        if not match._undoable.steps(entry.seat):
            continue
        for chance in range(3):
            hidden = complete.complete(COTE2.view(before, entry.seat), random.Random(chance))
            hidden.pushed = before.pushed
            action = COTE2.action_decoder.decode(entry.action)
            old = match._look(hidden)
            assert old[entry.seat].encoded == seen[entry.seat].encoded, "its own view is what was completed"
            events: list[Any] = []
            after = hidden.clone()
            engine.play(COTE2, after, entry.seat, action, events.append)
            changes = match._changes(old, match._look(after))
            assert all(codec.ENCODER.encode(change) == bytes(told_of(step, 0).delta) for change in changes)
            assert all(
                [codec.encode(event) for event in match._told(events, audience)]
                == [bytes(event) for event in told_of(step, 0).events]
                for audience in (*range(SEATS), None)
            )
            tried += 1
    assert tried > 60


def told_of(step: Step, audience: int) -> Frame:
    message = codec.decode_server(step.turned[0].frames[audience])
    assert isinstance(message, Frame)
    return message


def sealed() -> Match:
    return Match(TOY, 2, {"rounds": 9}, Dice(1))


def test_what_others_may_not_see_is_not_taken_back() -> None:
    match, log = sealed(), list[Entry]()
    done(match, log, match.submit(0, 1, match.frame, codec.encode(Name(4))))
    assert match.undo(0, match.version) == Refusal("no-undo", "", "There is nothing that you can take back.")


def moving(seed: int = 3) -> tuple[Match, list[Entry], int]:
    """A match in which some seat just did something that it may take back."""
    match, log = begun(MB1984, seed)
    rng = random.Random(seed)
    while not any(may(match)):
        acted(match, log, rng)
    return match, log, next(seat for seat, undo in enumerate(may(match)) if undo)


def test_nobody_takes_back_what_another_did_nor_at_a_version_that_is_past() -> None:
    match, _log, seat = moving()
    other = (seat + 1) % SEATS
    refusal = match.undo(other, match.version)
    assert isinstance(refusal, Refusal) and refusal.code == "no-undo"
    refusal = match.undo(seat, match.version - 1)
    assert isinstance(refusal, Refusal) and refusal.code == "stale-version"


def test_a_decision_of_the_server_or_of_chance_ends_what_may_be_taken_back() -> None:
    match, log, seat = moving()
    if seat in match.owed:
        done(match, log, match.submit(seat, 0, match.frame, match.default(seat)))
    assert not any(may(match))


def test_who_takes_back_again_goes_further_and_what_was_taken_back_stays_so() -> None:
    match, log, seat = moving()
    rng = random.Random(0)
    started = match.version - 1
    while may(match)[seat] < 3:
        before = may(match)[seat]
        acted(match, log, rng)
        if may(match)[seat] <= before:
            match, log, seat = moving(rng.randrange(100))
            started = match.version - 1
    tos = []
    while may(match)[seat]:
        tos.append(done(match, log, match.undo(seat, match.version)).entries[0].to)
    assert tos == sorted(tos, reverse=True) and len(tos) == 3 and tos[-1] == started
    assert match.owed == (seat,)


def test_answers_to_the_decision_that_was_taken_back_are_stale_and_its_command_stays_used() -> None:
    match, log, seat = moving()
    entry = log[-1]
    done(match, log, match.undo(seat, match.version))
    assert match.submit(seat, entry.command, entry.frame, entry.action) == Repeated(entry.n)
    late = match.submit(seat, entry.command + 50, entry.frame, entry.action)
    assert isinstance(late, Refusal) and late.code == "stale-frame"
    again = match.submit(seat, entry.command + 51, match.frame, entry.action)
    assert isinstance(again, Step), "the same may be done again"


def test_nobody_takes_back_for_ever() -> None:
    match, log, seat = moving()
    action, command = log[-1].action, 10_000
    for _ in range(MOST_BACK):
        done(match, log, match.undo(seat, match.version))
        command += 1
        done(match, log, match.submit(seat, command, match.frame, action))
    refusal = match.undo(seat, match.version)
    assert isinstance(refusal, Refusal) and refusal.code == "enough"
    assert DEPTH >= may(match)[seat] == 1


async def moved(it: House) -> Peer:
    """Somebody at the table who may take back what he did."""
    table = it.only().table
    rng, command = random.Random(3), 100
    while not any(may(table.match)):
        match = table.match
        seat = match.owed[0]
        action = rng.choice(engine.options(match.rules, match.state, seat)[:12])
        command += 1
        peer = table.audience.player(seat)
        await it.say(peer, act(match, command, codec.encode(action)))
    return table.audience.player(next(seat for seat, undo in enumerate(may(table.match)) if undo))  # type: ignore[no-any-return]


def act(match: Match, command: int, action: bytes) -> Act:
    return Act(command, match.frame, Raw(action))


async def test_all_at_the_table_see_a_step_back_and_it_outlives_the_server(tmp_path: Path) -> None:
    async with house(tmp_path, rules=MB1984) as it:
        people = await it.match(people=3)
        peer = await moved(it)
        match = it.only().table.match
        version, steps = match.version, may(match)
        for each in people:
            link(each).sent.clear()
        await it.say(peer, Undo(7, version))
        assert Done(7) in link(peer).sent
        for each in people:
            frame = link(each).take(Frame)
            assert frame.version == version + 1 and frame.back is not None and frame.back.seat == peer.seat
        assert may(match)[peer.seat] == steps[peer.seat] - 1
        view, token, name = match.view(peer.seat), it.token(peer), it.only().match
        await it.only().table.save()
    async with house(tmp_path, rules=MB1984) as it:
        match = it.only().table.match
        assert match.version == version + 1 and match.view(peer.seat) == view
        back = Peer(FakeLink(), "Person")
        await it.say(back, Resume(1, name, token, version))
        assert link(back).take(Frame).back is not None


async def first(ruleset: str, _kind: str, seat: int, view: bytes, _seed: int, _seconds: float) -> bytes:
    """A bot that does what comes first."""
    rules = RULESETS[ruleset]
    return codec.encode(engine.options(rules, rules.view_decoder.decode(view), seat)[0])


async def test_a_step_back_that_comes_before_a_bot_has_decided_takes_the_decision_from_it(tmp_path: Path) -> None:
    async with house(tmp_path, first, rules=MB1984, pace=2.0) as it:
        person, other = await it.table(2)
        await it.say(other, Leave(1))
        await it.ask(person, SetBot(2, 1, "normal"), Done)
        await it.ask(person, Start(3), Done)
        match, rng, command = it.only().table.match, random.Random(2), 100
        while not (match.owed == (1,) and may(match)[0]):
            if match.owed == (0,):
                command += 1
                action = rng.choice(engine.options(match.rules, match.state, 0)[-3:])
                await it.say(person, act(match, command, codec.encode(action)))
            else:
                await it.pass_time(2.0)
        version = match.version
        await it.pass_time(0.05)
        assert match.version == version, "the bot takes its time"
        await it.ask(person, Undo(4, version), Done)
        await it.pass_time(9.0)
        assert (match.version, match.owed) == (version + 1, (0,)), "what it thought of is no longer asked"


async def test_who_looks_on_takes_nothing_back_and_who_comes_late_is_told_that_it_was(tmp_path: Path) -> None:
    async with house(tmp_path, rules=MB1984) as it:
        await it.match(people=3)
        peer = await moved(it)
        match = it.only().table.match
        onlooker = Peer(FakeLink(), "Onlooker")
        await it.say(onlooker, Watch(1, it.only().match))
        assert (await it.ask(onlooker, Undo(2, match.version), Refused)).code == "not-seated"
        assert (await it.ask(peer, Undo(3, match.version + 1), Refused)).code == "stale-version"
        await it.ask(peer, Undo(4, match.version), Done)
        late = Peer(FakeLink(), "Late")
        await it.say(late, Watch(1, it.only().match))
        assert link(late).take(Story).backs == match.backs() != ()
