"""sge_cell stop and destroy return when no process of the cell is left: no daemon, no scheduler, no keeper, and with their jobs no
shepherd and nothing that a job has started."""
import os
import signal

import pytest

from cell import alive, command_of, descendants, wait
from faults import LONG, shepherds

STUBBORN = """#!/bin/sh
trap '' TERM XCPU
setsid sh -c 'trap "" TERM HUP; echo >"$FILES/away"; while :; do sleep 1000; done' </dev/null >/dev/null 2>&1 &
echo >"$FILES/here"
while :; do sleep 1000; done
"""
ENDINGS = {"stop": ["stop", "--jobs"], "destroy": ["destroy", "--force"]}


def left():
    """What runs of the cell: all that the test has started."""
    return [f"{pid}: {command_of(pid)}" for pid in descendants()]


def run_stubborn(cell):
    """A job that does not listen to SIGTERM, with a process that has left its session; returns all their processes."""
    script = cell.files / "stubborn.sh"
    script.write_text(STUBBORN)
    script.chmod(0o755)
    cell.qsub("-o", "/dev/null", "-j", "y", "-v", f"FILES={cell.files}", script)
    for name in ("here", "away"):
        wait((cell.files / name).exists, f"the job to be {name}")
    [shepherd] = shepherds(cell).values()
    return [shepherd, *descendants(shepherd)]


@pytest.mark.parametrize("ending", ENDINGS)
def test_nothing_is_left_with_stubborn_jobs(cell, ending):
    run_stubborn(cell)
    cell.sge_cell(*ENDINGS[ending])
    assert left() == []


def test_stop_leaves_the_jobs_alone(any_cell):
    jobs = run_stubborn(any_cell)
    assert len(jobs) > 3
    any_cell.sge_cell("stop")
    assert all(map(alive, jobs))
    assert set(left()) == {f"{pid}: {command_of(pid)}" for pid in [*shepherds(any_cell).values(), *descendants(jobs[0])]}


def test_a_keeper_is_gone_as_well(make_cell):
    cell = make_cell(start=False)
    cell.sge_cell("start", "-keep")
    cell.array("A", "1", gated=[1])
    cell.wait_note("start", "A", 1)
    cell.sge_cell("destroy", "--force")
    assert left() == []


@pytest.mark.parametrize("daemon", ["sge_schedd", *(["sge_qmaster", "sge_execd"] if LONG else [])])
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_daemon_that_hears_nothing_ends_too(any_cell, daemon, ending):
    any_cell.array("A", "1", gated=[1])
    any_cell.wait_note("start", "A", 1)
    os.kill(any_cell.pid(daemon), signal.SIGSTOP)
    any_cell.sge_cell(*ENDINGS[ending])
    assert left() == []


def test_a_shepherd_that_hears_nothing_ends_too(any_cell):
    jobs = run_stubborn(any_cell)
    os.kill(jobs[0], signal.SIGSTOP)
    any_cell.sge_cell("destroy", "--force")
    assert left() == []


def test_a_qmaster_that_is_killed_takes_its_scheduler_along(any_cell):
    """Also one that hears nothing; what is left of the cell ends with it."""
    scheduler = any_cell.pid("sge_schedd")
    os.kill(scheduler, signal.SIGSTOP)
    any_cell.kill("sge_qmaster")
    wait(lambda: not alive(scheduler), "the scheduler to end")
    any_cell.kill("sge_execd")
    any_cell.sge_cell("destroy", "--force")
    assert left() == []
