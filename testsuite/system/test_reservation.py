"""Reservations and backfilling: -R y, max_reservation and default_duration, as users see them."""
import json
import re
from datetime import datetime
from xml.etree import ElementTree

import pytest

from cell import wait

EXPECTED = re.compile(r"task (\S+) is expected to start at (\S+ \S+); reserved: (\d+) at all\.q@(\S+)$", re.M)
HELD_BACK = "cannot start where it would delay one of the 1 tasks for which resources are reserved"


def set_scheduler(cell, **values):
    file = cell.files / "sched"
    text = cell.ok("qconf", "-ssconf")
    for name, value in values.items():
        text = re.sub(rf"(?m)^{name} +.*$", f"{name} {value}", text)
    file.write_text(text)
    result = cell.run("qconf", "-Msconf", file, user=cell.owner)
    assert result.code == 0, str(result)
    return result.out + result.err


def reserved(cell, job):
    """When the job is expected to start, and with how many slots; None: nothing is reserved."""
    found = EXPECTED.search(cell.ok("qstat", "-j", job))
    return found and (datetime.strptime(found[2], "%m/%d/%Y %H:%M:%S"), int(found[3]))


def pending(cell):
    return {number for (number, _), state in cell.states().items() if state == "qw"}


@pytest.fixture
def reserving(cell):
    """Two of four slots are taken, by a job of 300 seconds and by one of 600."""
    assert "no effect" not in set_scheduler(cell, max_reservation=10, default_duration="0:20:0")
    cell.running = [cell.array(name, "1", "-l", f"h_rt={h_rt}", gated=[1]) for name, h_rt in (("short", 300), ("long", 600))]
    for job in cell.running:
        cell.wait_state(job, 1, "r")
    return cell


def test_a_small_job_does_not_delay_a_reservation(reserving):
    cell, (short, long) = reserving, reserving.running
    base = ["-o", "/dev/null", "-j", "y", "-b", "y"]
    big = cell.qsub("-R", "y", "-p", "0", "-pe", "smp", "4", "-l", "h_rt=600", *base, "true")
    wait(lambda: reserved(cell, big), lambda: cell.ok("qstat", "-j", big))
    assert cell.detail(big)["reserve"].strip() == "y"
    at, slots = reserved(cell, big)
    assert slots == 4 and 400 < (at - datetime.now()).total_seconds() <= 601

    # what would still run then waits, though there is room for it; what ends before does not
    late = cell.qsub("-p", "-1", "-l", "h_rt=1200", *base, "true")
    without_end = cell.qsub("-p", "-1", *base, "true")
    fitting = cell.qsub("-p", "-2", "-l", "h_rt=60", *base, "true")
    cell.wait_gone(fitting)
    assert pending(cell) == {big, late, without_end}
    assert HELD_BACK in cell.ok("qstat", "-j", late)
    assert HELD_BACK in cell.ok("qstat", "-j", late, "-why")
    assert EXPECTED.search(cell.ok("qstat", "-j", big, "-why"))

    # programs have the same line
    messages = [m.text for m in ElementTree.fromstring(cell.ok("qstat", "-j", big, "-xml")).iter("MES_message")]
    assert any(EXPECTED.match(text) for text in messages), messages
    assert EXPECTED.search(json.dumps(json.loads(cell.ok("qstat", "-j", big, "-json"))).replace('"', "\n"))

    # the reservation comes forward when the longest task ends early
    cell.open("long", 1)
    cell.wait_gone(long)
    wait(lambda: reserved(cell, big)[0] < at, lambda: cell.ok("qstat", "-j", big))
    assert pending(cell) == {big, late, without_end}

    # another qmaster is sent it again
    cell.restart_master()
    wait(lambda: reserved(cell, big), lambda: cell.ok("qstat", "-j", big))
    assert pending(cell) == {big, late, without_end}
    cell.open("short", 1)
    cell.wait_gone(big, late, without_end)


def test_without_reservations_small_jobs_go_first(reserving):
    cell = reserving
    base = ["-o", "/dev/null", "-j", "y", "-b", "y"]
    big = cell.qsub("-R", "y", "-pe", "smp", "4", "-l", "h_rt=600", *base, "true")
    wait(lambda: reserved(cell, big), lambda: cell.ok("qstat", "-j", big))
    late = cell.qsub("-l", "h_rt=1200", *base, "true")
    cell.ok("qalter", "-R", "n", big)
    cell.wait_gone(late)
    wait(lambda: not reserved(cell, big), lambda: cell.ok("qstat", "-j", big))
    cell.ok("qalter", "-R", "y", big)
    wait(lambda: reserved(cell, big), lambda: cell.ok("qstat", "-j", big))
    set_scheduler(cell, max_reservation=0)
    late = cell.qsub("-l", "h_rt=1200", *base, "true")
    cell.wait_gone(late)
    wait(lambda: not reserved(cell, big), lambda: cell.ok("qstat", "-j", big))
    refused = cell.files / "sched"
    refused.write_text(re.sub(r"(?m)^(max_reservation) +.*$", r"\1 1001", refused.read_text()))
    assert "1001" in str(cell.refused("qconf", "-Msconf", refused, user=cell.owner))


def intervals(path):
    """The lines of each interval of the file "schedule", as lists of fields."""
    text = path.read_text() if path.exists() else ""
    return [[line.split(":") for line in part.splitlines()] for part in text.split("::::::::\n")[1:]]


def test_the_schedule_file_says_what_starts_runs_and_is_reserved(reserving):
    cell, (short, long) = reserving, reserving.running
    path = cell.dir / "common/schedule"
    base = ["-o", "/dev/null", "-j", "y", "-b", "y"]
    assert not path.exists()
    warned = set_scheduler(cell, params="MONITOR=1,PROFILE=1")
    assert '"PROFILE"' in warned and "MONITOR" not in warned
    big = cell.qsub("-R", "y", "-pe", "smp", "4", "-l", "h_rt=600", *base, "true")

    def lines(job, state):
        """Of the last interval: from when, for how long, and what, of the job in that state."""
        cell.ok("qconf", "-tsm", user=cell.owner)
        last = (intervals(path) or [[]])[-1]
        return [fields[3:] for fields in last if fields[:3] == [str(job), "1", state]]

    wait(lambda: len(lines(big, "RESERVING")) == 2, lambda: path.read_text()[-1000:])
    of_pe, of_queue = lines(big, "RESERVING")
    queue = cell.ok("qselect").strip()
    assert of_pe[1:] == ["600", "P", "smp", "slots", "4.000000"] and of_queue[1:] == ["600", "Q", queue, "slots", "4.000000"]
    wait(lambda: datetime.fromtimestamp(int(lines(big, "RESERVING")[0][0])) == reserved(cell, big)[0], lambda: cell.ok("qstat", "-j", big))
    (of_long,) = lines(long, "RUNNING")
    assert of_long[1:] == ["600", "Q", queue, "slots", "1.000000"]
    cell.ok("qmod", "-sj", short)
    wait(lambda: lines(short, "SUSPENDED") and not lines(short, "RUNNING"), lambda: path.read_text()[-1000:])
    cell.ok("qmod", "-usj", short)
    for name in ("short", "long"):
        cell.open(name, 1)
    cell.wait_gone(short, long, big)
    assert [fields[4:] for part in intervals(path) for fields in part if fields[0] == str(big) and fields[2] == "STARTING"] == [of_pe[1:], of_queue[1:]]

    # off again: nothing is written any more
    set_scheduler(cell, params="none")
    silent = cell.qsub(*base, "true")
    cell.wait_gone(silent)
    assert not [fields for part in intervals(path) for fields in part if fields[0] == str(silent)]


def replay(cell, file, *questions):
    return cell.run("sge_schedd", "-replay", file, *questions, user=cell.owner)


def test_a_record_is_replayed(reserving):
    cell, (short, long) = reserving, reserving.running
    record = cell.dir / "spool/qmaster/schedd/record"
    assert "no effect" not in set_scheduler(cell, params="RECORD=10")
    wait(record.exists, cell.log.read_text)
    base = ["-o", "/dev/null", "-j", "y", "-b", "y"]
    big = cell.qsub("-R", "y", "-pe", "smp", "4", "-l", "h_rt=600", *base, "true")
    wait(lambda: reserved(cell, big), lambda: cell.ok("qstat", "-j", big))
    at, _ = reserved(cell, big)
    fitting = cell.qsub("-p", "-2", "-l", "h_rt=60", *base, "true")
    cell.wait_gone(fitting)
    assert record.stat().st_mode & 0o777 == 0o600

    # while it is written: what is whole in it is repeated, and the reservation is found again
    def answers():
        result = replay(cell, record, "-start", big)
        assert result.code == 0 and "all as recorded" in result.out, str(result)
        return f"job {big}: could start at {at:%m/%d/%Y %H:%M:%S}" in result.out

    wait(answers, lambda: str(replay(cell, record, "-start", big)))
    host = cell.ok("qselect").strip().split("@")[1]
    gone = replay(cell, record, "-start", big, "-without", host)
    assert gone.code == 0 and f"job {big}: no start is foreseen" in gone.out, str(gone)

    # what cannot be asked, and what is no record
    for questions, why in (
        (("-start", 999999), "job 999999 is not there at the end of the record"),
        (("-start", big, "-without", "nowhere"), "host nowhere has no queue instance at the end of the record"),
    ):
        refused = replay(cell, record, *questions)
        assert refused.code == 1 and refused.err == f"sge_schedd: {record}: {why}\n", str(refused)
    for questions in (("-start", "x"), ("-without", host), ("-start",), ("-else", 1)):
        assert replay(cell, record, *questions).code == 1
    other = cell.files / "other"
    other.write_text("something else")
    assert replay(cell, other).err == f"sge_schedd: {other}: this is no record of a scheduler\n"
    assert "cannot be read" in replay(cell, cell.files / "none").err

    # a new scheduler records anew: the state is in it, and the record before is kept
    set_scheduler(cell, params="none")
    set_scheduler(cell, params="RECORD=20")
    wait(lambda: record.exists() and record.with_name("record.1").exists() and answers(), lambda: str(replay(cell, record)))
    for name in ("short", "long"):
        cell.open(name, 1)
    cell.wait_gone(short, long, big)
    wait(lambda: replay(cell, record, "-start", big).code == 1, lambda: str(replay(cell, record)))
    assert replay(cell, record).code == 0
    before = replay(cell, record.with_name("record.1"))
    assert before.code == 0 and "all as recorded" in before.out, str(before)
    text = (cell.dir / "spool/qmaster/schedd/messages").read_text()
    assert "the record" not in text, text
