"""Draft of the first units: where each of them stands."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from shared.ids import NO_ARMY, NONE, Army, Space
from shared.mechanics.armies import minus, plus
from shared.rulesets.cote2.actions import Deploy
from shared.rulesets.cote2.state import start_army


class Camps(Struct, frozen=True):
    """Draft of a deployment. `space`: the province that is shown; `armies`: by province."""

    space: Space
    armies: dict[Space, Army]
    caesar: Space
    general: Space
    galley: Space = NONE

    def order(self) -> Deploy:
        """Return the deployment as an action."""
        groups = tuple([(space, *army) for space, army in sorted(self.armies.items()) if any(army)])
        return Deploy(groups, self.caesar, self.general, self.galley)

    def here(self, space: Space) -> Army:
        """Return the units in a province."""
        return self.armies.get(space, NO_ARMY)

    @property
    def left(self) -> Army:
        """Units that stand nowhere yet."""
        army = start_army()
        for placed in self.armies.values():
            army = minus(army, placed)
        return army

    def add(self, arm: int, by: int) -> Camps:
        """Place one more or fewer of an arm in the province shown, as long as there are any left."""
        if (by > 0 and not self.left[arm]) or (by < 0 and not self.here(self.space)[arm]):
            return self
        step = [0, 0, 0]
        step[arm] = 1 if by > 0 else -1
        return replace(self, armies={**self.armies, self.space: plus(self.here(self.space), step)})

    def gather(self) -> Camps:
        """Place all remaining units in the province that is shown."""
        return replace(self, armies={**self.armies, self.space: plus(self.here(self.space), self.left)})


def camps_of(deploy: Deploy) -> Camps:
    """Return a deployment as a draft."""
    armies: dict[Space, Army] = {space: (i, h, c) for space, i, h, c in deploy.armies}
    return Camps(deploy.caesar, armies, deploy.caesar, deploy.general, deploy.galley)
