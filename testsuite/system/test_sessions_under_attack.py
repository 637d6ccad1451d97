"""Sessions that keep ends, in hands that mean no good: nobody else is slowed, keys are their owner's, and what was taken leaves no trace."""
import re

import pytest

from faults import LONG
from siege import ATTACKER, HONEST, attack, besieged, holding, nobody_is_hurt, without_execd

TASKS = 1_000_000
GET, DEL, WATCH = 4, 3, 7


@pytest.fixture
def cell(make_cell, pytestconfig):
    return without_execd(besieged(make_cell, pytestconfig))


def test_as_many_sessions_as_a_user_may_have(cell):
    asked = 11_000 if LONG else 10_100
    with nobody_is_hurt(cell):
        assert attack(cell, "sessions", asked, timeout=300) == f"10000 agreed, {asked - 10_000} refused\n"
        assert "limit is 10000" in attack(cell, "session", 1, "one-more")
    assert attack(cell, "sessions", 1, user=HONEST) == "1 agreed, 0 refused\n"
    cell.restart_master()
    assert attack(cell, "session", GET, "s9999") == "agreed\n"


def test_a_million_ends_with_gaps_that_nobody_reads_and_somebody_takes_one_by_one(cell):
    """Half of an array is deleted before it runs: each end by itself in a bitmap."""
    attack(cell, "sessions", 1)
    job = int(attack(cell, "session_array", "s0", 2 * TASKS))
    with nobody_is_hurt(cell):
        cell.ok("qdel", f"{job}.1-{2 * TASKS}:2", user=ATTACKER)
        with holding(cell, "watch", "s0", 40):
            assert re.match(r"agreed|refused: .*already has \d+ watchers", attack(cell, "session", GET, "s0"))
        assert attack(cell, "take", "s0", job, 128_000, timeout=300) == "1000 agreed\n"
        cell.ok("qdel", job, user=ATTACKER)
        assert attack(cell, "session", DEL, "s0") == "agreed\n"
    assert "does not exist" in attack(cell, "session", GET, "s0")


def test_ends_that_were_never_there_are_taken_for_nothing(cell):
    attack(cell, "sessions", 1)
    with nobody_is_hurt(cell):
        assert attack(cell, "take", "s0", 4_000_000_000, 64_000) == "500 agreed\n"
        assert attack(cell, "take", "s0", 0, 64_000) == "500 agreed\n"


@pytest.mark.parametrize("verb", [GET, DEL, WATCH])
def test_a_key_is_good_for_its_owner_alone(cell, verb):
    attack(cell, "sessions", 1)
    assert 'session "s0" does not exist' in attack(cell, "session", verb, "s0", user=HONEST)
    assert attack(cell, "session", GET, "s0") == "agreed\n"


@pytest.mark.parametrize("key", ["", "x" * 65, "a/b", "a b", "ä", "a\nb", "../s0", "x" * 1_000_00])
def test_a_key_has_few_letters(cell, key):
    assert attack(cell, "session", 1, key).startswith("refused: denied: the name of a session has 1 to 64 letters") or key == ""
