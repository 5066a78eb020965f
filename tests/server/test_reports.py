"""Reports to the operator and the two blocks: their limits, their reach, and what each side sees of them."""

import asyncio
from pathlib import Path

import pytest
from msgspec import structs

from server.delivery.peer import Peer
from server.lobby.deeds import REPORTS_A_DAY
from server.lobby.seeks import LOOK
from server.storage.port import DeedRecord
from shared import messages as m
from shared.tables import BLOCKS
from tests.server.lobby_harness import LobbyHarness, link, open_lobby, person
from tests.server.test_moderation import ANNA, NEW, THIRD, known, refusal
from tests.server.test_seeks import come, seek, summoned, waiting

FOURTH = b"f" * 32


async def seated(h: LobbyHarness) -> tuple[Peer, Peer, Peer]:
    """Anna and Bob at a table, and Carl who watches it; all have profiles and understand `Blocks`."""
    anna, bob, carl = [
        await known(h, called, secret) for called, secret in (("Anna", ANNA), ("Bob", NEW), ("Carl", THIRD))
    ]
    for peer in (anna, bob, carl):
        peer.agreed = frozenset({BLOCKS})
    await h.ask(anna, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
    await h.ask(bob, m.Join(2, h.only().match), m.Seated)
    await h.ask(carl, m.Watch(2, h.only().match), m.Done)
    return anna, bob, carl


def only(h: LobbyHarness) -> DeedRecord:
    """Return the only report."""
    (report,) = h.lobby.moderation.reports()
    return report


async def invited(h: LobbyHarness, peer: Peer) -> None:
    """Make a member of a guest."""
    guest = h.lobby.people.record(peer.person)
    assert guest is not None
    await h.lobby.people.make_member(structs.replace(guest, invited=True))


async def test_a_report_has_the_words_and_the_moment_and_its_reporter_hears_of_its_end(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bob, _ = await seated(h)
        await h.ask(bob, m.Say(3, "You fool"), m.Said)
        await h.ask(anna, m.Report(4, "Bob", "You fool", 0, "He insults me."), m.Done)
        report = only(h)
        assert (report.name, report.text, report.why) == ("Bob", "You fool", "He insults me.")
        assert (report.person, report.by, report.match) == (bob.person, anna.person, h.only().match)
        assert not link(bob).sent or not any(isinstance(each, m.Notice | m.Refused) for each in link(bob).sent)
        again = await refusal(h, anna, m.Report(5, "Bob"))
        assert again.code == "enough" and "already" in again.text
        await h.lobby.operator.handle(report, "Bob is muted")
        await h.quiet()
        told = link(anna).take(m.Notice)
        assert (told.code, told.text) == ("report", "The operator looked at your report about Bob: Bob is muted.")
        await h.ask(anna, m.Report(6, "Bob"), m.Done)
        open_one = next(filter(h.lobby.moderation.is_open, h.lobby.moderation.reports()))
        await h.drop(anna)
        h.lobby.people.peers.clear()
        await h.lobby.operator.handle(open_one, "")
    async with open_lobby(tmp_path) as h:
        await h.lobby.know_people()
        back = await known(h, "Anna", ANNA)
        assert link(back).take(m.Notice).text == "The operator looked at your report about Bob."
        again_back = await known(h, "Anna", ANNA)
        assert not [each for each in link(again_back).sent if isinstance(each, m.Notice)], "once"


async def test_reports_are_limited_and_need_a_profile(h: LobbyHarness) -> None:
    anna, bob, _ = await seated(h)
    assert (await refusal(h, anna, m.Report(3, "Livia"))).code == "no-person"
    assert (await refusal(h, anna, m.Report(3, "Anna"))).code == "no-person", "not oneself"
    names = [f"Guest {n}" for n in range(REPORTS_A_DAY + 1)]
    for name in names:
        await h.ask(person(name), m.Watch(2, h.only().match), m.Done)
    for n, name in enumerate(names[:-1]):
        await h.ask(anna, m.Report(10 + n, name), m.Done)
    assert "tomorrow" in (await refusal(h, anna, m.Report(30, names[-1]))).text
    await h.ask(bob, m.Report(30, names[-1]), m.Done)
    unknown = person("Nameless")
    await h.ask(unknown, m.Watch(2, h.only().match), m.Done)
    assert (await refusal(h, unknown, m.Report(3, "Bob"))).code == "no-profile"


async def test_guests_cannot_bury_the_operator_and_members_still_report(
    h: LobbyHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.lobby.deeds.GUESTS_REPORTS", 3)
    monkeypatch.setattr("server.lobby.deeds.OPEN_REPORTS", 6)
    anna, bob, _ = await seated(h)
    names = [f"Guest {n}" for n in range(4)]
    for name in names:
        await h.ask(person(name), m.Watch(2, h.only().match), m.Done)
    # Together: each is stored before the next is looked at.
    crowd = [await known(h, f"Dora {n}", bytes([n]) * 32) for n in range(4)]
    for peer in crowd:
        await h.ask(peer, m.Watch(2, h.only().match), m.Done)
    about = {"person": bob.person, "match": h.only().match, "message": m.Report(3, "Bob")}
    made = await asyncio.gather(*(h.lobby.operator.report(peer, **about) for peer in crowd))
    assert [refused is None for refused in made] == [True, True, True, False]
    assert "many open reports" in (await refusal(h, anna, m.Report(4, names[1]))).text
    await invited(h, bob)
    for name in names[1:]:
        await h.ask(bob, m.Report(5, name), m.Done)
    assert len(h.lobby.moderation.reports()) == 6
    late = await known(h, "Late", FOURTH)
    await h.ask(late, m.Watch(2, h.only().match), m.Done)
    opened = h.lobby.moderation.reports()
    await invited(h, late)
    assert "many open reports" in (await refusal(h, late, m.Report(6, names[0]))).text, "members neither"
    for each in opened[:4]:
        await h.lobby.operator.handle(each, "")
    await h.ask(anna, m.Report(7, names[1]), m.Done)


async def test_an_onlooker_who_spoke_and_left_can_be_reported(h: LobbyHarness) -> None:
    anna, _, carl = await seated(h)
    await h.ask(carl, m.Say(3, "You fool"), m.Said)
    await h.ask(carl, m.Leave(4), m.Left)
    await h.ask(anna, m.Report(5, "Carl", "You fool"), m.Done)
    assert only(h).person == carl.person or h.lobby.people.record(only(h).person) is not None


async def test_a_block_is_kept_and_only_its_owner_is_told(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bob, carl = await seated(h)
        link(bob).sent.clear()
        link(carl).sent.clear()
        told = await h.ask(anna, m.Block(3, "Bob", hide=True), m.Blocks)
        assert told == m.Blocks(3, (m.Blocked("Bob", avoid=False, hide=True),), ("Bob",))
        told = await h.ask(anna, m.Block(4, "Carl", avoid=True), m.Blocks)
        assert told.people[1] == m.Blocked("Carl", avoid=True, hide=False) and told.here == ("Bob",)
        assert not link(bob).sent and not link(carl).sent
        assert (await refusal(h, anna, m.Block(5, "Anna", hide=True))).code == "no-person"
        await h.ask(person("Guest"), m.Watch(2, h.only().match), m.Done)
        assert "only your device" in (await refusal(h, anna, m.Block(5, "Guest", hide=True))).text
        match = h.only().match
    async with open_lobby(tmp_path) as h:
        await h.lobby.know_people()
        back = await known(h, "Anna", ANNA)
        back.agreed = frozenset({BLOCKS})
        assert [each.name for each in (await h.ask(back, m.Block(1), m.Blocks)).people] == ["Bob", "Carl"]
        link(back).sent.clear()
        await h.say(back, m.Resume(2, match, ANNA))
        assert link(back).take(m.Blocks) == m.Blocks(0, (m.Blocked("Bob", False, True), m.Blocked("Carl", True, False)),
                                                     ("Bob",))  # fmt: skip
        assert [each.name for each in (await h.ask(back, m.Block(3, "Bob"), m.Blocks)).people] == ["Carl"]


async def test_hidden_people_are_named_when_they_come_and_under_another_name(h: LobbyHarness) -> None:
    anna, _, carl = await seated(h)
    await h.ask(anna, m.Block(3, "Carl", hide=True), m.Blocks)
    await h.ask(carl, m.Leave(4), m.Left)
    link(anna).sent.clear()
    await h.ask(carl, m.Watch(5, h.only().match), m.Done)
    assert link(anna).take(m.Blocks).here == ("Carl",)
    await h.ask(carl, m.Rename(6, "Someone else"), m.Done)
    assert "Someone else" in link(anna).take(m.Blocks).here
    assert not [each for each in link(carl).sent if isinstance(each, m.Blocks)]


async def test_the_server_brings_no_two_together_if_one_avoids_the_other(tmp_path: Path) -> None:
    async with waiting(tmp_path) as h:
        anna, bert = await come(h, "Anna"), await come(h, "Bert")
        await h.ask(anna, m.Create(2, "toy", 2, {"rounds": 50}, "Title"), m.Seated)
        await h.ask(bert, m.Watch(3, h.only().match), m.Done)
        await h.ask(anna, m.Block(4, "Bert", avoid=True), m.Blocks)
        for peer in (anna, bert):
            await h.ask(peer, m.Leave(5), m.Left)
        for called in ("Anna", "Bert"):
            await seek(h, called)
        await h.pass_time(LOOK)
        assert not summoned(anna) and not summoned(bert)
        carl = await seek(h, "Carl")
        await h.pass_time(LOOK)
        assert summoned(carl)[-1].names == ("Anna", "Carl")
