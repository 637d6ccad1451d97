"""The canary itself: it sings while a cell is well, and falls silent, loudly, when somebody has to wait."""
import os
import signal
import time

import pytest

from canary import Ask, Machine, canary
from siege import without_execd

pytestmark = pytest.mark.alone


@pytest.fixture
def quiet_cell(any_cell):
    return without_execd(any_cell)


def kinds_of(cell):
    return ("read", "submit", "report") if os.geteuid() == 0 else ("read", "submit")


def test_an_idle_cell_answers_in_time(quiet_cell):
    with canary(quiet_cell, kinds=kinds_of(quiet_cell)) as watching:
        watching.wait_answers(20)
    figures = watching.figures()
    assert all(count >= 20 and bad == 0 for *_, count, bad in figures.values()), figures
    assert figures["cpu"][0] >= 2, figures


def test_a_qmaster_that_stands_still_is_noticed(quiet_cell):
    """Long enough for the limits of this machine, which rise while it is busy; the answers of the control go on meanwhile."""
    pid = quiet_cell.pid("sge_qmaster")
    with pytest.raises(AssertionError, match=r"worst \d+ ms, the limit is \d+ ms"):
        with canary(quiet_cell, kinds=kinds_of(quiet_cell)) as watching:
            os.kill(pid, signal.SIGSTOP)
            begin = time.monotonic()
            try:
                while (time.monotonic() - begin) * 1000 < 2 * watching.worst_ms():
                    watching.wait_control(5)
            finally:
                os.kill(pid, signal.SIGCONT)


def test_a_refusal_is_noticed(quiet_cell):
    with pytest.raises(AssertionError, match=r"submit: \d+ of \d+ questions were refused or lost"):
        with canary(quiet_cell, kinds=("submit",)) as watching:
            quiet_cell.ok("qconf", "-ds", os.uname().nodename, user=quiet_cell.owner)
            watching.wait_answers(4)


def test_what_the_machine_was_late_with_counts_for_nobody():
    machine = Machine([Ask(1_000_000, 400_000, "ok"), Ask(1_450_000, 2_000, "ok"), Ask(3_000_000, 1_000, "ok")])
    assert machine.worst_us(Ask(1_300_000, 100, "ok")) == 400_000  # it began before and still waited
    assert machine.worst_us(Ask(2_990_000, 100, "ok")) <= 2_000
    assert Machine([]).worst_us(Ask(0, 1, "ok")) == 0
