"""Messages between client and server. Every message is a MessagePack array whose first item is its tag.

Evolution: tags are never reused; fields are only appended, with defaults, and older peers ignore them. A change that an
old peer would misread raises `protocol.version.PROTOCOL`. Actions, views and events travel as raw
MessagePack: only the match's rule set decodes them.
"""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Raw, Struct

from shared.actions.description import Filter, Form, Label
from shared.codes import MAX_CODE
from shared.ids import MAX_SEATS
from shared.language.sentence import Prompt, Sentence, Value
from shared.odds.chances import Chances
from shared.tables import (
    ANY_SEAT,
    MAX_NAME,
    MAX_SECONDS,
    MAX_TEXT,
    MAX_TITLE,
    NO_SEAT,
    NOT_COUNTED,
    Arrangement,
    Away,
    Ending,
    HookForm,
    Matter,
    NoticeWhen,
    Outcome,
    Pace,
    Rated,
    Recollection,
    SeatKind,
    TablePhase,
)

Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
Text = Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]
Key = Annotated[str, Meta(min_length=1, max_length=32, pattern="^[a-z0-9_]+$")]
MatchId = Annotated[str, Meta(min_length=1, max_length=26, pattern="^[a-z0-9]+$")]
Code = Annotated[str, Meta(max_length=MAX_CODE)]
Token = Annotated[bytes, Meta(min_length=32, max_length=32)]
SeatNumber = Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]
Version = Annotated[int, Meta(ge=0, le=2**32 - 1)]
Command = Annotated[int, Meta(ge=1, le=2**32 - 1)]
MAX_PLACE: Final = 2**53 - 1
"""Greatest place in a long list: JavaScript's numbers are exact so far."""
Place = Annotated[int, Meta(ge=0, le=MAX_PLACE)]
Options = Annotated[dict[Key, Annotated[int, Meta(ge=0, le=1000)]], Meta(max_length=32)]
LevelName: TypeAlias = Annotated[str, Meta(max_length=16)]
"""A level of bots (`shared.levels`); not a closed list."""
Repeatable = Annotated[bytes, Meta(max_length=32)]
"""16 to 32 random bytes of the client that identify a request when it is repeated; empty for no such key."""
Held = Annotated[tuple[tuple[MatchId, Token], ...], Meta(max_length=64)]
"""Matches, and the tokens of the client's seats there."""
Abilities = Annotated[tuple[Annotated[str, Meta(max_length=32)], ...], Meta(max_length=64)]
"""Names of optional features; unknown ones mean nothing."""


class ToServer(Struct, frozen=True, array_like=True):
    """Base of messages from a client. `ref` numbers requests; the answer or refusal carries it back."""


class Idempotent(ToServer, frozen=True, array_like=True):
    """Base of messages that may be handled twice: a server that takes over a match gets them again (`NODES.md`)."""


class Hello(ToServer, frozen=True, array_like=True, tag=0):
    """First message of a connection. `protocol`: the lowest protocol version that the client speaks; `highest`: the
    highest one, 0 for the same. `can`: optional features that the client understands: "presence" (`Presence`), "packed"
    (`Packed`), "sentences" (`Narrated`), "ed25519" (records of matches that are signed with Ed25519), "labels"
    (`Choices.labels`, `Choices.forms`, `Tried.label`), "page" (`Welcome.page`).
    """

    protocol: Annotated[int, Meta(ge=0, le=65535)]
    name: Name
    client: Annotated[str, Meta(max_length=40)] = ""
    highest: Annotated[int, Meta(ge=0, le=65535)] = 0
    can: Abilities = ()


class OpenLobby(ToServer, frozen=True, array_like=True, tag=1):
    """Send a page of the list of open tables and keep it live; `on` false stops that.

    `ruleset`: only tables of that one, "" of all; `gathering`: only those that wait for players (changes of other
    tables
    are sent too). `below`: the number that came with the page before, 0 for the first page.
    """

    ref: Command
    on: bool = True
    ruleset: Annotated[str, Meta(max_length=32)] = ""
    gathering: bool = False
    below: Version = 0


class Create(ToServer, frozen=True, array_like=True, tag=2):
    """Make a table and sit down at `seat` (-1: the first free one; -2: host without a seat).

    `open` tables are listed; others need their code. `think`: seconds for one decision, 0 without a clock; `pace`
    says more, and if it is there, `think` means nothing.
    `takeover`: seconds after which a bot plays for a player who dropped, 0 never. `advice`: whether players may ask
    for advice although other people play. `closed_hands`: after the end, too, all are shown no more
    than before; else all who may see the match get the whole record. `forward_only`: players may not agree to
    go back. `unanimous`: whether votes need all players instead of a majority. `key`: random bytes that identify a
    repeated request: it makes one table and takes one seat. `away`: what happens for a player who dropped; `takeover`
    counts for `Away` 0 only. `lesson`: the key of a lesson or a problem, for servers with "lessons" in `Welcome.can`.
    Then most other fields mean nothing: easy bots sit at a closed table that has begun. `Seated` follows; `Resume`
    there, and ask with `Coach`. `rated`: the match counts for its people's ratings, for servers with "rated" in
    `Welcome.can`: members alone may sit there, without bots; `advice` is off and `forward_only` on.
    """

    ref: Command
    ruleset: Key
    seats: Annotated[int, Meta(ge=2, le=MAX_SEATS)]
    options: Options
    title: Annotated[str, Meta(max_length=MAX_TITLE)]
    open: bool = True
    seat: Annotated[int, Meta(ge=NO_SEAT, le=MAX_SEATS - 1)] = ANY_SEAT
    think: Annotated[int, Meta(ge=0, le=86400)] = 0
    takeover: Annotated[int, Meta(ge=0, le=86400)] = 0
    advice: bool = False
    closed_hands: bool = False
    pace: Pace | None = None
    forward_only: bool = False
    unanimous: bool = False
    key: Repeatable = b""
    away: Away = Away.BOT
    lesson: Annotated[str, Meta(max_length=32)] = ""
    rated: Rated = Rated.NO


class Join(ToServer, frozen=True, array_like=True, tag=3):
    """Sit down; `seat` -1 takes the first free one. `match` may be empty if `code` is given. `key`: as in `Create`."""

    ref: Command
    match: Annotated[str, Meta(max_length=26)]
    code: Code = ""
    seat: Annotated[int, Meta(ge=ANY_SEAT, le=MAX_SEATS - 1)] = ANY_SEAT
    key: Repeatable = b""


class Watch(Idempotent, frozen=True, array_like=True, tag=4):
    """Watch a match. `have` is the last version that this client holds of the match, 0 for none."""

    ref: Command
    match: Annotated[str, Meta(max_length=26)]
    code: Code = ""
    have: Version = 0


class Resume(Idempotent, frozen=True, array_like=True, tag=5):
    """Take a held seat again with its token; the token is used up and a new one sent."""

    ref: Command
    match: MatchId
    token: Token
    have: Version = 0


class SetBot(Idempotent, frozen=True, array_like=True, tag=6):
    """Host, before the start: put a bot on a free seat (`kind`: its level, as "normal"), or ("") take it away."""

    ref: Command
    seat: SeatNumber
    kind: LevelName


class Start(ToServer, frozen=True, array_like=True, tag=7):
    """Host: begin. Every seat must be taken."""

    ref: Command


class Leave(ToServer, frozen=True, array_like=True, tag=8):
    """Get up: before the start the seat is free again; during the match a bot keeps it until you resume."""

    ref: Command


class Act(Idempotent, frozen=True, array_like=True, tag=9):
    """An action of the rule set. `command` is chosen by the client, rising within a seat; sent twice it acts once.

    `frame` is the number of the frame it answers, 0 for a standing action.
    """

    command: Command
    frame: Version
    action: Raw


class Say(ToServer, frozen=True, array_like=True, tag=10):
    """Chat at this table."""

    ref: Command
    text: Text


class Sync(Idempotent, frozen=True, array_like=True, tag=11):
    """Ask for a snapshot, because the client found a contradiction. `have` is the version at which it was noticed."""

    have: Version


class Kick(ToServer, frozen=True, array_like=True, tag=12):
    """Host, before the start: free a seat that a person holds."""

    ref: Command
    seat: SeatNumber


class Mute(Idempotent, frozen=True, array_like=True, tag=13):
    """Host: hide a person's chat from all at the table; `on` false ends that. `name` as it is at the table."""

    ref: Command
    name: Name
    on: bool = True


class Listen(Idempotent, frozen=True, array_like=True, tag=14):
    """Player: receive the chat of spectators while the match is played, or (`on` false) no longer. It is off at
    first.
    """

    ref: Command
    on: bool = True


class Advise(ToServer, frozen=True, array_like=True, tag=15):
    """Player: ask which action the strongest bot would take. `frame`: the number of the frame that you owe an
    answer.
    """

    ref: Command
    frame: Version


class Resize(ToServer, frozen=True, array_like=True, tag=16):
    """Host, before the start: change the number of seats. Free ones go, the last first; players behind a removed seat
    move up. New ones are free.
    """

    ref: Command
    seats: Annotated[int, Meta(ge=2, le=MAX_SEATS)]


class Rematch(ToServer, frozen=True, array_like=True, tag=17):
    """Player, after the end: make another table like this one, with the same bots and a seat held for each person.
    `seats`: how the seats are arranged. If another player has asked before, that table is meant.
    """

    ref: Command
    seats: Arrangement = Arrangement.KEEP


class Undo(ToServer, frozen=True, array_like=True, tag=18):
    """Player: take back your last action, at the version that you see. `Frame.undo` is the number of times that this is
    possible. `again`: also if that is 0, for the only person at a table of bots: chance and bots then decide anew.
    Refused if the table is `forward_only`.
    """

    ref: Command
    version: Version
    again: bool = False


class Motion(Struct, frozen=True, array_like=True):
    """Subject of a vote. `seat`: the seat in question (SEAT, TIME). `to`: the version whose position shall come back
    (BACK). `level` of the bot, or the `name` of the spectator, who takes a seat. `seconds`: how many more (TIME).
    `pace`: new clocks. `turn`: the bot plays for the turn in progress only (SEAT).
    """

    matter: Matter
    seat: Annotated[int, Meta(ge=-1, le=MAX_SEATS - 1)] = -1
    to: Version = 0
    level: LevelName = ""
    name: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    seconds: Annotated[int, Meta(ge=0, le=MAX_SECONDS)] = 0
    pace: Pace | None = None
    turn: bool = False


class Propose(ToServer, frozen=True, array_like=True, tag=19):
    """Player: put a question to the vote of the players; the proposer votes yes. Spectators may ask for a seat for
    themselves (SEAT with their `name`), if the server has "seat-requests".
    """

    ref: Command
    motion: Motion


class Vote(ToServer, frozen=True, array_like=True, tag=20):
    """Player: vote on the question with that number. A vote may be changed until the question is decided."""

    ref: Command
    poll: Version
    yes: bool


class Hasten(Idempotent, frozen=True, array_like=True, tag=30):
    """Player: let bots play without pauses until you are to decide again. They do so once all players who are connected
    have sent this.
    """

    ref: Command


class Consider(ToServer, frozen=True, array_like=True, tag=32):
    """Player: ask for your legal actions. `frame`: the number of the frame that you owe an answer. `filter`: only these
    actions. `start`: 0, or `Choices.next` of the answer before, for further ones.
    """

    ref: Command
    frame: Version
    filter: Filter | None = None
    start: Place = 0


class TryAction(ToServer, frozen=True, array_like=True, tag=36):
    """Player: ask whether an action is legal, without playing it. `frame` and `action` as in `Act`."""

    ref: Command
    frame: Version
    action: Raw


class Describe(ToServer, frozen=True, array_like=True, tag=33):
    """Ask for the title, the numbers of players and the options of a rule set. Allowed with and without a table."""

    ref: Command
    ruleset: Key


class Ping(ToServer, frozen=True, array_like=True, tag=31):
    """Ask for an answer with the server's time. For programs that cannot see the pings of a WebSocket."""

    ref: Command


class Past(ToServer, frozen=True, array_like=True, tag=23):
    """Send a page of the list of finished matches: of open tables, of a rule set or ("") of all; or, with `held` (seats
    by their tokens, which stay valid), those of these seats. `below`: the number that came with the page before.
    """

    ref: Command
    ruleset: Annotated[str, Meta(max_length=32)] = ""
    below: Version = 0
    held: Held = ()


class Introduce(Idempotent, frozen=True, array_like=True, tag=24):
    """Authenticate with this secret of 32 random bytes: it opens your profile here, made now if there is none. With the
    `code` of a `Passage` the secret, which is a new one, is added to the profile that asked for the code. `device`: a
    name by which the player knows this device in `DeviceList`.
    """

    ref: Command
    secret: Token
    code: Code = ""
    device: Annotated[str, Meta(max_length=MAX_NAME)] = ""


class HandOver(ToServer, frozen=True, array_like=True, tag=25):
    """Ask for a code by which another device of yours gets your profile; it works once. An earlier code becomes
    void.
    """

    ref: Command


class Devices(ToServer, frozen=True, array_like=True, tag=39):
    """List the devices of your profile, after `Introduce`. `end`: the `id` of one that is ended first: its secret and
    the tokens of seats that it holds are void then, and it gets no alerts.
    """

    ref: Command
    end: Annotated[bytes, Meta(max_length=32)] = b""


class Member(ToServer, frozen=True, array_like=True, tag=44):
    """Ask for your state as a member, after `Introduce`. `mail`: send a code to this address. It makes
    you a member, changes your address, or, if it is a member's address, gives this device that member's profile.
    `code`: one that was mailed, that the operator gave, or of another device (`HandOver`). `language`: of the mail.
    """

    ref: Command
    mail: Annotated[str, Meta(max_length=254)] = ""
    code: Code = ""
    language: Annotated[str, Meta(max_length=16)] = "en"


class OwnData(ToServer, frozen=True, array_like=True, tag=45):
    """Ask for all that is stored of you, a JSON document, in pieces from byte `at` on, after `Introduce`."""

    ref: Command
    at: Annotated[int, Meta(ge=0, le=2**32 - 1)] = 0


class EraseMe(ToServer, frozen=True, array_like=True, tag=46):
    """Erase all that is stored of you, for good, after `Introduce`. `name`: your name here, so that it is no accident.
    `Done` follows, and the server closes the connections of all your devices.
    """

    ref: Command
    name: Name


class Hook(ToServer, frozen=True, array_like=True, tag=26):
    """Host: set a webhook. Whenever a person who is away has to decide, send that to `url`, in that form; "" stops it.
    The address is shown to no other client.
    """

    ref: Command
    form: HookForm
    url: Annotated[str, Meta(max_length=500)] = ""


class Subscribe(ToServer, frozen=True, array_like=True, tag=37):
    """Alert this device by Web Push when you are away and must decide, in every match of your profile, after
    `Introduce`. `endpoint`, `p256dh`, `auth`: of the browser's push subscription; empty keys end it. `language`: of the
    alerts, such as "de". No other client is told.
    """

    ref: Command
    endpoint: Annotated[str, Meta(min_length=1, max_length=1000)]
    p256dh: Annotated[bytes, Meta(max_length=65)] = b""
    auth: Annotated[bytes, Meta(max_length=16)] = b""
    language: Annotated[str, Meta(max_length=16)] = "en"


Minute = Annotated[int, Meta(ge=0, le=1439)]
"""A minute of the day."""


class NoticeSettings(Struct, frozen=True, array_like=True):
    """Places and times at which a player is told outside of the game that they must decide. "" is no such way.

    `mail`: an address that its code confirmed. `ntfy`: address of a topic. `discord`: of a webhook, which mentions the
    user with the id `mention`. `quiet`: minutes of the day from and until which notices wait, the same for none, in the
    time zone `zone` (IANA). `remind`: minutes before the deadline at which a reminder is sent, 0 for none. `matches`:
    those for which another `when` holds.
    """

    when: NoticeWhen = NoticeWhen.AWAY
    mail: Annotated[str, Meta(max_length=254)] = ""
    ntfy: Annotated[str, Meta(max_length=500)] = ""
    discord: Annotated[str, Meta(max_length=500)] = ""
    mention: Annotated[str, Meta(max_length=20, pattern="^[0-9]*$")] = ""
    quiet: tuple[Minute, Minute] = (0, 0)
    zone: Annotated[str, Meta(max_length=64)] = "UTC"
    language: Annotated[str, Meta(max_length=16)] = "en"
    remind: Annotated[int, Meta(ge=0, le=10080)] = 120
    matches: Annotated[tuple[tuple[MatchId, NoticeWhen], ...], Meta(max_length=64)] = ()

    def when_for(self, match: str) -> NoticeWhen:
        """Return when notices of that match are sent."""
        return dict(self.matches).get(match, self.when)


class Notify(ToServer, frozen=True, array_like=True, tag=38):
    """Set where and when you are notified, after `Introduce`; without `settings`, only ask. `code`: from the mail that
    was sent to a new address, and confirms it. `test`: send a notice in every way that is set.
    """

    ref: Command
    settings: NoticeSettings | None = None
    code: Code = ""
    test: bool = False


class Mine(ToServer, frozen=True, array_like=True, tag=27):
    """Ask for the state of your matches: the seats of your profile, after `Introduce`, and those that the tokens in
    `held` open. It changes nothing: every token stays as it is, and other clients are not told.
    """

    ref: Command
    held: Held = ()


class Recall(ToServer, frozen=True, array_like=True, tag=22):
    """Send a piece of a match's film or record, from byte `at` on. Allowed everywhere: it needs no seat at the table.

    With `token` it is sent to you as the holder of that seat; the token stays valid. Without one it is sent to you as
    what you are at that table, or by your profile, else as a spectator. Spectators of a closed table need its `code`.
    `have`: a film from that version on, or from the last one if there is no such version. `upto`: no further than to
    that version, 0 as far as it goes. `film`: the film even if the record may be shown. `words`: the film with a
    `Narrated` for each version.
    """

    ref: Command
    match: MatchId
    token: Annotated[bytes, Meta(max_length=32)] = b""
    code: Code = ""
    at: Version = 0
    have: Version = 0
    upto: Version = 0
    film: bool = False
    words: bool = False


class Number(Idempotent, frozen=True, array_like=True, tag=21):
    """Player, before the start: a random number of yours that the dice depend on. To be sent once the server's
    commitment was seen; if it is sent again, the last one counts.
    """

    ref: Command
    number: Token


class ShowHand(ToServer, frozen=True, array_like=True, tag=34):
    """Player, while the match is played: ask for a code with which another device reads your seat's view, such as a
    phone beside a shared screen. An earlier code becomes void. `on` false: the code becomes void, and devices that read
    along are disconnected from the match.
    """

    ref: Command
    on: bool = True


class ReadHand(ToServer, frozen=True, array_like=True, tag=35):
    """Follow a match as one of its seats sees it, reading only: with the `code` that its player got, or later with the
    `match` and the `token` of `Reading`. `have` as in `Resume`.
    """

    ref: Command
    code: Code = ""
    match: Annotated[str, Meta(max_length=26, pattern="^[a-z0-9]*$")] = ""
    token: Annotated[bytes, Meta(max_length=32)] = b""
    have: Version = 0


class Rename(Idempotent, frozen=True, array_like=True, tag=40):
    """Change your name at this table: a player before the start, a spectator at any time. Refused if another person
    here has a name that looks like it. Later tables of this connection get the name too.
    """

    ref: Command
    name: Name


MAX_WISHES: Final = 4
"""Wishes of one person."""


class TableWish(Struct, frozen=True, array_like=True):
    """Tables that suit a player: each of `games` with each number of `seats`, with these clocks (nil: none) and the
    usual options. `bots`: minutes after which bots may take the free seats, 0 for people only. `least`: percent of
    their matches that the others must have finished; people with too few matches may always come.
    """

    games: Annotated[tuple[Key, ...], Meta(min_length=1, max_length=8)]
    seats: Annotated[tuple[Annotated[int, Meta(ge=2, le=MAX_SEATS)], ...], Meta(min_length=1, max_length=MAX_SEATS)]
    pace: Pace | None = None
    bots: Annotated[int, Meta(ge=0, le=10_080)] = 0
    least: Annotated[int, Meta(ge=0, le=100)] = 0


Wishes = Annotated[tuple[TableWish, ...], Meta(max_length=MAX_WISHES)]


class Seek(ToServer, frozen=True, array_like=True, tag=42):
    """Wait for the first table that suits, after `Introduce`. The `wishes` take the place of your earlier ones; none
    ends waiting. `Summons` follows when enough people are found.
    """

    ref: Command
    wishes: Wishes


class Confirm(ToServer, frozen=True, array_like=True, tag=43):
    """You come to the table to which `Summons` called you. `number` is that of the summons."""

    ref: Command
    number: Annotated[str, Meta(max_length=32)]


class Coach(ToServer, frozen=True, array_like=True, tag=58):
    """Ask what the lesson or problem of your table says now; `Coaching` answers. `read`: the steps that you have read.
    `have`: the version that you held when you asked last. `action`: in a problem, the encoded action that you are about
    to take, empty for none.
    """

    ref: Command
    read: Annotated[tuple[Annotated[int, Meta(ge=0, le=99)], ...], Meta(max_length=99)] = ()
    have: Version = 0
    action: Annotated[bytes, Meta(max_length=4096)] = b""


class Compete(ToServer, frozen=True, array_like=True, tag=41):
    """Ask for a rated match of that game, at no table, after `Introduce`; or (`on` false) no longer. `Invited` follows
    with the seat, at once if you have a rated match already. Ask again after each match.
    """

    ref: Command
    ruleset: Key
    on: bool = True


class Report(ToServer, frozen=True, array_like=True, tag=47):
    """Report a person at your table to the operator. `name` as it is at the table; `words`: the line of theirs that it
    is about, "" for the match; `version`: the moment. `why`: your own words. You need a profile.
    """

    ref: Command
    name: Name
    words: Annotated[str, Meta(max_length=MAX_TEXT)] = ""
    version: Version = 0
    why: Annotated[str, Meta(max_length=MAX_TEXT)] = ""


class Block(Idempotent, frozen=True, array_like=True, tag=48):
    """Set what you wish of a person, which they are not told. `name` as it is at your table or in `Blocks`; "" only
    asks for the list. `avoid`: never seat me with them; `hide`: hide what they say. Neither: no longer.
    """

    ref: Command
    name: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    avoid: bool = False
    hide: bool = False


ClientMessage = (
    Hello | OpenLobby | Create | Join | Watch | Resume | SetBot | Start | Leave | Act | Say | Sync | Kick | Mute
    | Listen | Advise | Resize | Rematch | Undo | Propose | Vote | Number | Recall | Past | Introduce | HandOver
    | Mine | Hasten | Hook | ShowHand | ReadHand | Consider | Describe | Ping | TryAction | Subscribe
    | Notify | Devices | Rename | Compete | Member | OwnData | EraseMe | Seek | Confirm | Report | Block
    | Coach
)  # fmt: skip


class ToClient(Struct, frozen=True, array_like=True):
    """Base of messages from the server."""


class Quota(Struct, frozen=True, array_like=True):
    """A rate limit: so many `at_once`, and `a_minute` on average."""

    a_minute: int
    at_once: int


class Bounds(Struct, frozen=True, array_like=True):
    """Limits for a client. `from_client`, `to_client`: bytes of one message. Of one connection: `messages`; of these,
    lines of `chat`; `strikes`, of which the last one `at_once` closes; WebSocket `frames`, and `bytes`. Of one address:
    `requests`, which are all messages but `Act`, four `Consider` or `TryAction` counted as one; further requests wait.
    `ping`: seconds between two pings of the server.
    """

    from_client: int
    to_client: int
    messages: Quota
    chat: Quota
    strikes: Quota
    frames: Quota
    bytes: Quota
    requests: Quota
    ping: int


class Welcome(ToClient, frozen=True, array_like=True, tag=0):
    """The handshake succeeded. `protocol`: the version in force from now on. `name` is yours as the server cleaned it;
    `rulesets`: (id, version) pairs. `can`: features that not every server of this protocol has. `agreed`: the features
    that you named in `Hello.can` and that are in force. `bounds`: limits for the client. `push_key`: the server's
    public VAPID key for Web Push, an uncompressed point of 65 bytes; empty without "push". `page`: the version
    of the web page of this server, as in its paths; "" unless "page" was agreed.

    Features: "advice" (`Advise`, `Create.advice`), "resize" (`Resize`), "rematch" (`Rematch`), "undo" (`Undo`), "votes"
    (`Propose`). "profile" (`Introduce`, `HandOver`, `Resume` by a profile's secret), "mine" (`Mine`), "recall"
    (`Recall`,
    `Past`, `Create.closed_hands`). "hand" (`ShowHand`, `ReadHand`), "pace" (`Create.pace`), "proof" (`Number`),
    "hasten"
    (`Hasten`), "hook" (`Hook`), "ping" (`Ping`). "repeat" (`Create.key`, `Join.key`), "choices" (`Consider`),
    "describe" (`Describe`). "labels" (`TryAction`,
    `Consider.filter`, `Consider.start`, labels and forms). "push" (`Subscribe`). "notices" (`Notify`). "devices"
    (`Devices`). "seat-requests" (`Propose` by spectators). "rename" (`Rename`), "ladder"
    (`Compete`), "seeks" (`Seek`, `Confirm`), "lessons" (`Create.lesson`, `Coach`), "rated"
    (`Create.rated`).
    """

    protocol: int
    name: str
    server: str
    rulesets: tuple[tuple[str, int], ...]
    can: tuple[str, ...] = ()
    agreed: tuple[str, ...] = ()
    bounds: Bounds | None = None
    push_key: bytes = b""
    page: str = ""


class Refused(ToClient, frozen=True, array_like=True, tag=1):
    """A request or an action was refused; nothing changed. `ref`: its ref or command, 0 if it had none. `key`: that of
    the sentence `text`, `args`: the values to fill in there.
    """

    ref: int
    code: str
    rule: str
    text: str
    key: str = ""
    args: tuple[str, ...] = ()


class Done(ToClient, frozen=True, array_like=True, tag=2):
    """A request without another answer succeeded."""

    ref: int


class Accepted(ToClient, frozen=True, array_like=True, tag=3):
    """An action is durable; it made `version`."""

    command: int
    version: int


class TableInfo(Struct, frozen=True, array_like=True):
    """A table as the lobby lists it. `away`: of the seats that are taken, those whose person is not connected."""

    match: str
    title: str
    ruleset: str
    seats: int
    taken: int
    watchers: int
    phase: TablePhase
    away: int = 0


class LobbyList(ToClient, frozen=True, array_like=True, tag=4):
    """A page of the tables that are open to all and awake, also those whose match is over, the newest first. `below`:
    ask with it for the next page; 0 after the last.
    """

    ref: int
    tables: tuple[TableInfo, ...]
    below: int = 0


class LobbyChange(ToClient, frozen=True, array_like=True, tag=5):
    """A table appeared or changed; with `gone` it left the list."""

    table: TableInfo
    gone: bool = False


class SeatInfo(Struct, frozen=True, array_like=True):
    """The player of a seat. `kind` away: its person is not connected; stand in: `bot` plays for that person. `bot`: the
    level of the bot that decides now, "" for none. Show an unknown level by its name. `reliability`: percent of the
    person's matches that they finished without leaving or running out of time, from 1 on; -1: too few yet; 0: none.
    `rating` of the person in this game, at rated tables, and its uncertainty, one standard deviation; both 0: none.
    """

    kind: SeatKind
    name: str = ""
    bot: str = ""
    reliability: int = NOT_COUNTED
    rating: int = 0
    uncertainty: int = 0


class Pledge(Struct, frozen=True, array_like=True):
    """Commitments for the dice: that of the server, and the number of each seat, empty if there is none."""

    commitment: bytes
    numbers: tuple[bytes, ...]


class TableState(ToClient, frozen=True, array_like=True, tag=6):
    """The table around the match; sent on entering and whenever it changes. `you`: your seat or -1. `advice`: whether
    players may ask for advice although other people play. `closed_hands`, `forward_only`, `unanimous` as in `Create`.
    `pace`: its clocks as they are at present. `pledge`: nil if the dice are not proven. `onlookers`: names of some
    spectators. `version`: of the rule set, by which the match is played to its end; 0 from servers that do not send it.
    `away`: as in `Create`. `host_number`: before the start, the host's
    seat counted from 1; 0 if the host has no seat. `lesson`: as in `Create`, "" for other tables.
    `rated`: as in `Create`; 0 once the match no longer counts.
    """

    match: str
    title: str
    ruleset: str
    options: dict[str, int]
    open: bool
    code: str
    phase: TablePhase
    you: int
    host: bool
    think: int
    takeover: int
    seats: tuple[SeatInfo, ...]
    watchers: int
    advice: bool = False
    closed_hands: bool = False
    pace: Pace | None = None
    pledge: Pledge | None = None
    forward_only: bool = False
    unanimous: bool = False
    onlookers: tuple[str, ...] = ()
    version: int = 0
    away: Away = Away.BOT
    host_number: int = 0
    lesson: str = ""
    rated: Rated = Rated.NO


class Presence(ToClient, frozen=True, array_like=True, tag=26):
    """A person came or went: in place of a `TableState`, for clients with "presence" in `Hello.can`. The player of
    `seat` is of that `kind` now, `bot` as in `SeatInfo`; the name is the same. `seat` -1: there are `watchers`
    spectators. Of the names in `TableState.onlookers`, remove those in `gone`; append those in `came` that are not
    there yet.
    """

    seat: int
    kind: SeatKind = SeatKind.FREE
    bot: str = ""
    watchers: int = 0
    came: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


class Seated(ToClient, frozen=True, array_like=True, tag=7):
    """You hold this seat; keep the token to resume. Older tokens of the seat are void. `ref` 0: you did not ask; your
    seat has another number since the host changed the number of seats.

    `command` is the highest that was accepted from this seat: number new actions above it.
    """

    ref: int
    match: str
    seat: int
    token: bytes
    command: int = 0


class Snapshot(ToClient, frozen=True, array_like=True, tag=8):
    """Your whole view at `version`; `undo` as in `Frame`."""

    version: int
    digest: int
    view: Raw
    undo: int = 0


class Back(Struct, frozen=True, array_like=True):
    """A return to the position of version `to`. `seat`: the seat that took its own action back; -1: all agreed."""

    seat: int
    to: int


class Frame(ToClient, frozen=True, array_like=True, tag=9):
    """Version `version` - 1 became `version`: patch your view with `delta`, check `digest`, show `events`. `undo`: how
    many of your own actions you may take back now, one after the other. `back`: an old position came back, without any
    action.
    """

    version: int
    digest: int
    delta: Raw
    events: tuple[Raw, ...]
    undo: int = 0
    back: Back | None = None


class SeatClock(Struct, frozen=True, array_like=True):
    """Milliseconds that a seat has left. `left`: until its time is up if it owes a decision; else as if it began one in
    its own turn. `bank` and `reserve`: their present value, without the time that a decision brings.
    """

    left: int
    bank: int
    reserve: int


class Clock(ToClient, frozen=True, array_like=True, tag=10):
    """The seats that owe a decision, and how many seconds are left for it (0: no clock). `clocks`: of each seat, if the
    table has any; `paused`: they stand still, and no action is accepted.
    """

    seats: tuple[int, ...]
    left: int
    clocks: tuple[SeatClock, ...] = ()
    paused: bool = False


class Said(ToClient, frozen=True, array_like=True, tag=11):
    """Chat. `seat` -1 for a spectator, -2 for the table itself."""

    seat: int
    name: str
    text: str


class Notice(ToClient, frozen=True, array_like=True, tag=12):
    """A message of the server to all clients, e.g. before it stops."""

    code: str
    text: str


class Left(ToClient, frozen=True, array_like=True, tag=13):
    """You are no longer at the table."""

    ref: int
    code: str
    text: str


class Line(Struct, frozen=True, array_like=True):
    """An earlier line of chat; fields as in `Said`."""

    seat: int
    name: str
    text: str


class Story(ToClient, frozen=True, array_like=True, tag=14):
    """Earlier events and chat for a client that enters without a position: sent once, after `Snapshot`.

    `events`: the last ones that this audience was shown, each with the version that it led to. `chat`: the last lines.
    `backs`: versions that led back, as in `Frame`.
    """

    events: tuple[tuple[int, Raw], ...]
    chat: tuple[Line, ...]
    backs: tuple[tuple[int, Back], ...] = ()


class Advice(ToClient, frozen=True, array_like=True, tag=15):
    """The strongest bot's action for `frame`, chosen from your view alone. `words`: the action in a sentence; `why`:
    one or two more. In both `{2}` stands for the player on seat 2. `sentences`: the same texts as encoded sentences,
    for clients that show another language.
    """

    ref: int
    frame: int
    action: Raw
    words: str
    why: tuple[str, ...]
    sentences: tuple[Raw, ...] = ()


class Span(Struct, frozen=True, array_like=True):
    """A field of an action and the least and the greatest number in it. An array counts by its length; its items have a
    `field` of their own: `leaders[]` are the items of `leaders`, `armies[][1]` is place 1 of each of `armies`. A bool
    is 0 or 1.
    """

    field: str
    low: int
    high: int


class Scope(Struct, frozen=True, array_like=True):
    """Actions with that `tag`, and the ranges of their fields in legal actions."""

    tag: int
    spans: tuple[Span, ...]


class Choices(ToClient, frozen=True, array_like=True, tag=27):
    """Legal actions for `frame`, made from your view alone: `actions`, in 4096 bytes at most. `complete`: there are no
    others, except other ways to say the same. Else they are a fair choice, with some of each kind. `space`: the kinds
    of which there are more, with ranges; all legal actions lie within them, and many that are not legal.

    With a filter, or a `start`, they are the next ones in a fixed order, and `complete` speaks of the filter. `next`:
    the `start` that brings further ones; 0 after the last. For clients with "labels" in `Hello.can`: `labels`, one for
    each action, and `forms` for kinds of which not all actions are listed. `odds`: of the battle under way, if this
    seat fights in it and it is small enough to count, else nil.
    """

    ref: int
    frame: int
    complete: bool
    actions: tuple[Raw, ...]
    space: tuple[Scope, ...] = ()
    next: int = 0
    labels: tuple[Label, ...] = ()
    forms: tuple[Form, ...] = ()
    odds: Chances | None = None


class Tried(ToClient, frozen=True, array_like=True, tag=34):
    """The action that you tried for `frame` is legal. `label`: of the action, for clients with "labels" in `Hello.can`,
    else nil. `odds`: for them, of the battle that it begins or leads into, if it is small enough to count, else nil.
    """

    ref: int
    frame: int
    label: Label | None = None
    odds: Chances | None = None


class Setting(Struct, frozen=True, array_like=True):
    """An option of a table: `Create.options` has a value for `key`, or leaves it at the `default`. `label` and `help`
    describe it. `ranges`: its values, as first and last of those that follow each other. `labels`: the names of some
    values; the others are called by their number.
    """

    key: str
    label: str
    help: str
    ranges: tuple[tuple[int, int], ...]
    labels: tuple[tuple[int, str], ...]
    default: int


class Amended(Struct, frozen=True, array_like=True):
    """An amendment of a rule set: its `number`, from 1 on, the `rule` that it changes, and its `text`. The last one
    makes the newest version; each version before has one less.
    """

    number: int
    rule: str
    text: str


class Description(ToClient, frozen=True, array_like=True, tag=28):
    """A rule set as a client shows it. `suits`: the kind of game, and the players that it suits. `options`: in the
    order of the view's field of that name, those first in which tables differ most. `amendments`: all of this version.
    `levels`: of bots, the weakest first, for `SetBot.kind`. `about_levels`: a sentence on what each is good at.
    """

    ref: int
    ruleset: str
    version: int
    title: str
    suits: str
    min_seats: int
    max_seats: int
    options: tuple[Setting, ...]
    amendments: tuple[Amended, ...] = ()
    levels: tuple[str, ...] = ()
    about_levels: tuple[str, ...] = ()


class Poll(ToClient, frozen=True, array_like=True, tag=17):
    """A vote of the people at the table; sent to all whenever it changes. `seat`: the seat that proposed it, -1: the
    spectator `motion.name`. `voters`:
    the seats that may vote; `ayes`, `noes`: those that voted for and against it; `needed`: number of ayes that carry
    it. `left`: seconds until it lapses. `awaited`: seats of absent players for which it waits. `missed`: it was decided
    while you were away.
    """

    number: int
    motion: Motion
    seat: int
    voters: tuple[int, ...]
    ayes: tuple[int, ...]
    noes: tuple[int, ...]
    needed: int
    left: int
    outcome: Outcome
    awaited: tuple[int, ...] = ()
    missed: bool = False


class Invited(ToClient, frozen=True, array_like=True, tag=16):
    """There is another table like this one, which is over. `seat` is held for you there: `Leave`, then `Resume` with
    `token`. Spectators (`seat` -1, no token) may `Watch` it by its `code`. `ref`: of your own `Rematch`, else 0;
    `name`: the person who asked for it. After `Compete`: `seat` is yours in a rated match that has begun, `name` is "".
    """

    ref: int
    match: str
    code: str
    seat: int
    token: bytes
    name: str


class Rank(Struct, frozen=True, array_like=True):
    """A seat's place in the end; `score`: what ranked it, in the rule set's own words."""

    seat: int
    rank: int
    score: str


class Result(ToClient, frozen=True, array_like=True, tag=31):
    """The match is over; sent at its end, and to clients that enter later. `ended`: the way in which it ended; `rounds`
    as the game counts them, `version`: the last one; `ranks`: of all seats, the best first.
    """

    match: str
    ended: Ending
    rounds: int
    version: int
    ranks: tuple[Rank, ...]


class Pong(ToClient, frozen=True, array_like=True, tag=25):
    """The server is there. `time`: milliseconds since 1970, by its own clock."""

    ref: int
    time: int


class PastMatch(Struct, frozen=True, array_like=True):
    """A finished match. `version`: of the rule set; `ended`: the date, in seconds since 1970, 0 if unknown; `rounds` as
    the game counts them, `length`: versions; `ranks`: the best first, empty if unknown; `you`: your seat or -1.
    """

    match: str
    title: str
    ruleset: str
    version: int
    seats: tuple[SeatInfo, ...]
    ended: int
    rounds: int
    length: int
    ranks: tuple[Rank, ...]
    you: int = -1
    closed_hands: bool = False


class PastList(ToClient, frozen=True, array_like=True, tag=20):
    """A page of finished matches, those that ended last first. `below`: ask with it for the next page; 0 after the
    last."""

    ref: int
    matches: tuple[PastMatch, ...]
    below: int = 0


class Introduced(ToClient, frozen=True, array_like=True, tag=21):
    """Your profile is open. `name` is yours here. `fresh`: your profile was made now."""

    ref: int
    name: str
    fresh: bool = False


class Membership(ToClient, frozen=True, array_like=True, tag=42):
    """Your state as a member. `name`: yours here. `member`: no other person can have it. `mail`: your
    address, "" for none. `waiting`: addresses whose codes are awaited. `sends`: the server can send codes by mail.
    `signed_in`: this device has got the profile of a member.
    """

    ref: int
    name: str
    member: bool
    mail: str = ""
    waiting: tuple[str, ...] = ()
    sends: bool = False
    signed_in: bool = False


class OwnDataPiece(ToClient, frozen=True, array_like=True, tag=43):
    """A piece of what is stored of you, from byte `at` on, of `total` bytes."""

    ref: int
    at: int
    total: int
    data: bytes


class Passage(ToClient, frozen=True, array_like=True, tag=22):
    """Type `code` on another device within so many `seconds`: it gets your profile."""

    ref: int
    code: str
    seconds: int


class Device(Struct, frozen=True, array_like=True):
    """A device of your profile. `name`: as it named itself. `since`, `seen`: seconds since its first visit, and since a
    visit at most an hour before its last one; -1: not known. `here`: you ask from it.
    """

    id: bytes
    name: str
    since: int
    seen: int
    here: bool = False


class DeviceList(ToClient, frozen=True, array_like=True, tag=38):
    """The devices of your profile, the newest last."""

    ref: int
    devices: tuple[Device, ...]


class Blocked(Struct, frozen=True, array_like=True):
    """A person on your list; fields as in `Block`, with the name that they have now."""

    name: str
    avoid: bool
    hide: bool


class Blocks(ToClient, frozen=True, array_like=True, tag=44):
    """Your list, and `here`: names at this table whose chat, and whose names among the spectators, you hide. `ref` 0:
    you did not ask; sent to clients with "blocks" in `Hello.can`, before the chat, and when such a person comes.
    """

    ref: int
    people: tuple[Blocked, ...]
    here: tuple[str, ...] = ()


class Notifying(ToClient, frozen=True, array_like=True, tag=37):
    """Your notices as they are set now. `ways`: those that this server has ("push", "ntfy", "discord", "mail").
    `waiting`: a mail address whose code is still awaited, "" for none. `devices`: number of devices that are alerted by
    push.
    """

    ref: int
    settings: NoticeSettings
    ways: tuple[str, ...] = ()
    waiting: str = ""
    devices: int = 0


class Holding(Struct, frozen=True, array_like=True):
    """A seat of yours. `seat` -1: the match is kept, but the server knows no more of it now. `owed`: the seats that
    must decide, `since`: for how many seconds (-1: not known), `left`: how many seconds they still have (0: no clock).
    `unread`: lines of other players since you were there. `known`: it belongs to your profile; its secret opens it.
    """

    match: str
    title: str
    ruleset: str
    seat: int
    phase: TablePhase
    seats: tuple[SeatInfo, ...] = ()
    owed: tuple[int, ...] = ()
    since: int = -1
    left: int = 0
    unread: int = 0
    known: bool = False


class Hooked(ToClient, frozen=True, array_like=True, tag=24):
    """To the host alone: the table sends alerts outside of the game in that `form`, "" for none. `failed`: an alert
    could not be delivered. `ref` 0: you did not ask.
    """

    ref: int
    form: str
    failed: bool = False


class Holdings(ToClient, frozen=True, array_like=True, tag=23):
    """Your seats here. If a match that you asked about is missing, it keeps no seat for you."""

    ref: int
    seats: tuple[Holding, ...]


class Recalled(ToClient, frozen=True, array_like=True, tag=19):
    """A piece of a match's film or record, from byte `at` of `total`; ask with the end of it for the next. `upto`: the
    version to which the whole goes, to be asked with as well.
    """

    ref: int
    kind: Recollection
    upto: int
    at: int
    total: int
    data: bytes


class Proof(ToClient, frozen=True, array_like=True, tag=18):
    """The match is over: the inputs of the dice. `secret` and `key` belong to the commitment; `signature` is that of
    the whole match, whose log has the last check `check`: 64 bytes of Ed25519, or 2144 of hashes where the match began
    at a server before version 0.2.
    """

    match: str
    secret: bytes
    key: bytes
    check: bytes
    signature: bytes


class HandShown(ToClient, frozen=True, array_like=True, tag=29):
    """To a player: the `code` by which another device reads their hand; "" and 0 if there is none. `seconds`: how long
    it is good unless it is used before. `readers`: how many devices may read along. `ref` 0: you did not ask; a device
    came or went.
    """

    ref: int
    code: str
    seconds: int
    readers: int


class Reading(ToClient, frozen=True, array_like=True, tag=30):
    """You read along the view of `seat` in that match. `token`: opens the same again, and nothing else."""

    ref: int
    match: str
    seat: int
    token: bytes


class Narrated(ToClient, frozen=True, array_like=True, tag=33):
    """Sentences for events and for the decision owed, for clients with "sentences" in `Hello.can`.

    `version`: that of the position. `lines`: for each event in its order the version that it led to and its sentence,
    nil for events that need none; a `Frame.back` has a line of its own. `prompt`: the decision that is owed at
    `version`, nil if the players agreed to end the match. `since`: if the reader's turn began with `version`, what
    happened since their last turn, the greatest loss first, each with the version that it began with.
    """

    version: int
    lines: tuple[tuple[int, Sentence | None], ...]
    prompt: Prompt | None = None
    since: tuple[tuple[int, Sentence], ...] = ()


class Coaching(ToClient, frozen=True, array_like=True, tag=58):
    """The words of a lesson or a problem at present. `place`: of the step that waits, of `steps`. `words`: one sentence
    after the other; in a lesson they lead to one action. `remark`: about the last action, and in a problem the verdict
    on it; "" for none. `spaces` of the board that are meant; `kinds`: tags of the actions that are meant. `reads`: the
    step waits until you have read it. `hint`, `solution`: of a problem; its `spaces` belong to the solution. `solved`:
    the action solves it. `least`: the least number for fields of the action that is meant, each with its index.
    """

    ref: int
    place: int
    steps: int
    words: tuple[Value, ...]
    remark: Value = ""
    spaces: tuple[int, ...] = ()
    kinds: tuple[int, ...] = ()
    reads: bool = False
    hint: Value = ""
    solution: Value = ""
    solved: bool = False
    least: tuple[tuple[int, int], ...] = ()


class AbsentSeat(Struct, frozen=True, array_like=True):
    """A seat whose player has been away for `since` seconds. `left`: seconds until a bot plays (`Away` 0), or until
    questions about the seat no longer wait for its player (`Away` 1); 0: not counted, or over. `turn`: a bot plays for
    the turn in progress only.
    """

    seat: int
    since: int
    left: int
    turn: bool = False


class Absent(ToClient, frozen=True, array_like=True, tag=36):
    """All seats of absent players, while a match is played that is not by post; for clients with "absence" in
    `Hello.can`. Sent to clients that enter, and to all whenever players go or come back, or bots begin or end to play
    for them.
    """

    seats: tuple[AbsentSeat, ...]


class Packed(ToClient, frozen=True, array_like=True, tag=32):
    """Another message of the server, shorter, for clients with "packed" in `Hello.can`. `data`: its bytes as a zlib
    stream.
    """

    data: bytes


class WaitingTable(Struct, frozen=True, array_like=True):
    """People who wait together for a table of any of these kinds. `games`, `seats`, `pace` as in `TableWish`. `since`:
    seconds for which the first has waited. `bots`: seconds until bots take the free seats, -1 for never.
    `reliability`: of each person, as in `SeatInfo`.
    """

    games: tuple[str, ...]
    seats: tuple[int, ...]
    pace: Pace | None
    names: tuple[str, ...]
    since: int
    bots: int = -1
    reliability: tuple[int, ...] = ()


class Waiting(ToClient, frozen=True, array_like=True, tag=39):
    """All who wait for tables, the fullest tables first, for clients with "seeks" in `Hello.can`. Sent after
    `OpenLobby`, and with the list of tables whenever it changes. `more`: how many tables are left out.
    """

    tables: tuple[WaitingTable, ...]
    more: int = 0


class Seeking(ToClient, frozen=True, array_like=True, tag=40):
    """Your wishes at present, all of your devices'. `ref`: of your own `Seek`, else 0. `code`: why they
    ended: "begun" (a match of yours began), "late" (you did not come to a table in time), "" for any other reason.
    """

    ref: int
    wishes: Wishes
    code: str = ""


class Summons(ToClient, frozen=True, array_like=True, tag=41):
    """A table is found: `Confirm` with its `number` within `left` seconds, or you lose the place. Sent again whenever
    a person confirms or is lost. `names` of the people, and whether each has confirmed (`here`); `you`: your place
    among them. Bots take the other seats. When all have confirmed, `match` is the table's id: `Leave` yours, and
    `Resume` there with your profile's secret. Without names, the table is not complete any more: you wait as before.
    """

    number: str
    ruleset: str
    seats: int
    pace: Pace | None
    names: tuple[str, ...] = ()
    here: tuple[bool, ...] = ()
    you: int = 0
    left: int = 0
    match: str = ""


class PublicAddress(ToClient, frozen=True, array_like=True, tag=35):
    """The server's address for clients outside of its local network. Sent after `Welcome` if the server knows it, and
    when it changes. `url`: a WebSocket address, "" if there is none. `report`: an English sentence on what keeps the
    server from being reached, for clients on its own computer only.
    """

    url: str
    report: str = ""


ServerMessage = (
    Welcome | Refused | Done | Accepted | LobbyList | LobbyChange | TableState | Seated | Snapshot | Frame | Clock
    | Said | Notice | Left | Story | Advice | Invited | Poll | Proof | Recalled | PastList | Introduced | Passage
    | Hooked | Holdings | HandShown | Reading | Choices | Description | Presence | Pong | Result
    | Packed | Narrated | Tried | PublicAddress | Absent | Notifying | DeviceList | Membership | OwnDataPiece
    | Waiting | Seeking | Summons | Blocks | Coaching
)  # fmt: skip
