"""Daemons that come back: jobs run on and are found again, each end is recorded once; what a host really lost is put back."""
import collections
import os
import re
import signal
import struct
import subprocess
import uuid
from pathlib import Path

import pytest

from cell import alive, descendants, wait
from conftest import IMPOSSIBLE
from faults import kill_and_wait, log_lines, shepherds


def starts(cell):
    return collections.Counter(note[1:3] for note in cell.notes("start"))


def ends(cell, job):
    """[(task, failed, exit status)] of what accounting has of JOB, in order of time."""
    return [(int(row["task_number"]), row["failed"], row["exit_status"]) for row in cell.accounting() if row["job_number"] == str(job)]


def running_pair(cell, *options):
    """A, whose two tasks run and wait at their gates, and B, which waits for A task by task."""
    a = cell.array("A", "1-2", *options, gated=[1, 2])
    b = cell.array("B", "1-2", "-hold_jid_ad", a)
    for task in (1, 2):
        cell.wait_note("start", "A", task)
        cell.wait_state(a, task, "r")
    cell.ok("qdel", cell.held_array("later", "1"))  # that the tasks run is written with the next change, at the latest a second later
    return a, b


@pytest.mark.parametrize("sig", [signal.SIGTERM, signal.SIGKILL], ids=["stopped", "killed"])
def test_jobs_run_on_while_the_execd_is_away_and_obey_it_afterwards(any_cell, sig):
    a, b = running_pair(any_cell)
    before = shepherds(any_cell)
    any_cell.kill("sge_execd", sig)
    any_cell.open("A", 1, 3)
    any_cell.wait_note("end", "A", 1)
    assert any_cell.tasks(a) == {1: "r", 2: "r"}
    any_cell.start()
    any_cell.wait_note("end", "B", 1)
    assert shepherds(any_cell)[f"{a}.2"] == before[f"{a}.2"]
    any_cell.ok("qmod", "-sj", f"{a}.2")
    any_cell.wait_state(a, 2, "s")
    job = descendants(before[f"{a}.2"])[0]
    wait(lambda: open(f"/proc/{job}/stat").read().rsplit(")", 1)[1].split()[0] == "T", "the job to be stopped")
    any_cell.ok("qdel", f"{a}.2")
    any_cell.wait_gone(a, b)
    assert ends(any_cell, a) == [(1, "0", "3"), (2, "100", "137")]
    assert starts(any_cell) == {("A", 1): 1, ("A", 2): 1, ("B", 1): 1, ("B", 2): 1}
    assert not [pid for pid in before.values() if alive(pid)]


def test_jobs_end_while_both_daemons_are_away(any_cell):
    a, b = running_pair(any_cell)
    for daemon in ("sge_qmaster", "sge_execd"):
        any_cell.kill(daemon)
    for task in (1, 2):
        any_cell.open("A", task, task)
    wait(lambda: not shepherds(any_cell), "the shepherds to end")
    any_cell.start()
    any_cell.wait_gone(a, b)
    assert sorted(ends(any_cell, a)) == [(1, "0", "1"), (2, "0", "2")]
    assert set(starts(any_cell).values()) == {1}


def test_a_restarted_execd_still_notices_the_death_of_a_shepherd(any_cell):
    """The job has put a process into a session of its own; after the restart none of them is a child of the execd's any more."""
    script = any_cell.files / "fork.sh"
    script.write_text("#!/bin/sh\nsetsid sh -c 'sleep 1000 & sleep 1000' &\n(sleep 1000 &) \nsleep 1000\n")
    a = any_cell.qsub("-N", "A", "-t", "1", "-o", "/dev/null", "-j", "y", script)
    b = any_cell.array("B", "1", "-hold_jid_ad", a)
    wait(lambda: shepherds(any_cell) and len(descendants(shepherds(any_cell)[f"{a}.1"])) >= 5, "the job to fork")
    any_cell.kill("sge_execd")
    any_cell.start()
    wait(lambda: log_lines(any_cell, f"found task {a}.1 again", os.uname().nodename), "the execd to find it")
    shepherd = shepherds(any_cell)[f"{a}.1"]
    below = descendants(shepherd)
    kill_and_wait([shepherd])
    wait(lambda: not any(alive(pid) for pid in below), "all processes of the job to be ended")
    any_cell.wait_gone(a, b)
    assert ends(any_cell, a) == [(1, "19", "137")]
    assert starts(any_cell) == {("B", 1): 1}


# ---- files that are moved away --------------------------------------------------------------------------------------

def test_an_execd_opens_its_messages_anew_on_sighup(cell):
    host = os.uname().nodename
    messages = cell.dir / "spool" / host / "messages"
    job = cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "sleep", "1000")
    wait(lambda: shepherds(cell), "the task to start")
    execd, moved = cell.pid("sge_execd"), messages.rename(messages.with_name("messages.1"))
    os.kill(execd, signal.SIGHUP)
    cell.wait_gone(cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true"))  # the execd has been busy since then
    os.kill(shepherds(cell)[f"{job}.1"], signal.SIGKILL)
    cell.wait_gone(job)
    wait(lambda: messages.exists() and f"shepherd of task {job}.1 died without reporting" in messages.read_text(), "the line in a new file")
    assert "died without reporting" not in moved.read_text()
    assert cell.pid("sge_execd") == execd


@pytest.mark.parametrize("place, other", [("qmaster", "sge_execd"), (os.uname().nodename, "sge_qmaster")])
def test_a_daemon_notices_that_its_messages_were_moved(cell, place, other):
    messages = cell.dir / "spool" / place / "messages"
    moved = messages.rename(messages.with_name("messages.1"))
    wait(messages.exists, "a new file, without a signal and without a line to write")
    before = moved.read_text()
    cell.kill(other)  # which both of them log
    wait(lambda: "lost" in messages.read_text(), "the line in the new file")
    assert moved.read_text() == before


# ---- hosts that went down -------------------------------------------------------------------------------------------

def crash_host(cell, with_qmaster):
    """All of this host ends at once, as if the power had gone."""
    victims = [cell.pid("sge_execd")] + ([cell.pid("sge_qmaster"), cell.pid("sge_schedd")] if with_qmaster else [])
    below = [pid for shepherd in shepherds(cell).values() for pid in [shepherd, *descendants(shepherd)]]
    for pid in victims + below:
        os.kill(pid, signal.SIGSTOP)  # nobody shall see the others die
    kill_and_wait(victims + below)


def clear_active_jobs(cell):
    for place in (cell.dir / "spool" / os.uname().nodename / "active_jobs").iterdir():
        subprocess.run(["rm", "-rf", str(place)], check=True)


@pytest.fixture
def another_boot():
    """A function that makes the machine look as if it had been started anew, for daemons that start from now on."""
    if os.geteuid() != 0:
        pytest.skip(IMPOSSIBLE + "only root can mount")
    path, mounted = "/proc/sys/kernel/random/boot_id", []

    def boot(place):
        fake = place / f"boot_id.{len(mounted)}"
        fake.write_text(f"{uuid.uuid4()}\n")
        subprocess.run(["mount", "--bind", str(fake), path], check=True)
        mounted.append(fake)

    yield boot
    for _ in mounted:
        subprocess.run(["umount", path], check=True)


@pytest.mark.parametrize("with_qmaster", [False, True], ids=["execd", "both"])
@pytest.mark.parametrize("kept", [False, True], ids=["in memory", "on disk"])
def test_a_reboot_puts_running_tasks_back(any_cell, another_boot, with_qmaster, kept):
    """active_jobs in memory is gone then; on a disk it tells which tasks ran. Neither releases who waits for them. The queue is rerun TRUE."""
    any_cell.ok("qconf", "-mattr", "queue", "rerun", "TRUE", "all.q", user=any_cell.owner)
    a, b = running_pair(any_cell)
    crash_host(any_cell, with_qmaster)
    another_boot(any_cell.files)
    if not kept:
        clear_active_jobs(any_cell)
    any_cell.start()
    for task in (1, 2):
        any_cell.wait_note("start", "A", task, count=2)
    assert starts(any_cell) == {("A", 1): 2, ("A", 2): 2}
    for task in (1, 2):
        any_cell.wait_state(a, task, "Rr")
    for task in (1, 2):
        any_cell.open("A", task, task)
    any_cell.wait_gone(a, b)
    assert sorted(ends(any_cell, a)) == [(1, "0", "1"), (1, "25", "0"), (2, "0", "2"), (2, "25", "0")]
    assert starts(any_cell) == {("A", 1): 2, ("A", 2): 2, ("B", 1): 1, ("B", 2): 1}


def test_a_task_that_ended_before_the_reboot_has_ended(any_cell, another_boot):
    any_cell.ok("qconf", "-mattr", "queue", "rerun", "TRUE", "all.q", user=any_cell.owner)
    a, b = running_pair(any_cell)
    any_cell.kill("sge_execd")
    any_cell.open("A", 1, 3)
    wait(lambda: f"{a}.1" not in shepherds(any_cell), "the first task to end")
    kill_and_wait([shepherds(any_cell)[f"{a}.2"]])
    another_boot(any_cell.files)
    any_cell.start()
    any_cell.wait_note("end", "B", 1)
    any_cell.wait_note("start", "A", 2, count=2)
    any_cell.open("A", 2)
    any_cell.wait_gone(a, b)
    assert sorted(ends(any_cell, a)) == [(1, "0", "3"), (2, "0", "0"), (2, "25", "0")]


def test_a_job_that_must_not_run_again_ends_with_its_host(any_cell):
    a, b = running_pair(any_cell, "-r", "n")
    crash_host(any_cell, with_qmaster=False)
    clear_active_jobs(any_cell)
    any_cell.start()
    any_cell.wait_gone(a, b)
    assert sorted(ends(any_cell, a)) == [(1, "21", "0"), (2, "21", "0")]
    assert re.search(rf"\|W\|task {a}\.1: host \S+ has lost the task, as after a reboot: it has ended, because -r or rerun does not permit another start\n",
                     (any_cell.dir / "spool/qmaster/messages").read_text())
    assert set(starts(any_cell).values()) == {1}


def test_a_start_that_never_arrived_is_made_once(any_cell):
    """The execd is stopped, so that the orders lie in its socket when it is killed."""
    os.kill(any_cell.pid("sge_execd"), signal.SIGSTOP)
    a = any_cell.array("A", "1-3")
    for task in (1, 2, 3):
        any_cell.wait_state(a, task, "t")
    any_cell.kill("sge_execd")
    any_cell.start()
    any_cell.wait_gone(a)
    assert sorted(ends(any_cell, a)) == [(1, "0", "0"), (2, "0", "0"), (3, "0", "0")]
    assert set(starts(any_cell).values()) == {1}


def test_a_deleted_task_does_not_come_back_with_its_host(any_cell):
    a = any_cell.array("A", "1", gated=[1])
    any_cell.wait_note("start", "A", 1)
    any_cell.wait_state(a, 1, "r")
    crash_host(any_cell, with_qmaster=False)
    any_cell.ok("qdel", a)
    assert any_cell.tasks(a) == {1: "dr"}
    clear_active_jobs(any_cell)
    any_cell.start()
    any_cell.wait_gone(a)
    assert len(ends(any_cell, a)) == 1 and starts(any_cell) == {("A", 1): 1}


def test_a_spool_of_a_newer_layout_is_left_alone(any_cell):
    job = any_cell.held_array("old", "1-3")
    any_cell.kill("sge_qmaster", signal.SIGTERM)
    layout = any_cell.dir / "spool/qmaster/spooldb/format"
    own = layout.read_text()
    layout.write_text("berkeleydb 9\n")
    said = any_cell.refused("sge_qmaster", user=any_cell.owner).err.splitlines()
    assert len(said) == 1 and "has layout 9, which is newer than layout" in said[0], said
    layout.write_text(own)
    any_cell.start()
    assert any_cell.detail(job)["job_name"] == "old"


def test_initial_state_counts_when_an_execd_starts_and_not_when_a_qmaster_does(any_cell):
    owner = any_cell.owner
    disabled = lambda: any_cell.run("qselect", "-qs", "d").out.split()
    any_cell.ok("qconf", "-mattr", "queue", "initial_state", "disabled", "all.q", user=owner)
    assert disabled() == []
    any_cell.kill("sge_execd")
    any_cell.start()
    wait(disabled, "the queue to be disabled")
    any_cell.ok("qmod", "-e", "all.q", user=owner)
    any_cell.restart_master()
    any_cell.wait_gone(any_cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "true"))
    assert disabled() == []


# ---- a scheduler that hangs -----------------------------------------------------------------------------------------

def shown_job(cell):
    """The memory where the scheduler shows the job that it is looking at, as a file of the qmaster."""
    folder = Path(f"/proc/{cell.pid('sge_qmaster')}/fd")
    [found] = [fd for fd in folder.iterdir() if fd.is_symlink() and os.readlink(fd).startswith("/memfd:shared")]
    return found


def hang_at(cell, job):
    """The scheduler does not go on, and shows that it is at JOB."""
    os.kill(cell.pid("sge_schedd"), signal.SIGSTOP)
    with open(shown_job(cell), "r+b") as shown:
        shown.write(struct.pack("=I", job))


def test_a_job_at_which_the_scheduler_hangs_is_set_aside(any_cell):
    """sge_schedd(8): other jobs go on, and so does this one when it is altered."""
    any_cell.configure(qmaster_params="SCHEDULER_SILENCE=4")
    ill = any_cell.array("ill", "1-2", "-h")
    hung = any_cell.pid("sge_schedd")
    hang_at(any_cell, ill)
    any_cell.ok("qrls", ill)
    any_cell.wait_gone(any_cell.array("other", "1"))
    assert any_cell.pid("sge_schedd") != hung
    assert set(any_cell.tasks(ill).values()) == {"qw"}
    assert "set aside: the scheduler hung or crashed when it looked at this job" in any_cell.ok("qstat", "-j", ill)
    assert len(log_lines(any_cell, rf"job {ill} is set aside")) == 1
    after = any_cell.array("after", "1-2", "-hold_jid_ad", ill)
    any_cell.ok("qalter", "-p", "-1", ill)
    assert "set aside" not in any_cell.run("qstat", "-j", after).out  # it may have ended
    any_cell.wait_gone(ill, after)
    assert starts(any_cell)["ill", 1] == starts(any_cell)["ill", 2] == 1
