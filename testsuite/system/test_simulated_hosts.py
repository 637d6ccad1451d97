"""Hosts that are not there (sge_simhost): to the qmaster they are hosts like any other, and nothing is lost on them."""
import collections
from contextlib import ExitStack

import pytest

import simulated
from cell import wait

HOSTS, TASKS = 40, 400


@pytest.fixture
def cell(make_cell):
    """A cell whose queue is on HOSTS simulated hosts alone, two slots each; its administrator is who runs them."""
    made = make_cell()
    simulated.make_known(made, HOSTS)
    made.ok("qconf", "-rattr", "queue", "hostlist", simulated.GROUP, "all.q")
    made.ok("qconf", "-mattr", "queue", "slots", "2", "all.q")
    return made


@pytest.fixture
def farm(cell):
    """A function that starts the hosts, which run until the test ends."""
    with ExitStack() as started:
        yield lambda *options: started.enter_context(simulated.running(cell, HOSTS, *options))


def records(cell):
    """{(job, task): how often it is in the accounting file}"""
    return collections.Counter((row["job_number"], row["task_number"]) for row in cell.accounting())


def test_a_pipeline_over_many_hosts_outlives_its_qmaster(cell, farm):
    """kill -9 of the qmaster in the middle: each task of both stages has ended once, on all hosts, and none before what it waits for."""
    farm("-run", "0.05")
    first = cell.qsub("-t", f"1-{TASKS}", "-b", "y", "/bin/true")
    second = cell.qsub("-t", f"1-{TASKS}", "-hold_jid_ad", first, "-b", "y", "/bin/true")
    wait(lambda: len(cell.accounting()) > TASKS // 4, "some ends")
    cell.restart_master()
    cell.wait_gone(second, seconds=60)
    assert records(cell) == {(str(job), str(task)): 1 for job in (first, second) for task in range(1, TASKS + 1)}
    assert len({row["hostname"] for row in cell.accounting()}) == HOSTS


def test_tasks_that_are_deleted_end(cell, farm):
    """A task of a day ends when it is deleted, and its record says what ended it."""
    farm("-run", "86400")
    job = cell.qsub("-t", "1-10", "-b", "y", "/bin/true")
    wait(lambda: cell.ok("qstat", "-s", "r").count("@sim") == 10, "all to run")
    cell.ok("qdel", job)
    cell.wait_gone(job)
    assert [(row["failed"].split()[0], row["exit_status"]) for row in cell.accounting()] == [("100", "137")] * 10


def test_what_cannot_be_is_said_in_a_line(cell):
    for words in (["-hosts", "0"], ["-hosts", "20001"], ["-run", "-1"], ["-run", "nan"], ["-nonsense"]):
        assert any(words[0] in line for line in cell.refused("sge_simhost", *words).err.splitlines()), words
