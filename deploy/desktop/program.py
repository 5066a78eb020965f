"""The programs `conquest` and `conquest-server` of a folder that needs no Python.

`-m MODULE ...` runs another program of the same folder: a game's own server, and the processes in which bots think.
"""

import multiprocessing
import runpy
import sys
from pathlib import Path


def main() -> None:
    """Run the program that the command line names."""
    multiprocessing.freeze_support()
    words = sys.argv[1:]
    if words[:1] == ["-m"]:
        become(words[1], words[2:])
    elif Path(sys.executable).stem == "conquest-server":
        become("server", words)
    else:
        become("client", words)


def become(module: str, words: list[str]) -> None:
    """Run a module as a program with these words; bots' processes, the server and the game alike."""
    sys.argv[1:] = words
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
