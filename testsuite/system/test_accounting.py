"""Accounting: one record for each end, there before its task leaves qstat, whatever is killed and whenever the file is moved away."""
import collections
import random
import re
import threading
import time

from cell import ACCOUNTING, wait


def rows_of(path):
    return [dict(zip(ACCOUNTING, line.split(":"))) for line in path.read_text().splitlines() if not line.startswith("#")]


def recorded(cell):
    """{(job, task): records} in all files, the moved ones too."""
    return collections.Counter((int(row["job_number"]), int(row["task_number"])) for path in sorted((cell.dir / "common").glob("accounting*"))
                               for row in rows_of(path))


def test_a_record_is_there_before_its_task_leaves_qstat(any_cell):
    job = any_cell.array("A", "1-200")
    all_tasks, looks = set(range(1, 201)), 0
    while True:
        shown = set(any_cell.tasks(job))
        missing = {(job, task) for task in all_tasks - shown} - set(recorded(any_cell))
        assert not missing, "gone from qstat, and no record"
        looks += 1
        if not shown:
            break
    assert looks > 3 and set(recorded(any_cell).values()) == {1}


class Mover(threading.Thread):
    """Moves the accounting file away, again and again, as log rotation does."""

    def __init__(self, cell, pause):
        super().__init__()
        self.file, self.pause, self.stop, self.moved = cell.dir / "common/accounting", pause, threading.Event(), 0

    def run(self):
        while not self.stop.wait(self.pause):
            if self.file.exists():
                self.moved += 1
                self.file.rename(self.file.with_name(f"accounting.{self.moved}"))


def test_the_file_may_be_moved_away_at_any_time(any_cell):
    mover = Mover(any_cell, 0.02)
    mover.start()
    try:
        job = any_cell.array("A", "1-300")
        any_cell.wait_gone(job, seconds=60)
    finally:
        mover.stop.set()
        mover.join()
    assert mover.moved > 10
    assert recorded(any_cell) == {(job, task): 1 for task in range(1, 301)}
    for path in (any_cell.dir / "common").glob("accounting.*"):
        assert path.read_text().startswith("# Version: "), path


def test_kills_and_moves_together_record_each_end_once(any_cell):
    """The file is moved about once a second, so that not all of what is in doubt at a kill is in the newest one."""
    dice = random.Random(4711)
    job = any_cell.array("A", "1-400")
    mover = Mover(any_cell, 0.7)
    mover.start()
    try:
        for _ in range(8):
            time.sleep(dice.uniform(0.1, 0.5))  # a random moment is what is tested here
            any_cell.restart_master()
    finally:
        mover.stop.set()
        mover.join()
    any_cell.wait_gone(job, seconds=60)
    assert recorded(any_cell) == {(job, task): 1 for task in range(1, 401)}


def test_a_clean_stop_leaves_no_doubt_about_the_file(any_cell):
    """Wherever the file is moved while the cell is stopped."""
    jobs = [any_cell.array("A", "1-3") for _ in range(3)]
    any_cell.wait_gone(*jobs)
    any_cell.sge_cell("stop")
    before = rows_of(any_cell.dir / "common/accounting")
    assert len(before) == 9
    (any_cell.dir / "common/accounting").rename(any_cell.root / "elsewhere")
    any_cell.start()
    job = any_cell.array("B", "1")
    any_cell.wait_gone(job)
    assert [row["job_number"] for row in rows_of(any_cell.dir / "common/accounting")] == [str(job)]


def test_a_task_put_back_has_a_record_for_each_of_its_ends(any_cell):
    job = any_cell.array("A", "1", gated=[1])
    for start in (1, 2, 3):
        any_cell.wait_note("start", "A", 1, count=start)
        any_cell.open("A", 1, 99)
        any_cell.wait_note("start", "A", 1, count=start + 1)
        any_cell.restart_master()
    any_cell.open("A", 1, 0)
    any_cell.wait_gone(job)
    rows = [(row["failed"], row["exit_status"]) for row in any_cell.accounting()]
    assert rows == [("25", "99")] * 3 + [("0", "0")]


def turn_reporting(cell, old, new):
    file = cell.configuration(load_report_time="00:00:01")
    file.write_text(file.read_text().replace(f"reporting={old}", f"reporting={new}"))
    cell.ok("qconf", "-Mconf", file, user=cell.owner)


def test_the_reporting_file_has_ends_and_load_values_while_somebody_wants_it(any_cell):
    """reporting(5). It may be moved away at any moment."""
    reporting, owner = any_cell.dir / "common/reporting", any_cell.owner
    any_cell.ok("qconf", "-mattr", "exechost", "report_variables", "mem_total,arch", any_cell.ok("qconf", "-sel").split()[0], user=owner)
    turn_reporting(any_cell, "false", "true")
    host_line = re.compile(r"(?m)^(\d+):host:([^:]+):\1:X:mem_total=[0-9.]+[MGT],arch=lx-\w+$")
    wait(lambda: reporting.exists() and host_line.search(reporting.read_text()), "a line of the host")
    reporting.rename(any_cell.files / "taken")
    any_cell.wait_gone(any_cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "true"))
    [end] = (any_cell.dir / "common/accounting").read_text().splitlines()[-1:]
    wait(lambda: reporting.exists() and f":acct:{end}\n" in reporting.read_text(), "the end in the new file")
    turn_reporting(any_cell, "true", "false")
    reporting.unlink()
    any_cell.wait_gone(any_cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "true"))
    assert not reporting.exists()


def set_reporting(cell, params):
    file = cell.configuration()
    file.write_text(re.sub(r"(?m)^reporting_params(?:.*\\\n)*.*$", f"reporting_params {params}", file.read_text()))
    cell.ok("qconf", "-Mconf", file, user=cell.owner)


def test_events_of_jobs_and_states_of_queues_are_reported_as_known(any_cell):
    """reporting(5): job_log, new_job, queue, consumables; at the latest after flush_time. Without accounting no end is accounted."""
    reporting, owner, user = any_cell.dir / "common/reporting", any_cell.owner, any_cell.user
    set_reporting(any_cell, "accounting=false reporting=true flush_time=00:00:00 joblog=true log_consumables=true")
    job = any_cell.qsub("-N", "rep", "-o", "/dev/null", "-j", "y", "-b", "y", "true")
    any_cell.wait_gone(job)

    def lines(kind):
        text = reporting.read_text() if reporting.exists() else ""
        return [line.split(":") for line in text.splitlines() if line.split(":")[1] == kind]

    wait(lambda: len(lines("job_log")) == 6, lambda: f"six events: {lines('job_log')}")
    [new] = lines("new_job")
    at = new[2]
    group = new[8]
    assert new[3:] == [str(job), "-1", "NONE", "rep", user, group, "", "defaultdepartment", "sge", "1024"]
    host = any_cell.ok("qconf", "-sel").split()[0]
    rest = ["0", "1024", at, "rep", user, group, "", "defaultdepartment", "sge"]
    assert [row[3:] for row in lines("job_log")] == [
        ["pending", str(job), "-1", "NONE", "", user, lines("job_log")[0][9], *rest, "new job"],
        ["sent", str(job), "0", "NONE", "t", "master", lines("job_log")[1][9], *rest, "sent to execd"],
        ["delivered", str(job), "0", "NONE", "r", "master", lines("job_log")[1][9], *rest, "job received by execd"],
        ["finished", str(job), "0", "NONE", "r", "execution daemon", host, *rest, "job exited"],
        ["finished", str(job), "0", "NONE", "r", "master", lines("job_log")[1][9], *rest, "job waits for scheduler's deletion"],
        ["deleted", str(job), "0", "NONE", "T", "scheduler", lines("job_log")[1][9], *rest, "job deleted by scheduler"]]
    assert len(lines("acct")) == 1 and any_cell.accounting() == []
    assert [row[2:4] + row[5:] for row in lines("queue_consumable")] == [
        ["all.q", host, "", f"slots={used}.000000=4.000000"] for used in (1, 0)]
    any_cell.ok("qmod", "-d", "all.q", user=owner)
    any_cell.ok("qmod", "-e", "all.q", user=owner)
    wait(lambda: [row[2:4] + row[5:] for row in lines("queue")] == [["all.q", host, "d"], ["all.q", host, ""]],
         lambda: f"two states: {lines('queue')}")
    set_reporting(any_cell, "accounting=true reporting=true flush_time=00:00:59")
    reporting.unlink()
    job = any_cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "true")
    any_cell.wait_gone(job)
    assert not reporting.exists() and len(any_cell.accounting()) == 1
    any_cell.sge_cell("stop")
    assert [row[7] for row in lines("acct")] == [str(job)]


def possible(row):
    return 0 < int(row["start_time"]) <= int(row["end_time"]) and 0 <= float(row["ru_wallclock"]) < 3600


def test_tasks_that_were_deleted_while_they_started_have_possible_times(any_cell):
    """However far they got: each has an end, and has used no more time than there was."""
    rounds, tasks = 6, 40
    jobs = []
    for _ in range(rounds):
        jobs.append(any_cell.qsub("-t", f"1-{tasks}", "-o", "/dev/null", "-j", "y", "-b", "y", "sleep", "1000"))
        wait(lambda: any_cell.tasks(jobs[-1], "-s", "rs"), "the first to be sent")
        any_cell.ok("qdel", jobs[-1])
    any_cell.wait_gone(*jobs)
    rows = rows_of(any_cell.dir / "common/accounting")
    assert rows and [row for row in rows if not possible(row)] == []
    assert sum(float(row["ru_wallclock"]) for row in rows) < 3600 * len(rows)


def test_a_task_of_milliseconds_has_used_what_the_kernel_says(any_cell):
    big = "x=$(head -c 30000000 /dev/zero | tr '\\0' x); echo ${#x}"
    any_cell.wait_gone(any_cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", big))
    row, = any_cell.accounting()
    assert float(row["maxvmem"]) >= float(row["ru_maxrss"]) * 1024 > 20 << 20
    assert float(row["mem"]) >= 0 and float(row["io"]) >= 0


def test_a_task_that_failed_before_its_job_has_an_end(any_cell):
    any_cell.ok("qconf", "-rattr", "queue", "prolog", "/bin/false", "all.q", user=any_cell.owner)
    any_cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "true")
    wait(lambda: (any_cell.dir / "common/accounting").exists() and any_cell.accounting(), "its record")
    row, = any_cell.accounting()
    assert row["failed"] == "8" and possible(row)
