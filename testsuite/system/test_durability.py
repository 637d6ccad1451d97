"""What was acknowledged stays, whatever is killed; and durable means synced."""
import collections
import os
import random
import re
import signal
import subprocess
import threading
import time

import pytest

from cell import alive, descendants, wait


class Submitter(threading.Thread):
    """Submits one job after the other until told to stop, and keeps what was acknowledged."""

    def __init__(self, cell, number):
        super().__init__()
        self.cell, self.number = cell, number
        self.stop, self.acknowledged = threading.Event(), {}

    def run(self):
        count = 0
        while not self.stop.wait(0.03):
            count += 1
            name = f"s{self.number}x{count}"
            array = ["-t", "1-3"] if count % 4 == 0 else []
            result = self.cell.run("qsub", "-terse", "-N", name, *array, "-o", "/dev/null", "-j", "y", "-v", "LOG,GATES", self.cell.script)
            if result.code == 0:
                self.acknowledged[name] = (int(result.out.split(".")[0]), 3 if array else 1)


def submit_while(cell, act, submitters=4):
    """Run ACT under SUBMITTERS; returns {name: (job number, tasks)} of what was acknowledged."""
    threads = [Submitter(cell, number) for number in range(submitters)]
    for thread in threads:
        thread.start()
    try:
        act()
    finally:
        for thread in threads:
            thread.stop.set()
        for thread in threads:
            thread.join()
    return {name: job for thread in threads for name, job in thread.acknowledged.items()}


def check_all_ran_once(cell, acknowledged):
    """No acknowledged job missing, none run twice, no id used twice."""
    wait(lambda: not cell.states(), lambda: f"all jobs to end: {cell.states()}", 120)
    numbers = [number for number, _ in acknowledged.values()]
    assert len(set(numbers)) == len(numbers)
    starts = collections.Counter(note[1:3] for note in cell.notes("start"))
    assert [task for task, count in starts.items() if count != 1] == []
    records = collections.Counter((row["job_number"], row["task_number"]) for row in cell.accounting())
    assert [task for task, count in records.items() if count != 1] == []
    names = collections.defaultdict(set)
    for row in cell.accounting():
        names[row["job_number"]].add(row["job_name"])
    assert [number for number, who in names.items() if len(who) != 1] == []
    for name, (number, tasks) in acknowledged.items():
        ran = [key for key in starts if key[0] == name]
        assert len(ran) == tasks, (name, number)
        assert names[str(number)] == {name}


def test_twenty_kills_of_the_qmaster_under_four_submitters(any_cell):
    a = any_cell.held_array("A", "1-10:3")
    b = any_cell.held_array("B", "1-10:4", "-hold_jid_ad", a)
    c = any_cell.held_array("C", "1-10", "-hold_jid_ad", f"{a},{b}", "-hold_jid", b)
    any_cell.ok("qdel", f"{a}.4", f"{b}.1")

    def holds():
        return [any_cell.tasks(job, "-s", kind) for job in (a, b, c) for kind in ("hd", "hj", "hu")]

    before, dice = holds(), random.Random(4711)

    def kills():
        for _ in range(20):
            time.sleep(dice.uniform(0.02, 0.4))  # a random moment is what is tested here
            any_cell.restart_master()
            assert holds() == before

    acknowledged = submit_while(any_cell, kills)
    assert len(acknowledged) > 40
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
    shepherd = next(pid for pid in descendants() if open(f"/proc/{pid}/comm").read() == "sge_shepherd\n"
                    and os.readlink(f"/proc/{pid}/cwd").endswith(f"/{a}.1"))
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

class Strace:
    """strace on a running process; the output is read when it has been stopped."""

    def __init__(self, pid, path, *options):
        self.path = path
        self.process = subprocess.Popen(["strace", "-f", "-q", "-o", str(path), *options, "-p", str(pid)], stderr=subprocess.PIPE, text=True)
        wait(lambda: self.traced(pid), "strace to attach")

    def traced(self, pid):
        assert self.process.poll() is None, self.process.stderr.read()
        return all("TracerPid:\t0\n" not in open(f"/proc/{pid}/task/{thread}/status").read() for thread in os.listdir(f"/proc/{pid}/task"))

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(10)
        self.process.stderr.close()
        return self.path.read_text()


SYNCS = "fsync,fdatasync,sync_file_range,msync"


def test_every_acknowledged_submit_was_synced(any_cell):
    trace = Strace(any_cell.pid("sge_qmaster"), any_cell.files / "trace", "-e", f"trace={SYNCS}")
    for _ in range(20):
        any_cell.qsub("-h", "-b", "y", "/bin/true")
    submitted = trace.stop()
    trace = Strace(any_cell.pid("sge_qmaster"), any_cell.files / "trace", "-e", f"trace={SYNCS}")
    for _ in range(20):
        any_cell.ok("qstat")
    read = trace.stop()
    count = re.compile(r"\b(?:fsync|fdatasync)\(\d+\)? ")
    assert len(count.findall(submitted)) >= 20, submitted
    assert len(count.findall(read)) < 5, read


def test_reads_answer_at_once_when_syncs_are_slow(any_cell):
    any_cell.held_array("A", "1-100")
    trace = Strace(any_cell.pid("sge_qmaster"), any_cell.files / "trace", "-e", f"trace={SYNCS}", "-e", f"inject={SYNCS}:delay_exit=500000")
    try:
        begin = time.monotonic()
        any_cell.qsub("-h", "-b", "y", "/bin/true")
        assert time.monotonic() - begin > 0.45, "a submit was acknowledged before its sync had ended"
        for command in (["qstat"], ["qstat", "-j", "1"], ["qhost"]):
            begin = time.monotonic()
            any_cell.ok(*command)
            assert time.monotonic() - begin < 0.3, command
    finally:
        trace.stop()
