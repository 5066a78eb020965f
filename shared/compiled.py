"""Whether the rules run as they are written, or compiled: `CONQUEST_COMPILED=1 pip install .`, the same sources."""

from types import FunctionType

from shared.mechanics import cells


def compiled() -> bool:
    """The rules behave the same either way; compiled ones are faster."""
    return not isinstance(cells.army_of, FunctionType)
