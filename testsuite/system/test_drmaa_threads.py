"""Many threads in one DRMAA session: each end is taken once, whatever becomes of the qmaster."""
import pytest

from cell import ARCH


class Threads:
    """drmaa_threads in a cell."""

    def __init__(self, cell):
        self.cell = cell
        self.environment = {"LD_LIBRARY_PATH": str(cell.root / "lib" / ARCH)}

    def start(self, *argv, **more):
        return self.cell.start_program(self.cell.test_program("drmaa_threads"), *argv, env=self.environment, **more)

    def run(self, *argv, timeout=120):
        """What it printed: all that DRMAA promises was so."""
        return self.cell.ok(self.cell.test_program("drmaa_threads"), *argv, env=self.environment, timeout=timeout)


@pytest.fixture
def threads(any_cell):
    return Threads(any_cell)


@pytest.mark.parametrize("which", ["any", "id"])
def test_each_of_a_thousand_jobs_is_reaped_once_though_the_qmaster_is_killed(threads, any_cell, which):
    """Status and usage of each are its own. Kills while the jobs are submitted, while they run, while they are taken."""
    jobs = 1000
    process = threads.start("reap", which, 8, jobs)
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
def test_who_waits_for_any_gets_an_end_or_hears_that_there_is_none_left(threads, tasks):
    threads.run("rest", 8, tasks, timeout=60)
