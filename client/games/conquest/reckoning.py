"""What both games of conquest count in a battle."""

from __future__ import annotations

from typing import Final

from client.language import _
from client.table.reckoning import LEADERS, WALLS, Count

WALLED: Final = Count(WALLS, "fortified", "walls", 1, _("The defender stands in his own fortified city"), (1,))
LED: Final = Count(LEADERS, "general_{}", "leaders", 6, _("Leaders: each makes room for one more in the battle legion"))
GROUPS: Final = (_("Own"),)
