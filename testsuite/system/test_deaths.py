"""A daemon that dies while a test runs is named in its report, and one that crashes fails the test."""
import os
import re
import signal

import pytest

import deaths
from cell import alive, wait
from conftest import what_daemons_said

DAEMONS = ["sge_qmaster", "sge_schedd", "sge_execd"]


def end(cell, daemon, sig):
    pid = cell.pid(daemon)
    os.kill(pid, sig)
    wait(lambda: not alive(pid), f"{daemon} to end")
    [death] = wait(lambda: [death for death in deaths.found([cell]) if death.daemon == daemon], f"the end of {daemon} to be seen")
    return pid, death


@pytest.mark.crashes
@pytest.mark.parametrize("daemon", DAEMONS)
def test_a_daemon_that_crashes_is_named_with_its_signal_and_its_last_words(any_cell, daemon):
    pid, death = end(any_cell, daemon, signal.SIGABRT)
    assert death.is_crash and death.pid == ("unknown" if daemon == "sge_schedd" else str(pid))
    said = deaths.report([any_cell], [death])
    assert re.match(rf"{daemon} \(pid \w+\) was ended by SIGABRT\n", said), said
    last = deaths.messages_of(any_cell, daemon)[-1].read_text().splitlines()[-1]
    assert last in said


def test_a_daemon_that_was_killed_is_no_crash_but_named(any_cell):
    _, death = end(any_cell, "sge_execd", signal.SIGKILL)
    assert not death.is_crash
    assert str(death).endswith("was ended by SIGKILL")
    assert str(death) in what_daemons_said([any_cell])


def test_daemons_that_were_stopped_have_not_died(any_cell):
    any_cell.sge_cell("stop")
    assert deaths.found([any_cell]) == []
    assert deaths.report([any_cell], []) == ""


def test_an_exit_that_nobody_asked_for_says_its_status():
    assert str(deaths.Death("sge_execd", "7", 3 << 8)) == "sge_execd (pid 7) exited with status 3"
