"""What jobs cost in memory, and that nothing of them stays. SGE_TEST_LONG=1: 200,000 jobs, 50,000 tasks."""
import signal

import pytest

from cell import SANITIZED, wait
from faults import LONG, flood, log_lines, resident_bytes

KIB = 1024
# of the qmaster, for a plain pending job: design.md says 1.5 KiB. Its record counts, too, until the spool's cache (64 MiB) is full.
BYTES_A_JOB = 1.6 * KIB if LONG else 1.9 * KIB

pytestmark = pytest.mark.skipif(SANITIZED, reason="impossible here: a sanitizer has memory of its own")


def test_what_a_pending_job_costs(any_cell):
    """After restarts, so that neither late request ids nor what was freed counts. The qmaster is stopped in order: after a kill, the
    spool's cache, which is there once however many jobs there are, also holds the pages that the recovery went through."""
    count, sizes = 100000 if LONG else 20000, []
    for jobs in (count, 2 * count):
        flood(any_cell, count)
        any_cell.kill("sge_qmaster", signal.SIGTERM)
        any_cell.start()
        wait(lambda: log_lines(any_cell, f"starting up .* with {jobs} jobs"), "the restart")
        sizes.append(resident_bytes(any_cell.pid("sge_qmaster")))
    print("bytes:", sizes, "a job:", (sizes[1] - sizes[0]) / count)
    assert (sizes[1] - sizes[0]) / count < BYTES_A_JOB
    assert sizes[1] < 2 * count * BYTES_A_JOB + 32 * KIB * KIB


def test_nothing_of_short_tasks_stays(make_cell, pytestconfig):
    cell = make_cell(slots=16) if pytestconfig.no_users else make_cell(slots=16, owner="root", user="alice")
    warm, count, step = (10000, 50000, 5000) if LONG else (3000, 6000, 1500)

    def run(tasks):
        for _ in range(tasks // step):
            job = cell.qsub("-t", f"1-{step}", "-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true")
            cell.wait_gone(job, seconds=120)

    def sizes():
        return {daemon: resident_bytes(cell.pid(daemon)) for daemon in ("sge_qmaster", "sge_schedd", "sge_execd")}

    run(warm)
    before = sizes()
    run(count)
    growth = {daemon: size - before[daemon] for daemon, size in sizes().items()}
    print("growth:", growth)
    assert max(growth.values()) < 100 * count + 1024 * KIB, growth
    assert len(cell.accounting()) == warm + count
