"""A full disk: new work is refused with one clear line, what is acknowledged is finished, and all goes on when there is space again."""
import os
import time

import pytest

from cell import wait
from conftest import IMPOSSIBLE
from faults import SmallDisk, acknowledged_by, check_all_ran_once, log_lines, submitting
from test_accounting import turn_reporting


def is_refusal(cell, text):
    """What qsub says on a full disk: which one, and how much must be free; twice as much once the ballast was given up."""
    return any(text == f'Unable to run job: job rejected: the file system of the spool "{cell.dir}/spool/qmaster/spooldb" is full: '
               f'less than {mib} MiB are free\nExiting.\n' for mib in (8, 16))


def no_accounting(cell):
    return (f'Unable to run job: job rejected: the accounting file "{cell.dir}/common/accounting" cannot be written, '
            "see the qmaster's messages file\nExiting.\n")


def no_spool(cell):
    """For the moment in which there is space again, and what could not be written has not yet been tried again."""
    return (f'Unable to run job: job rejected: the spool "{cell.dir}/spool/qmaster/spooldb" cannot be written, '
            "see the qmaster's messages file\nExiting.\n")


@pytest.fixture(params=["spool", "cell"])
def small_cell(request, make_cell):
    """A cell whose qmaster's spool, or all of it, lies on a disk of 64 MB."""
    if os.geteuid() != 0:
        pytest.skip(IMPOSSIBLE + "only root can mount")
    cell = make_cell(owner="root", user="alice", start=False)
    cell.has_execd_space = request.param == "spool"
    cell.disk = SmallDisk(cell.dir / "spool/qmaster" if request.param == "spool" else cell.dir, 64)
    try:
        cell.start()
        yield cell
        cell.sge_cell("stop", "--jobs")
    finally:
        cell.disk.unmount()


def exhaust(cell):
    """Fill the disk, submit until the qmaster refuses; returns the numbers of the jobs that it still took."""
    taken = []
    for _ in range(5000):
        cell.disk.fill()
        result = cell.run("qsub", "-terse", "-h", "-b", "y", "/bin/true", timeout=30)
        if result.code != 0:
            assert is_refusal(cell, result.err), str(result)
            return taken
        taken.append(int(result.out))
    raise AssertionError("a full disk took 5000 jobs")


def test_tasks_that_run_when_the_disk_fills_end_and_release(small_cell):
    cell = small_cell
    a = cell.array("A", "1-4", gated=[1, 2, 3, 4])
    b = cell.array("B", "1-4", "-hold_jid_ad", a)
    for task in range(1, 5):
        cell.wait_note("start", "A", task)
    taken = exhaust(cell)
    cell.disk.fill()
    for task in range(1, 5):
        cell.open("A", task, task)
    if cell.has_execd_space:
        cell.wait_gone(a, b, seconds=30)
        assert is_refusal(cell, cell.refused("qsub", "-h", "-b", "y", "/bin/true").err)
    cell.disk.relieve()
    cell.wait_gone(a, b, seconds=30)
    assert {number for number, _ in cell.states()} == set(taken)
    assert len(cell.notes("end")) == 8
    rows = sorted((row["job_number"], row["task_number"], row["failed"], row["exit_status"]) for row in cell.accounting())
    assert rows == sorted((str(job), str(task), "0", str(task if job == a else 0)) for job in (a, b) for task in range(1, 5))
    wait(lambda: cell.run("qsub", "-h", "-b", "y", "/bin/true").code == 0, "work to be taken again")
    cell.restart_master()
    assert {number for number, _ in cell.states()} > set(taken)


def test_a_job_that_fills_the_disk_with_its_temporary_files_ends(make_cell, pytestconfig):
    """Its last words have their room; what it has written goes with it, and then there is space again."""
    if os.geteuid() != 0 or pytestconfig.no_users:
        pytest.skip(IMPOSSIBLE + "only root can mount")
    cell = make_cell(owner="root", user="alice", start=False)
    disk = SmallDisk(cell.dir, 64)
    try:
        cell.start()
        job = cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "cat /dev/zero > $TMPDIR/big")
        cell.wait_gone(job, seconds=60)
        wait(lambda: cell.run("qsub", "-h", "-b", "y", "/bin/true").code == 0, "work to be taken again")
        cell.sge_cell("stop", "--jobs")
    finally:
        disk.unmount()


@pytest.mark.parametrize("small_cell", ["cell"], indirect=True)
def test_the_reporting_file_leaves_the_disk_to_what_is_needed(small_cell):
    """It is not written where less than 64 MiB would stay free; the log says so once, and all else goes on."""
    cell = small_cell
    cell.ok("qconf", "-mattr", "exechost", "report_variables", "mem_total", cell.ok("qconf", "-sel").split()[0], user=cell.owner)
    turn_reporting(cell, "false", "true")
    lost = r"\|E\|lines of the reporting file are lost: cannot write .*/common/reporting: No space left on device"
    wait(lambda: log_lines(cell, lost), "the log to say it")
    for _ in range(3):
        cell.wait_gone(cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "true"))
    assert len(log_lines(cell, lost)) == 1
    assert (cell.dir / "common/reporting").stat().st_size == 0


def test_a_full_disk_under_the_accounting_file_alone(make_cell):
    """Ends are durable, but their lines cannot be written: the tasks stay in qstat, and new work is refused at once."""
    if os.geteuid() != 0:
        pytest.skip(IMPOSSIBLE + "only root can mount")
    cell = make_cell(owner="root", user="alice", start=False)
    disk = SmallDisk(cell.dir / "common", 1)
    accounting = cell.dir / "common/accounting"
    with open(accounting, "a") as out:  # its last block is full, too
        out.write("#".ljust(4095 - accounting.stat().st_size, "-") + "\n")
    try:
        cell.start()
        a = cell.array("A", "1-2", gated=[1, 2])
        b = cell.array("B", "1-2", "-hold_jid_ad", a)
        for task in (1, 2):
            cell.wait_note("start", "A", task)
        disk.fill()
        for task in (1, 2):
            cell.open("A", task)
        wait(lambda: log_lines(cell, r"\|E\|.*accounting"), "the qmaster to notice")
        refused = cell.refused("qsub", "-h", "-b", "y", "/bin/true", timeout=20)
        assert refused.err == no_accounting(cell)
        assert not cell.notes("end")[2:], "a task was released before its record was there"
        cell.kill("sge_qmaster")
        start = cell.start_program("sge_cell", "start", user=cell.owner)  # also without room for the lines
        wait(lambda: len(log_lines(cell, r"\|E\|.*accounting")) >= 3, "the new qmaster to notice")
        refused = cell.refused("qsub", "-h", "-b", "y", "/bin/true", timeout=20)
        assert refused.err == no_accounting(cell)
        assert not cell.notes("start")[2:], "a task was started before the record of the other was there"
        disk.relieve()
        start.communicate(timeout=60)
        assert start.returncode == 0, "the cell did not come back"
        cell.wait_gone(a, b)
        rows = sorted((row["job_number"], row["task_number"]) for row in cell.accounting())
        assert rows == sorted((str(job), str(task)) for job in (a, b) for task in (1, 2))
        assert len(log_lines(cell, r"\|E\|")) < 7  # of two qmasters
    finally:
        cell.sge_cell("stop", "--jobs")
        disk.unmount()


def test_a_qmaster_that_is_killed_on_a_full_disk_comes_back(small_cell):
    cell = small_cell
    a = cell.array("A", "1-2", gated=[1, 2])
    for task in (1, 2):
        cell.wait_note("start", "A", task)
    held = cell.held_array("H", "1-3")
    taken = exhaust(cell)
    cell.disk.fill()
    cell.restart_master()
    assert {number for number, _ in cell.states()} == {a, held, *taken}
    assert is_refusal(cell, cell.refused("qsub", "-h", "-b", "y", "/bin/true").err)
    for task in (1, 2):
        cell.open("A", task)
    if not cell.has_execd_space:
        cell.disk.relieve()  # the shepherds wait for that with their last words
    cell.wait_gone(a, seconds=30)
    assert len([row for row in cell.accounting() if row["job_number"] == str(a)]) == 2
    cell.ok("qdel", held)
    if cell.has_execd_space:
        cell.disk.relieve()
    wait(lambda: cell.run("qsub", "-h", "-b", "y", "/bin/true").code == 0, "work to be taken again")


def test_submitters_meet_a_full_disk_and_go_on_afterwards(small_cell):
    cell = small_cell
    with submitting(cell) as threads:
        wait(lambda: len(acknowledged_by(threads)) > 20, "some submits")
        end = time.monotonic() + 3
        while time.monotonic() < end:
            cell.disk.fill()
            time.sleep(0.02)
        before = len(acknowledged_by(threads))
        cell.disk.relieve()
        wait(lambda: len(acknowledged_by(threads)) > before + 20, "submits to go on")
    for text in {result.err for thread in threads for result in thread.refused}:
        assert is_refusal(cell, text) or text in (no_accounting(cell), no_spool(cell)), text
    check_all_ran_once(cell, acknowledged_by(threads))
    assert len(log_lines(cell, r"\|E\|")) < 5, log_lines(cell, r"\|E\|")
