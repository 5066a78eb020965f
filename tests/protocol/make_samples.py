"""Writes protocol/samples: `python -m tests.protocol.make_samples`. Old samples are never changed, only added to;
those of the messages stand in a directory for each protocol version.

Each message is kept as the bytes on the wire (.msgpack) and as JSON for people (bytes as "hex:...").
"""

import json
import random
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import astuple

from protocol import codec, delta
from protocol.record import Record, Sitter, seal
from protocol.version import PROTOCOL
from server.matches import dice as chance
from server.matches.match import AcceptedAction, Match
from server.storage.port import DiceRoot
from server.storage.promise import promise
from shared import messages as m
from shared import proof
from shared.actions.description import Choice, Field, FieldKind, Filter, Form, Label
from shared.kernel import engine
from shared.kernel.frames import Deal, Dice, Draw
from shared.kernel.ruleset import AnyRuleset
from shared.language.sentence import Person, Prompt, _, ngettext
from shared.mechanics.wares import ware_words
from shared.odds.chances import Chances, Prospect
from shared.rulesets.mb1984.actions import Execute, Propose, Reply
from shared.rulesets.registry import RULESETS, ruleset
from shared.tables import (
    Arrangement,
    Away,
    Ending,
    HookForm,
    Late,
    Matter,
    NoticeWhen,
    Outcome,
    Pace,
    Rated,
    Recollection,
    Run,
    SeatKind,
    TablePhase,
)
from shared.vocabulary.actions import Concede, Resign
from shared.vocabulary.events import Conceded
from tests.protocol.schema import words

FOLDER: Final = Path(__file__).parents[2] / "protocol" / "samples"
MESSAGES: Final = FOLDER / str(PROTOCOL)
TOKEN: Final = bytes(range(32))
TABLE: Final = m.TableInfo("k3x9q0a7bz1c", "Friday night", "classic", 4, 2, 1, TablePhase.GATHERING)

TO_SERVER: Final[dict[str, m.ClientMessage]] = {
    "hello": m.Hello(1, "Livia", "conquest 0.1", 2, ("presence",)),
    "hello_of_one_version": m.Hello(2, "Livia", "conquest 0.1"),
    "open_lobby": m.OpenLobby(1, True),
    "open_lobby_page": m.OpenLobby(2, True, "classic", True, 901),
    "create": m.Create(2, "classic", 4, {"round_limit": 12, "homes": 1}, "Friday night", True, -1, 120, 300),
    "join": m.Join(3, "k3x9q0a7bz1c", "", 2),
    "join_by_code": m.Join(4, "", "H7KQ2M", -1),
    "watch": m.Watch(5, "k3x9q0a7bz1c", "", 300),
    "resume": m.Resume(6, "k3x9q0a7bz1c", TOKEN, 70000),
    "set_bot": m.SetBot(7, 3, "greedy"),
    "start": m.Start(8),
    "leave": m.Leave(9),
    "act": m.Act(10, 57, Raw(msgspec.msgpack.encode([11, 4, 5, [1], 3, 1, 0]))),
    "say": m.Say(11, "Ave!"),
    "sync": m.Sync(312),
    "kick": m.Kick(12, 1),
    "member": m.Member(61, "anna@example.org", language="de"),
    "member_code": m.Member(62, code="H7KQ2MXA"),
    "own_data": m.OwnData(63, 32768),
    "erase_me": m.EraseMe(64, "Livia"),
    "mute": m.Mute(13, "Marcus (2)"),
    "listen": m.Listen(14),
    "rename": m.Rename(40, "Octavia"),
    "compete": m.Compete(41, "classic"),
    "coach": m.Coach(38, (0, 1), 57),
    "coach_before_an_action": m.Coach(39, have=57, action=msgspec.msgpack.encode([25, 4])),
    "create_a_lesson": m.Create(40, "classic", 2, {}, "A lesson", lesson="classic-walls"),
    "compete_no_more": m.Compete(42, "cote2", False),
    "seek": m.Seek(43, (m.TableWish(("classic", "cote2"), (4, 5), Pace(Run.LIVE, 30, 1800, 600), 10, 80),)),
    "seek_no_more": m.Seek(44, ()),
    "confirm": m.Confirm(45, "k3x9q0a7bz1c"),
    "create_with_advice": m.Create(15, "cote2", 3, {}, "Lessons", False, 0, 0, 60, True),
    "advise": m.Advise(16, 57),
    "consider": m.Consider(31, 57),
    "consider_march": m.Consider(35, 57, Filter(11, 4, 5, 1), 130),
    "try_action": m.TryAction(34, 57, Raw(msgspec.msgpack.encode([11, 4, 5, [1], 3, 1, 0]))),
    "describe": m.Describe(33, "classic"),
    "resize": m.Resize(17, 5),
    "rematch": m.Rematch(18, Arrangement.ROTATE),
    "create_with_pace": m.Create(19, "cote2", 3, {}, "An evening", pace=Pace(Run.LIVE, 30, 1800, 600, Late.BOT)),
    "undo": m.Undo(19, 313),
    "hasten": m.Hasten(30),
    "propose": m.Propose(20, m.Motion(Matter.BACK, to=290)),
    "propose_seat": m.Propose(21, m.Motion(Matter.SEAT, 2, 0, "", "Titus")),
    "vote": m.Vote(22, 3, True),
    "introduce": m.Introduce(24, TOKEN),
    "introduce_with_code": m.Introduce(25, TOKEN, "H7KQ2MWX"),
    "introduce_device": m.Introduce(26, TOKEN, "", "Firefox, Linux"),
    "devices": m.Devices(27),
    "devices_end": m.Devices(28, TOKEN[:8]),
    "report": m.Report(29, "Titus", "You cheat!", 290, "He says so every turn."),
    "report_match": m.Report(30, "Titus"),
    "block": m.Block(31, "Titus", True, True),
    "block_list": m.Block(32),
    "hand_over": m.HandOver(26),
    "hook": m.Hook(27, HookForm.DISCORD, "https://discord.example/api/webhooks/1/secret"),
    "hook_no_more": m.Hook(28, HookForm.JSON),
    "subscribe": m.Subscribe(
        36,
        "https://push.example/send/dGhpcyBpcyBhIHNlY3JldA",
        bytes.fromhex(
            "042571b2becdfde360551aaf1ed0f4cd366c11cebe555f89bcb7b186a53339173168ece2ebe018597bd30479b86e3c8f8eced577ca59187e92"
            "46990db682008b0e"
        ),
        TOKEN[:16],
        "de",
    ),
    "subscribe_no_more": m.Subscribe(37, "https://push.example/send/dGhpcyBpcyBhIHNlY3JldA"),
    "notify": m.Notify(
        38,
        m.NoticeSettings(
            NoticeWhen.ALWAYS,
            "anna@example.org",
            "https://ntfy.sh/conquest-7f3a",
            "https://discord.com/api/webhooks/1/x",
            "80351110224678912",
            (1320, 420),
            "Europe/Rome",
            "de",
            180,
            (("k3x9q0a7bz1c", NoticeWhen.NEVER),),
        ),
    ),
    "notify_ask": m.Notify(39),
    "notify_code": m.Notify(40, code="H7KQ2MAB"),
    "notify_trial": m.Notify(41, test=True),
    "mine": m.Mine(28, (("k3x9q0a7bz1c", TOKEN),)),
    "create_with_closed_hands": m.Create(20, "cote2", 3, {}, "Secrets", True, -1, 0, 0, False, True),
    "past": m.Past(23),
    "past_of_seats": m.Past(24, "cote2", 101, (("k3x9q0a7bz1c", TOKEN),)),
    "recall": m.Recall(21, "k3x9q0a7bz1c"),
    "recall_on": m.Recall(22, "k3x9q0a7bz1c", TOKEN, "H7KQ2M", 32768, 300, 700, True),
    "recall_words": m.Recall(23, "k3x9q0a7bz1c", b"", "", 0, 0, 0, True, True),
    "number": m.Number(19, TOKEN),
    "ping": m.Ping(36),
    "create_with_key": m.Create(37, "classic", 4, {}, "Friday night", key=TOKEN[:16]),
    "create_rated": m.Create(41, "classic", 2, {}, "A duel", rated=Rated.HOUSEHOLD),
    "create_that_asks": m.Create(39, "classic", 4, {}, "Friday night", key=TOKEN[:16], away=Away.ASK),
    "propose_turn": m.Propose(40, m.Motion(Matter.SEAT, 2, 0, "normal", turn=True)),
    "join_with_key": m.Join(38, "k3x9q0a7bz1c", key=TOKEN[:16]),
    "show_hand": m.ShowHand(34),
    "show_hand_no_more": m.ShowHand(35, False),
    "read_hand": m.ReadHand(1, "H7KQ2MWX"),
    "read_hand_again": m.ReadHand(2, "", "k3x9q0a7bz1c", TOKEN, 312),
}
VIEWS: Final = ([2, [5, [1, 2]], None, True, "x"], [300, [-7, [1, 2], 9], None, True, "x"])
"""A view, and the change that is made in it."""
DIGESTS: Final = tuple(delta.digest(codec.ENCODER.encode(view)) for view in VIEWS)
A_FEW: Final = m.Quota(30, 5)
ADVICE: Final = (
    _("Fight {who} in {place}.", who=Person(1), place="Gallia"),
    ngettext(
        "You would win with {chance} and keep {kept} of {n} unit on average.",
        "You would win with {chance} and keep {kept} of {n} units on average.",
        7,
        chance="86 %",
        kept="5.2",
    ),
)
TO_CLIENT: Final[dict[str, m.ServerMessage]] = {
    "welcome": m.Welcome(2, "Livia", "conquest-server", (("classic", 2),)),
    "welcome_with_bounds": m.Welcome(
        2,
        "Livia",
        "conquest-server",
        (("classic", 2),),
        ("advice",),
        ("presence",),
        m.Bounds(16384, 1048576, m.Quota(1800, 90), A_FEW, m.Quota(6, 8), A_FEW, A_FEW, m.Quota(240, 12), 10),
    ),
    "welcome_with_push_key": m.Welcome(
        2, "Livia", "conquest-server", (("classic", 2),), ("push",), push_key=bytes.fromhex("04") + TOKEN + TOKEN
    ),
    "welcome_with_page": m.Welcome(
        2, "Livia", "conquest-server", (("classic", 2),), (), ("page",), page="b3071db2e4c8"
    ),
    "refused": m.Refused(10, "no-leader", "CL-LEAD-02", "A legion needs a leader to march."),
    "refused_with_key": m.Refused(
        20, "bad-options", "", "Option homes takes 0 or 1, not 7.", "option-takes-not", ("homes", "0 or 1", "7")
    ),
    "done": m.Done(8),
    "accepted": m.Accepted(10, 313),
    "lobby_list": m.LobbyList(1, (TABLE,)),
    "lobby_list_page": m.LobbyList(2, (TABLE,), 801),
    "lobby_change": m.LobbyChange(TABLE, True),
    "lobby_change_away": m.LobbyChange(
        m.TableInfo("k3x9q0a7bz1c", "Friday night", "classic", 4, 3, 0, TablePhase.GATHERING, 1)
    ),
    "table_state": m.TableState(
        "k3x9q0a7bz1c",
        "Friday night",
        "classic",
        {"round_limit": 12},
        True,
        "H7KQ2M",
        TablePhase.PLAYING,
        0,
        True,
        120,
        300,
        (
            m.SeatInfo(SeatKind.PERSON, "Livia"),
            m.SeatInfo(SeatKind.AWAY, "Marcus"),
            m.SeatInfo(SeatKind.BOT, "", "greedy"),
            m.SeatInfo(SeatKind.FREE),
        ),
        2,
    ),
    "table_state_rated": m.TableState(
        "k3x9q0a7bz1c",
        "A duel",
        "classic",
        {},
        True,
        "H7KQ2M",
        TablePhase.GATHERING,
        0,
        True,
        0,
        0,
        (
            m.SeatInfo(SeatKind.PERSON, "Livia", reliability=97, rating=1532, uncertainty=164),
            m.SeatInfo(SeatKind.FREE),
        ),
        0,
        forward_only=True,
        host_number=1,
        rated=Rated.YES,
    ),
    "presence": m.Presence(1, SeatKind.STAND_IN, "normal"),
    "membership": m.Membership(61, "Livia", True, "anna@example.org", ("livia@example.org",), True),
    "own_data_piece": m.OwnDataPiece(63, 0, 14, b'{"name": null}'),
    "presence_of_onlookers": m.Presence(-1, watchers=9, came=("Titus",), gone=("Nero", "Otho (2)")),
    "pong": m.Pong(36, 1790000000123),
    "result": m.Result(
        "k3x9q0a7bz1c", Ending.GIVEN_UP, 9, 812, (m.Rank(1, 1, "205 talents"), m.Rank(0, 2, "90 talents"))
    ),
    "story": m.Story(
        ((312, Raw(msgspec.msgpack.encode([3, 1, 17]))),),
        (m.Line(0, "Livia", "Ave!"), m.Line(-1, "Nero", "I only watch.")),
    ),
    "seated": m.Seated(3, "k3x9q0a7bz1c", 2, TOKEN, 41),
    "snapshot": m.Snapshot(2, DIGESTS[0], Raw(msgspec.msgpack.encode(VIEWS[0]))),
    "frame": m.Frame(
        3,
        DIGESTS[1],
        Raw(msgspec.msgpack.encode([0, 300, 1, 0, -7, 1, 2, 9])),
        (Raw(msgspec.msgpack.encode([10, 2, 17, -1])),),
    ),
    "poll": m.Poll(3, m.Motion(Matter.BACK, to=290), 0, (0, 1, 3), (0,), (), 3, 60, Outcome.OPEN),
    "absent": m.Absent((m.AbsentSeat(1, 12, 108), m.AbsentSeat(3, 300, 0, True))),
    "clock": m.Clock((0, 3), 42),
    "clock_with_clocks": m.Clock(
        (1,), 42, (m.SeatClock(1_830_000, 1_800_000, 600_000), m.SeatClock(41_500, 11_500, 600_000)), True
    ),
    "said": m.Said(-1, "Titus", "Salve"),
    "notice": m.Notice("restart", "The server stops; your seat is kept."),
    "notifying": m.Notifying(38, m.NoticeSettings(), ("push", "ntfy", "discord", "mail"), "anna@example.org", 1),
    "waiting": m.Waiting((m.WaitingTable(("classic", "cote2"), (4, 5), None, ("Anna", "Bert"), 62, 540),)),
    "seeking": m.Seeking(43, (m.TableWish(("classic",), (4,)),)),
    "seeking_late": m.Seeking(0, (), "late"),
    "summons": m.Summons("k3x9q0a7bz1c", "classic", 3, None, ("Anna", "Bert"), (True, False), 1, 29),
    "summons_begun": m.Summons(
        "k3x9q0a7bz1c", "classic", 3, None, ("Anna", "Bert"), (True, True), 1, 60, "p7w2m4c8rt5v"
    ),
    "summons_off": m.Summons("k3x9q0a7bz1c", "classic", 3, None),
    "public_address": m.PublicAddress("ws://203.0.113.7:8600"),
    "public_address_missing": m.PublicAddress("", "Your router does not answer."),
    "left": m.Left(9, "left", "You left the table."),
    "welcome_with_advice": m.Welcome(1, "Livia", "conquest-server", (("classic", 2),), ("advice",)),
    "table_state_with_advice": m.TableState(
        "k3x9q0a7bz1c",
        "Lessons",
        "cote2",
        {},
        False,
        "H7KQ2MWX",
        TablePhase.GATHERING,
        0,
        True,
        0,
        60,
        (m.SeatInfo(SeatKind.PERSON, "Livia"), m.SeatInfo(SeatKind.FREE)),
        0,
        True,
    ),
    "advice": m.Advice(
        16,
        57,
        Raw(msgspec.msgpack.encode([11, 4, 5, [1], 3, 1, 0])),
        "March from Gallia to Italia with 1 leader and 4 units.",
        ("You would win the battle there with 86 %.",),
    ),
    "advice_with_sentences": m.Advice(
        17,
        58,
        Raw(msgspec.msgpack.encode([12, 0])),
        "Fight {1} in Gallia.",
        ("You would win with 86 % and keep 5.2 of 7 units on average.",),
        tuple([Raw(msgspec.msgpack.encode(sentence)) for sentence in ADVICE]),
    ),
    "choices": m.Choices(31, 57, True, (Raw(msgspec.msgpack.encode([18])), Raw(msgspec.msgpack.encode([19, 4])))),
    "choices_of_many": m.Choices(
        32,
        58,
        False,
        (Raw(msgspec.msgpack.encode([25])), Raw(msgspec.msgpack.encode([25, 3, 0, 0, 1]))),
        (m.Scope(25, (m.Span("infantry", 0, 3), m.Span("galleys", 0, 1))),),
    ),
    "choices_with_labels": m.Choices(
        35,
        57,
        False,
        (Raw(msgspec.msgpack.encode([11, 4, 5, [], 1])),),
        (),
        131,
        (Label(_("March from {a} to {b}", a="Italia", b="Rhaetia"), _("Marches"), 4, 5),),
        (
            Form(
                11,
                _("March"),
                _("Marches"),
                (
                    Field("source", FieldKind.ONE, _("From"), options=(Choice(4, "Italia", 4),)),
                    Field("to", FieldKind.ONE, _("To"), options=(Choice(5, "Rhaetia", 5), Choice(6, "Illyria", 6))),
                    Field("leaders", FieldKind.SET, _("Leaders"), 0, 1, options=(Choice(1, "General"),)),
                    Field("infantry", FieldKind.NUMBER, _("Infantry"), 0, 7),
                ),
                Raw(msgspec.msgpack.encode([11, 4, 5, [], 1])),
            ),
        ),
    ),
    "coaching": m.Coaching(
        38, 2, 19, (_("Welcome, Caesar!"),), _("Well marched."), (39,), (11,), True, least=((4, 1),)
    ),
    "coaching_of_a_problem": m.Coaching(
        39,
        0,
        1,
        (_("Forty talents"), _("Save your Caesar.")),
        _("Solved! {worth}", worth=_("Yes.")),
        (26,),
        hint=_("Count."),
        solution=_("Buy."),
        solved=True,
    ),
    "tried": m.Tried(34, 57),
    "tried_with_label": m.Tried(36, 57, Label(_("End your turn"), _("Turn"))),
    "tried_with_odds": m.Tried(
        37,
        57,
        Label(_("March from {a} to {b}", a="Italia", b="Rhaetia"), _("Marches"), 4, 5),
        Chances(714, 0, 286, 2, 5, Prospect(6, 31, 24), Prospect(4, 9, 33)),
    ),
    "choices_in_a_battle": m.Choices(
        36,
        58,
        True,
        (Raw(msgspec.msgpack.encode([18])),),
        labels=(Label(_("Fight on"), _("Fight"), to=5),),
        odds=Chances(286, 12, 702, 0, 5, Prospect(4, 9, 33), Prospect(6, 31, 24)),
    ),
    "description": m.Description(
        33,
        "classic",
        2,
        "Conquest of the Empire Classic (2005)",
        "Armies, fleets and dice.",
        2,
        6,
        (m.Setting("resign", "Resigning", "A player may leave the match.", ((0, 1),), ((0, "no"), (1, "yes")), 0),),
    ),
    "invited": m.Invited(0, "p7w2m4c8rt5v", "K9TR4X", 2, TOKEN, "Livia"),
    "introduced": m.Introduced(24, "Livia", True),
    "hooked": m.Hooked(27, "discord"),
    "hooked_in_vain": m.Hooked(0, "ntfy", True),
    "passage": m.Passage(26, "H7KQ2MWX", 600),
    "device_list": m.DeviceList(
        27, (m.Device(TOKEN[:8], "Firefox, Linux", 864000, 60, True), m.Device(TOKEN[8:16], "", -1, -1))
    ),
    "blocks": m.Blocks(31, (m.Blocked("Titus", True, True), m.Blocked("Gaius", True, False)), ("Titus",)),
    "holdings": m.Holdings(
        28,
        (
            m.Holding(
                "k3x9q0a7bz1c",
                "Friday night",
                "classic",
                0,
                TablePhase.PLAYING,
                (m.SeatInfo(SeatKind.AWAY, "Livia"), m.SeatInfo(SeatKind.PERSON, "Marcus")),
                (0,),
                7200,
                79200,
                3,
                True,
            ),
            m.Holding("p7w2m4c8rt5v", "", "", -1, TablePhase.PLAYING),
        ),
    ),
    "past_list": m.PastList(
        23,
        (
            m.PastMatch(
                "k3x9q0a7bz1c",
                "Friday night",
                "classic",
                2,
                (m.SeatInfo(SeatKind.AWAY, "Livia"), m.SeatInfo(SeatKind.BOT, "", "hard")),
                1790000000,
                9,
                812,
                (m.Rank(1, 1, "205 talents"), m.Rank(0, 2, "90 talents")),
                0,
                True,
            ),
        ),
        41,
    ),
    "recalled": m.Recalled(21, Recollection.FILM, 313, 0, 12, b"a whole film"),
    "recalled_record": m.Recalled(22, Recollection.RECORD, 700, 32768, 32780, b"the last end"),
    "invited_onlooker": m.Invited(0, "p7w2m4c8rt5v", "K9TR4X", -1, b"", "Livia"),
    "table_state_with_pledge": m.TableState(
        "k3x9q0a7bz1c",
        "Ides",
        "mb1984",
        {},
        True,
        "H7KQ2M",
        TablePhase.GATHERING,
        0,
        True,
        0,
        60,
        (m.SeatInfo(SeatKind.PERSON, "Livia"), m.SeatInfo(SeatKind.BOT, "", "hard")),
        0,
        False,
        pledge=m.Pledge(TOKEN[::-1], (TOKEN, b"")),
    ),
    "proof": m.Proof("k3x9q0a7bz1c", TOKEN, TOKEN[::-1], TOKEN[:16], TOKEN * 67),
    "proof_ed25519": m.Proof("k3x9q0a7bz1c", TOKEN, TOKEN[::-1], TOKEN[:16], TOKEN * 2),
    "hand_shown": m.HandShown(34, "H7KQ2MWX", 300, 1),
    "reading": m.Reading(1, "k3x9q0a7bz1c", 2, TOKEN),
    "narrated": m.Narrated(
        312,
        (
            (311, None),
            (
                312,
                _(
                    "{who} buys {wares} for {cost} talents.",
                    who=Person(1),
                    wares=ware_words((2, 0, 0, 1, 0, 0, 0)),
                    cost=45,
                ),
            ),
        ),
        Prompt(0, _("Choose a home"), _("Your empire will begin there."), _("Click one of the lit provinces.")),
    ),
    "packed": m.Packed(bytes.fromhex("789c9bcac1746e9d0c6fd154a649ac9318990e1c5e58c10000485b0716")),
}


def readable(value: Any) -> Any:
    """Return plain MessagePack data in a form that JSON can hold."""
    if isinstance(value, bytes):
        return "hex:" + value.hex()
    if isinstance(value, list | tuple):
        return [readable(item) for item in value]
    if isinstance(value, dict):
        return {key: readable(item) for key, item in value.items()}
    return value


PUBLIC: Final = 3
"""The audience of onlookers at a table of three."""
STREAMS: Final[dict[str, tuple[str, dict[str, int], int, int]]] = {
    "stream": ("classic", {"round_limit": 5}, PUBLIC, 200),
    "stream_classic_2": ("classic", {"round_limit": 5}, PUBLIC, 200),
    "stream_mb1984": ("mb1984", {"round_limit": 5}, PUBLIC, 200),
    "stream_cote2_public": ("cote2", {}, PUBLIC, 2000),
    "stream_cote2_seat_0": ("cote2", {}, 0, 2000),
}
"""By name: the rule set, its options, the audience, and the largest number of versions."""


def stream(game: str, options: dict[str, int], audience: int, versions: int, seed: int = 2) -> list[bytes]:
    """Return a snapshot and the frames after it, as an audience of a match of three gets them."""
    rules = ruleset(game)
    match = Match(rules, 3, options, chance.Dice(seed))
    rng = random.Random(seed)
    sent = [match.snapshot(audience)]
    step = match.chance()
    while len(sent) <= versions and not match.finished:
        if step is None:
            seat = match.owed[0]
            action = rng.choice(engine.options(rules, match.state, seat))
            outcome = match.submit(seat, 0, match.frame, codec.encode(action))
            assert isinstance(outcome, AcceptedAction)
            step = outcome
        match.commit(step)
        sent += [turned.frames[audience] for turned in step.turned]
        step = None
    return sent


BY_HAND: Final = (Concede(1), Resign(), Propose(2, 30, (), 0, (7,)), Reply(1, True), Execute((7,)))
"""Standing actions, and the answer to one: none of them occurs in a random match."""


def said(rules: AnyRuleset, games: int = 400) -> dict[str, dict[str, bytes]]:
    """Return the first of each action, event and frame in random matches, by its name."""
    missing = {name: {kind.__name__ for kind in kinds} for name, kinds in words(rules).items()}
    found: dict[str, dict[str, bytes]] = {name: {} for name in missing}

    def note(table: str, said: object) -> None:
        name = type(said).__name__
        if name in missing[table]:
            missing[table].remove(name)
            found[table][name] = codec.ENCODER.encode(said)

    for standing in BY_HAND:
        note("actions", standing)
    note("events", Conceded(0, 1))
    for seed in range(games):
        if not any(missing.values()):
            break
        rng = random.Random(seed)
        options = {option.key: rng.choice(option.values) for option in rules.options}
        state = engine.start(rules, 2 + seed % 5, options, engine.ignore_event)
        while owed := engine.owed(rules, state):
            for frame in state.frames:
                note("frames", frame)
            action = engine.chance_action(state, rng) or rng.choice(engine.options(rules, state, owed[0]))
            note("actions", action)
            engine.play(rules, state, owed[0], action, lambda event: note("events", event))
    return found


def write(name: str, data: bytes) -> None:
    """Write one message in both forms."""
    (MESSAGES / f"{name}.msgpack").write_bytes(data)
    text = json.dumps(readable(codec.decode_plain(data)), ensure_ascii=False)
    (MESSAGES / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def dice() -> dict[str, object]:
    """Return examples of draws, for authors of other programs that verify a match."""
    made = promise(TOKEN)
    numbers = (TOKEN[::-1], b"", TOKEN)
    lots = proof.Lots(made.secret, made.key, "k3x9q0a7bz1c", numbers)
    drawn = [
        ("dice", 1, Dice(0, 2)), ("dice", 2, Dice(0, 2)), ("dice", 311, Dice(0, 20)),
        ("draw", 1, Draw(0, 6)), ("deal", 1, Deal(0, 51, 5)), ("deal", 70000, Deal(0, 3, 1)),
    ]  # fmt: skip
    return {
        "secret": made.secret.hex(),
        "key": made.key.hex(),
        "commitment": proof.commitment(made.secret, made.key).hex(),
        "match": "k3x9q0a7bz1c",
        "numbers": [number.hex() for number in numbers],
        "draws": [
            {
                "what": what,
                "version": version,
                "counts": astuple(frame)[1:],
                "result": astuple(lots.draw(version, frame))[0],
            }
            for what, version, frame in drawn
        ],
    }


def signature() -> dict[str, object]:
    """Return the example of a signature, for authors of other programs that verify a match."""
    made = promise(DiceRoot(TOKEN))
    seats = (Sitter("Livia"), Sitter("", "hard"))
    match = Record("k3x9q0a7bz1c", "Ides", "classic", 3, {"homes": 2, "resign": 1}, seats, (), TOKEN[:16], 1, 2)
    return {
        "match": readable(codec.decode_plain(codec.encode(match))),
        "sealed": seal(match).hex(),
        "key": made.key.hex(),
        "signature": made.sign(seal(match)).hex(),
    }


def write_words(rules: AnyRuleset) -> None:
    """Write the actions, events and frames of a rule set in hexadecimal digits; existing ones stay as they are."""
    path = FOLDER / f"words_{rules.id}.json"
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    tables = {
        table: dict(sorted({**{name: data.hex() for name, data in kinds.items()}, **kept.get(table, {})}.items()))
        for table, kinds in said(rules).items()
    }
    path.write_text(json.dumps(tables, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Write all samples that are missing."""
    MESSAGES.mkdir(parents=True, exist_ok=True)
    samples: dict[str, Struct] = {f"to_server_{k}": v for k, v in TO_SERVER.items()}
    samples |= {f"to_client_{k}": v for k, v in TO_CLIENT.items()}
    for name, message in samples.items():
        if not (MESSAGES / f"{name}.msgpack").exists():
            write(name, codec.encode(message))
    for name, what in STREAMS.items():
        path = FOLDER / f"{name}.json"
        if not path.exists():
            path.write_text(json.dumps([data.hex() for data in stream(*what)], indent=2) + "\n", encoding="utf-8")
    for name, examples in (("dice", dice()), ("signature", signature())):
        (FOLDER / f"{name}.json").write_text(json.dumps(examples, indent=2) + "\n", encoding="utf-8")
    for rules in RULESETS.values():
        write_words(rules)


if __name__ == "__main__":
    main()
