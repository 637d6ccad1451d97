"""What jobs cost in memory, and that it comes back. SGE_TEST_LONG=1: 200,000 jobs, 50,000 tasks."""
import signal

import pytest

from cell import SANITIZED, wait
from faults import LONG, flood, log_lines, resident_bytes

KIB = 1024
# for a plain pending job in a cell that has just been made: of qmaster and scheduler, the spool's cache (1 MiB) and remembered request ids included
BYTES_A_FRESH_JOB = 1.2 * KIB
# of the qmaster alone
BYTES_A_JOB = 1.1 * KIB
# what the qmaster remembers at most of the requests of a user whose jobs have gone: 32 MiB, and the index beside it
REQUESTS_OF_A_USER = 44 * KIB * KIB

pytestmark = pytest.mark.skipif(SANITIZED, reason="impossible here: a sanitizer has memory of its own")


def job_daemons_bytes(cell):
    """What the daemons that know pending jobs hold."""
    return sum(resident_bytes(cell.pid(daemon)) for daemon in ("sge_qmaster", "sge_schedd"))


def test_what_a_pending_job_costs_when_it_has_come(any_cell):
    count = 100000 if LONG else 20000
    before = job_daemons_bytes(any_cell)
    flood(any_cell, count)
    cost = (job_daemons_bytes(any_cell) - before) / count
    print("bytes a job:", cost)
    assert cost < BYTES_A_FRESH_JOB


def test_what_a_pending_job_costs(any_cell):
    """After restarts, so that nothing that was freed counts. The qmaster is stopped in order: after a kill, the
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
    assert sizes[1] < 2 * count * BYTES_A_JOB + 16 * KIB * KIB


def test_memory_comes_back_when_jobs_are_deleted(any_cell):
    """All but the request ids, which are remembered for a while, the spool's cache, and what the C library has free beside what is in use."""
    count, kept = 100000 if LONG else 20000, []
    before = job_daemons_bytes(any_cell)
    for _ in range(3):
        flood(any_cell, count)
        full = job_daemons_bytes(any_cell)
        any_cell.ok("qdel", "*", timeout=120)
        wait(lambda: not any_cell.ok("qstat", "-u", "*"), "all jobs gone")
        kept.append(job_daemons_bytes(any_cell) - before)
    print("bytes kept:", kept, "with the jobs:", full - before)
    assert max(kept) < min(3 * count * 200, REQUESTS_OF_A_USER) + 8 * KIB * KIB, kept


@pytest.mark.parametrize("warm, count", [(1000, 1500), pytest.param(*((10000, 50000) if LONG else (3000, 6000)), marks=pytest.mark.long)])
def test_nothing_of_short_tasks_stays(make_cell, pytestconfig, warm, count):
    cell = make_cell(slots=16) if pytestconfig.no_users else make_cell(slots=16, owner="root", user="alice")
    step = min(5000, warm // 2)

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
    assert max(growth.values()) < 100 * count + min(1024, count // 6) * KIB, growth
    assert len(cell.accounting()) == warm + count


def test_requests_that_would_fill_the_scheduler_are_refused(users_cell):
    """Jobs with 50 patterns each that no other job has: what the scheduler takes for them counts, so that one limit holds for both daemons."""
    users_cell.configure(qmaster_params="MAX_USER_MEMORY=4M")
    before, taken = job_daemons_bytes(users_cell), 0

    def submit():
        queues = ",".join(f"all.q@[a-zA-Z0-9{taken}.{number}]*" for number in range(50))
        return users_cell.run("qsub", "-h", "-b", "y", "-q", queues, "/bin/true")
    while (result := submit()).code == 0:
        taken += 1
    assert "the jobs of user alice would take 5 MiB of memory; the limit is 4 MiB (qmaster_params MAX_USER_MEMORY)" in result.err
    assert 200 < taken < 600
    grown = job_daemons_bytes(users_cell) - before
    print("bytes:", grown, "jobs:", taken)
    assert grown < 4 * KIB * KIB + 4 * KIB * KIB  # the latter: what the qmaster remembers of requests, the spool's cache
    users_cell.ok("qdel", "-u", "alice")
    assert submit().code == 0
