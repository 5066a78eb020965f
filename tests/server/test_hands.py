"""A seat's hand on another device: read-only, by a short-lived code, ended by the seat; other hands stay hidden."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from protocol import codec
from protocol.limits import Close
from server.delivery.peer import Peer
from server.matches.codes import LONG
from server.matches.hand_sharing import GOOD, READERS
from server.storage.port import StoreError
from shared import messages as m
from shared.kernel import engine
from shared.rulesets.registry import ruleset
from shared.tables import LOOKING_ON, Matter
from tests.server.lobby_harness import LobbyHarness, link, name, open_lobby, person
from tests.server.toy import HIDDEN, Quit

STREAM = (m.Snapshot, m.Frame)


async def code_of(h: LobbyHarness, player: Peer) -> str:
    return (await h.ask(player, m.ShowHand(70), m.HandShown)).code


async def reader_of(h: LobbyHarness, player: Peer) -> tuple[Peer, m.Reading]:
    """Return a client that reads that player's hand."""
    reader = person("Phone")
    return reader, await h.ask(reader, m.ReadHand(1, await code_of(h, player)), m.Reading)


def seen(peer: Peer) -> list[Any]:
    """Return the messages about the match that a peer was sent."""
    return [message for message in link(peer).sent if isinstance(message, STREAM)]


async def test_the_code_is_told_with_how_long_it_is_good_and_works_once(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    shown = await h.ask(anna, m.ShowHand(7), m.HandShown)
    assert (shown.ref, shown.seconds, shown.readers, len(shown.code)) == (7, GOOD, 0, LONG)
    phone, tablet = person("Phone"), person("Tablet")
    reading = await h.ask(phone, m.ReadHand(1, shown.code.lower()), m.Reading)
    assert (reading.match, reading.seat, len(reading.token)) == (h.only().match, 0, 32)
    assert link(anna).take(m.HandShown) == m.HandShown(0, "", 0, 1)
    assert (await h.ask(tablet, m.ReadHand(1, shown.code), m.Refused)).code == "no-code"
    assert tablet.table is None and tablet.reading == LOOKING_ON


async def test_a_code_is_good_for_a_few_minutes_and_until_the_next(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    old = await code_of(h, anna)
    new = await code_of(h, anna)
    assert (await h.ask(person(), m.ReadHand(1, old), m.Refused)).code == "no-code"
    await h.pass_time(GOOD)
    assert (await h.ask(person(), m.ReadHand(1, new), m.Refused)).code == "no-code"
    again = await code_of(h, anna)
    await h.pass_time(GOOD - 1)
    await h.ask(person(), m.ReadHand(1, again), m.Reading)


async def test_a_reader_sees_what_the_seat_sees_from_its_entering_on(h: LobbyHarness) -> None:
    anna, bert, carl = await h.match(3)
    await h.ask(anna, name(h, 1, 7), m.Accepted)
    phone, _ = await reader_of(h, anna)
    kinds = [type(message) for message in link(phone).sent]
    assert kinds == [m.TableState, m.Snapshot, m.Story, m.Clock]  # And Reading before.
    state = link(phone).take(m.TableState)
    assert (state.you, state.host, state.watchers, state.onlookers) == (0, False, 0, ())
    view = codec.decode_plain(link(phone).take(m.Snapshot).view)
    assert view[2] == [7, 0, 0]
    link(anna).sent.clear()
    link(phone).sent.clear()
    await h.ask(bert, name(h, 1, 4), m.Accepted)
    await h.say(carl, m.Say(2, "Ave"))
    assert seen(anna) == seen(phone) != []
    assert link(phone).take(m.Said).text == "Ave"


@pytest.mark.parametrize("game", ["classic", "mb1984", "cote2"])
async def test_a_reader_of_one_seat_never_sees_what_others_see(tmp_path: Path, game: str) -> None:
    """The reader gets the same bytes as its seat for a whole match; in matches with secrets no other client does."""
    rules = ruleset(game)
    async with open_lobby(tmp_path, rules=rules) as h:
        anna, bert, carl = await h.match(3)
        phones = {seat: (await reader_of(h, player))[0] for seat, player in ((0, anna), (1, bert))}
        for peer in (anna, bert, carl, *phones.values()):
            link(peer).sent.clear()
        for _ in range(120):
            await decided(h, [anna, bert, carl])
        assert seen(phones[0]) == seen(anna) != []
        assert seen(phones[1]) == seen(bert)
        if game == "cote2":
            assert seen(phones[1]) != seen(phones[0]) and seen(phones[1]) != seen(carl)
        state = h.only().table.match.state
        again = person("Again")
        await h.ask(again, m.ReadHand(1, await code_of(h, bert)), m.Reading)
        shown = link(again).take(m.Snapshot).view
        assert bytes(shown) == codec.ENCODER.encode(rules.view(state, 1))


async def decided(h: LobbyHarness, people: list[Peer]) -> None:
    """Let each seat that owes a decision make it."""
    match = h.only().table.match
    seat = match.owed[0]
    options = engine.options(match.rules, match.state, seat)
    action = options[match.version * 7919 % len(options)]
    await h.say(people[seat], m.Act(match.version + 1, match.frame, Raw(codec.encode(action))))


async def test_hand_readers_are_neither_players_nor_spectators(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    phone, _ = await reader_of(h, anna)
    table = h.only().table
    await h.ask(person("Titus"), m.Watch(1, h.only().match), m.Done)
    assert (table.info.watchers, table.info.taken, table.info.away) == (1, 2, 0)
    assert table.state_for(anna).onlookers == ("Titus",)
    await h.drop(anna)
    assert table.info.away == 1 and table.audience.player(0) is None
    await h.ask(bert, m.Leave(8), m.Left)
    assert table.host_peer is not phone and not table.is_host(phone)
    back = person("Back")
    await h.ask(back, m.Resume(1, h.only().match, bytes(h.only().table.seating.chairs[0].offer_token())), m.Seated)
    assert link(phone).closed is None and table.audience.player(0) is back
    assert link(back).take(m.HandShown) == m.HandShown(0, "", 0, 1)


@pytest.mark.parametrize(
    "message",
    [
        m.Say(5, "I am Anna"), m.Undo(5, 1), m.Vote(5, 1, True), m.Propose(5, m.Motion(Matter.PAUSE)), m.Hasten(5),
        m.Advise(5, 1), m.Listen(5), m.Mute(5, "Person 1"), m.Kick(5, 1), m.SetBot(5, 1, ""), m.Start(5),
        m.Rematch(5), m.ShowHand(5), m.ShowHand(5, False), m.Act(5, 1, Raw(codec.encode(Quit()))),
    ],
    ids=lambda message: type(message).__name__,
)  # fmt: skip
async def test_every_request_of_a_hand_reader_is_refused(h: LobbyHarness, message: Any) -> None:
    anna, _ = await h.match()
    phone, _ = await reader_of(h, anna)
    before = h.only().table.match.version
    assert not h.only().is_idle_for(phone)
    refused = await h.ask(phone, message, m.Refused)
    assert (refused.ref, refused.code) == (5, "reading") and refused.text
    assert h.only().table.match.version == before and not h.only().table.record.talk


async def test_a_reader_gets_no_seat_on_the_way(h: LobbyHarness) -> None:
    """Neither with a token for reading nor by what it says of itself."""
    anna, _ = await h.match()
    phone, reading = await reader_of(h, anna)
    match = h.only().match
    for message in (
        m.Join(2, match),
        m.Watch(2, match),
        m.Resume(2, match, reading.token),
        m.ReadHand(2, "", match),
    ):
        assert (await h.ask(phone, message, m.Refused)).code == "busy"
    await h.say(phone, m.Introduce(3, b"s" * 32))
    assert h.only().table.record.chairs[0].person == "" and phone.seat == LOOKING_ON
    other = person("Other")
    assert (await h.ask(other, m.Resume(2, match, reading.token), m.Refused)).code == "bad-token"
    assert (await h.ask(other, m.ReadHand(2, "", match, h.token(anna)), m.Refused)).code == "bad-token"
    assert (await h.ask(other, m.ReadHand(2, "", match, b""), m.Refused)).code == "bad-token"
    assert (await h.ask(other, m.ReadHand(2), m.Refused)).code == "no-match"
    recalled = await h.ask(other, m.Recall(2, match, reading.token), m.Refused)
    assert recalled.code in ("bad-token", "no-recall")


async def test_a_reader_comes_back_with_what_it_missed_and_is_there_once(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    await h.ask(bert, name(h, 1, 5), m.Accepted)
    await h.ask(anna, name(h, 1, 6), m.Accepted)
    phone, reading = await reader_of(h, anna)
    have = h.only().table.match.version
    await h.drop(phone)
    await h.ask(bert, name(h, 2, 5), m.Accepted)
    await h.ask(anna, name(h, 2, 6), m.Accepted)
    back = person("Phone")
    again = await h.ask(back, m.ReadHand(4, "", reading.match, reading.token, have), m.Reading)
    assert (again.seat, again.token) == (0, reading.token)
    assert [message.version for message in seen(back)] == list(range(have + 1, h.only().table.match.version + 1))
    twice = person("Phone")
    await h.ask(twice, m.ReadHand(5, "", reading.match, reading.token), m.Reading)
    assert link(back).closed is Close.REPLACED and link(anna).closed is None
    assert h.only().table.audience.readers(0) == [twice]


async def test_a_reader_comes_back_after_a_restart_but_a_code_does_not_hold(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, _ = await h.match()
        _phone, reading = await reader_of(h, anna)
        code = await code_of(h, anna)
        assert reading.token not in bytes(str(h.only().table.record), "latin1")
        store = h.store
        async with open_lobby(tmp_path, store=store) as after:
            back = person("Phone")
            assert (await after.ask(back, m.ReadHand(1, code), m.Refused)).code == "no-code"
            again = await after.ask(back, m.ReadHand(1, "", reading.match, reading.token), m.Reading)
            assert again.seat == 0 and link(back).take(m.TableState).you == 0


async def test_two_devices_may_read_and_one_more_sends_the_first_away(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    phones = [await reader_of(h, anna) for _ in range(READERS)]
    assert h.only().table.audience.readers(0) == [phone for phone, _ in phones]
    link(phones[0][0]).sent.clear()
    last, _ = await reader_of(h, anna)
    assert link(phones[0][0]).take(m.Left).code == "hand-ended"
    assert h.only().table.audience.readers(0) == [phones[1][0], last]
    first = phones[0][1]
    refused = await h.ask(person(), m.ReadHand(1, "", first.match, first.token), m.Refused)
    assert refused.code == "bad-token"
    link(phones[0][0]).sent.clear()
    await h.ask(bert, name(h, 1, 5), m.Accepted)
    assert link(phones[0][0]).sent == []


async def test_after_the_seat_ended_it_nothing_more_is_sent_and_no_reader_comes_back(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    phone, reading = await reader_of(h, anna)
    others, _ = await reader_of(h, bert)
    code = await code_of(h, anna)
    ended = await h.ask(anna, m.ShowHand(8, False), m.HandShown)
    assert ended == m.HandShown(8, "", 0, 0)
    assert link(phone).take(m.Left).code == "hand-ended"
    link(phone).sent.clear()
    await h.ask(bert, name(h, 1, 5), m.Accepted)
    await h.say(bert, m.Say(9, "Ave"))
    h.only().table.announce()
    assert link(phone).sent == [] and phone.table is None
    assert (await h.ask(phone, m.ReadHand(2, code), m.Refused)).code == "no-code"
    again = m.ReadHand(2, "", reading.match, reading.token)
    assert (await h.ask(phone, again, m.Refused)).code == "bad-token"
    assert seen(others)


async def test_a_reader_goes_by_itself_and_the_seat_is_told(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    phone, reading = await reader_of(h, anna)
    link(anna).sent.clear()
    assert (await h.ask(phone, m.Leave(3), m.Left)).code == "left"
    assert link(anna).take(m.HandShown) == m.HandShown(0, "", 0, 0)
    again = m.ReadHand(2, "", reading.match, reading.token)
    assert (await h.ask(phone, again, m.Refused)).code == "bad-token"
    await h.ask(phone, m.Watch(3, reading.match), m.Done)
    assert link(phone).last(m.TableState).you == LOOKING_ON


async def test_it_ends_with_the_match(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    phone, reading = await reader_of(h, anna)
    link(phone).sent.clear()
    await h.say(bert, m.Act(1, 0, Raw(codec.encode(Quit()))))
    kinds = [type(message) for message in link(phone).sent]
    assert kinds[0] is m.Frame and kinds[-1] is m.Left and link(phone).take(m.Left).code == "over"
    assert phone.table is None
    again = m.ReadHand(2, "", reading.match, reading.token)
    assert (await h.ask(phone, again, m.Refused)).code == "over"
    assert (await h.ask(anna, m.ShowHand(2), m.Refused)).code == "over"


async def test_it_ends_when_its_player_gets_up_but_not_after_a_reconnect(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    phone, reading = await reader_of(h, anna)
    token = h.token(anna)
    await h.drop(anna)
    back = person("Anna")
    await h.ask(back, m.Resume(1, reading.match, token), m.Seated)
    assert h.only().table.audience.readers(0) == [phone]
    await h.ask(back, m.Leave(2), m.Left)
    assert link(phone).take(m.Left).code == "hand-ended" and h.only().table.audience.readers(0) == []
    again = m.ReadHand(2, "", reading.match, reading.token)
    assert (await h.ask(phone, again, m.Refused)).code == "bad-token"


async def test_it_ends_when_another_person_gets_the_seat(h: LobbyHarness) -> None:
    anna, bert, titus = *(await h.match()), person("Titus")
    phone, reading = await reader_of(h, bert)
    code = await code_of(h, bert)
    await h.ask(titus, m.Watch(1, h.only().match), m.Done)
    await h.drop(bert)
    await h.pass_time(400)
    await h.say(anna, m.Propose(9, m.Motion(Matter.SEAT, 1, 0, "", "Titus")))
    assert h.only().table.audience.player(1) is titus
    assert link(phone).take(m.Left).code == "hand-ended"
    again = m.ReadHand(2, "", reading.match, reading.token)
    assert (await h.ask(phone, again, m.Refused)).code == "bad-token"
    assert (await h.ask(phone, m.ReadHand(2, code), m.Refused)).code == "no-code"


async def test_it_ends_when_the_operator_gives_out_a_new_key(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    phone, reading = await reader_of(h, anna)
    code, _hours = h.lobby.code_for_seat(h.only().match, 0)
    await h.ask(person("Finder"), m.Join(1, "", code), m.Seated)
    assert link(phone).take(m.Left).code == "hand-ended" and h.only().table.audience.readers(0) == []
    again = m.ReadHand(2, "", reading.match, reading.token)
    assert (await h.ask(phone, again, m.Refused)).code == "bad-token"


async def test_only_players_show_their_hands_and_only_while_it_is_played(h: LobbyHarness) -> None:
    anna, _ = await h.table()
    assert (await h.ask(anna, m.ShowHand(1), m.Refused)).code == "not-started"
    await h.ask(anna, m.Start(2), m.Done)
    titus = person("Titus")
    await h.ask(titus, m.Watch(1, h.only().match), m.Done)
    assert (await h.ask(titus, m.ShowHand(2), m.Refused)).code == "not-seated"


async def test_guessing_codes_is_throttled(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    code, stranger = await code_of(h, anna), person("Nero", "192.0.2.7")
    codes = [(await h.ask(stranger, m.ReadHand(1, "AAAAAAAA"), m.Refused)).code for _ in range(5)]
    assert codes[0] == "no-code" and codes[-1] == "rate"
    assert (await h.ask(stranger, m.ReadHand(1, code), m.Refused)).code == "rate"


async def test_chat_of_a_spectator_is_in_no_seats_history(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    titus = person("Titus")
    await h.ask(titus, m.Watch(1, h.only().match), m.Done)
    await h.say(titus, m.Say(2, "Anna bluffs"))
    phone, _reading = await reader_of(h, anna)
    assert not any(isinstance(each, m.Story) and each.chat for each in link(phone).sent)
    assert HIDDEN not in codec.decode_plain(link(phone).take(m.Snapshot).view)[2]


async def test_a_failed_write_changes_nothing(h: LobbyHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _ = await h.match()
    code = await code_of(h, anna)

    async def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(h.store, "save", full)
        assert (await h.ask(person(), m.ReadHand(1, code), m.Refused)).code == "storage"
        assert (await h.ask(anna, m.ShowHand(1, False), m.Refused)).code == "storage"
    phone = person("Phone")
    await h.ask(phone, m.ReadHand(1, code), m.Reading)
    with monkeypatch.context() as broken:
        broken.setattr(h.store, "save", full)
        assert (await h.ask(anna, m.ShowHand(1, False), m.Refused)).code == "storage"
    assert h.only().table.audience.readers(0) == [phone]


async def test_a_reader_asks_for_a_snapshot_again(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    phone, _reading = await reader_of(h, anna)
    assert (await h.ask(phone, m.Sync(1), m.Snapshot)).version == h.only().table.match.version
    h.lobby.notify("restart", "Soon.")
    await h.quiet()
    assert link(phone).take(m.Notice).code == "restart"
