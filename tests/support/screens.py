"""Screens of X11 for windows of a test's own."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def screen(width: int, height: int) -> Iterator[str]:
    """Yield the DISPLAY of a virtual screen. Raises FileNotFoundError if Xvfb is missing."""
    ready, tell = os.pipe()
    # Without -noreset it begins anew whenever its last client leaves, and turns away who comes in that moment.
    geometry = f"{width}x{height}x24"
    command = ["Xvfb", "-displayfd", str(tell), "-screen", "0", geometry, "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(command, pass_fds=[tell], stderr=subprocess.DEVNULL) as server:
        os.close(tell)
        try:
            yield f":{os.read(ready, 16).decode().strip()}"
        finally:
            os.close(ready)
            server.terminate()
