"""A client's part in the dice: given once it saw the commitment, and watched from then on."""

from msgspec import structs

from protocol import codec
from protocol.dice_commitment import Doubt
from protocol.session import ClientSession
from server.storage.port import DiceRoot
from server.storage.promise import promise
from shared import proof
from shared.messages import Number, Pledge, Proof, Refused, Seated, SeatInfo, ServerMessage, TableState, Welcome
from shared.tables import SeatKind, TablePhase

MADE = promise(DiceRoot(b"r" * 32))
BOUND = proof.commitment(MADE.secret, MADE.key)
MINE = b"m" * 32
BOB = SeatInfo(SeatKind.PERSON, "Bob")
GATHERING = TableState(
    "m1", "T", "classic", {}, True, "AAAAAA", TablePhase.GATHERING, 1, False, 0, 0, (BOB, BOB), 0, False,
    pledge=Pledge(BOUND, (b"", b"")),
)  # fmt: skip
GIVEN = structs.replace(GATHERING, pledge=Pledge(BOUND, (b"", MINE)))
PLAYING = structs.replace(GIVEN, phase=TablePhase.PLAYING)


def session() -> ClientSession:
    made = ClientSession("Ann", roll=lambda: MINE)
    made.connect()
    hear(made, Welcome(1, "Ann", "s", (), ("proof",)))
    hear(made, Seated(1, "m1", 1, b"t" * 32))
    return made


def hear(client: ClientSession, message: ServerMessage) -> list[Number]:
    """Return the numbers that the client sends in answer."""
    said = [codec.decode_client(reply) for reply in client.receive(codec.encode(message)).replies]
    return [each for each in said if isinstance(each, Number)]


def test_a_number_is_given_once_the_commitment_was_seen() -> None:
    client = session()
    (number,) = hear(client, GATHERING)
    assert number.number == MINE
    assert not hear(client, GATHERING), "it is on its way"
    assert not hear(client, GIVEN) and not hear(client, PLAYING)
    assert client.stake.doubt is Doubt.NONE and client.stake.commitment == BOUND


def test_it_is_given_again_where_it_may_not_have_arrived() -> None:
    client = session()
    hear(client, GATHERING)
    client.connect()
    assert [number.number for number in hear(client, GATHERING)] == [MINE]
    client.connect()
    assert not hear(client, GIVEN)
    assert not hear(client, PLAYING)


def test_it_moves_with_its_seat() -> None:
    client = session()
    hear(client, GATHERING)
    moved = structs.replace(PLAYING, you=0, pledge=Pledge(BOUND, (MINE, b"")))
    hear(client, moved)
    assert client.stake.doubt is Doubt.NONE


def test_spectators_and_diceless_matches_give_no_number() -> None:
    assert not hear(session(), structs.replace(GATHERING, you=-1))
    silent = ClientSession("Ann")
    silent.connect()
    assert not hear(silent, GATHERING)
    hear(silent, structs.replace(PLAYING, pledge=GATHERING.pledge))
    assert silent.stake.doubt is Doubt.NONE


def test_a_server_that_promises_nothing_is_asked_for_nothing() -> None:
    client = session()
    assert not hear(client, structs.replace(GATHERING, pledge=None))
    assert not hear(client, structs.replace(PLAYING, pledge=None))
    assert client.stake.doubt is Doubt.NONE


def test_another_commitment_is_noticed() -> None:
    for changed in (Pledge(b"x" * 32, (b"", MINE)), None):
        client = session()
        hear(client, GATHERING)
        hear(client, structs.replace(PLAYING, pledge=changed))
        assert client.stake.doubt is Doubt.CHANGED


def test_a_number_that_does_not_count_is_noticed() -> None:
    client = session()
    hear(client, GATHERING)
    hear(client, structs.replace(PLAYING, pledge=GATHERING.pledge))
    assert client.stake.doubt is Doubt.LEFT_OUT


def test_a_refusal_of_the_number_is_not_shown_as_one_of_the_player() -> None:
    client = session()
    (number,) = hear(client, GATHERING)
    assert client.receive(codec.encode(Refused(number.ref, "started", "", "The match has begun."))).message is None
    shown = client.receive(codec.encode(Refused(number.ref + 1, "started", "", "The match has begun."))).message
    assert isinstance(shown, Refused)


def test_a_published_secret_is_checked_against_the_commitment() -> None:
    for secret, doubt in ((MADE.secret, Doubt.NONE), (b"x" * 32, Doubt.BROKEN)):
        client = session()
        hear(client, GATHERING)
        hear(client, Proof("m1", secret, MADE.key, bytes(16), b""))
        assert client.stake.doubt is doubt


def test_dice_facts_of_an_earlier_run_are_checked_too() -> None:
    for table, doubt in (
        (PLAYING, Doubt.NONE),
        (structs.replace(PLAYING, pledge=GATHERING.pledge), Doubt.LEFT_OUT),
        (structs.replace(PLAYING, pledge=Pledge(b"x" * 32, (b"", MINE))), Doubt.CHANGED),
    ):
        client = session()
        client.stake.restore("m1", BOUND, MINE)
        assert not hear(client, table)
        assert client.stake.doubt is doubt
    client = session()
    client.stake.restore("m1", BOUND, MINE)
    assert not hear(client, GIVEN) and [each.number for each in hear(client, GATHERING)] == [MINE]


def test_every_match_has_a_stake_of_its_own() -> None:
    client = session()
    hear(client, GATHERING)
    other = structs.replace(GATHERING, match="m2", pledge=Pledge(b"y" * 32, (b"", b"")))
    client.connect()
    assert len(hear(client, other)) == 1
    assert client.stake.doubt is Doubt.NONE and client.stake.commitment == b"y" * 32
