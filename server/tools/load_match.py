"""Load a recorded match into the store to be continued: the first seat for a person, bots on the others."""

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Final

from protocol import codec
from server.matches.seating import SeatHolder
from server.storage.port import FIRST_EPOCH, ChairRecord, Store, TableRecord
from server.tools.recording import Broken, Recording, replay
from shared.history import GENESIS, Entry
from shared.kernel.ruleset import AnyRuleset
from shared.kernel.versions import rules_of
from shared.levels import EASY
from shared.tables import TablePhase

SEAT: Final = 0
"""Seat of the person."""
TITLE: Final = "A lesson"


async def lay_out(store: Store, rulesets: Mapping[str, AnyRuleset], recording: Recording, name: str) -> str:
    """Keep a recording as a match, and return a JSON line with its seat and key, as the command `seats` prints.

    Raises ValueError if it is of other rules or these refuse its actions. Raises StoreError if nothing was kept.
    """
    rules = rules_of(rulesets, recording.ruleset, recording.version)
    try:
        replay(rules, recording)
    except Broken as error:
        raise ValueError(f"The recorded match cannot be loaded: {error}.") from None
    record = _record(rules, recording, name)
    token = SeatHolder(record.chairs[SEAT]).offer_token()
    await store.create(record)
    await store.append(record.match, FIRST_EPOCH, GENESIS, entries(recording), None)
    return json.dumps({"match": record.match, "seat": SEAT, "token": token.hex()})


def entries(recording: Recording) -> Sequence[Entry]:
    """Return the log as a store keeps it."""
    return [Entry(n, seat, 0, 0, codec.encode(action)) for n, (seat, action) in enumerate(recording.log, 1)]


def _record(rules: AnyRuleset, recording: Recording, name: str) -> TableRecord:
    chairs = [ChairRecord(bot=EASY) for _ in range(recording.seats)]
    chairs[SEAT] = ChairRecord(name=name)
    return TableRecord(
        match=secrets.token_hex(6),
        ruleset=rules.id,
        version=rules.version,
        options=recording.options,
        title=TITLE,
        open=False,
        code=secrets.token_hex(8).upper(),
        think=0,
        takeover=0,
        chairs=chairs,
        host=SEAT,
        phase=TablePhase.PLAYING,
    )
