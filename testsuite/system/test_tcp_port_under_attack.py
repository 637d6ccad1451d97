"""Peers without a certificate at the qmaster's TCP port: users and hosts that are connected notice nothing, and others get in."""
import re
import subprocess
import sys
from contextlib import contextmanager

import pytest

from canary import canary
from cell import SANITIZED, wait
from cluster import NET4, PORT

pytestmark = pytest.mark.alone

MASTER = f"{NET4}1"
SECONDS = 6
DOOR_MS = 500  # a handshake from an address that does no harm
# handshakes of a client that wants to join, one after the other, until stdin ends: [ms] of each, or "failed"
PROBE = """
import select, socket, ssl, sys, time
context = ssl.create_default_context()
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
context.set_alpn_protocols(["sge-join"])
while not select.select([sys.stdin], [], [], 0.05)[0]:
    began = time.monotonic()
    try:
        with socket.create_connection((sys.argv[1], int(sys.argv[2])), 30) as peer, context.wrap_socket(peer):
            print(round(1000 * (time.monotonic() - began)), flush=True)
    except OSError as error:
        print("failed", error, flush=True)
"""

ATTACKS = {
    "key updates": ["updates"],
    "hellos of a large group": ["hellos", 300, "ffdhe8192"],
    "valid hellos": ["hellos", 300, "X25519"],
    "silent connections": ["silent", 5000],
    "hellos a byte at a time": ["slow", 1000],
    "hellos in records of a byte": ["fragments", 300],
}


@contextmanager
def knocking(host):
    """Somebody at another address: bound is a list that has the duration of each handshake in ms at the end."""
    process, took = host.start_program(sys.executable, "-c", PROBE, MASTER, PORT, stdin=subprocess.PIPE), []
    try:
        yield took
    finally:
        took += process.communicate("\n", timeout=60)[0].split("\n")[:-1]


def attack(host, act, *words, seconds=SECONDS):
    return host.start_program(host.test_program("attack_tls"), act, MASTER, PORT, seconds, *words)


@pytest.fixture
def attacked(cluster):
    """The qmaster's host, one with nothing of the cell, which attacks, and an execution host, whose users come through its relay."""
    attacker, other = cluster.add_host("node1"), cluster.join("node2")
    cluster.wait_registered("node2")
    wait(lambda: (other.dir / "spool/node2/relay.sock").exists(), "the relay")
    return cluster.master, attacker, other


@pytest.mark.parametrize("what", ATTACKS)
def test_nobody_waits_for_peers_without_a_name(attacked, what):
    master, attacker, other = attacked
    [qmaster] = master.processes("sge_qmaster")
    with canary(master, user="bob", kinds=("read", "submit", "tls")) as watching, canary(other, user="bob"), knocking(other) as took:
        process = attack(attacker, *ATTACKS[what])
        said = process.communicate(timeout=120)[0]
        assert process.returncode == 0 and int(re.search(r"(\d+) (?:connections|updates)", said).group(1)) > 0, said
        limit_ms = DOOR_MS * watching.scale()
        watching.notes = {"said": said.split("\n")[-2]}
    watching.notes["door"] = took
    assert master.processes("sge_qmaster") == [qmaster], "the qmaster ended"
    assert took and all(one.isdigit() for one in took), took
    worst = max(map(int, took))
    print(f"{what}: {said.strip()}; {len(took)} handshakes from elsewhere, worst {worst} ms; {watching.figures()}")
    assert SANITIZED or worst <= limit_ms, f"worst handshake {worst} ms, the limit is {limit_ms:.0f} ms"


@pytest.mark.parametrize("where", ["another address", "its own address"])
def test_an_execd_comes_in_while_one_address_fills_the_port(cluster, where):
    """It restarts, with thousands of silent connections of one address before it."""
    node = cluster.join("node1")
    cluster.wait_registered("node1")
    attacker = node if where == "its own address" else cluster.add_host("node2")
    process = attack(attacker, "silent", 5000, seconds=60)
    try:
        assert process.stdout.readline() == "ready\n"
        before = cluster.master.messages_of("qmaster").count("execd of node1 registered")
        node.kill_execd()
        node.start_execd()
        wait(lambda: cluster.master.messages_of("qmaster").count("execd of node1 registered") > before, "the execd to come in", 5)
        cluster.wait_registered("node1")
    finally:
        process.kill()
        process.communicate()
    assert "too many unauthenticated connections, the limit is 256: it was the oldest of " in cluster.master.messages_of("qmaster")
