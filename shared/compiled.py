"""Whether the rules run interpreted or compiled: `CONQUEST_COMPILED=1 pip install .`, from the same sources."""

from types import FunctionType

from shared.mechanics import cells


def compiled() -> bool:
    """Whether the rules are compiled. They behave the same either way, but compiled ones are faster."""
    return not isinstance(cells.army_of, FunctionType)
