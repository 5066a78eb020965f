"""Programs that are interrupted, at any moment: they end soon, without a traceback, and give back what they took."""

import ast
import re
import signal

import pytest

from protocol.process.stopping import Stopped, handled, run
from tests.faults.interruptions import PROGRAMS, ROOT, interruptions
from tests.support.marks import mostly_long


@pytest.mark.parametrize("program", mostly_long(list(PROGRAMS), "example"))
async def test_an_interrupted_program_ends_and_gives_back_what_it_took(program: str) -> None:
    counts, wrong = await interruptions(program, rounds=2, seed=1)
    assert counts["well"] == 2, "\n".join(wrong)


@pytest.mark.exhaustive
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("program", PROGRAMS)
async def test_many_interruptions(program: str) -> None:
    _, wrong = await interruptions(program, rounds=30, seed=2)
    assert not wrong, "\n".join(wrong)


def test_the_first_signal_counts_and_the_rest_change_nothing() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    stopped: list[str] = []

    def stop() -> None:
        stopped.append("stopped")

    try:
        with pytest.raises(Stopped) as ended, handled(stop, 3600.0):
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGTERM):
                signal.raise_signal(number)
        assert (ended.value.code, stopped) == (143, ["stopped"])
        assert signal.getsignal(signal.SIGINT) == signal.getsignal(signal.SIGTERM) == signal.SIG_IGN
    finally:
        for number, handler in zip((signal.SIGINT, signal.SIGTERM), before, strict=True):
            signal.signal(number, handler)
    with handled(stop):
        pass
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_a_coroutine_returns_its_value() -> None:
    async def three() -> int:
        return 3

    assert run(three()) == 3


def test_no_signal_of_the_terminal_reaches_the_processes_of_a_program() -> None:
    """Each is started in a session of its own: else Ctrl-C would end it before its program, with a traceback."""
    started = 0
    for folder in ("client", "server", "protocol/process", "deploy"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if "workshop" in path.parts or not re.search("Popen|create_subprocess_exec", text):
                continue
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("Popen", "create_subprocess_exec")):
                    started += 1
                    assert "start_new_session" in [word.arg for word in node.keywords], f"{path}:{node.lineno}"
    assert started > 5
