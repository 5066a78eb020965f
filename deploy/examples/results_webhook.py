"""A webhook of results: python results_webhook.py ADDRESS CODE URL

It plays a match at our normal level, then posts its ranking to the URL as JSON. Needs conquest-empire[wire].
"""

import signal

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # as SIGTERM: an exception within an import would print a traceback

import asyncio
import json
import sys
import urllib.request

import conquest
from conquest import client


async def main(address: str, code: str, url: str) -> None:
    """Play a match to its end and post the ranking."""
    bot = conquest.player("normal")
    async with client.connect(address, code=code, name="Reporter") as table:
        try:
            async for view in table.turns():
                await table.play(bot.decide(view, view.legal()))
        except asyncio.CancelledError:  # Ctrl-C or SIGTERM: leave, so that no player waits.
            await table.leave()
            raise
        ranking = [{"rank": place.rank, "name": place.name, "score": place.score} for place in table.result()]
    await asyncio.to_thread(post, url, {"event": "over", "game": table.rules.id, "ranking": ranking})


def post(url: str, report: dict[str, object]) -> None:
    """Send a report."""
    data = json.dumps(report).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10):
        pass


if __name__ == "__main__":
    client.run(main(*sys.argv[1:4]))
