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
from test_host_add import add_host, start_cell

pytestmark = pytest.mark.alone

PROGRAM = Path(__file__).with_name("hostile_host.py").read_text()
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
    """What the attacker's program says at the end. It is handed over as text: the host has a /tmp of its own, and the source tree may lie there."""
    papers = host.dir / "spool" / host.hostname / "tls"
    return host.ok(sys.executable, "-c", PROGRAM, papers, "master", PORT, act, user="root", timeout=120).strip()


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


GUESS = """seq "$1" | xargs -P 8 -I @ sh -c '
    printf "%s%04d%s\\n" "$4" @ "$5" | "$1" join "$2" node1 "$3" "$6/papers.@" >/dev/null 2>&1 && echo "@ is in"; rm -rf "$6/papers.@"' "$@"
"""


def guess(host, words, times, before, behind):
    """TIMES tokens that begin and end so, each over a connection of its own; what those say who get in."""
    program = next((host.root / "bin").glob("*/sge_ca"))
    known = dict(zip(words[1::2], words[2::2]))
    return host.ok("sh", "-c", GUESS, "sh", times, program, known["--qmaster"], known["--authority"], before, behind, host.files, user="root", timeout=300)


def refusals(master):
    return [line for line in master.messages_of("qmaster").splitlines() if "may not join" in line]


def test_whoever_guesses_tokens_gets_nowhere_and_hurts_nobody(bare_cluster):
    """Hundreds of them, several at once: the log stays short, and the right one is good afterwards."""
    master = start_cell(bare_cluster)
    words = add_host(bare_cluster, "node1")
    guesser = bare_cluster.add_host("node2")
    with nobody_on_the_qmasters_host_is_hurt(master):
        assert guess(guesser, words, 400, "0" * 12, "-" + "0" * 32) == ""
    assert 0 < len(refusals(master)) < 100, len(refusals(master))
    bare_cluster.add_host("node1").sge_cell(*words)
    bare_cluster.wait_registered("node1")


def test_whoever_knows_half_of_a_token_has_ten_guesses(bare_cluster):
    """Then it is void, for its host as well: another one is needed."""
    start_cell(bare_cluster)
    words = add_host(bare_cluster, "node1")
    guesser, node = bare_cluster.add_host("node2"), bare_cluster.add_host("node1")
    assert guess(guesser, words, 10, words[-1][:-4], "") == ""
    assert "its token is not valid" in node.refused("sge_cell", *words, user="root").err
    node.sge_cell(*add_host(bare_cluster, "node1"))
    bare_cluster.wait_registered("node1")
