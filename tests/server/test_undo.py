"""Undo: only own decisions can be undone, and none after which new information was revealed."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from protocol import codec
from protocol.session import ClientSession
from server.delivery.peer import Peer
from server.matches.dice import Dice
from server.matches.match import MOST_BACK, AcceptedAction, Match, RepeatedCommand
from server.matches.undo import UndoRefusal
from shared import messages as m
from shared.clocks import Timing
from shared.history import UNDO_DEPTH, Deed, Entry
from shared.ids import NATURE, NONE
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.refusal import Refusal
from shared.rulesets.conquest import complete as conquest_complete
from shared.rulesets.cote2 import complete as cote2_complete
from shared.rulesets.cote2.actions import Show
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.mb1984.definition import MB1984
from shared.rulesets.registry import RULESETS
from tests.server.fakes import FakeLink
from tests.server.lobby_harness import LobbyHarness, link, open_lobby
from tests.server.lobby_harness import name as numbered
from tests.server.toy import TOY, Name
from tests.support.marks import mostly_long

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


def done(match: Match, log: list[Entry], outcome: AcceptedAction | RepeatedCommand | Refusal) -> AcceptedAction:
    assert isinstance(outcome, AcceptedAction), outcome
    match.commit(outcome)
    log.extend(outcome.entries)
    return outcome


def acted(match: Match, log: list[Entry], rng: random.Random, most: int = 12) -> AcceptedAction:
    """Take a random action of a seat that owes one, with a command of its own."""
    seat = rng.choice(match.owed)
    options = engine.options(match.rules, match.state, seat)
    action = rng.choice(options[:most] if rng.random() < 0.8 else options)
    return done(match, log, match.submit(seat, match.version + 1, match.frame, codec.encode(action)))


def may(match: Match) -> tuple[int, ...]:
    """By audience, how much may be taken back as the match's own snapshots tell it."""
    audiences = range(match.seats + 1)
    told = [codec.decode_server(match.snapshot(audience)) for audience in audiences]
    return tuple([message.undo for message in told if isinstance(message, m.Snapshot)])


def wandering(rules: AnyRuleset, seed: int, steps: int) -> Iterator[tuple[Match, list[Entry], AcceptedAction]]:
    """Play a random match in which seats often undo their decisions, and the whole table goes back now and then."""
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
@pytest.mark.parametrize("seed", mostly_long([1, 2], 1))
def test_frames_alone_show_a_match_with_undone_steps(rules: AnyRuleset, seed: int) -> None:
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
                assert isinstance(message, m.Frame) and message.back == turned.back
                assert codec.encode(match.rules.view_decoder.decode(codec.ENCODER.encode(follower.view)))
                assert codec.ENCODER.encode(follower.view) == turned.seen[audience].encoded
                assert message.undo == turned.undoable.steps(audience)
        assert may(match) == tuple(step.turned[-1].undoable.steps(audience) for audience in range(SEATS + 1))
    assert backs > 5 and not any(follower.mismatches for follower in followers)


@pytest.mark.long
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
def test_an_undone_step_was_decided_by_that_seat_alone(rules: AnyRuleset) -> None:
    for _match, log, step in wandering(rules, 9, 300):
        entry = step.entries[0]
        if entry.deed is Deed.BACK and entry.seat != NONE:
            between = [kept for kept in log if entry.to < kept.n < entry.n]
            assert (
                between and {kept.seat for kept in between} == {entry.seat} and NATURE not in {k.seat for k in between}
            )
            assert all(kept.deed is Deed.BACK or kept.command for kept in between)


COMPLETE: dict[str, Callable[[Any, Any], Any]] = {
    "classic": conquest_complete.complete,
    "mb1984": conquest_complete.complete,
    "cote2": cote2_complete.complete,
}


EMPTIED = -100


class Observed:
    """View and events that each audience gets of a decision in one position, and how the position's secrets change."""

    def __init__(self, match: Match, before: Any, seat: int, action: Any) -> None:
        after, events = before.clone(), list[Any]()
        engine.play(match.rules, after, seat, action, events.append)
        audiences = (*range(SEATS), None)
        changes = match._changes(match._look(before), match._look(after))
        self.public = codec.ENCODER.encode(changes[-1]), self._heard(match, events, None)
        self.each = [
            (codec.ENCODER.encode(change), self._heard(match, events, audience))
            for change, audience in zip(changes, audiences, strict=True)
        ]
        self.hands: list[Any] = []
        self.chaos: list[int] = []
        if match.rules is COTE2:
            self.hands = [_gained(*pair) for pair in zip(before.senators, after.senators, strict=True)]
            # Chaos never falls below 0: it is emptied by whatever is more than it is.
            pairs = zip(before.chaos, after.chaos, strict=True)
            self.chaos = [is_ - was if is_ or was <= is_ else EMPTIED for was, is_ in pairs]

    def follows_as(self, other: "Observed") -> bool:
        """Whether the secrets change by the same numbers in both."""
        chaos = zip(self.chaos, other.chaos, strict=True)
        return self.hands == other.hands and all(
            one == two or (EMPTIED in (one, two) and max(one, two) <= 0) for one, two in chaos
        )

    @staticmethod
    def _heard(match: Match, events: list[Any], audience: int | None) -> list[bytes]:
        return [codec.encode(event) for event in match._told(events, audience)]


def _gained(was: Sequence[int], is_: Sequence[int]) -> list[int]:
    return [after - before for before, after in zip(was, is_, strict=True)]


def discloses(match: Match, before: Any, seat: int, action: Any) -> bool:
    """Whether some audience could tell more about hidden things than before, or the decision made a secret.

    Every position that looks alike to an audience must allow the same decision and show the audience the same of it.
    The public must be able to count how secrets change.
    """
    real = Observed(match, before, seat, action)
    for audience in (*range(SEATS), None):
        for chance in range(3):
            other = COMPLETE[match.rules.id](match.rules.view(before, audience), random.Random(chance))
            other.pushed = before.pushed
            if engine.check(match.rules, other, seat, action) is not None:
                return True
            seen = Observed(match, other, seat, action)
            own = match.public if audience is None else audience
            if seen.each[own] != real.each[own] or seen.public != real.public or not seen.follows_as(real):
                return True
    return False


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.id)
@pytest.mark.parametrize("seed", mostly_long([4, 7], 7))
def test_a_decision_is_taken_back_exactly_where_no_audience_could_learn_anything_by_it(
    rules: AnyRuleset, seed: int
) -> None:
    """Compare what every audience can infer from views and events before and after each decision."""
    match, log = begun(rules, seed)
    rng, opened, told, wrong = random.Random(seed), Counter[str](), Counter[str](), list[Any]()
    while not match.finished and match.version < 400:
        before, known = match.state, match._undoable
        step = acted(match, log, rng)
        entry = step.entries[0]
        action = rules.action_decoder.decode(entry.action)
        secret = discloses(match, before, entry.seat, action)
        (told if secret else opened)[type(action).__name__] += 1
        after = step.turned[0].undoable
        # Three samples may all hold the senators that are shown.
        if bool(after.steps(entry.seat)) == secret and not isinstance(action, Show):
            wrong.append((entry.n, action, secret))
        assert not (isinstance(action, Show) and after.steps(entry.seat))
        assert known.seat in (NONE, entry.seat) or after.why_closed(known.seat) == UndoRefusal.OTHERS.value
    assert not wrong
    assert sum(opened.values()) > 20 and (not told or rules is COTE2)
    if rules is COTE2:
        assert told["Show"] > opened["Show"]
        # What ends a season shows all chaos.
        assert opened["Levy"] > 4 * told["Levy"] and opened["Recruit"] > told["Recruit"]


def sealed() -> Match:
    return Match(TOY, 2, {"rounds": 9}, Dice(1))


def test_secret_decisions_are_not_undone() -> None:
    match, log = sealed(), list[Entry]()
    done(match, log, match.submit(0, 1, match.frame, codec.encode(Name(4))))
    assert match.undo(0, match.version) == UndoRefusal.SECRET.value
    assert match.undo(1, match.version) == UndoRefusal.NOTHING.value


def test_refused_undo_says_why() -> None:
    """The dice, a decision of another player, of the server, or of the table stands between."""
    found = set[str]()
    for rules, seed in ((MB1984, 3), (COTE2, 1), (COTE2, 3)):
        match, log = begun(rules, seed)
        rng = random.Random(seed)
        while not match.finished and match.version < 900:
            actor = next((seat for seat, undo in enumerate(may(match)) if undo), NONE)
            step = acted(match, log, rng)
            if match.finished or actor == NONE or may(match)[actor]:
                continue
            refusal = match.undo(actor, match.version)
            assert isinstance(refusal, Refusal) and refusal.code == "no-undo" and refusal != UndoRefusal.NOTHING.value
            found.add(refusal.text)
            chance = [entry for entry in step.entries if entry.seat == NATURE]
            if step.entries[0].seat == actor and refusal != UndoRefusal.SECRET.value:
                assert chance and refusal in (UndoRefusal.DICE.value, UndoRefusal.DRAWN.value)
    assert found == {
        closed.value.text for closed in (UndoRefusal.DICE, UndoRefusal.DRAWN, UndoRefusal.SECRET, UndoRefusal.OTHERS)
    }
    match, log, seat = moving()
    done(match, log, match.mark(Deed.TIME, codec.encode(Timing())))
    assert match.undo(seat, match.version) == UndoRefusal.TABLE.value
    match, log, seat = moving()
    done(match, log, match.submit(match.owed[0], 0, match.frame, match.default(match.owed[0])))
    assert match.undo(seat, match.version) in (UndoRefusal.SERVER.value, UndoRefusal.OTHERS.value)


def moving(seed: int = 3) -> tuple[Match, list[Entry], int]:
    """A match in which some seat just did something that it may take back."""
    match, log = begun(MB1984, seed)
    rng = random.Random(seed)
    while not any(may(match)):
        acted(match, log, rng)
    return match, log, next(seat for seat, undo in enumerate(may(match)) if undo)


def test_undo_needs_an_own_decision_at_the_present_version() -> None:
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


def test_repeated_undo_goes_further_back() -> None:
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
    assert match.submit(seat, entry.command, entry.frame, entry.action) == RepeatedCommand(entry.n)
    late = match.submit(seat, entry.command + 50, entry.frame, entry.action)
    assert isinstance(late, Refusal) and late.code == "stale-frame"
    again = match.submit(seat, entry.command + 51, match.frame, entry.action)
    assert isinstance(again, AcceptedAction), "the same may be done again"


def test_undo_is_limited() -> None:
    match, log, seat = moving()
    action, command = log[-1].action, 10_000
    for _ in range(MOST_BACK):
        done(match, log, match.undo(seat, match.version))
        command += 1
        done(match, log, match.submit(seat, command, match.frame, action))
    refusal = match.undo(seat, match.version)
    assert isinstance(refusal, Refusal) and refusal.code == "enough"
    assert UNDO_DEPTH >= may(match)[seat] == 1


async def moved(it: LobbyHarness) -> Peer:
    """Return a player who may undo a decision."""
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


def act(match: Match, command: int, action: bytes) -> m.Act:
    return m.Act(command, match.frame, Raw(action))


async def test_all_at_the_table_see_a_step_back_and_it_outlives_the_server(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, rules=MB1984) as it:
        people = await it.match(people=3)
        peer = await moved(it)
        match = it.only().table.match
        version, steps = match.version, may(match)
        for each in people:
            link(each).sent.clear()
        await it.say(peer, m.Undo(7, version))
        assert m.Done(7) in link(peer).sent
        for each in people:
            frame = link(each).take(m.Frame)
            assert frame.version == version + 1 and frame.back is not None and frame.back.seat == peer.seat
        assert may(match)[peer.seat] == steps[peer.seat] - 1
        view, token, name = match.view(peer.seat), it.token(peer), it.only().match
        await it.only().table.save()
    async with open_lobby(tmp_path, rules=MB1984) as it:
        match = it.only().table.match
        assert match.version == version + 1 and match.view(peer.seat) == view
        back = Peer(FakeLink(), "Person")
        await it.say(back, m.Resume(1, name, token, version))
        assert link(back).take(m.Frame).back is not None


async def first(ruleset: str, _kind: str, seat: int, view: bytes, _seed: int, _seconds: float) -> bytes:
    """A bot that does what comes first."""
    rules = RULESETS[ruleset]
    return codec.encode(engine.options(rules, rules.view_decoder.decode(view), seat)[0])


async def test_a_step_back_that_comes_before_a_bot_has_decided_takes_the_decision_from_it(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, first, rules=MB1984, pace=2.0) as it:
        person, other = await it.table(2)
        await it.say(other, m.Leave(1))
        await it.ask(person, m.SetBot(2, 1, "normal"), m.Done)
        await it.ask(person, m.Start(3), m.Done)
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
        await it.ask(person, m.Undo(4, version), m.Done)
        await it.pass_time(9.0)
        assert (match.version, match.owed) == (version + 1, (0,)), "what it thought of is no longer asked"


async def test_spectators_undo_nothing_and_late_clients_are_told_of_an_undo(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, rules=MB1984) as it:
        await it.match(people=3)
        peer = await moved(it)
        match = it.only().table.match
        onlooker = Peer(FakeLink(), "Onlooker")
        await it.say(onlooker, m.Watch(1, it.only().match))
        assert (await it.ask(onlooker, m.Undo(2, match.version), m.Refused)).code == "not-seated"
        assert (await it.ask(peer, m.Undo(3, match.version + 1), m.Refused)).code == "stale-version"
        await it.ask(peer, m.Undo(4, match.version), m.Done)
        late = Peer(FakeLink(), "Late")
        await it.say(late, m.Watch(1, it.only().match))
        assert link(late).take(m.Story).backs == match.backs() != ()


async def test_a_person_alone_against_bots_goes_back_to_their_last_decision_whatever_the_dice_said(
    h: LobbyHarness,
) -> None:
    person, other = await h.table(2)
    await h.say(other, m.Leave(1))
    await h.ask(person, m.SetBot(2, 1, "normal"), m.Done)
    await h.ask(person, m.Start(3), m.Done)
    match = h.only().table.match
    await h.ask(person, numbered(h, 1, 3), m.Accepted)
    await h.ask(person, numbered(h, 2, 4), m.Accepted)
    before, version = match.state.round, match.version
    assert before == 3 and (await h.ask(person, m.Undo(5, version), m.Refused)).code == "no-undo"
    await h.ask(person, m.Undo(6, version, True), m.Done)
    assert match.state.round == 2 and match.owed == (0,) and match.version > version
    await h.ask(person, m.Undo(7, match.version, True), m.Done)
    assert match.state.round == 1
    assert (await h.ask(person, m.Undo(8, match.version, True), m.Refused)).code == "no-undo"


@pytest.mark.parametrize("forward_only", [False, True])
async def test_beside_another_person_or_where_the_table_forbids_it_dice_stand(
    h: LobbyHarness, forward_only: bool
) -> None:
    people = await h.table(2, forward_only=forward_only)
    if forward_only:
        await h.say(people.pop(), m.Leave(1))
        await h.ask(people[0], m.SetBot(2, 1, "normal"), m.Done)
    await h.ask(people[0], m.Start(3), m.Done)
    for peer in people:
        await h.ask(peer, numbered(h, 1, 3), m.Accepted)
    version = h.only().table.match.version
    refused = await h.ask(people[0], m.Undo(6, version, True), m.Refused)
    assert refused.code == "no-undo" and h.only().table.match.version == version
