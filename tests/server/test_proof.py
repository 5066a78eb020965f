"""Dice that can be checked: promised at the table, bound to everybody's number, shown at the end and not before."""

from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec import Raw

from protocol import codec, record
from protocol.audit import Witness, audit
from server.bots import policy
from server.delivery.peer import Peer
from server.storage.export import record_of
from server.storage.port import DiceRoot
from server.storage.promise import promise
from shared import messages as m
from shared import proof
from shared.history import Deed
from shared.ids import NATURE
from shared.kernel.frames import Dice
from shared.proof import Lots
from shared.rulesets.registry import ruleset
from shared.tables import Matter, Pace, Run
from tests.server.fakes import FakeLink
from tests.server.lobby_harness import LobbyHarness, failing, link, open_lobby
from tests.server.toy import Quit

CLASSIC = ruleset("classic")
ONE, TWO = b"\x01" * 32, b"\x02" * 32


async def pledged(h: LobbyHarness, peer: Peer, number: bytes) -> m.TableState:
    await h.ask(peer, m.Number(7, number), m.Done)
    return link(peer).take(m.TableState)


async def table(h: LobbyHarness) -> tuple[Peer, Peer]:
    """Anna and Bert, whose match begins with a roll."""
    anna, bert = Peer(FakeLink(), "Anna"), Peer(FakeLink(), "Bert")
    match = (await h.ask(anna, m.Create(1, "toy", 2, {"rounds": 50, "opening": 1}, "Title"), m.Seated)).match
    await h.ask(bert, m.Join(1, match), m.Seated)
    return anna, bert


async def test_the_commitment_stands_before_anybody_gives_a_number(h: LobbyHarness) -> None:
    anna, bert = await table(h)
    first = link(anna).take(m.TableState).pledge
    assert first is not None and first.numbers == (b"", b"") and len(first.commitment) == 32
    after = (await pledged(h, bert, TWO)).pledge
    assert after is not None and (after.commitment, after.numbers) == (first.commitment, (b"", TWO))
    again = (await pledged(h, anna, ONE)).pledge
    assert again is not None and (again.commitment, again.numbers) == (first.commitment, (ONE, TWO))


async def test_the_dice_follow_from_all_of_it_and_everything_is_shown_at_the_end(h: LobbyHarness) -> None:
    anna, bert = await table(h)
    await pledged(h, anna, ONE)
    state = await pledged(h, bert, TWO)
    assert state.pledge is not None
    await h.ask(anna, m.Start(2), m.Done)
    watcher = Peer(FakeLink(), "Watcher")
    await h.ask(watcher, m.Watch(1, h.only().match), m.Done)
    assert not [sent for sent in (*link(anna).sent, *link(watcher).sent) if isinstance(sent, m.Proof)]
    shown = await h.ask(anna, m.Act(4, 0, Raw(codec.encode(Quit()))), m.Proof)
    assert shown == link(bert).take(m.Proof) == link(watcher).take(m.Proof)
    assert proof.commitment(shown.secret, shown.key) == state.pledge.commitment
    stored = await h.store.claim(shown.match)
    assert stored is not None and stored.check == shown.check
    lots = Lots(shown.secret, shown.key, shown.match, (ONE, TWO))
    roll = stored.entries[0]
    assert (roll.seat, roll.deed) == (NATURE, Deed.PLAY)
    assert codec.encode(lots.draw(1, Dice(0, 1))) == roll.action
    late = Peer(FakeLink(), "Late")
    await h.ask(late, m.Watch(1, shown.match), m.Done)
    assert link(late).take(m.Proof) == shown


async def test_the_kept_match_is_signed_once_over_header_and_log(h: LobbyHarness) -> None:
    anna, _bert = await table(h)
    await h.ask(anna, m.Start(2), m.Done)
    shown = await h.ask(anna, m.Act(4, 0, Raw(codec.encode(Quit()))), m.Proof)
    stored = await h.store.claim(shown.match)
    assert stored is not None
    assert stored.table.signature == shown.signature and stored.table.ended >= stored.table.started > 0
    log = [msgspec.msgpack.encode(entry) for entry in stored.entries]
    whole = record_of(stored.table, log, stored.check)
    assert record.entries(whole) == stored.entries
    assert whole.proof is not None and whole.proof.secret == shown.secret
    assert len(shown.signature) == 64 and record.is_as_signed(whole)
    assert not record.is_as_signed(msgspec.structs.replace(whole, seats=whole.seats[::-1]))


async def test_a_proof_has_at_most_200_bytes(h: LobbyHarness) -> None:
    anna, _bert = await table(h)
    await h.ask(anna, m.Start(2), m.Done)
    shown = await h.ask(anna, m.Act(4, 0, Raw(codec.encode(Quit()))), m.Proof)
    assert len(codec.encode(msgspec.structs.replace(shown, match="m" * 26))) <= 200


def test_a_server_before_0_2_cannot_read_the_root() -> None:
    """It would derive another key, and roll other dice."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(msgspec.msgpack.encode(DiceRoot(ONE)), type=bytes)


@pytest.mark.parametrize("root", [bytes, DiceRoot])
def test_a_promise_gives_nothing_away_and_is_of_one_root(root: type[bytes | DiceRoot]) -> None:
    others = [promise(root(bytes([n]) * 32)) for n in range(20)]
    told = {value for made in others for value in (made.secret, made.key)}
    assert len(told) == 40 and all(len(value) == proof.SIZE for value in told)
    assert (promise(root(bytes([7]) * 32)).secret, promise(root(bytes([7]) * 32)).key) == (
        others[7].secret,
        others[7].key,
    )
    assert len({proof.commitment(made.secret, made.key) for made in others}) == 20


async def test_a_match_that_goes_on_shows_nothing(h: LobbyHarness) -> None:
    anna, _bert = await table(h)
    await h.ask(anna, m.Start(2), m.Done)
    stored = await h.store.claim(h.only().match)
    assert stored is not None and record_of(stored.table, [], stored.check).proof is None
    assert h.only().table.proof() is None


async def test_a_restart_keeps_the_promise(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bert = await table(h)
        before = (await pledged(h, bert, TWO)).pledge
        await h.ask(anna, m.Start(2), m.Done)
        match, drawn = h.only().match, h.only().table.chance().source(9, Dice(0, 8)).randrange(2**32)
    async with open_lobby(tmp_path) as h:
        watcher = Peer(FakeLink(), "Watcher")
        await h.ask(watcher, m.Watch(1, match), m.Done)
        assert link(watcher).take(m.TableState).pledge == before
        assert h.only().table.chance().source(9, Dice(0, 8)).randrange(2**32) == drawn


@pytest.mark.parametrize("number", [ONE, TWO])
async def test_only_seated_players_send_numbers_and_before_the_start(h: LobbyHarness, number: bytes) -> None:
    anna, bert = await table(h)
    watcher = Peer(FakeLink(), "Watcher")
    await h.ask(watcher, m.Watch(1, h.only().match), m.Done)
    assert (await h.ask(watcher, m.Number(2, number), m.Refused)).code == "not-seated"
    await pledged(h, bert, number)
    await h.ask(anna, m.Start(2), m.Done)
    assert (await h.ask(bert, m.Number(3, ONE), m.Refused)).code == "started"
    assert h.only().table.record.chairs[1].number == number


async def test_a_number_that_could_not_be_kept_is_none(h: LobbyHarness) -> None:
    anna, _bert = await table(h)
    with failing(h.store):
        assert (await h.ask(anna, m.Number(3, ONE), m.Refused)).code == "storage"
    assert h.only().table.record.chairs[0].number == b""


async def test_a_number_goes_with_its_person(h: LobbyHarness) -> None:
    anna, bert = await table(h)
    await pledged(h, bert, TWO)
    await h.ask(anna, m.Resize(3, 3), m.Done)
    await h.ask(bert, m.Leave(4), m.Left)
    carla = Peer(FakeLink(), "Carla")
    await h.ask(carla, m.Join(1, h.only().match, seat=2), m.Seated)
    await pledged(h, carla, ONE)
    await h.ask(anna, m.Resize(5, 2), m.Done)
    assert [chair.number for chair in h.only().table.record.chairs] == [b"", ONE], "she has moved up"
    await h.ask(anna, m.Kick(6, 1), m.Done)
    await h.ask(anna, m.SetBot(7, 1, "easy"), m.Done)
    assert [chair.number for chair in h.only().table.record.chairs] == [b"", b""]


async def test_the_next_table_of_the_same_people_promises_anew(h: LobbyHarness) -> None:
    anna, bert = await table(h)
    before = (await pledged(h, bert, TWO)).pledge
    await h.ask(anna, m.Start(2), m.Done)
    await h.ask(anna, m.Act(4, 0, Raw(codec.encode(Quit()))), m.Accepted)
    invited = await h.ask(anna, m.Rematch(5), m.Invited)
    await h.ask(anna, m.Leave(6), m.Left)
    await h.ask(anna, m.Resume(7, invited.match, invited.token), m.Seated)
    after = link(anna).take(m.TableState).pledge
    assert before is not None and after is not None
    assert after.commitment != before.commitment and after.numbers == (b"", b"")
    record_ = h.running(invited.match).table.record
    assert (record_.started, record_.ended, record_.signature) == (0, 0, b"")


async def test_a_server_with_a_seed_makes_the_same_again(tmp_path: Path) -> None:
    seen = []
    for name in ("one", "two"):
        async with open_lobby(tmp_path / name) as h:
            anna, _bert = await table(h)
            seen.append((h.only().match, link(anna).take(m.TableState).pledge))
    assert seen[0] == seen[1]


async def test_a_server_with_a_seed_finds_other_names_for_new_matches(tmp_path: Path) -> None:
    matches = set()
    for _ in range(3):
        async with open_lobby(tmp_path, awake=False) as h:
            await h.match()
            matches.add(h.only().match)
    assert len(matches) == 3


async def test_a_table_that_keeps_its_hands_closed_does_not_open_them_by_the_secret(h: LobbyHarness) -> None:
    anna, bert = await h.table(closed_hands=True)
    assert link(bert).take(m.TableState).pledge is not None
    await h.ask(anna, m.Start(2), m.Done)
    link(bert).sent.clear()
    await h.ask(anna, m.Act(4, 0, Raw(codec.encode(Quit()))), m.Accepted)
    assert not [sent for sent in link(bert).sent if isinstance(sent, m.Proof)]


async def acted(h: LobbyHarness, people: list[Peer], count: int) -> None:
    """Make so many decisions, each by a player who owes one."""
    for n in range(count):
        match = h.only().table.match
        seat = match.owed[0]
        action = policy.play_normal(CLASSIC, CLASSIC.view(match.state, seat), seat, Random(n))
        command = match.highest_command(seat) + 1
        await h.ask(people[seat], m.Act(command, match.frame, Raw(codec.encode(action))), m.Accepted)


async def agreed(h: LobbyHarness, people: list[Peer], motion: m.Motion) -> None:
    link(people[0]).sent.clear()
    await h.say(people[0], m.Propose(70, motion))
    await h.say(people[1], m.Vote(71, link(people[0]).take(m.Poll).number, True))


async def test_a_real_match_with_all_that_can_be_in_a_log_holds(tmp_path: Path) -> None:
    """Clocks, a pause, a restart, what was taken back alone and by consent, and an end by consent."""
    async with open_lobby(tmp_path, rules=CLASSIC) as h:
        people = await h.table(2, pace=Pace(Run.LIVE, 30, 600, 60))
        for peer, number in zip(people, (ONE, TWO), strict=True):
            await pledged(h, peer, number)
        await h.ask(people[0], m.Start(2), m.Done)
        await acted(h, people, 40)
        token, match = [h.token(peer) for peer in people], h.only().match
        await agreed(h, people, m.Motion(Matter.PAUSE))
        await h.pass_time(1)
        await agreed(h, people, m.Motion(Matter.GO_ON))
    async with open_lobby(tmp_path, rules=CLASSIC) as h:
        people = [Peer(FakeLink(), "A"), Peer(FakeLink(), "B")]
        for peer, key in zip(people, token, strict=True):
            await h.ask(peer, m.Resume(1, match, key), m.Seated)
        await acted(h, people, 20)
        version = h.only().table.match.version
        await agreed(h, people, m.Motion(Matter.BACK, to=version - 7))
        assert h.only().table.match.version > version
        await acted(h, people, 30)
        await agreed(h, people, m.Motion(Matter.END))
        shown = link(people[0]).take(m.Proof)
        stored = await h.store.claim(match)
    assert stored is not None
    log = [msgspec.msgpack.encode(entry) for entry in stored.entries]
    whole = record.read(record.write(record_of(stored.table, log, stored.check)))
    bound = proof.commitment(shown.secret, shown.key)
    verdict = audit(whole, Witness(bound, 1, TWO))
    assert verdict.holds, verdict.wrong
    assert {entry.deed for entry in stored.entries} == set(Deed)
    assert verdict.numbers == 2 and verdict.finished and verdict.rolls >= 1
