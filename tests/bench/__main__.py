"""Comparison with an older release; see `tests.bench.comparison`."""

import sys

from tests.bench.comparison import main

if __name__ == "__main__":
    sys.exit(main())
