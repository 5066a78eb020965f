"""The faults are as described, and a short sample of them is noticed."""

import pytest

from tests.mutation import run as runner
from tests.mutation.faults import faults_of, put_in

SOURCE = '''
LIMIT: Final = 3

def worth(pieces: list[int], bonus: bool = False) -> int:
    """Not touched: 1 + 1."""
    if len(pieces) > LIMIT and not bonus:
        return 0
    log.info("said", pieces=2)
    return sum(value + 1 for value in pieces if value)
'''
CHANGES = {
    "3 -> 4",
    "False -> True",
    "len(pieces) > LIMIT and (not bonus) -> len(pieces) > LIMIT or not bonus",
    "len(pieces) > LIMIT -> len(pieces) >= LIMIT",
    "not bonus -> bonus",
    "0 -> 1",
    "value + 1 -> value - 1",
    "1 -> 2",
    "for value in pieces if value -> for value in pieces",
}


def test_the_faults_of_a_function() -> None:
    found = faults_of("worth.py", SOURCE)
    assert {f"{fault.before} -> {fault.after}".strip() for fault in found} >= CHANGES
    assert {fault.function for fault in found} == {"", "worth"}


def test_faults_without_effect_are_left_out() -> None:
    guards = "@lru_cache(maxsize=9)\ndef f(a): return zip(a, a, strict=True)\n\n@lru_cache(8)\ndef g(): assert f(1)\n"
    assert faults_of("guards.py", guards) == []


def test_each_fault_changes_the_file_in_its_own_way() -> None:
    found = faults_of("worth.py", SOURCE)
    changed = {put_in(fault, SOURCE) for fault in found}
    assert len(changed) == len(found)
    for source in changed:
        compile(source, "worth.py", "exec")


def test_every_source_has_tests_that_stand_near() -> None:
    for path in runner.sources():
        tests = runner.tests_of(path.relative_to(runner.ROOT).as_posix())
        assert all((runner.ROOT / test).exists() for test in (*tests.near, *tests.wide))


def test_the_sample_goes_by_the_seed() -> None:
    assert runner.sample(20, 5, "shared/kernel") == runner.sample(20, 5, "shared/kernel")
    assert runner.sample(20, 5, "shared/kernel") != runner.sample(20, 6, "shared/kernel")


@pytest.mark.exhaustive
@pytest.mark.timeout(900)
def test_a_short_sample_is_noticed() -> None:
    """In the kernel and its mechanics, which everything stands upon; all the rest: `python -m tests.mutation`."""
    faults = [*runner.sample(3, 11, "shared/kernel"), *runner.sample(5, 11, "shared/mechanics")]
    findings = list(runner.run(faults, jobs=2, wide=False))
    assert runner.is_sound(runner.tests_of("shared/mechanics/").near)
    survivors = [finding.fault.key for finding in findings if finding.verdict == "survived"]
    assert len(survivors) <= 1, survivors
