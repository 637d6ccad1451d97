"""Calendars of queues: calendar_conf(5); doc/administering/calendars.md."""
import re
import time

from cell import wait
from test_load import states


def put(cell, week, year="NONE"):
    path = cell.files / "calendar"
    path.write_text(f"calendar_name cal\nyear {year}\nweek {week}\n")
    known = cell.run("qconf", "-scal", "cal").code == 0
    cell.ok("qconf", "-Mcal" if known else "-Acal", path, user=cell.owner)


def clock(second):
    return time.strftime("%H:%M:%S", time.localtime(second))


def span(begin, end, state):
    """A week with one span of seconds, or two about midnight."""
    return f"{clock(begin)}-{clock(end)}={state}"


def test_a_queue_is_off_for_some_seconds_and_its_tasks_run_on(cell):
    first = cell.array("first", "1", gated=[1])
    cell.wait_state(first, 1, "r")
    begin = int(time.time()) + 3
    put(cell, span(begin, begin + 4, "off"))
    cell.ok("qconf", "-mattr", "queue", "calendar", "cal", "all.q", user=cell.owner)
    assert states(cell) == ""
    wait(lambda: states(cell) == "D", "the calendar to close the queue")
    assert begin <= time.time() < begin + 3
    second = cell.qsub("-b", "y", "-o", "/dev/null", "-j", "y", "true")
    assert 'calendar "cal": off until ' in cell.ok("qstat", "-f", "-explain", "D")
    why = cell.ok("qstat", "-j", second)
    assert f'dropped because it is temporarily not available: calendar "cal": off until ' in why
    assert cell.tasks(first)[1] == "r"
    wait(lambda: states(cell) == "", "the calendar to open it")
    assert time.time() >= begin + 4
    cell.wait_gone(second)
    cell.open("first", 1)
    cell.wait_gone(first)


def test_tasks_stop_and_continue_with_the_calendar_and_after_a_killed_qmaster(cell):
    job = cell.array("job", "1", gated=[1])
    cell.wait_state(job, 1, "r")
    put(cell, "suspended")
    cell.ok("qconf", "-mattr", "queue", "calendar", "cal", "all.q", user=cell.owner)
    wait(lambda: cell.tasks(job)[1] == "S", "the task to be suspended")
    assert states(cell) == "C"
    assert '\tcalendar "cal": suspended\n' in cell.ok("qstat", "-f", "-explain", "C")
    cell.open("job", 1)
    cell.restart_master()
    wait(lambda: states(cell) == "C", "the state after a restart")
    assert cell.tasks(job)[1] == "S"
    end = int(time.time()) + 2
    put(cell, f"suspended {span(end, end + 7200, 'on')}")
    cell.wait_gone(job)
    assert time.time() >= end


def test_qstat_lists_queues_by_their_sequence_number(cell):
    boss = cell.owner
    text = cell.ok("qconf", "-sq", "all.q")
    for name, number in (("b.q", 1), ("a.q", 1), ("z.q", 0)):
        path = cell.files / name
        path.write_text(re.sub(r"^seq_no .*", f"seq_no {number}", re.sub(r"^qname .*", f"qname {name}", text, flags=re.M), flags=re.M))
        cell.ok("qconf", "-Aq", path, user=boss)
    cell.ok("qconf", "-rattr", "queue", "seq_no", "2", "all.q", user=boss)
    job = cell.array("job", "1-2", "-q", "a.q", gated=[1, 2])
    wait(lambda: cell.tasks(job) == {1: "r", 2: "r"}, "both to run")
    words = [line.split() for line in cell.ok("qstat", "-f").splitlines()[1:] if not line.startswith("-")]
    assert [w[0].split("@")[0] for w in words] == ["z.q", "a.q", str(job), str(job), "b.q", "all.q"]
    for task in (1, 2):
        cell.open("job", task)
    cell.wait_gone(job)
