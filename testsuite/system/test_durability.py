"""What was acknowledged stays, whatever is killed; and durable means synced."""
import collections
import os
import random
import re
import signal
import time

import pytest

from cell import alive, descendants, seconds, wait
from faults import SYNCS, Strace, check_all_ran_once, log_lines, shepherds, slow_syncs, submit_while, submitting


@pytest.mark.parametrize("times", [6, pytest.param(20, marks=pytest.mark.long)])
def test_kills_of_the_qmaster_under_four_submitters(any_cell, times):
    a = any_cell.held_array("A", "1-10:3")
    b = any_cell.held_array("B", "1-10:4", "-hold_jid_ad", a)
    c = any_cell.held_array("C", "1-10", "-hold_jid_ad", f"{a},{b}", "-hold_jid", b)
    any_cell.ok("qdel", f"{a}.4", f"{b}.1")

    def holds():
        return [any_cell.tasks(job, "-s", kind) for job in (a, b, c) for kind in ("hd", "hj", "hu")]

    before, dice = holds(), random.Random(4711)

    def kills():
        for _ in range(times):
            time.sleep(dice.uniform(0.02, 0.4))  # a random moment is what is tested here
            any_cell.restart_master()
            assert holds() == before

    acknowledged = submit_while(any_cell, kills)
    assert len(acknowledged) > 2 * times
    any_cell.ok("qdel", a, b, c)
    check_all_ran_once(any_cell, acknowledged)


@pytest.mark.parametrize("daemon", ["sge_schedd", "sge_execd"])
def test_a_kill_of_schedd_or_execd_loses_nothing(any_cell, daemon):
    def kill():
        wait(lambda: len(any_cell.notes("end")) > 10, "some jobs to run")
        any_cell.kill(daemon)
        any_cell.start()
        done = len(any_cell.notes("end"))
        wait(lambda: len(any_cell.notes("end")) > done + 10, "more jobs to run")

    check_all_ran_once(any_cell, submit_while(any_cell, kill))


def test_a_killed_shepherd_ends_its_task_once_and_leaves_no_process(any_cell):
    a = any_cell.array("A", "1-2", gated=[1, 2])
    b = any_cell.array("B", "1-2", "-hold_jid_ad", a)
    for task in (1, 2):
        any_cell.wait_note("start", "A", task)
    shepherd = shepherds(any_cell)[f"{a}.1"]
    below = descendants(shepherd)
    os.kill(shepherd, signal.SIGKILL)
    wait(lambda: not any(alive(pid) for pid in below), "the processes of the job to be ended")
    wait(lambda: any_cell.tasks(a).get(1) in (None, "Eqw"), "the end of A.1 to be noticed")
    if any_cell.tasks(a).get(1) == "Eqw":
        any_cell.ok("qdel", f"{a}.1")
    any_cell.open("A", 2)
    any_cell.wait_gone(a, b)
    assert collections.Counter(n[1:3] for n in any_cell.notes("start")) == {("A", 1): 1, ("A", 2): 1, ("B", 1): 1, ("B", 2): 1}
    ends = [row for row in any_cell.accounting() if row["job_number"] == str(a) and row["task_number"] == "1"]
    assert len(ends) == 1 and ends[0]["failed"] != "0"


def test_a_job_ends_while_the_qmaster_is_away(any_cell):
    a = any_cell.array("A", "1", gated=[1])
    b = any_cell.array("B", "1", "-hold_jid_ad", a)
    any_cell.wait_note("start", "A", 1)
    any_cell.kill("sge_qmaster")
    any_cell.open("A", 1)
    any_cell.wait_note("end", "A", 1)
    any_cell.start()
    any_cell.wait_gone(a, b)
    check_all_ran_once(any_cell, {"A": (a, 1), "B": (b, 1)})


def test_a_job_ends_while_the_execd_is_away(any_cell):
    a = any_cell.array("A", "1", gated=[1])
    any_cell.wait_note("start", "A", 1)
    any_cell.kill("sge_execd")
    any_cell.open("A", 1)
    any_cell.wait_note("end", "A", 1)
    any_cell.start()
    any_cell.wait_gone(a)
    check_all_ran_once(any_cell, {"A": (a, 1)})


# ---- syncs, seen from outside ---------------------------------------------------------------------------------------

ANSWER = re.compile(r'sendmsg\([^"]*iov_base="(?:\\x[0-9a-f]{2}){8}\\x04')  # a frame of kind 4 begins


def test_no_answer_leaves_before_the_log_is_synced(any_cell):
    """One change at a time, so that the order of the qmaster's calls is that of one change: log written (twice where its buffer ends), log synced,
    answer sent. A qdel of many jobs could be answered in parts, and the next part's log be written while one is being sent."""
    trace = Strace(any_cell.pid("sge_qmaster"), any_cell.files / "trace", "-xx", "-s", "16", "-e", f"trace=pwrite64,sendmsg,{SYNCS}")
    for number in range(20):
        any_cell.qsub("-h", "-b", "y", "/bin/true")
        any_cell.ok("qalter", "-N", f"n{number}", number + 1)
        any_cell.ok("qdel", number + 1)
    unsynced, syncs, answers = 0, 0, 0
    for line in trace.stop().splitlines():
        if "pwrite64(" in line:
            unsynced += 1
        elif re.search(r"\b(fsync|fdatasync)\b.*= 0", line):
            unsynced, syncs = 0, syncs + 1
        elif ANSWER.search(line):
            answers += 1
            assert unsynced == 0 and answers <= syncs, f"answer {answers} left after {syncs} syncs and {unsynced} writes that were not synced"
    assert answers >= 60 and syncs >= 60


def test_reading_costs_no_syncs(any_cell):
    any_cell.held_array("A", "1-10")
    trace = Strace(any_cell.pid("sge_qmaster"), any_cell.files / "trace", "-e", f"trace={SYNCS}")
    for _ in range(20):
        any_cell.ok("qstat")
        any_cell.ok("qstat", "-j", 1)
    assert len(re.findall(r"\b(?:fsync|fdatasync)\(", trace.stop())) < 5


def test_reads_answer_at_once_while_a_slow_disk_is_kept_busy(any_cell):
    """Each sync takes two seconds, and the next one begins when it ends: long enough to tell a busy machine from one that waits for it."""
    old, many = any_cell.held_array("old", "1-100"), any_cell.held_array("many", "1-2000:3")
    any_cell.restart_master()  # nothing of them is in memory that need not be
    wait(lambda: len(log_lines(any_cell, "execd of .* registered")) == 2, "the execd to be back")
    any_cell.qsub("-h", "-b", "y", "/bin/true")
    with slow_syncs(any_cell, 2000), submitting(any_cell):
        assert seconds(lambda: any_cell.qsub("-h", "-b", "y", "/bin/true")) > 1.9, "a submit was acknowledged before its sync had ended"
        for command in (["qstat", "-j", old], ["qstat", "-u", "daemon"], ["qstat", "-j", many], ["qhost"], ["qconf", "-sql"]):
            took = seconds(lambda: any_cell.ok(*command))
            assert took < 1, (command, took)


def test_a_read_of_a_change_waits_until_it_is_durable(any_cell):
    job = any_cell.held_array("A", "1-3")
    with slow_syncs(any_cell, 1000):
        begin = time.monotonic()
        qalter = any_cell.start_program("qalter", "-N", "B", job)
        wait(lambda: any_cell.detail(job)["job_name"] == "B", "the new name")
        assert time.monotonic() - begin > 0.95, "the new name was shown before the sync of it had ended"
        assert qalter.communicate(timeout=20) == (f"modified job name of job {job}\n", "")
