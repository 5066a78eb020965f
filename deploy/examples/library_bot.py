"""A bot for all games in 30 lines, with the library: python library_bot.py ADDRESS CODE [SEED]

It prefers attacks that it is likely to win, and else takes any legal action. Needs conquest-empire[wire].
"""

import signal

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # as SIGTERM: an exception within an import would print a traceback

import asyncio
import sys
from contextlib import suppress
from random import Random

import conquest
from conquest import client


def choose(view: conquest.View, chance: Random) -> conquest.Action:
    """Return an attack with odds of three in four, or any legal action."""
    legal = view.legal()
    for action in legal.choices[:40]:
        with suppress(ValueError):  # too large a battle to count
            battle = conquest.odds(view, action)
            if battle is not None and battle.attacker > 0.75:
                return action
    return legal.pick(chance)


async def main(address: str, code: str, seed: str = "1") -> None:
    """Play a match to its end and print the ranking."""
    chance = Random(seed)
    async with client.connect(address, code=code, name="Library bot") as table:
        try:
            async for view in table.turns():
                await table.play(choose(view, chance))
        except asyncio.CancelledError:  # Ctrl-C or SIGTERM: leave, so that no player waits.
            await table.leave()
            raise
        print(*[f"{place.rank}. {place.name}: {place.score}" for place in table.result()], sep="\n")


if __name__ == "__main__":
    client.run(main(*sys.argv[1:4]))
