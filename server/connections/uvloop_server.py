"""uvloop that serves our listening sockets with our own server."""

from typing import Any

import uvloop

from server.connections.gated_server import GatedServer
from server.connections.listener import Listener


class UvLoop(uvloop.Loop):
    """uvloop that serves our listening sockets with our own server."""

    async def create_server(self, protocol_factory: Any, *args: Any, **options: Any) -> Any:
        """See asyncio.AbstractEventLoop."""
        listener = options.get("sock")
        if isinstance(listener, Listener):
            return GatedServer(self, protocol_factory, listener, options["backlog"])
        return await super().create_server(protocol_factory, *args, **options)
