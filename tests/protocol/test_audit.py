"""An audit accepts files as a server wrote them, and no others."""

from itertools import islice

import msgspec
import pytest
from msgspec import structs

from protocol import record
from protocol.audit import NO_PROOF, Witness, audit
from protocol.record import Record
from shared import proof
from shared.history import Deed, Entry
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.registry import RULESETS, ruleset
from tests.faults.tampering import original, originals, rechained, tampered
from tests.play.matches import played
from tests.support.marks import pairs_in_stages

TABLES = [(rules.id, seats) for rules in RULESETS.values() for seats in range(rules.min_seats, rules.max_seats + 1)]


def deeds(match: Record) -> set[Deed]:
    return {msgspec.msgpack.decode(entry, type=Entry).deed for entry in match.log}


@pytest.mark.parametrize(
    ("game", "seats"), pairs_in_stages(TABLES, [("classic", 2), ("mb1984", 4), ("cote2", 6)], TABLES[4::5])
)
def test_a_match_of_every_kind_is_accepted(game: str, seats: int) -> None:
    match = played(ruleset(game), seats, {}, 7, 150)
    verdict = audit(record.read(record.write(match)))
    assert verdict.holds and not verdict.wrong and verdict.finished
    assert verdict.rules and verdict.proven and verdict.signed
    assert verdict.entries == len(match.log) >= verdict.decisions + verdict.rolls > 100
    assert verdict.numbers == seats - 2, "one is a bot, and one gave none"
    assert verdict.fingerprint == match.check.hex() and len(verdict.commitment) == 64


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_a_match_that_was_signed_with_hashes_is_accepted(rules: AnyRuleset) -> None:
    match = played(rules, 3, {}, 7, 60, root=bytes)
    assert match.proof is not None and len(match.proof.signature) == 2144
    assert audit(record.read(record.write(match))).holds
    assert not audit(structs.replace(match, title="Another")).signed


@pytest.mark.long
def test_among_them_are_some_that_went_back_or_were_ended_by_consent_and_some_that_did_not() -> None:
    found = [deeds(match) for match in originals()]
    assert any(Deed.BACK in kinds for kinds in found) and any(Deed.END in kinds for kinds in found)
    assert any(not {Deed.BACK, Deed.END} & kinds for kinds in found)
    assert all(audit(match).holds and audit(match).bits >= 64 for match in originals())


@pytest.mark.long
def test_every_change_of_a_record_is_refused() -> None:
    """Of this many more: `python -m tests.faults.tampering`."""
    done = set()
    for name, match in islice(tampered(5), 120):
        assert not audit(match).holds, name
        done.add(name)
    assert len(done) == 10


def test_errors_are_told_in_a_sentence() -> None:
    match = original(1)
    assert match.proof is not None
    for other, said in (
        (structs.replace(match, title="Another"), "signature"),
        (structs.replace(match, check=bytes(16)), "chain of checks"),
        (structs.replace(match, version=99), "begun with version 99 of its rules; it is kept, but only versions 2 to"),
        (structs.replace(match, ruleset="chess"), "The rule set chess cannot be played here"),
        (structs.replace(match, options={"moon": 1}), "no option 'moon'"),
        (structs.replace(match, proof=structs.replace(match.proof, numbers=())), "not one for these seats"),
        (structs.replace(match, proof=structs.replace(match.proof, secret=bytes(32))), "not what was drawn"),
        (rechained(structs.replace(match, log=match.log[:-1])), "not over"),
    ):
        verdict = audit(other)
        assert said in verdict.wrong and verdict.wrong.endswith(".") and not verdict.holds, verdict.wrong


def test_a_match_without_a_proof_was_played_by_the_rules_at_best() -> None:
    verdict = audit(structs.replace(original(0), proof=None))
    assert (verdict.holds, verdict.wrong) == (False, NO_PROOF)
    assert verdict.rules and not verdict.proven and not verdict.signed and verdict.rolls > 5


def test_facts_seen_by_a_participant_are_checked_too() -> None:
    match = original(1)
    given = match.proof
    assert given is not None
    bound = proof.commitment(given.secret, given.key)
    assert audit(match, Witness(bound)).holds
    assert audit(match, Witness(bound, 0, given.numbers[0])).holds
    assert "another secret" in audit(match, Witness(bytes(32))).wrong
    assert "The number that you gave" in audit(match, Witness(bound, 1, bytes(32))).wrong
    assert "The number that you gave" in audit(match, Witness(bound, 5, given.numbers[0])).wrong


def test_nothing_comes_after_the_end() -> None:
    match = original(1)
    last = msgspec.msgpack.decode(match.log[-1], type=Entry)
    again = msgspec.msgpack.encode(structs.replace(last, n=last.n + 1))
    assert "after the end" in audit(rechained(structs.replace(match, log=(*match.log, again)))).wrong


def test_a_match_that_goes_back_for_ever_is_not_followed() -> None:
    match = original(1)
    backs = [Entry(n, 0, 0, 0, b"", Deed.BACK, 0) for n in range(1, 2100)]
    log = tuple([msgspec.msgpack.encode(entry) for entry in backs])
    assert "goes back more than" in audit(rechained(structs.replace(match, log=log))).wrong
