"""Whole matches as a server keeps them: with frames and commands, steps back, and dice by the proof."""

import random
from collections.abc import Mapping

import msgspec

from protocol import codec
from protocol.record import Record
from server.bots.policy import play_normal, play_random
from server.matches.match import AcceptedAction, Match
from server.storage.export import record_of, signed
from server.storage.port import ChairRecord, DiceRoot, TableRecord
from server.storage.promise import promise
from shared import levels
from shared.history import GENESIS, Deed, Entry, chain
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.proof import Lots
from shared.refusal import Refusal
from shared.tables import TablePhase

BEGUN = 1_700_000_000


def played(
    rules: AnyRuleset,
    seats: int,
    options: Mapping[str, int],
    seed: int,
    decisions: int = 10**6,
    backs: bool = True,
    root: type[DiceRoot | bytes] = DiceRoot,
) -> Record:
    """Return a match of sensible and random bots; the last seat is the server's own bot. A match that is cut ends by
    consent. With `root` bytes, it is signed as before version 0.2."""
    rng = random.Random(f"{rules.id}:{seats}:{seed}")
    chosen = engine.checked_options(rules, seats, options)
    chairs = [ChairRecord(f"Person {seat}", number=rng.randbytes(32)) for seat in range(seats - 1)]
    chairs[-1].number = b""
    chairs.append(ChairRecord(bot=levels.NORMAL))
    table = TableRecord(
        "m" + rng.randbytes(5).hex(), rules.id, rules.version, chosen, "Ides", True, "AAAAAA", 0, 0, chairs,
        phase=TablePhase.OVER, root=root(rng.randbytes(32)), started=BEGUN, ended=BEGUN + 3600,
    )  # fmt: skip
    entries = list(_entries(rules, table, rng, decisions, backs))
    log = [msgspec.msgpack.encode(entry) for entry in entries]
    check = GENESIS
    for each in log:
        check = chain(check, each)
    table.signature = signed(table, check)
    return record_of(table, log, check)


def _entries(rules: AnyRuleset, table: TableRecord, rng: random.Random, decisions: int, backs: bool) -> list[Entry]:
    made = promise(table.root)
    seats = len(table.chairs)
    match = Match(
        rules, seats, table.options, Lots(made.secret, made.key, table.match, [c.number for c in table.chairs])
    )
    found: list[Entry] = []
    commands = [0] * seats

    def keep(step: object) -> None:
        assert isinstance(step, AcceptedAction), step
        match.commit(step)
        found.extend(step.entries)

    if (first := match.chance()) is not None:
        keep(first)
    for n in range(decisions):
        if match.finished:
            return found
        seat = rng.choice(match.owed)
        if backs and n % 13 == 12:
            back = match.undo(found[-1].seat, match.version)
            if isinstance(back, AcceptedAction):
                keep(back)
                continue
            assert isinstance(back, Refusal)
        policy = play_random if rng.random() < 1 / 4 else play_normal
        action = policy(rules, rules.view(match.state, seat), seat, rng)
        command = 0
        if not table.chairs[seat].bot:
            commands[seat] += rng.randrange(1, 3)
            command = commands[seat]
        frame = 0 if isinstance(action, rules.standing.kinds) else match.frame
        keep(match.submit(seat, command, frame, codec.encode(action)))
    return [*found, Entry(len(found) + 1, -1, 0, 0, b"", Deed.END)]
