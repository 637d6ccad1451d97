"""Qmaster and execd are killed at every step of what they do: strace delivers SIGKILL when one of their threads begins its n-th call
of a kind. Whatever was acknowledged by then is there after a restart, nothing ran twice, every end is recorded once. SGE_TEST_LONG=1
takes every n."""
import collections
import os
import re
import threading

import pytest

from cell import wait
from faults import LONG, Strace, thread_of

# where in a change the thread stands when it is about to make the call
STEPS = {
    "network-readv": "a request is about to be read",
    "core-write": "the core has applied it and wakes another thread",
    "committer-pwrite64": "the log is about to be written",
    "committer-fdatasync": "it is written and not synced",
    "committer-newfstatat": "it is synced, its accounting lines are not yet appended",
    "committer-write": "it is synced, lines or wake-up are about to be written",
    "network-sendmsg": "the answer, order or event is about to leave",
}
SHORT = {"network-readv": (1, 4, 9), "core-write": (2, 6), "committer-pwrite64": (1, 2, 3, 5), "committer-fdatasync": (1, 2, 3, 5),
         "committer-newfstatat": (1, 2, 4), "committer-write": (2, 3, 6), "network-sendmsg": (2, 5, 8)}
MOST = 60  # more calls of a kind than the scenario makes


class Round:
    """One scenario with names of its own: a job is submitted and starts beside others, a task ends and releases another one, which has its shepherd, a
    job is altered, one deleted."""

    def __init__(self, cell, number):
        self.cell, self.n = cell, number
        self.a = cell.array(f"A{number}", "1-2", gated=[1, 2])
        for task in (1, 2):
            cell.wait_note("start", f"A{number}", task)
        wait(lambda: self.job_pids() >= {f"{self.a}.1", f"{self.a}.2"}, "the files of tasks that last")
        self.x, self.y = (cell.held_array(f"{name}{number}", "1-2") for name in "XY")
        self.b, self.c, self.failure = None, None, None

    def job_pids(self):
        """Folders with a file that a task has only if it runs for more than a moment."""
        return {path.parent.name for path in (self.cell.dir / "spool" / os.uname().nodename / "active_jobs").glob("*/job_pid")}

    def insist(self, *argv):
        """A client waits for a qmaster that it lost; one that finds none at its start gives up, and is started again."""
        results = []

        def answered():
            results.append(self.cell.run(*argv))
            return "unable to send message" not in results[-1].out + results[-1].err

        wait(answered, "the qmaster to be there again", 60)
        return results[-1]

    def submit(self, *options):
        submitted = self.insist("qsub", "-terse", "-o", "/dev/null", "-j", "y", *options)
        assert submitted.code == 0, str(submitted)
        return int(submitted.out.split(".")[0])

    def act(self):
        """In a thread of its own, while the qmaster is killed and started again."""
        try:
            self.c = self.submit("-N", f"C{self.n}", "-b", "y", "/bin/true")
            self.b = self.submit("-N", f"B{self.n}", "-t", "1-2", "-hold_jid_ad", self.a, "-v", "LOG,GATES", self.cell.script)
            self.cell.open(f"A{self.n}", 1)
            altered = self.insist("qalter", "-N", f"Z{self.n}", self.x)
            assert altered.code == 0, str(altered)
            deleted = self.insist("qdel", self.y)  # a repeated one may find that the first was carried out
            assert deleted.code == 0 or "does not exist" in deleted.out + deleted.err, str(deleted)
            self.cell.wait_note("end", f"B{self.n}", 1, seconds=60)
        except BaseException as failure:  # noqa: B902  it is raised again in the thread of the test
            self.failure = failure

    def is_over(self, player):
        """All was answered, and the execd has cleaned up after what ended: it does so when the end is recorded, which comes after its note."""
        return not player.is_alive() and (self.failure is not None or self.job_pids() == {f"{self.a}.2"})

    def check(self):
        if self.failure:
            raise self.failure
        cell = self.cell
        assert cell.array_held(self.b) == {2}
        assert cell.detail(self.x)["job_name"] == f"Z{self.n}"
        assert not cell.tasks(self.y)
        cell.open(f"A{self.n}", 2)
        cell.wait_gone(self.a, self.b, self.c)
        cell.ok("qdel", self.x)
        mine = {(f"{name}{self.n}", task): 1 for name in "AB" for task in (1, 2)}
        for kind in ("start", "end"):
            assert collections.Counter(note[1:3] for note in cell.notes(kind) if note[1:3] in mine) == mine, kind
        rows = [(row["job_number"], row["task_number"]) for row in cell.accounting() if row["job_number"] in (str(self.a), str(self.b), str(self.c))]
        assert sorted(rows) == sorted([(str(self.c), "0"), *((str(job), str(task)) for job in (self.a, self.b) for task in (1, 2))])


def crash(cell, number, thread, call, n, after_death=None, daemon="sge_qmaster", comes_anyway=False):
    """Play a round, DAEMON dying at call N of THREAD (None: its first); false if the round has fewer such calls. A call that COMES_ANYWAY, sooner or
    later, is waited for."""
    game = Round(cell, number)
    pid = cell.pid(daemon)
    trace = Strace(pid, cell.files / "trace", "-e", f"trace={call},pwrite64", "-e", f"inject={call}:signal=KILL:when={n}",
                   thread=thread_of(pid, thread) if thread else pid)
    player = threading.Thread(target=game.act)
    player.start()
    try:
        wait(lambda: trace.process.poll() is not None or not comes_anyway and game.is_over(player), "the daemon to die or the round to end", 60)
        text = trace.stop()
        has_died = len(re.findall(rf"\b{call}\(", text)) >= n
        if has_died:
            wait(lambda: cell.pid(daemon) is None, "the daemon to be gone")
            if after_death:
                after_death(text)
            cell.start()
    finally:
        player.join()
    game.check()
    return has_died


def numbers(short):
    return range(1, MOST) if LONG else short


@pytest.mark.parametrize("step", STEPS)
def test_a_kill_at_any_step_of_a_change_loses_and_repeats_nothing(any_cell, step):
    thread, call = step.split("-")
    for number, n in enumerate(numbers(SHORT[step])):
        if not crash(any_cell, number, thread, call, n):
            assert n > 1, "the call does not occur"
            break


def test_a_long_script_is_there_whole_and_once_wherever_the_qmaster_dies(any_cell):
    """It comes to the spool in pieces, one in each batch: the kills are before the first, between two, and about the one with its job."""
    cell, answers = any_cell, []
    script = "#!/bin/sh\n" + ("#" * 1023 + "\n") * 1024 + "echo whole\n"

    def submit():
        answers.append(cell.run("qsub", "-terse", "-o", cell.files / "said", "-j", "y", "-S", "/bin/sh", stdin=script))

    for n in range(1, 14) if LONG else (1, 4, 9, 10):
        pid = cell.pid("sge_qmaster")
        trace = Strace(pid, cell.files / "trace", "-e", "trace=fdatasync", "-e", f"inject=fdatasync:signal=KILL:when={n}",
                       thread=thread_of(pid, "committer"))
        player = threading.Thread(target=submit)
        player.start()
        try:
            wait(lambda: trace.process.poll() is not None or not player.is_alive(), "the qmaster to die or the submit to end", 60)
            if trace.stop().count("fdatasync(") >= n:
                wait(lambda: cell.pid("sge_qmaster") is None, "the qmaster to be gone")
                cell.start()
        finally:
            player.join()
        assert answers[-1].code == 0, str(answers[-1])
        cell.wait_gone(int(answers[-1].out))
        wait(lambda: (cell.files / "said").read_text() == "whole\n" * len(answers), "one word of each job")
    assert len(cell.accounting()) == len(answers)


# what an execd does with a task: hears of it, makes its directories and files, starts a shepherd, reports, hears that all is recorded, cleans up
EXECD_STEPS = {"readv": (1, 2, 4), "openat": (1, 4, 7, 12), "renameat": (1, 2, 3), "unlinkat": (1,), "write": (1, 3, 5), "fcntl": (1, 3),
               "vfork": (1,), "pidfd_open": (1,), "sendmsg": (1, 2, 3), "ftruncate": (1, 2)}


@pytest.mark.parametrize("call", EXECD_STEPS)
def test_a_kill_of_the_execd_at_any_step_runs_every_task_once(any_cell, call):
    for number, n in enumerate(numbers(EXECD_STEPS[call])):
        if not crash(any_cell, number, None, call, n, daemon="sge_execd"):
            assert n > 1, "the call does not occur"
            break


def test_a_kill_of_the_execd_that_looks_for_ended_children_runs_every_task_once(any_cell):
    """It looks when a shepherd has ended, which waits for the next task first, and each second."""
    for n in (1, 2):
        assert crash(any_cell, n, None, "wait4", n, daemon="sge_execd", comes_anyway=True)


RESTART_STEPS = {"pwrite64": (1, 2, 5), "fdatasync": (1, 2, 4), "write": (1, 2, 4), "rename": (1,), "unlink": (1, 2), "openat": (8, 20, 40), "ftruncate": (1,)}


def survives_start(cell, call, n):
    """Start the qmaster under a strace that kills it at call N; true if it comes to answer."""
    trace = cell.start_program("strace", "-f", "-qq", "-o", "/dev/null", "-e", f"inject={call}:signal=KILL:when={n}", cell.bin / "sge_qmaster", user=cell.owner)
    try:
        wait(lambda: trace.poll() is not None or cell.run("qstat").code == 0, "the qmaster to answer or to die")
        return trace.poll() is None
    finally:
        pid = cell.pid("sge_qmaster")
        if pid:
            cell.kill("sge_qmaster")
        trace.communicate(timeout=20)


@pytest.mark.parametrize("call", RESTART_STEPS)
def test_a_kill_in_the_middle_of_a_restart_leaves_the_next_one_all(any_cell, call):
    """With tasks that ended while the qmaster was away, lines in the outbox, and a log that has to be read."""
    a = any_cell.array("A", "1-4", gated=[3, 4])
    b = any_cell.array("B", "1-4", "-hold_jid_ad", a)
    held = any_cell.held_array("H", "1-10:3")
    any_cell.wait_note("end", "B", 2)
    wait(lambda: len(any_cell.accounting()) == 4, "four records")
    any_cell.kill("sge_qmaster")
    any_cell.open("A", 3)
    any_cell.wait_note("end", "A", 3)
    for n in range(1, MOST) if LONG else RESTART_STEPS[call]:
        if survives_start(any_cell, call, n):
            break
    any_cell.start()
    any_cell.wait_note("end", "B", 3)
    assert any_cell.array_held(b) == {4}
    assert any_cell.tasks(held) == {1: "hqw", 4: "hqw", 7: "hqw", 10: "hqw"}
    any_cell.open("A", 4)
    any_cell.wait_gone(a, b)
    for kind in ("start", "end"):
        assert collections.Counter(note[1:3] for note in any_cell.notes(kind)) == {(name, task): 1 for name in "AB" for task in (1, 2, 3, 4)}
    rows = sorted((row["job_number"], row["task_number"]) for row in any_cell.accounting())
    assert rows == sorted((str(job), str(task)) for job in (a, b) for task in (1, 2, 3, 4))


def tear_log(cell, text, keep):
    """What a power cut may leave: of what was written after the last sync only the first part."""
    calls = re.findall(r"^\d*\s*(pwrite64|fdatasync)\((\d+)(?:.*, (\d+), (\d+)\))?.*$", text, re.M)
    assert calls[-1][0] == "fdatasync" or calls[-1][0] == "pwrite64", text
    last = next(i for i in range(len(calls) - 1, -1, -1) if calls[i][0] == "pwrite64")
    length, offset = int(calls[last][2]), int(calls[last][3])
    log = max((cell.dir / "spool/qmaster/spooldb").glob("log.*"))
    with open(log, "r+b") as out:
        if keep is None:
            out.seek(offset + length // 3)
            out.write(bytes(range(256)) * (length // 256 + 1))
        else:
            out.truncate(offset + int(length * keep))


@pytest.mark.parametrize("keep", [0, 0.5, None], ids=["lost", "torn", "garbled"])
def test_a_power_cut_before_the_sync_loses_nothing_acknowledged(any_cell, keep):
    for number, n in enumerate(range(1, MOST) if LONG else (1, 2, 4)):
        if not crash(any_cell, number, "committer", "fdatasync", n, lambda text: tear_log(any_cell, text, keep)):
            break
