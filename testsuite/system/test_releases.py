"""A cell of today on what an earlier release left behind (testsuite/releases): its spool, as a crash left it."""
import os
import shutil
import subprocess

import pytest

from cell import TOP
from spooldb import Spool

RELEASES = sorted(path.parent.name for path in TOP.glob("testsuite/releases/*/spool.tar.gz"))


@pytest.fixture(params=RELEASES)
def old_cell(make_cell, request):
    """A cell that was never started, with the spool of a release; its only host was node1."""
    cell = make_cell(start=False)
    place = cell.dir / "spool/qmaster"
    subprocess.run(["tar", "-xzf", TOP / f"testsuite/releases/{request.param}/spool.tar.gz", "-C", place], check=True)
    shutil.move(place / "accounting", cell.dir / "common/accounting")
    owner = place.stat()
    for path in [cell.dir / "common/accounting", place / "spooldb", *(place / "spooldb").iterdir()]:
        os.chown(path, owner.st_uid, owner.st_gid)
    cell.start()
    return cell


def test_the_qmaster_of_today_starts_on_the_spool_of_a_release(old_cell):
    states = old_cell.states()
    assert states[1, 0] == "qw" and states[4, 0] == "hqw"
    assert {task: state for (job, task), state in states.items() if job == 2} == {
        3: "r", 4: "Rq", 5: "Eqw", 6: "t", 7: "qw", 8: "hqw", 9: "hqw", 10: "hqw"}
    assert old_cell.array_held(3) == {1, 5, 9}
    assert len(old_cell.tasks(5)) == 10999
    assert old_cell.detail(7)["job_name"] == "script"
    assert [row["job_name"] for row in old_cell.accounting()].count("render") == 4


def test_nothing_is_converted_until_it_changes(old_cell):
    spool, first = Spool(old_cell), min(Spool(old_cell).schemas)
    before = spool.records("job.db")
    old_cell.ok("qalter", "-N", "other", 7, user=old_cell.owner)
    after = spool.records("job.db")
    assert {number for number in after if after[number] != before[number]} == {(7).to_bytes(4, "big")}
    assert before[(7).to_bytes(4, "big")][0] == first


def test_its_jobs_can_be_deleted(old_cell):
    old_cell.ok("qdel", "-f", "-u", "*", user=old_cell.owner)
    assert old_cell.states() == {}
    assert old_cell.run("qacct", "-j", 6).code == 0
