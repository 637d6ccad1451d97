"""Qmaster and execd are killed at each step of a migration (checkpoint(5)), as test_crash_points.py does at those of other changes: the task runs
once at a time, is not lost, and what waits for it in another array stays held until it has ended. SGE_TEST_LONG=1 takes every n."""
import threading

import pytest

from cell import wait
from faults import LONG, Strace, thread_of
from test_checkpoints import Lab

# thread and call before which the qmaster dies, and at which of these calls; None: the first thread, of the execd
QMASTER_STEPS = {("network", "readv"): (1, 3), ("core", "write"): (1, 3), ("committer", "pwrite64"): (1, 4), ("committer", "fdatasync"): (1, 2, 4),
                 ("committer", "write"): (2,), ("network", "sendmsg"): (1, 2, 4)}
EXECD_STEPS = {(None, "readv"): (1, 2, 3), (None, "openat"): (1, 3, 8), (None, "write"): (1, 3), (None, "renameat"): (1, 2), (None, "unlinkat"): (1, 2),
               (None, "sendmsg"): (1, 2, 3)}
MOST = 40  # more calls of a kind than a migration makes


class Migration:
    """Task 1 of an array moves to the other queue, and the array that waits for it task by task."""

    def __init__(self, lab, number):
        self.lab, self.cell, self.name = lab, lab.cell, f"A{number}"
        self.log = len(lab.log("migr"))
        self.a = self.cell.array(self.name, "1-2", "-ckpt", "app", gated=[1, 2])
        self.b = self.cell.array(f"B{number}", "1-2", "-hold_jid_ad", self.a)
        for task in 1, 2:
            self.cell.wait_note("start", self.name, task)
            self.cell.wait_state(self.a, task, "r")

    def starts(self):
        return [note[1:3] for note in self.cell.notes("start")].count((self.name, 1))

    def begin(self):
        """A client that finds no qmaster is started again."""
        wait(lambda: "unable to send message" not in self.cell.run("qmod", "-sj", f"{self.a}.1").out, "the request to be taken", 60)

    def play(self, thread, call, n, daemon):
        """DAEMON dies at call N of THREAD, if there are so many; true: it did."""
        pid = self.cell.pid(daemon)
        trace = Strace(pid, self.cell.files / "trace", "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={n}",
                       thread=thread_of(pid, thread) if thread else pid)
        client = threading.Thread(target=self.begin)
        client.start()
        try:
            wait(lambda: trace.process.poll() is not None or self.starts() == 2 and not client.is_alive(), "a death, or the second start", 60)
            has_died = trace.stop().count(f"{call}(") >= n
            if has_died:
                wait(lambda: self.cell.pid(daemon) is None, "the daemon to be gone")
                self.cell.start()
        finally:
            client.join()
        return has_died

    def check(self):
        wait(lambda: self.starts() == 2, lambda: f"the second start: {self.cell.notes()}")
        self.cell.wait_state(self.a, 1, "Rr")
        assert self.cell.array_held(self.b) == {1, 2}
        assert len(self.lab.log("migr")) == self.log + 1
        for task in 1, 2:
            self.cell.open(self.name, task)
        self.cell.wait_gone(self.a, self.b)
        assert self.starts() == 2 and [note[1:3] for note in self.cell.notes("end")].count((self.name, 1)) == 1
        ends = sorted((line["task_number"], line["failed"]) for line in self.cell.accounting() if line["job_number"] == str(self.a))
        assert ends == [("1", "0"), ("1", "24"), ("2", "0")]


@pytest.mark.parametrize("daemon", ["sge_qmaster", "sge_execd"])
def test_a_kill_at_any_step_of_a_migration_loses_and_repeats_nothing(any_cell, daemon):
    lab, number = Lab(any_cell), 0
    lab.environment("app", interface="application-level", when="x", migr_command=f"{lab.command('migr', 'kill -9 -$1')} $job_pid")
    for (thread, call), short in (QMASTER_STEPS if daemon == "sge_qmaster" else EXECD_STEPS).items():
        for n in range(1, MOST) if LONG else short:
            number += 1
            migration = Migration(lab, number)
            has_died = migration.play(thread, call, n, daemon)
            migration.check()
            assert has_died or n > 1, f"{call} does not occur"
            if not has_died:
                break
