"""A recorded match that is laid out is gone on with by the person who is told of it."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.delivery.peer import Peer
from server.lobby.lesson_tables import SEAT
from server.storage.sqlite import SqliteStore
from server.tools.recording import Recording, lay_out, read
from shared.levels import EASY
from shared.messages import Resume, Seated, Snapshot, TableState
from shared.rulesets.registry import RULESETS
from shared.tables import SeatKind, TablePhase
from tests.play.lessons import path_of
from tests.server.fakes import FakeLink
from tests.server.lobby_harness import link, open_lobby


@pytest.fixture
def recording() -> Recording:
    return read(path_of("classic"))


async def test_the_named_person_continues_it(tmp_path: Path, recording: Recording) -> None:
    store = await SqliteStore.open(tmp_path / "db")
    told = json.loads(await lay_out(store, RULESETS, recording, "Livia"))
    await store.close()
    async with open_lobby(tmp_path, rules=RULESETS["classic"]) as h:
        peer = Peer(FakeLink(), "Livia")
        seated = await h.ask(peer, Resume(1, told["match"], bytes.fromhex(told["token"])), Seated)
        assert seated.seat == told["seat"] == SEAT
        table = link(peer).last(TableState)
        assert (table.ruleset, table.phase, table.open) == ("classic", TablePhase.PLAYING, False)
        assert [(info.kind, info.name or info.bot) for info in table.seats] == [
            (SeatKind.PERSON, "Livia"), (SeatKind.BOT, EASY)
        ]  # fmt: skip
        assert link(peer).last(Snapshot).version == len(recording.log)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"ruleset": "ludo"}, "The rule set ludo cannot be played here"),
        ({"version": 0}, "begun with version 0 of its rules"),
        ({"log": [(1, [13])]}, "cannot be loaded: after 1 of 1 actions"),
    ],
)
async def test_actions_refused_by_these_rules_are_not_stored(
    tmp_path: Path, recording: Recording, changes: dict[str, object], why: str
) -> None:
    store = await SqliteStore.open(tmp_path / "db")
    with pytest.raises(ValueError, match=why):
        await lay_out(store, RULESETS, replace(recording, **changes), "Livia")
    assert await store.unfinished() == []
    await store.close()
