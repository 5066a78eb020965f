"""Matches recorded with these rules come out the same for every audience: else the rules need a new version."""

from pathlib import Path

import msgspec
import pytest

from client.commands.reports import tell
from protocol import record as file
from protocol.audit import audit
from protocol.record import SUFFIX
from server.tools.recording import Broken, Recording, read, replay
from shared.history import Deed
from shared.kernel.ruleset import oldest
from shared.rulesets.registry import RULESETS, ruleset
from tests.play.record import FILES, FOLDER, files, path_of, record, wanted
from tests.support.marks import mostly_long

MATCHES = [path_of(rules, name) for rules in RULESETS.values() for name, _, _ in wanted(rules)]
RECORDED = sorted({*MATCHES, *(path for path in FOLDER.rglob("*.json") if path.parent != FOLDER)})
"""Of this version and of all earlier ones: a match comes out the same for ever, under the rules that it began with."""


@pytest.mark.parametrize(
    "path", mostly_long(RECORDED, *RECORDED[::3]), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_recorded_match_comes_out_the_same(path: Path) -> None:
    """A new version, number of seats or option wants a recording: `python -m tests.play.record`."""
    recording = read(path)
    assert replay(ruleset(recording.ruleset), recording) == len(recording.log) > 0


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_a_fault_found_by_simulation_stays_fixed(path: Path) -> None:
    """A failure that `conquest-server simulate` printed, put beside this file's `recorded` folders as it is."""
    recording = read(path)
    replay(ruleset(recording.ruleset), recording)


def test_matches_of_every_version_that_can_be_played_are_kept() -> None:
    for rules in RULESETS.values():
        versions = {read(path).version for path in FOLDER.glob(f"{rules.id}-*/*.json")}
        assert {oldest(rules), rules.version} <= versions <= set(range(oldest(rules), rules.version + 1))


@pytest.fixture(scope="module")
def short() -> Recording:
    return record(ruleset("cote2"), 3, {}, 1)


@pytest.mark.long
def test_another_story_is_noticed(short: Recording) -> None:
    """A difference in the view of a single audience at any moment counts."""
    for n in (0, 7, len(short.digests) - 1):
        told = [digest ^ (i == n) for i, digest in enumerate(short.digests)]
        with pytest.raises(Broken, match=f"after {n} of "):
            replay(ruleset("cote2"), msgspec.structs.replace(short, digests=told))


def test_a_refused_action_is_noticed(short: Recording) -> None:
    log = [*short.log[:5], (99, short.log[5][1])]
    with pytest.raises(Broken, match="after 6 of 6 actions: not-yours"):
        replay(ruleset("cote2"), msgspec.structs.replace(short, log=log, digests=[]))


def test_rules_of_another_version_do_not_judge(short: Recording) -> None:
    rules = ruleset("cote2")
    with pytest.raises(ValueError, match="recorded with cote2"):
        replay(msgspec.structs.replace(rules, version=rules.version + 1), short)
    with pytest.raises(ValueError, match="recorded with cote2"):
        replay(ruleset("classic"), short)


KEPT = sorted(FILES.glob(f"*{SUFFIX}"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_file_of_a_match_stays_readable_for_ever(path: Path) -> None:
    """Files of all versions of the rules."""
    match = file.read(path.read_bytes())
    ruleset_id, version, seats = path.stem.split("-")
    assert (match.ruleset, match.version, len(match.seats)) == (ruleset_id, int(version), int(seats))
    assert len(file.entries(match)) == len(match.log) > 0 and file.is_as_signed(match)
    assert file.read(file.write(match)) == match


@pytest.mark.parametrize("path", mostly_long(KEPT, *KEPT[::3]), ids=lambda path: path.stem)
def test_a_file_of_a_match_holds_and_can_be_told_for_ever(path: Path) -> None:
    match = file.read(path.read_bytes())
    assert audit(match).holds
    assert len(list(tell(match))) > 10


def test_there_are_files_of_matches_by_these_rules() -> None:
    """A new version wants new files: `python -m tests.play.record`."""
    assert {path for path, _, _ in files()} <= set(KEPT)


def test_among_the_files_are_steps_back_and_ends_by_consent() -> None:
    found = {entry.deed for path in KEPT for entry in file.entries(file.read(path.read_bytes()))}
    assert {Deed.PLAY, Deed.BACK, Deed.END} <= found
