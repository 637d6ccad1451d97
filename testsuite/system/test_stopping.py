"""SIGTERM ends the qmaster within two seconds, whatever it is doing; what was acknowledged is there at the next start."""
import os
import signal
import time

import pytest

from cell import SANITIZED, alive, wait
from conftest import IMPOSSIBLE
from faults import SmallDisk, acknowledged_by, check_all_ran_once, log_lines, slow_syncs, submitting

MOST_S = 2 if not SANITIZED else 10
SLACK_S = 1.5  # of a machine that does other things as well


def stop(cell, *signals):
    """Send SIGNALS to the qmaster; returns how long it took to end."""
    pid, begin = cell.pid("sge_qmaster"), time.monotonic()
    for sig in signals or (signal.SIGTERM,):
        os.kill(pid, sig)
    wait(lambda: not alive(pid), "the qmaster to end")
    return time.monotonic() - begin


def test_under_load(cell):
    with submitting(cell) as submitters:
        wait(lambda: len(acknowledged_by(submitters)) > 20, "some submits")
        took = stop(cell)
        cell.start()
    assert took < MOST_S + SLACK_S
    check_all_ran_once(cell, acknowledged_by(submitters))


def test_while_the_disk_hardly_works(cell):
    """A sync takes longer than the end may. The process is seen to end when the tracer lets its thread go, so the log has to tell."""
    job = cell.qsub("-h", "-b", "y", "/bin/true")
    with slow_syncs(cell, 5000):
        slow = cell.start_program("qsub", "-h", "-b", "y", "/bin/true")
        pid, begin = cell.pid("sge_qmaster"), time.monotonic()
        os.kill(pid, signal.SIGTERM)
        wait(lambda: log_lines(cell, "stopping at once: the shutdown did not complete in time"), "the last word")
        took = time.monotonic() - begin
        wait(lambda: not alive(pid), "the tracer to let it go")
    slow.kill()
    slow.communicate()
    cell.start()
    assert took < MOST_S + SLACK_S
    assert str(job) in cell.ok("qstat")


def test_a_second_signal_is_heard(cell):
    with slow_syncs(cell, 5000):
        slow = cell.start_program("qsub", "-h", "-b", "y", "/bin/true")
        pid = cell.pid("sge_qmaster")
        os.kill(pid, signal.SIGTERM)
        wait(lambda: log_lines(cell, "stopping with changes"), "the first to be heard")
        os.kill(pid, signal.SIGTERM)
        wait(lambda: log_lines(cell, "stopping at once: second signal received"), "the second to be heard")
        wait(lambda: not alive(pid), "the tracer to let it go")
    slow.kill()
    slow.communicate()
    cell.start()
    assert cell.run("qstat").code == 0


def test_on_a_full_disk(make_cell):
    if os.geteuid() != 0:
        pytest.skip(IMPOSSIBLE + "only root can mount")
    cell = make_cell(owner="root", user="alice", start=False)
    cell.disk = SmallDisk(cell.dir / "spool/qmaster", 64)
    try:
        cell.start()
        job = cell.qsub("-h", "-b", "y", "/bin/true")
        cell.disk.fill()
        for _ in range(3000):  # until a commit cannot be written
            if cell.run("qsub", "-h", "-b", "y", "/bin/true").code != 0:
                break
            cell.disk.fill()
        assert stop(cell) < MOST_S + SLACK_S
        cell.disk.relieve()
        cell.start()
        assert str(job) in cell.ok("qstat", "-u", "*")
        cell.sge_cell("stop", "--jobs")
    finally:
        cell.disk.unmount()
