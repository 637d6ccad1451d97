"""Every entrance of a cell: the qmaster's socket, its port, the relay of another host, and the way of a job to its start. Whatever somebody does with
the sockets, the others are served in time."""
import subprocess
from contextlib import ExitStack, contextmanager
from pwd import getpwnam

import pytest

from canary import canary
from cell import wait
from faults import log_lines
from siege import ATTACKER, HONEST, attack, holding, nobody_is_hurt

pytestmark = pytest.mark.alone

KERNELS = ["this_kernel", "old_kernel"]


def preloaded(cell, kernel):
    """The environment of daemons that run on KERNEL: an old one cannot refuse descriptors."""
    return {"LD_PRELOAD": str(cell.test_program("liboldkernel.so"))} if kernel == "old_kernel" else {}


@pytest.fixture(params=KERNELS)
def cell(request, make_cell, pytestconfig):
    """Root's, with its execd."""
    if pytestconfig.no_users:
        pytest.skip(f"impossible here: {pytestconfig.no_users}")
    made = make_cell(owner="root", user=HONEST, start=False)
    made.kernel = request.param
    made.ok("sge_cell", "start", user="root", env=preloaded(made, request.param))
    return made


@pytest.fixture(params=KERNELS)
def hosts(request, cluster):
    """The qmaster's host, and another."""
    kernel, master = request.param, cluster.master
    master.ok("sge_cell", "stop", user="root")
    master.ok("sge_cell", "start", user="root", env=preloaded(master, kernel))
    node = cluster.join("node1", starts=False)
    node.execd = node.start_program("sge_execd", user="root", env=preloaded(node, kernel), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    cluster.wait_registered("node1")
    wait(lambda: (node.dir / "spool/node1/relay.sock").exists(), "the relay")
    return master, node


@contextmanager
def all_are_served(master, node):
    with ExitStack() as canaries:
        canaries.enter_context(canary(master, user=HONEST, kinds=("read", "submit", "tls")))
        canaries.enter_context(canary(node, user=HONEST, kinds=("read", "submit")))
        yield


def test_passed_sockets_that_linger(cell):
    with nobody_is_hurt(cell, kinds=("read", "submit", "start")) as watching:
        said = attack(cell, "linger", 2, 10)  # our own close may linger as long, too
        watching.wait_answers(20)
    if cell.kernel == "old_kernel":
        assert said.strip() == "10 passed"
        # a connection may end before its user's name is known
        user = f"({ATTACKER}|{getpwnam(ATTACKER).pw_uid})"
        wait(lambda: log_lines(cell, f"user {user} .*: it passed a file descriptor"), "a line in the log")


def test_halves_of_connections_and_urgent_bytes(cell):
    with nobody_is_hurt(cell, kinds=("read", "submit", "start")) as watching, holding(cell, "edges", "unix", 100):
        watching.wait_answers(20)


def test_passed_sockets_that_linger_at_a_relay(hosts):
    with all_are_served(*hosts):
        for host in hosts:
            attack(host, "linger", 2, 10)


def test_halves_of_connections_and_urgent_bytes_at_the_port_and_a_relay(hosts):
    master, node = hosts
    with all_are_served(master, node), holding(master, "edges", "tcp", 100), holding(node, "edges", "unix", 100):
        wait(lambda: "node1" in master.ok("qhost"), "an answer")
