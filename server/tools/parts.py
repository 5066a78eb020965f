"""How a running server hands a match to a command: part by part, as it is kept."""

import base64
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from server.storage.port import Store, StoreError
from server.tools.control import Answer
from shared.tables import TablePhase

READ: Final = "read"
"""To a running server: a part of a match, as it is kept."""
AT_ONCE: Final = 128
"""Entries that are read at once: whoever wants to save something waits that long."""
PART: Final = 16 * 1024
"""Bytes of entries in one answer, unless one alone is longer."""


async def read_part(store: Store, arguments: Mapping[str, Any]) -> Answer:
    """The server's side of `READ`: the table, and entries from number `first` on. Raises StoreError, ValueError."""
    match, first = str(arguments.get("match", "")), int(arguments.get("first", 1))
    kept = await store.look(match)
    if kept is None:
        raise StoreError(f"There is no match {match}.")
    entries: list[str] = []
    size = 0
    for entry in await store.read(match, first, AT_ONCE):
        size += len(entry)
        if entries and size > PART:
            break
        entries.append(base64.b64encode(entry).decode())
    # Nobody needs what was said, nor the promise of dice that are still to be rolled.
    root = kept.table.root if kept.table.phase == TablePhase.OVER else b""
    table = msgspec.msgpack.encode(msgspec.structs.replace(kept.table, talk=[], root=root))
    return {"table": base64.b64encode(table).decode(), "total": kept.version, "entries": entries}
