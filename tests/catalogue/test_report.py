"""Every rule of the catalogue has a test."""

import re
from pathlib import Path

from tests.catalogue import report


def test_every_rule_has_a_test() -> None:
    assert report.missing() == []


def test_no_test_names_an_unknown_rule() -> None:
    assert report.unknown() == []


def test_no_rule_is_listed_twice() -> None:
    assert len(set(report.listed())) == len(report.listed())


def test_the_page_for_players_lists_every_ruling_once() -> None:
    page = Path("shared/rulesets/classic/RULINGS.md")
    text = (report.TESTS.parent / page).read_text("utf-8")
    shown = re.findall(r"^- \*\*(CL-[DH]\d\d)\*\*", text, re.MULTILINE)
    assert sorted(shown) == sorted(rule for rule in report.listed() if re.fullmatch(r"CL-[DH]\d\d", rule))
