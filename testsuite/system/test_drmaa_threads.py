"""Many threads in one DRMAA session: each end is taken once, whatever becomes of the qmaster."""
import re
import subprocess

import pytest

from cell import ARCH
from drmaa_python import as_it_is
from faults import LONG, Strace


class Programs:
    """The programs that share drmaa_program.h, in a cell."""

    def __init__(self, cell):
        self.cell = cell
        self.environment = {"LD_LIBRARY_PATH": str(cell.root / "lib" / ARCH)}

    def start(self, name, *argv, **more):
        return self.cell.start_program(self.cell.test_program(name), *argv, env=self.environment, **more)

    def run(self, name, *argv, timeout=300):
        """What it printed: all that DRMAA promises was so."""
        return self.cell.ok(self.cell.test_program(name), *argv, env=self.environment, timeout=timeout)


@pytest.fixture
def programs(any_cell):
    return Programs(any_cell)


@pytest.mark.parametrize("which", ["any", "id"])
def test_each_of_a_thousand_jobs_is_reaped_once_though_the_qmaster_is_killed(programs, any_cell, which):
    """Status and usage of each are its own. Kills while the jobs are submitted, while they run, while they are taken."""
    jobs = 1000
    process = programs.start("drmaa_threads", "reap", which, 8, jobs)
    said = []
    for line in process.stdout:
        said.append(line)
        if line in ("submitted 300\n", "submitted 700\n", "reaped 200\n", "reaped 500\n", "reaped 900\n"):
            any_cell.restart_master()
    assert (process.wait(60), process.stderr.read()) == (0, "")
    assert len(said) == 20
    records = [row["job_number"] for row in any_cell.accounting()]
    assert len(records) == len(set(records)) == jobs


@pytest.mark.parametrize("tasks", [1, 8, 50])
def test_who_waits_for_any_gets_an_end_or_hears_that_there_is_none_left(programs, tasks):
    programs.run("drmaa_threads", "rest", 8, tasks, timeout=60)


def test_a_hundred_threads_submit_ask_control_and_wait_in_one_session(programs, any_cell):
    programs.run("drmaa_crowd", 100, 3)
    assert len(any_cell.accounting()) == 100 * 3 * 4


def test_the_end_of_a_task_wakes_only_who_waits_for_it(programs):
    """Twice at most for each task: for its end, and for the lock if that is still held."""
    tasks = 10_000 if LONG else 1000
    sleeps = int(programs.run("drmaa_waits", "tasks", 20, tasks))
    assert sleeps < 3 * tasks


@as_it_is
def test_a_second_of_waiting_is_one_sleep(programs, any_cell):
    """The rest of the process makes no system call; glibc adds one that wakes nobody, for the lock."""
    process = programs.start("drmaa_waits", "second", stdin=subprocess.PIPE)
    assert process.stdout.readline() == "ready\n"
    trace = Strace(process.pid, any_cell.files / "trace")
    _, said = process.communicate("\n", timeout=60)
    assert (process.returncode, said) == (0, "")
    calls = re.findall(r"^\d+ +(.*)", trace.stop(), re.M)
    begin, end = (next(i for i, call in enumerate(calls) if call.startswith(f'write(1, "{word}\\n"')) for word in ("begin", "end"))
    between = calls[begin + 1:end]
    assert "FUTEX_WAIT" in between[0] and all("FUTEX_WAKE" in call for call in between[1:]) and len(between) <= 2, between
