"""qsub -now y: all tasks of a job start at once, or the job goes. Captured texts; submit(1)."""
import pytest

JOB = ["-o", "/dev/null", "-j", "y", "-b", "y"]
WAITING = "Waiting for immediate job to be scheduled.\n"
NOT_STARTED = WAITING + "\nYour qsub request could not be scheduled; try again later.\n"


def started(number):
    return WAITING + f"\nYour immediate job {number} has been successfully scheduled.\n"


def at_once(cell, *words, **more):
    return cell.run("qsub", "-now", "y", *JOB, *words, **more)


def test_a_job_that_fits_starts_and_qsub_says_so(any_cell):
    result = at_once(any_cell, "sleep", "1")
    assert (result.code, result.out, result.err) == (0, 'Your job 1 ("sleep") has been submitted\n', started(1))
    any_cell.wait_gone(1)
    [line] = any_cell.accounting()
    assert (line["job_number"], line["exit_status"]) == ("1", "0")


def test_a_job_that_does_not_fit_goes_whole(any_cell):
    """Not one of an array's tasks starts if one cannot; nothing is left of it, and the slots are others'."""
    any_cell.ok("qconf", "-mattr", "queue", "slots", "2", "all.q", user=any_cell.owner)
    result = at_once(any_cell, "-t", "1-3", "sleep", "1")
    assert (result.code, result.out, result.err) == (1, 'Your job-array 1.1-3:1 ("sleep") has been submitted\n', NOT_STARTED)
    assert any_cell.ok("qstat") == "" and any_cell.accounting() == []
    assert at_once(any_cell, "-t", "1-2", "true").code == 0
    any_cell.wait_gone(2)


@pytest.mark.parametrize("words", ["-h", "-a 203001010000", "-tc 1 -t 1-2"])
def test_a_job_that_has_to_wait_goes(any_cell, words):
    result = at_once(any_cell, *words.split(), "true")
    assert (result.code, result.err) == (1, NOT_STARTED)
    assert any_cell.ok("qstat") == ""


def test_what_it_cannot_do_is_said(any_cell):
    refused = any_cell.refused("qsub", "-now", "y", "-t", "1-1001", *JOB, "true")
    assert refused.err == "Unable to run job: denied: -now y: the job has 1001 tasks; at most 1000 can start at once\nExiting.\n"
    assert any_cell.refused("qsub", "-now", "maybe", *JOB, "true", code=7).err == 'qsub: invalid option argument "-now maybe"\n'


def test_what_only_asks_starts_nothing(any_cell):
    """-w v: the answer to that, and nothing of a job that could not start."""
    result = at_once(any_cell, "-w", "v", "true")
    assert (result.code, result.err) == (0, "") and "found suitable queue" in result.out
    assert any_cell.ok("qstat") == ""


def test_a_job_that_waits_for_another_goes_and_the_other_stays(any_cell):
    first = any_cell.array("A", "1", gated=[1])
    assert at_once(any_cell, "-hold_jid", "A", "true").err == NOT_STARTED
    any_cell.open("A", 1)
    any_cell.wait_gone(first)


def test_it_runs_in_queues_for_interactive_work(any_cell):
    any_cell.ok("qconf", "-mattr", "queue", "qtype", "BATCH", "all.q", user=any_cell.owner)
    assert at_once(any_cell, "true").err == NOT_STARTED
    assert any_cell.refused("qsub", "-now", "y", "-w", "e", *JOB, "true").err == "Unable to run job: error: no suitable queues\nExiting.\n"
    assert "is not an interactive queue (-now y)" in any_cell.refused("qsub", "-now", "y", "-w", "v", *JOB, "true").err
    any_cell.ok("qconf", "-mattr", "queue", "qtype", "INTERACTIVE", "all.q", user=any_cell.owner)
    assert at_once(any_cell, "true").code == 0
    waiting = any_cell.qsub(*JOB, "true")
    assert any_cell.tasks(waiting) == {0: "qw"}
    any_cell.ok("qconf", "-mattr", "queue", "qtype", "BATCH INTERACTIVE", "all.q", user=any_cell.owner)
    any_cell.wait_gone(waiting)


def test_sync_waits_for_the_end_of_what_started(any_cell):
    result = at_once(any_cell, "-sync", "y", "sh", "-c", "exit 3")
    assert (result.code, result.err) == (3, started(1) + "Job 1 exited with exit code 3.\n")
    any_cell.ok("qmod", "-d", "all.q", user=any_cell.owner)
    result = at_once(any_cell, "-sync", "y", "true")
    assert (result.code, result.err) == (1, NOT_STARTED)


def test_it_is_decided_once_there_is_a_scheduler(any_cell):
    any_cell.ok("qconf", "-kt", "scheduler", user=any_cell.owner)
    qsub = any_cell.start_program("qsub", "-now", "y", *JOB, "true")
    any_cell.wait_state(1, 0, "qw")
    any_cell.ok("qconf", "-at", "scheduler", user=any_cell.owner)
    assert qsub.communicate(timeout=60) == ('Your job 1 ("true") has been submitted\n', started(1)) and qsub.returncode == 0
    any_cell.wait_gone(1)


def test_qsub_says_what_became_of_it_whatever_is_killed(any_cell):
    """A qmaster that is killed before it was decided finds the job again: it starts if the host is back by then, and goes if not."""
    any_cell.ok("qconf", "-kt", "scheduler", user=any_cell.owner)
    qsub = any_cell.start_program("qsub", "-now", "y", *JOB, "true")
    any_cell.wait_state(1, 0, "qw")
    any_cell.restart_master()
    out, err = qsub.communicate(timeout=60)
    any_cell.wait_gone(1)
    has_run = any_cell.accounting() != []
    assert out == 'Your job 1 ("true") has been submitted\n'
    assert (qsub.returncode, err) == ((0, started(1)) if has_run else (1, NOT_STARTED))


def test_a_job_that_is_deleted_meanwhile_was_not_scheduled(any_cell):
    any_cell.ok("qconf", "-kt", "scheduler", user=any_cell.owner)
    qsub = any_cell.start_program("qsub", "-now", "y", *JOB, "true")
    any_cell.wait_state(1, 0, "qw")
    any_cell.ok("qdel", 1)
    assert qsub.communicate(timeout=60)[1] == NOT_STARTED and qsub.returncode == 1
