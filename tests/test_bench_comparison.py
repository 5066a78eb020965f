"""The comparison of benchmarks with an older release names what became worse, and nothing else."""

import pytest

from tests.bench.comparison import BENCHMARKS, Benchmark, figures, worse

SPEED = Benchmark("", "", r"\.us$", r"\.per_second$")


def test_figures_are_found_in_all_objects_of_an_output() -> None:
    printed = 'Some words\n{"a": {"us": 2.5}, "ok": true}\n{"game": "classic", "us": 3}\n'
    assert figures(printed) == {"0.a.us": 2.5, "classic.us": 3.0}


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ({"0.us": 100.0}, {"0.us": 114.0}, []),
        ({"0.us": 100.0}, {"0.us": 116.0}, ["us: 116 instead of 100, 1.16 times as bad"]),
        ({"0.us": 100.0}, {"0.us": 50.0}, []),
        ({"0.per_second": 116.0}, {"0.per_second": 100.0}, ["per_second: 100 instead of 116, 1.16 times as bad"]),
        ({"0.per_second": 100.0}, {"0.per_second": 200.0}, []),
        ({"0.other": 1.0}, {"0.other": 9.0}, []),
        ({}, {"0.us": 9.0}, []),
        ({"0.us": 0.0}, {"0.us": 9.0}, []),
    ],
)
def test_only_figures_that_are_clearly_worse_are_named(
    old: dict[str, float], new: dict[str, float], named: list[str]
) -> None:
    assert worse(SPEED, [(old, new)]) == named


def test_one_busy_minute_of_three_does_not_count() -> None:
    pairs = [({"0.us": 100.0}, {"0.us": 300.0}), ({"0.us": 200.0}, {"0.us": 200.0}), ({"0.us": 100.0}, {"0.us": 99.0})]
    assert worse(SPEED, pairs) == []


def test_every_benchmark_with_a_short_form_has_figures_to_compare() -> None:
    assert all(benchmark.low for benchmark in BENCHMARKS.values())
