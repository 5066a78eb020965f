"""Counts of spectators agree with a search among all of them, however they come, go and rename themselves."""

import random

from server.addresses import A_SITE, counted, site_of
from server.delivery.peer import Peer
from server.matches.audience import OnlookerCounts
from server.matches.names import keys
from tests.server.lobby_harness import person

NAMES = ["Livia", "livia", "1ivia", "Crispus", "Anna", "Аnna", "Bert"]
ADDRESSES = ["192.0.2.1", "192.0.2.2", *[counted(f"2001:db8:0:{net}::1") for net in range(6)], counted("2001:db8:1::1")]


def is_crowd(address: str, most: int, others: list[str]) -> bool:
    """Search all addresses for as many of that one, or for more of its site."""
    site = site_of(address)
    return others.count(address) >= most or bool(site and [*map(site_of, others)].count(site) >= A_SITE * most)


def test_counts_agree_with_a_search_among_all() -> None:
    rng = random.Random(3)
    counts, here = OnlookerCounts(), list[Peer]()
    for _ in range(600):
        if here and rng.random() < 0.4:
            left = here.pop(rng.randrange(len(here)))
            counts.remove(left)
            counts.remove(left)
        elif here and rng.random() < 0.2:
            renamed = rng.choice(here)
            renamed.called = rng.choice(NAMES)
            counts.add(renamed)
        else:
            here.append(person(rng.choice(NAMES), rng.choice(ADDRESSES)))
            counts.add(here[-1])
        name, peer, address = rng.choice(NAMES), rng.choice([*here, person()]), rng.choice(ADDRESSES)
        others = [each for each in here if each is not peer]
        assert counts.has_name(keys(name), peer) == any(keys(name) & keys(each.called) for each in others)
        assert set(counts._names) == {look for each in here for look in keys(each.called)}, "the others are forgotten"
        for most in (1, 2, 3):
            assert counts.addresses.are_crowded(address, most) == is_crowd(
                address, most, [each.address for each in here]
            )
