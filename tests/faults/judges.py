"""Comparison of what the clients of a table saw with what the database stored."""

from collections.abc import Sequence
from functools import reduce
from typing import Final

import msgspec
from msgspec import Struct

from protocol import codec, delta
from server.cluster.postgres.store import PostgresStore
from server.storage.port import TableRecord
from shared.history import GENESIS, Course, Entry, chain
from tests.faults.nodes import DATABASE, World
from tests.faults.party import Onlooker, Party, Player, Viewer
from tests.faults.talk import Talk

ALL: Final = 1_000_000
UNDECIDED: Final = ("no-table", "rate")
"""Codes of refusals after which a client repeats the action, since it was not judged."""


class Kept(Struct, frozen=True):
    """Match as the database has it."""

    seats: int
    options: dict[str, int]
    entries: list[Entry]


class Verdict(Struct):
    """Counters of a run, and its faults.

    Faults are: actions that were acknowledged and are missing in the log or there twice; refused actions in the log;
    seats whose players have no valid token; logs that are not one chain, or not written by their owners; views that do
    not follow from the log. `gone`: acknowledged lines of chat that are not stored; only those less than a second older
    than a fault may be lost. `replaced`: players' connections that were closed because another one took the seat,
    though no other client has the token."""

    acknowledged: int = 0
    entries: int = 0
    views: int = 0
    lines: int = 0
    gone: int = 0
    replaced: int = 0
    lost: list[str] = []
    doubled: list[str] = []
    refused: list[str] = []
    seats: list[str] = []
    forks: list[str] = []
    digests: list[str] = []
    unsaid: list[str] = []
    others: list[str] = []

    @property
    def wrong(self) -> list[str]:
        """Return all faults."""
        actions = (*self.lost, *self.doubled, *self.refused)
        return [*actions, *self.seats, *self.forks, *self.digests, *self.unsaid, *self.others]

    def add(self, other: "Verdict") -> None:
        """Add the counters of another verdict."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


async def judged(world: World, party: Party, faults: Sequence[tuple[float, float]]) -> Verdict:
    """Judge a match in which the players have stopped. `faults`: begin of each, and the time at which all went on after
    it."""
    verdict = Verdict()
    kept = await _kept(world, party.match, verdict)
    for seat, player in enumerate(party.players):
        _judge_answers(player, seat, kept.entries, verdict)
    _judge_views(party, kept, verdict)
    await look_at_talk(world, party)
    for player in party.players:
        _judge_talk(player.talk, faults, verdict)
    verdict.entries = len(kept.entries)
    verdict.others += [words for viewer in party.viewers for words in viewer.wrong]
    verdict.others += [
        f"{player.name} was refused: {each.text}"
        for player in party.players
        for each in player.refusals
        if each.code == "server-error"
    ]
    return verdict


async def _kept(world: World, match: str, verdict: Verdict) -> Kept:
    """Read the log, and check its chain and the owners that wrote it."""
    store = await PostgresStore.open(world.postgres.url(DATABASE))
    try:
        glance, blobs = await store.look(match), await store.read(match, 1, ALL)
    finally:
        await store.close()
    assert glance is not None
    (head,) = await world.ask("SELECT n, chk FROM matches WHERE match = $1", match)
    if (head["n"], head["chk"]) != (len(blobs), reduce(chain, blobs, GENESIS)):
        verdict.forks.append(f"the log of {match} has {len(blobs)} entries, which are not those of its head {head}")
    verdict.forks += [row["words"] for row in await world.ask("SELECT * FROM proof.wrong WHERE match = $1", match)]
    query = "SELECT epoch FROM proof.holders WHERE match = $1 ORDER BY id"
    epochs = [row["epoch"] for row in await world.ask(query, match)]
    if epochs != sorted(set(epochs)):
        verdict.forks.append(f"epochs of {match} did not always rise: {epochs}")
    table = glance.table
    return Kept(len(table.chairs), table.options, [msgspec.msgpack.decode(blob, type=Entry) for blob in blobs])


def _judge_answers(player: Player, seat: int, entries: list[Entry], verdict: Verdict) -> None:
    mine = [entry for entry in entries if entry.seat == seat and entry.command]
    logged = {entry.command: entry for entry in mine}
    if len(logged) != len(mine):
        verdict.doubled.append(f"a command of {player.name} acted twice")
    for command, version in player.accepted.items():
        verdict.acknowledged += 1
        entry = logged.get(command)
        if entry is None or (entry.n, entry.action) != (version, player.sent[command]):
            verdict.lost.append(f"command {command} of {player.name}, acknowledged as {version}, is not in the log")
    for refusal in player.refusals:
        done = logged.get(refusal.ref)
        if done is not None and refusal.code not in UNDECIDED:
            verdict.refused.append(
                f"command {refusal.ref} of {player.name}, refused ({refusal.code}), is entry {done.n}"
            )
        if refusal.code == "bad-token":
            verdict.seats.append(f"{player.name} lost the seat")
    verdict.replaced += player.replaced
    strange = sorted(set(logged) - set(player.sent))
    verdict.others += [f"command {command} of {player.name} was never sent" for command in strange]


async def look_at_talk(world: World, party: Party) -> None:
    """Note which lines of chat are stored. A record holds the last hundred, so this is called from time to time."""
    (row,) = await world.ask("SELECT record FROM matches WHERE match = $1", party.match)
    stored = [line.text for line in msgspec.msgpack.decode(row["record"], type=TableRecord).talk]
    for player in party.players:
        player.talk.look(stored)


def _judge_talk(talk: Talk, faults: Sequence[tuple[float, float]], verdict: Verdict) -> None:
    talk.owe_before(faults)
    verdict.lines += len(talk.acknowledged)
    verdict.gone += talk.gone
    verdict.unsaid += [f'the line "{text}" was acknowledged and is not stored' for text in talk.lost]


def _judge_views(party: Party, kept: Kept, verdict: Verdict) -> None:
    """Replay the log and compare each version with the views of all clients."""
    left = {viewer.name: dict(viewer.seen) for viewer in party.viewers}
    _judge_view(party, Course(party.rules, kept.seats, kept.options).state, 0, left, verdict)
    for passed in Course(party.rules, kept.seats, kept.options).follow(kept.entries):
        _judge_view(party, passed.state, passed.entry.n, left, verdict)
    verdict.digests += [
        f"{name} saw version {version}, which is not in the log" for name, seen in left.items() for version in seen
    ]


def _judge_view(party: Party, state: object, n: int, left: dict[str, dict[int, int]], verdict: Verdict) -> None:
    truth: dict[int | None, int] = {}
    for viewer in party.viewers:
        seen = left[viewer.name].pop(n, None)
        if seen is not None:
            eyes = _eyes(viewer)
            if eyes not in truth:
                truth[eyes] = delta.digest(codec.encode(party.rules.view(state, eyes)))
            verdict.views += 1
            if seen != truth[eyes]:
                verdict.digests.append(f"{viewer.name} saw something else at version {n}")


def _eyes(viewer: Viewer) -> int | None:
    return None if isinstance(viewer, Onlooker) else viewer.client.session.seat
