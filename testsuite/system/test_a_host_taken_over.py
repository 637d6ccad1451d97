"""A submit host in the hands of an attacker, who has its papers: it may harm its own users and tasks, and nobody else notices."""
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from canary import canary
from cell import SANITIZED, wait
from cluster import PORT
from faults import resident_bytes
from siege import KEEPS_MIB, MIB

pytestmark = pytest.mark.alone

PROGRAM = Path(__file__).with_name("hostile_host.py")
BREAKS_THE_RULES = ["beyond_the_window", "granted_beyond_count", "opened_twice", "without_a_name", "a_name_that_rings",
                    "a_name_without_end", "more_than_a_frame_may_have"]


@contextmanager
def nobody_on_the_qmasters_host_is_hurt(master):
    [qmaster] = master.processes("sge_qmaster")
    before = resident_bytes(qmaster)
    with canary(master, user="bob"):
        yield
    assert master.processes("sge_qmaster") == [qmaster], "the qmaster ended"
    if not SANITIZED:
        wait(lambda: resident_bytes(qmaster) < before + KEEPS_MIB * MIB, "memory to come back", 60)


def attack(host, act):
    """What the attacker's program says at the end."""
    papers = host.dir / "spool" / host.hostname / "tls"
    return host.ok(sys.executable, PROGRAM, papers, "master", PORT, act, user="root", timeout=120).strip()


@pytest.fixture
def taken(cluster):
    """A host with papers and without an execd of its own."""
    return cluster.join("node1", starts=False)


def test_floods_over_a_hosts_connection(cluster, taken):
    """Its lines have the share of one host: what is too much of them is refused, and the connection stands."""
    with nobody_on_the_qmasters_host_is_hurt(cluster.master):
        for act in ("crowd", "begun", "rubbish", "absent", "comings_and_goings"):
            said = attack(taken, act)
            assert said != "ended", act
    cluster.join("node2")
    cluster.wait_registered("node2")


def test_a_relay_that_breaks_the_rules_loses_its_connection(cluster, taken):
    """And nothing else: an honest execd in its place is heard."""
    for act in BREAKS_THE_RULES:
        assert attack(taken, act) == "ended", act
    taken.start_execd()
    cluster.wait_registered("node1")
