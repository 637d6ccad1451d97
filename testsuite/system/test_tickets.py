"""Tickets as users see them: functional shares, override tickets, and the order in which jobs start."""
import re
from xml.etree import ElementTree

from cell import wait


def set_scheduler(cell, **values):
    text = cell.ok("qconf", "-ssconf")
    for name, value in values.items():
        text = re.sub(rf"(?m)^{name} +.*$", f"{name} {value}", text)
    (cell.files / "sched").write_text(text)
    result = cell.run("qconf", "-Msconf", cell.files / "sched", user=cell.owner)
    assert (result.code, result.err) == (0, "changed scheduler configuration\n"), str(result)


def add(cell, option, **attrs):
    file = cell.files / "object"
    file.write_text("".join(f"{name} {value}\n" for name, value in attrs.items()))
    assert "no effect" not in cell.ok("qconf", option, file, user=cell.owner)


def tickets(cell):
    """Of each pending job: otckt, ftckt, stckt; the jobs in the order of their priorities."""
    rows = [line.split() for line in cell.ok("qstat", "-ext", "-s", "p").splitlines()[2:]]
    return [(int(row[0]), *(int(n) for n in row[10:13])) for row in rows]


def test_jobs_start_in_the_order_of_their_tickets(any_cell):
    cell = any_cell
    cell.ok("qmod", "-d", "all.q", user=cell.owner)
    for name, share in (("P1", 70), ("P2", 30)):
        add(cell, "-Aprj", name=name, oticket=0, fshare=share, acl="NONE", xacl="NONE")
    set_scheduler(cell, weight_ticket=1, weight_priority=0, weight_urgency=0, weight_tickets_functional=10000, weight_user=0,
                  weight_department=0, weight_job=0)
    p2 = cell.qsub("-P", "P2", "-b", "y", "true")
    first, second = (cell.qsub("-P", "P1", "-b", "y", "true") for _ in range(2))
    expected = [(p2, 0, 10000, 0), (first, 0, 7000, 0), (second, 0, 3500, 0)]
    wait(lambda: tickets(cell) == expected, "functional tickets")
    cell.ok("qalter", "-ot", "9000", second, user=cell.owner)
    expected = [(second, 9000, 10000, 0), (first, 0, 5000, 0), (p2, 0, 3000, 0)]  # override tickets decide who is first
    wait(lambda: tickets(cell) == expected, "override tickets")
    row = next(job for job in ElementTree.fromstring(cell.ok("qstat", "-ext", "-xml")).iter("job_list")
               if job.findtext("JB_job_number") == str(second))
    assert (row.findtext("JB_override_tickets"), row.findtext("otickets")) == ("9000", "9000")
    set_scheduler(cell, report_pjob_tickets="FALSE")
    cell.qsub("-h", "-b", "y", "true")
    wait(lambda: all(not any(figures) for _, *figures in tickets(cell)), "tickets of pending jobs to be hidden")
