"""Choice of the task for each frame of the second game."""

from __future__ import annotations

from client.games.cote2.game_desk import Desk
from client.games.cote2.tasks.auction_task import Auctioning
from client.games.cote2.tasks.battle_tasks import ChoosingLosses, Committing, Lending, Withdrawing, onward, slipping
from client.games.cote2.tasks.deployment_task import Deploying
from client.games.cote2.tasks.senate_tasks import SenateVoting, mustering
from client.games.cote2.tasks.turn_task import TakingTurn
from client.table.task import AnyTask
from shared.kernel.frames import Frame
from shared.rulesets.cote2 import frames as f
from shared.vocabulary.frames import Onward


def task(desk: Desk, frame: Frame) -> AnyTask | None:
    """Return the task for a frame that this seat owes, or None."""
    table = desk.table
    match frame:
        case f.Auction():
            return Auctioning(desk, frame)
        case f.Deployment():
            return Deploying(desk, frame, table)
        case f.Turn():
            return TakingTurn(desk, frame)
        case f.Wind():
            return slipping(desk, frame)
        case f.Commitment():
            return Committing(desk, frame, table)
        case f.Aid():
            return Lending(desk, frame, table)
        case f.Casualties():
            return ChoosingLosses(desk, frame, table)
        case Onward():
            return onward(desk, frame, table)
        case f.Withdrawal():
            return Withdrawing(desk, frame, table)
        case f.Vote():
            return SenateVoting(desk, frame)
        case f.Muster():
            return mustering(desk, frame)
        case _:
            return None
