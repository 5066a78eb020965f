"""Transfer of a kept match from a running server to a command, part by part."""

import base64
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from server.storage.port import Store, StoreError
from server.tools.control import Answer
from shared.tables import TablePhase

READ: Final = "read"
"""Command to a running server: read a part of a match as it is kept."""
AT_ONCE: Final = 128
"""Entries that are read at once; saving has to wait that long."""
PART: Final = 16 * 1024
"""Bytes of entries in one answer, unless a single entry is longer."""


async def read_part(store: Store, arguments: Mapping[str, Any]) -> Answer:
    """Handle `READ` in the server: return the table, and entries from number `first` on. Raises StoreError,
    ValueError."""
    match, first = str(arguments.get("match", "")), int(arguments.get("first", 1))
    kept = await store.look(match)
    if kept is None:
        raise StoreError(f"Match {match} does not exist; check its id and --data.")
    entries: list[str] = []
    size = 0
    for entry in await store.read(match, first, AT_ONCE):
        size += len(entry)
        if entries and size > PART:
            break
        entries.append(base64.b64encode(entry).decode())
    # The chat is private, and the secret of the dice would reveal future rolls.
    root = kept.table.root if kept.table.phase == TablePhase.OVER else b""
    table = msgspec.msgpack.encode(msgspec.structs.replace(kept.table, talk=[], root=root))
    return {"table": base64.b64encode(table).decode(), "total": kept.version, "entries": entries}
