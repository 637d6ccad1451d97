"""Answers that are cut off when their change is durable: the client asks again, and what it asked for happens once. strace ends the
client's read of the answer before a byte has come and stops it there, so that the test says what happens meanwhile."""
import collections
import os
import re
import signal
from contextlib import contextmanager

import pytest

from cell import descendants, wait

NO_LEAKS = {"ASAN_OPTIONS": "detect_leaks=0"}  # leaks cannot be looked for under strace


def tracing_reads(path):
    path.unlink(missing_ok=True)
    return ["strace", "-q", "-o", path, "-e", "trace=readv"]


def answers_of(cell, *argv):
    """How many answers a command reads: a change may be the last of several requests."""
    trace = cell.files / "trace.whole"
    cell.ok(*tracing_reads(trace), *argv, user=cell.owner, env=NO_LEAKS)
    return trace.read_text().count("readv(")


def queue_file(cell, name):
    path = cell.files / name
    path.write_text(re.sub(r"(?m)^(qname +)all\.q", rf"\1{name}", cell.ok("qconf", "-sq", "all.q")))
    return path


class Asking:
    """A client that is stopped where it would read its NTH answer: when it goes on it finds that the connection is lost."""

    def __init__(self, cell, nth, *argv):
        self.trace = cell.files / "trace.client"
        self.process = cell.start_program(*tracing_reads(self.trace), "-e", f"inject=readv:retval=0:signal=STOP:when={nth}", *argv,
                                          user=cell.owner, env=NO_LEAKS)
        wait(lambda: self.trace.exists() and "stopped by SIGSTOP" in self.trace.read_text(), lambda: f"the answer to be cut: {self.said()}")

    def said(self):
        return self.process.communicate() if self.process.poll() is not None else "nothing yet"

    def go_on(self):
        for pid in descendants(self.process.pid):
            os.kill(pid, signal.SIGCONT)

    def answer(self):
        """What it printed in the end; it has succeeded."""
        self.go_on()
        out, err = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, out + err
        return out + err

    def end(self):
        self.go_on()
        self.process.kill()
        self.process.communicate()


@pytest.fixture(params=["connection", "qmaster"])
def asks(request, any_cell):
    """A function: a client asks, CLAIM becomes true, and the answer is lost with the connection, or with the qmaster."""
    @contextmanager
    def ask(claim, *argv, nth=1):
        asking = Asking(any_cell, nth, *argv)
        try:
            wait(claim, f"{argv} to be carried out")
            yield asking
        finally:
            asking.end()

    ask.lose = any_cell.restart_master if request.param == "qmaster" else lambda: None
    return ask


def starts_of(cell, name):
    return collections.Counter(note[1] for note in cell.notes("start"))[name]


def test_a_job_is_submitted_once(any_cell, asks):
    with asks(lambda: any_cell.states(), "qsub", "-h", "-N", "once", "-b", "y", "/bin/true") as asking:
        asks.lose()
        said = asking.answer()
    [(number, _)] = any_cell.states()
    assert f'Your job {number} ("once") has been submitted' in said
    assert any_cell.detail(number)["job_name"] == "once"


def test_a_job_is_deleted_once(any_cell, asks):
    """A job that has taken its name meanwhile stays."""
    old = any_cell.qsub("-h", "-N", "same", "-b", "y", "/bin/true", user=any_cell.owner)
    with asks(lambda: not any_cell.states(), "qdel", "same") as asking:
        new = any_cell.qsub("-h", "-N", "same", "-b", "y", "/bin/true", user=any_cell.owner)
        asks.lose()
        said = asking.answer()
    assert f"{any_cell.owner} has deleted job {old}" in said
    assert list(any_cell.states()) == [(new, 0)]


def test_a_job_is_altered_once(any_cell, asks):
    """What another alter has said meanwhile stays."""
    job = any_cell.qsub("-h", "-N", "old", "-b", "y", "/bin/true", user=any_cell.owner)
    with asks(lambda: any_cell.detail(job)["job_name"] == "new", "qalter", "-N", "new", "-p", "-5", "old") as asking:
        any_cell.ok("qalter", "-p", "-7", job, user=any_cell.owner)
        asks.lose()
        said = asking.answer()
    assert f"modified job name of job {job}" in said
    assert any_cell.detail(job)["priority"] == "-7"


def test_a_task_is_put_back_once(any_cell, asks):
    """The second start, which is there when the client asks again, runs to its end."""
    job = any_cell.array("again", "1", "-r", "y", gated=[1], user=any_cell.owner)
    any_cell.wait_note("start", "again", 1)
    with asks(lambda: starts_of(any_cell, "again") == 2, "qmod", "-rj", job) as asking:
        asks.lose()
        said = asking.answer()
    assert re.search(rf"Pushed rescheduling of job-array task {job}\.1 on host", said), said
    any_cell.open("again", 1)
    any_cell.wait_gone(job)
    assert starts_of(any_cell, "again") == 2
    assert len(any_cell.accounting()) == 2


def queues(cell):
    return cell.ok("qconf", "-sql").split()


def test_a_queue_is_added_once(any_cell, asks):
    """What was set in it meanwhile stays."""
    nth = answers_of(any_cell, "qconf", "-Aq", queue_file(any_cell, "other.q"))
    with asks(lambda: "new.q" in queues(any_cell), "qconf", "-Aq", queue_file(any_cell, "new.q"), nth=nth) as asking:
        any_cell.ok("qconf", "-mattr", "queue", "priority", "7", "new.q", user=any_cell.owner)
        asks.lose()
        said = asking.answer()
    assert 'added "new.q" to cluster queue list' in said, said
    assert re.search(r"(?m)^priority +7$", any_cell.ok("qconf", "-sq", "new.q"))


def test_a_queue_is_removed_once(any_cell, asks):
    """One that was added with its name meanwhile stays."""
    wish = queue_file(any_cell, "new.q")
    any_cell.ok("qconf", "-Aq", wish, user=any_cell.owner)
    with asks(lambda: "new.q" not in queues(any_cell), "qconf", "-dq", "new.q") as asking:
        any_cell.ok("qconf", "-Aq", wish, user=any_cell.owner)
        asks.lose()
        said = asking.answer()
    assert 'removed "new.q" from cluster queue list' in said, said
    assert "new.q" in queues(any_cell)
