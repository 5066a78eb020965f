"""Bots of another installation of the game, for `conquest-server arena`."""

import os
import random
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any, Final

import msgspec

from protocol import codec
from server.bots.questions import Answer, Question
from server.subprocess_workers import LENGTH, READY
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset

_OF_THIS_PYTHON: Final = ("PYTHONPATH", "PYTHONHOME")
"""Environment variables that would make the other Python import the packages of this installation."""


class OtherInstallation:
    """Worker process of another installation, asked as its own server asks it: with views and actions as on the wire.

    Raises ValueError if there is none.
    """

    def __init__(self, python: str) -> None:
        program = shutil.which(python)
        if program is None:
            raise ValueError(f"There is no program {python!r}: name the Python of another installation.")
        command = (Path(program).absolute(), "-m", "server.bots.worker")
        env = {name: value for name, value in os.environ.items() if name not in _OF_THIS_PYTHON}
        # Python looks for packages in the present folder first, which may have those of this installation.
        self._process = subprocess.Popen(
            command,
            cwd=command[0].parent,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._python = python
        if self._read(len(READY)) != READY:
            raise ValueError(f"{python!r} has no bots: install conquest-empire[server] for that Python.")

    def decide(
        self, level: str, seconds: float, rules: AnyRuleset, view: Any, seat: Seat, chance: random.Random
    ) -> Action:
        """Return the action of a bot there, or the frame's default if it is illegal here. Raises ValueError."""
        asked = Question(rules.id, level, seat, codec.encode(view), chance.getrandbits(32), seconds=seconds)
        answer = self._ask(asked)
        if answer.wrong:
            raise ValueError(f"{self._python}: {answer.wrong}")
        action: Action = rules.action_decoder.decode(answer.action)
        return action if engine.check(rules, view, seat, action) is None else engine.default(rules, view, seat)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def _ask(self, question: Question) -> Answer:
        said = msgspec.msgpack.encode(question)
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(LENGTH.pack(len(said)) + said)
            self._process.stdin.flush()
            (length,) = LENGTH.unpack(self._read(LENGTH.size))
            return msgspec.msgpack.decode(self._read(length), type=Answer)
        except (OSError, struct.error, msgspec.MsgspecError) as error:
            raise ValueError(f"The bots of {self._python!r} ended: {error}.") from None

    def _read(self, size: int) -> bytes:
        assert self._process.stdout is not None
        return self._process.stdout.read(size)


_started: Final[dict[str, OtherInstallation]] = {}
"""By Python: each process of the arena asks one process of an installation."""


def other_installation(python: str) -> OtherInstallation:
    """Return the bots of an installation, which are started at first. Raises ValueError if there are none."""
    if python not in _started:
        _started[python] = OtherInstallation(python)
    return _started[python]


def close_installations() -> None:
    """End all processes that this process started."""
    while _started:
        _started.popitem()[1].close()
