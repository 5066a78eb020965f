"""Cases of one test. As parameters, hundreds of tiny cases take longer to collect and to report than to run."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def case(*names: object) -> Iterator[None]:
    """Name the case in the report of a failure."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"in the case {', '.join(map(str, names))}")
        raise
