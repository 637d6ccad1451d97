"""Urgency as users see it: what is requested, deadlines, and which job starts first."""
import json
import re
import time
from xml.etree import ElementTree

from cell import wait


def urgencies(cell):
    """Of each pending job, the best first: its number, rrcontr, dlcontr, deadline."""
    rows = [line.split() for line in cell.ok("qstat", "-urg", "-u", "*", "-s", "p").splitlines()[2:]]
    return [(int(row[0]), int(row[4]), int(row[6]), " ".join(row[12:14]) if "/" in " ".join(row[12:13]) else "") for row in rows]


def date(at, form="%Y%m%d%H%M.%S"):
    return time.strftime(form, time.localtime(at))


def test_urgent_jobs_go_first(any_cell):
    cell = any_cell
    cell.ok("qmod", "-d", "all.q", user=cell.owner)
    pe = re.sub(r"(?m)^(slots) .*$", r"\1 9", cell.ok("qconf", "-sp", "make"))
    (cell.files / "pe").write_text(re.sub(r"(?m)^(urgency_slots) .*$", r"\1 max", re.sub("make", "urgent", pe)))
    assert "no effect" not in str(cell.run("qconf", "-Ap", cell.files / "pe", user=cell.owner))
    plain = cell.qsub("-b", "y", "true")
    parallel = cell.qsub("-pe", "urgent", "1-3", "-b", "y", "true")
    runs = cell.qsub("-l", "h_rt=60", "-b", "y", "true")
    at = int(time.time()) + 86400
    result = cell.run("qsub", "-terse", "-dl", date(at), "-b", "y", "true", user=cell.owner)
    assert (result.code, result.err) == (0, ""), str(result)
    deadline = int(result.out)
    wait(lambda: [(job, rr) for job, rr, _, _ in urgencies(cell)] == [(parallel, 3000), (deadline, 1000), (plain, 1000), (runs, 1000)],
         "urgencies")
    row = next(row for row in urgencies(cell) if row[0] == deadline)
    assert row[2] in (41, 42), row  # 3600000 / 86400
    assert row[3] == date(at, "%m/%d/%Y %H:%M:%S")
    xml = {job.findtext("JB_job_number"): job for job in ElementTree.fromstring(cell.ok("qstat", "-urg", "-u", "*", "-xml")).iter("job_list")}
    assert xml[str(parallel)].findtext("JB_rrcontr") == "3000" and xml[str(parallel)].findtext("JB_dlcontr") == "0"
    assert xml[str(deadline)].findtext("JB_deadline") == date(at, "%Y-%m-%dT%H:%M:%S")
    assert abs(int(xml[str(deadline)].findtext("JB_dlcontr")) - row[2]) <= 1
    assert '"JB_rrcontr":3000' in json.dumps(json.loads(cell.ok("qstat", "-urg", "-u", "*", "-json")), separators=(",", ":"))
    (cell.files / "complex").write_text(re.sub(r"(?m)^(h_rt .*) \S+$", r"\1 100", cell.ok("qconf", "-sc").rstrip()) + "\n")
    result = cell.run("qconf", "-Mc", cell.files / "complex", user=cell.owner)
    assert result.code == 0 and "no effect" not in str(result), str(result)
    wait(lambda: urgencies(cell)[0][:2] == (runs, 7000), "the urgency of a request to count")
    cell.ok("qalter", "-dl", date(int(time.time()) + 60), deadline, user=cell.owner)
    wait(lambda: urgencies(cell)[0][0] == deadline, "a near deadline to count")


def test_who_may_have_a_deadline_and_when(any_cell):
    cell = any_cell
    past = int(time.time()) - 3600
    result = cell.run("qsub", "-dl", date(past), "-b", "y", "true", user=cell.owner)
    assert result.code == 1
    assert f"job rejected: the deadline (-dl) {date(past, '%m/%d/%Y %H:%M:%S')} is not after now, " in result.err, str(result)
    if cell.user != cell.owner:
        result = cell.run("qsub", "-dl", date(time.time() + 3600), "-b", "y", "true")
        assert result.code == 1 and f'the user "{cell.user}" is not a deadline initiation user' in result.err, str(result)
