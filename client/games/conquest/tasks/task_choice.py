"""Choice of the task for each frame that both conquest games have."""

from client.games.conquest.position_queries import T
from client.games.conquest.rules_adapter import RulesAdapter
from client.games.conquest.tasks.bargain_tasks import Answering
from client.games.conquest.tasks.building_tasks import Buying, ChoosingHome, Razing
from client.games.conquest.tasks.combat_tasks import Judging
from client.games.conquest.tasks.movement_tasks import Moving
from client.table.desk import Desk
from client.table.task import AnyTask
from shared.kernel.frames import Frame
from shared.vocabulary import frames as f


def task(desk: Desk[T], frame: Frame, realm: RulesAdapter[T]) -> AnyTask | None:
    """Return the task for a frame that this seat owes, or None."""
    match frame:
        case f.HomeChoice():
            return ChoosingHome(desk, realm.market)
        case f.Movement():
            return Moving(desk, realm.marching)
        case f.Captives():
            return Judging(desk)
        case f.Destruction():
            return Razing(desk, realm.market)
        case f.Purchase():
            return Buying(desk, realm.market)
        case f.Bargain():
            return Answering(desk, frame)
        case _:
            return None
