"""Peers that send rubbish, ask and do not listen, or come in crowds: nobody else notices, and the log says who it was."""
import os
import pwd
import resource
import signal
import socket
import struct
import subprocess
from contextlib import contextmanager

import pytest

from cell import SANITIZED, quickest, wait
from faults import flood, log_lines, resident_bytes


@contextmanager
def peers(cell):
    """A function that connects to the qmaster's socket, wherever it lies."""
    directory, opened = os.open(cell.dir / "spool/qmaster", os.O_RDONLY), []

    def connect():
        peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        peer.connect(f"/proc/self/fd/{directory}/gdi.sock")
        opened.append(peer)
        return peer

    try:
        yield connect
    finally:
        os.close(directory)
        for peer in opened:
            peer.close()


def frame(length, kind=1, pad=b"\0\0\0"):
    return struct.pack(">IIB", length, 7, kind) + pad


RUBBISH = {
    "garbage": (b"GET / HTTP/1.0\r\n\r\n", "it sent bytes that are not a message"),
    "300 MB": (frame(300 * 1024 * 1024), "it began a message of kind 1 and 314572800 bytes, the limit is 1024 bytes"),
    "long request": (frame(41 * 1024 * 1024, kind=3), "it began a message of kind 3 and 42991616 bytes, the limit is 41943040 bytes"),
    "torn": (frame(1000) + b"half of it", "it ended in the middle of a message"),
    "no greeting": (frame(4, kind=3) + b"1234", "a connection must begin with a greeting, not with a frame of kind 3"),
    "bad greeting": (frame(4) + b"1234", "malformed greeting"),
    "unknown kind": (frame(1, kind=99), "it began a message of kind 99 and 1 bytes, the limit is 0 bytes"),
    "empty unknown kind": (frame(0, kind=99), "a connection must begin with a greeting, not with a frame of kind 99"),
}


@pytest.mark.parametrize("what", RUBBISH)
def test_rubbish_is_one_line_in_the_log(any_cell, what):
    sent, said = RUBBISH[what]
    pid = any_cell.pid("sge_qmaster")
    with peers(any_cell) as connect:
        peer = connect()
        peer.sendall(sent)
        peer.shutdown(socket.SHUT_WR)
        peer.settimeout(10)
        assert peer.recv(1) == b""
    wait(lambda: log_lines(any_cell, "ended: "), "a line in the log")
    lines = log_lines(any_cell, "ended: ")
    me = pwd.getpwuid(os.geteuid()).pw_name
    assert len(lines) == 1 and f"|W|connection of user {me}" in lines[0] and lines[0].endswith(said), lines
    any_cell.ok("qstat")
    assert any_cell.pid("sge_qmaster") == pid


@pytest.mark.load
def test_a_client_that_stops_reading_stops_nobody(any_cell):
    """A stopped qstat in the middle of a long answer, many times: the core goes on, and memory stays bounded."""
    flood(any_cell, 20000)
    master = any_cell.pid("sge_qmaster")
    before, stopped = resident_bytes(master), []
    try:
        for _ in range(8):
            read, write = os.pipe()
            process = any_cell.start_program("qstat", "-u", "*", stdout=write)
            os.close(write)
            stopped.append((process, read))
            wait(lambda: os.read(read, 1), "the answer to begin")
            process.send_signal(signal.SIGSTOP)
        assert quickest(lambda: any_cell.ok("qstat", "-j", 1)) < 1
        assert quickest(lambda: any_cell.qsub("-h", "-b", "y", "/bin/true")) < (5 if SANITIZED else 1)
        assert SANITIZED or resident_bytes(master) < before + 8 * 8 * 1024 * 1024
        stopped[0][0].kill()  # one dies, the others read on and get all of it
        for process, read in stopped[1:]:
            process.send_signal(signal.SIGCONT)
            lines = 0
            while chunk := os.read(read, 1 << 16):
                lines += chunk.count(b"\n")
            assert lines >= 20000 + 2 and process.wait(30) == 0
    finally:
        for process, read in stopped:
            process.kill()
            os.close(read)
            process.communicate()


def test_a_crowd_of_one_user_leaves_room_for_others(make_cell, pytestconfig):
    """With few descriptors, alice takes all the connections that she can get: bob works on."""
    if pytestconfig.no_users:
        pytest.skip(f"impossible here: {pytestconfig.no_users}")
    cell = make_cell(owner="root", user="bob", start=False)
    cell.ok("sh", "-c", "ulimit -n 600 && sge_cell start", user="root")
    cell.ok("qstat", user="alice")  # the log calls her by her name once that has been asked for
    crowd = """
import os, socket, sys
peers, directory = [], os.open(sys.argv[1], os.O_RDONLY)
for _ in range(500):
    peers.append(socket.socket(socket.AF_UNIX))
    peers[-1].connect(f"/proc/self/fd/{directory}/gdi.sock")
print(len(peers), flush=True)
sys.stdin.read()
"""
    process = cell.start_program("/usr/bin/python3", "-c", crowd, cell.dir / "spool/qmaster", user="alice", stdin=subprocess.PIPE)
    try:
        assert process.stdout.readline() == "500\n"
        assert quickest(lambda: cell.ok("qstat"), 10) < 1
        assert quickest(lambda: cell.qsub("-h", "-b", "y", "/bin/true")) < 1
        lines = log_lines(cell, r"too many connections, the limit is 128$")
        assert 1 <= len(lines) <= 5 and "|W|connection of user alice" in lines[0], lines
    finally:
        process.communicate("")
    wait(lambda: cell.run("qstat", user="alice").code == 0, "alice to be served again")


@pytest.mark.load
def test_thousands_of_connections_are_served(any_cell):
    """As many as this process may open: each a whole client's life."""
    most = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1] - 100, 5000)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most + 100, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    pid = any_cell.pid("sge_qmaster")
    with peers(any_cell) as connect:
        for _ in range(most):
            connect()
        assert quickest(lambda: any_cell.ok("qstat")) < 1
        assert quickest(lambda: any_cell.qsub("-h", "-b", "y", "/bin/true")) < 1
    any_cell.ok("qstat")
    assert any_cell.pid("sge_qmaster") == pid
