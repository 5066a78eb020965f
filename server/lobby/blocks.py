"""Wishes of people about other people: not to sit with them, not to hear them. The others are not told."""

from typing import Final

from msgspec import structs

from server.clock import Clock
from server.delivery.peer import Peer
from server.lobby.profiles import NOT_INTRODUCED, Profiles
from server.matches.moderation import Moderation
from server.rate_limits import Budget, Rate
from server.storage.port import BlockRecord
from shared.messages import Block, Blocked, Blocks
from shared.refusal import Refusal

MOST: Final = 200
"""Limit of a person's list; the oldest entry goes first."""
CHANGES: Final = Rate(0.2, 20.0)
"""Rate at which a person may change their list."""
_NOT_KNOWN: Final = Refusal("no-person", "", "They have no profile here: only your device can hide what they say.")
_YOURSELF: Final = Refusal("no-person", "", "That is you.")
_TOO_FAST: Final = Refusal("rate", "", "You changed your list too often; try again in a minute.")


class BlockLists:
    """The lists of all people of this server, which their profiles hold."""

    def __init__(self, people: Profiles, clock: Clock, moderation: Moderation) -> None:
        self._moderation = moderation
        self._people = people
        self._changed = Budget(CHANGES, clock.now)

    async def hear(self, peer: Peer, message: Block) -> None:
        """Handle `Block` of a peer without a table. Raises StoreError."""
        refusal = await self.block(peer, "", message)
        return peer.refuse(message.ref, refusal) if refusal is not None else self.tell(peer, message.ref, ())

    async def block(self, peer: Peer, person: str, message: Block) -> Refusal | None:
        """Set what a peer wishes of a person, "" for the one of that name on the list. Raises StoreError."""
        own = self._people.record(peer.person)
        if own is None:
            return NOT_INTRODUCED
        if not message.name:
            return None
        listed = [block.person for block in own.blocks if self._name(block.person) == message.name]
        other = person or next(iter(listed), "")
        if not other or other == own.person:
            return _YOURSELF if other else _NOT_KNOWN
        if not self._changed.take(own.person):
            return _TOO_FAST
        blocks = tuple([block for block in own.blocks if block.person != other and self._name(block.person)])
        if message.avoid or message.hide:
            blocks = (*blocks, BlockRecord(other, message.avoid, message.hide))[-MOST:]
        await self._people.keep(structs.replace(own, blocks=blocks))
        return None

    def may_meet(self, one: str, other: str) -> bool:
        """Whether the server may seat two people together: neither avoids the other, and neither is banned."""
        for person, partner in ((one, other), (other, one)):
            record = self._people.record(person)
            if self._moderation.ban_of(person) is not None or record is None:
                return False
            if any(block.avoid and block.person == partner for block in record.blocks):
                return False
        return True

    def tell(self, peer: Peer, ref: int, here: tuple[str, ...]) -> None:
        """Tell a peer its list, and the names at its table that it hides."""
        own = self._people.record(peer.person)
        named = [(self._name(block.person), block) for block in (own.blocks if own is not None else ())]
        people = tuple([Blocked(name, block.avoid, block.hide) for name, block in named if name])
        peer.tell(Blocks(ref, people, here))

    def _name(self, person: str) -> str:
        known = self._people.record(person)
        return known.name if known is not None else ""
