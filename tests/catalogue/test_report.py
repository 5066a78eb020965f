"""Every rule of the catalogue has a test."""

from tests.catalogue import report


def test_every_rule_has_a_test() -> None:
    assert report.missing() == []


def test_no_test_names_an_unknown_rule() -> None:
    assert report.unknown() == []


def test_no_rule_is_listed_twice() -> None:
    assert len(set(report.listed())) == len(report.listed())
