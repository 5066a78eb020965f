"""An evening of 200 hostile guests: names of members, mailed codes, guesses, new secrets, while 20 members play on."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from protocol import codec
from server.delivery.peer import Peer
from server.lobby.profiles import NEW_PROFILES
from server.matches.names import keys
from server.storage.port import DeedKind
from server.webhooks.mail_sender import MailSettings
from shared import messages as m
from tests.server.lobby_harness import LobbyHarness, link, open_lobby, person
from tests.server.test_notices import Date
from tests.server.toy import Name

GUESTS, MEMBERS, MINUTES = 200, 20, 60
NETWORKS = 40
ALIKE = str.maketrans({"a": "\u0430", "e": "\u0435", "o": "\u043e", "i": "l", "M": "\u041c"})


async def evening(path: Path) -> tuple[Counter[str], Counter[str], list[str]]:
    """Return what guests reached, the mails by mailbox, and the names under which guests sat."""
    reached: Counter[str] = Counter()
    mails: Counter[str] = Counter()
    seated: list[str] = []
    chance, date = random.Random(7), Date(4e9)  # Bans are counted by the date of the system.
    settings = MailSettings("127.0.0.1", 1, "conquest@example.org")
    async with open_lobby(path, mail=settings, date=date) as h:
        date.clock = h.clock
        notifier = h.lobby._services.notifier
        assert notifier is not None and notifier.mail is not None

        def send(to: str, *_more: Any) -> None:
            mails[to] += 1

        notifier.mail.send = send  # type: ignore[method-assign, assignment]
        members = [await member(h, number) for number in range(MEMBERS)]
        tables = [await table(h, pair) for pair in zip(members[::2], members[1::2], strict=True)]
        guests = [guest(number) for number in range(GUESTS)]
        for minute in range(MINUTES):
            for each in chance.sample(guests, GUESTS // 4):
                await attack(h, each, chance, reached, seated)
            await play(h, tables[minute % len(tables)])
            await h.pass_time(60)
        banned = next(each for each in guests if each.person)
        record = h.lobby.people.record(banned.person)
        assert record is not None
        about = {"person": record.person, "name": record.name, "secrets": record.secrets}
        await h.lobby.operator.add(DeedKind.BAN, **about, text="impersonation")
        await h.quiet()
        again = person("Other", banned.address)
        await h.say(again, m.Introduce(1, chance.randbytes(32)))
        reached["profiles after a ban"] += any(isinstance(each, m.Introduced) for each in link(again).sent)
        assert all(h.lobby.people.record(each.person) is not None for each in members)
        rounds = [h.running(match).table.match.version for match, _pair in tables]
        assert min(rounds) >= 2 * (MINUTES // len(tables)), "members play on"
        reached["profiles"] = len(h.lobby.people.all()) - MEMBERS
    return reached, mails, seated


async def member(h: LobbyHarness, number: int) -> Peer:
    peer = person(f"Marcella {number}")
    await h.lobby.people.load()
    code, _person = await h.lobby.people.invite(peer.name)
    await h.ask(peer, m.Introduce(1, bytes([number]) * 32, code), m.Introduced)
    return peer


async def table(h: LobbyHarness, pair: tuple[Peer, Peer]) -> tuple[str, tuple[Peer, Peer]]:
    match = (await h.ask(pair[0], m.Create(2, "toy", 2, {"rounds": 50}, "Members"), m.Seated)).match
    await h.ask(pair[1], m.Join(3, match, h.code(match)), m.Seated)
    await h.ask(pair[0], m.Start(4), m.Done)
    return match, pair


async def play(h: LobbyHarness, at: tuple[str, tuple[Peer, Peer]]) -> None:
    """Let both members of a table decide something."""
    match, people = at
    for _seat in people:
        running = h.running(match).table.match
        (seat, *_more) = running.owed
        act = m.Act(running.version + 1, running.frame, Raw(codec.encode(Name(2 + seat))))
        await h.ask(people[seat], act, m.Accepted)


def guest(number: int) -> Peer:
    return person("Guest", f"198.51.100.{number % NETWORKS}")


async def attack(h: LobbyHarness, peer: Peer, chance: random.Random, reached: Counter[str], seated: list[str]) -> None:
    """Let a guest do one hostile thing."""
    victim = f"Marcella {chance.randrange(MEMBERS)}"
    before = len(link(peer).sent)
    match chance.randrange(5):
        case 0:  # A profile under a name that looks like a member's.
            peer.said = peer.name = chance.choice([victim, victim.upper(), victim.translate(ALIKE)])
            await h.say(peer, m.Introduce(1, chance.randbytes(32)))
        case 1:  # A seat under it.
            if peer.table is None:
                await h.say(peer, m.Create(2, "toy", 2, {"rounds": 50}, "Join me"))
                found = [each for each in link(peer).sent[before:] if isinstance(each, m.TableState)]
                seated += [found[-1].seats[0].name] if found else []
            else:
                await h.say(peer, m.Rename(3, victim.translate(ALIKE)))
                seated.append(peer.called)
        case 2:  # Codes to a member's, or a stranger's, address.
            await h.say(peer, m.Member(4, f"victim{chance.randrange(3)}@example.org"))
        case 3:  # Guesses of codes.
            await h.say(peer, m.Member(5, code="".join(chance.choices("ABCDEFGHJKMNPQRSTUVWXYZ23456789", k=8))))
        case _:  # Erasure of a member: by the name alone a guest erases themselves at most.
            await h.say(peer, m.EraseMe(6, victim))
    for each in link(peer).sent[before:]:
        reached[type(each).__name__ + (f" {each.code}" if isinstance(each, m.Refused) else "")] += 1


@pytest.mark.long
async def test_hostile_guests_get_no_name_no_profile_and_few_mails(tmp_path: Path) -> None:
    reached, mails, seated = await evening(tmp_path)
    theirs = frozenset().union(*(keys(f"Marcella {number}") for number in range(MEMBERS)))
    assert seated and all(keys(name).isdisjoint(theirs) for name in seated)
    assert reached["profiles after a ban"] == 0
    assert max(mails.values()) <= 2 + 3 * MINUTES / 60, mails
    assert reached["profiles"] <= NETWORKS * (NEW_PROFILES.at_once + MINUTES / 10)
