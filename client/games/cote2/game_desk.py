"""The desk of the second game: a `Desk` over its positions."""

from typing import TypeAlias

from client.table import desk
from shared.rulesets.cote2.state import TableFields

Desk: TypeAlias = desk.Desk[TableFields]
