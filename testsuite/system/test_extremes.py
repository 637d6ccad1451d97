"""Large arrays, awkward paths, full disks and hostile peers."""
import os
import pwd
import random
import shutil
import socket
import subprocess
import time

import pytest

from cell import quickest, seconds, wait
from conftest import need_users
from faults import flood


# ---- size -----------------------------------------------------------------------------------------------------------

def test_dependent_arrays_of_ten_million_tasks_cost_what_single_jobs_cost(any_cell):
    a = any_cell.held_array("A", "1-10000000:3")
    b = any_cell.held_array("B", "1-10000000", "-hold_jid_ad", a)
    assert quickest(lambda: any_cell.held_array("C", "1-10000000:7", "-hold_jid_ad", f"{a},{b}")) < 0.5
    line = any_cell.ok("qstat", "-s", "hd").splitlines()[2]
    assert line.split()[-1] == "1-10000000:1"
    chunks = iter((1, 4, 7))
    assert quickest(lambda: any_cell.ok("qdel", f"{a}.{next(chunks)}")) < 0.5
    assert any_cell.ok("qstat", "-s", "hd").splitlines()[2].split()[-1] == "10-10000000:1"
    assert seconds(any_cell.restart_master) < 5
    assert any_cell.ok("qstat", "-s", "hd").splitlines()[2].split()[-1] == "10-10000000:1"
    assert seconds(lambda: any_cell.ok("qdel", a)) < 2
    assert seconds(lambda: any_cell.ok("qdel", "-u", any_cell.user)) < 2


def test_a_set_in_many_fragments_stays_quick(any_cell):
    a = any_cell.held_array("A", "1-200000")
    b = any_cell.held_array("B", "1-200000", "-hold_jid_ad", a)
    assert seconds(lambda: any_cell.ok("qdel", f"{a}.1-199999:2")) < 3
    assert quickest(lambda: any_cell.ok("qstat", "-s", "hd")) < 1
    assert any_cell.ok("qstat", "-s", "hd").splitlines()[2].split()[-1] == "2-200000:2"
    assert seconds(any_cell.restart_master) < 5
    assert any_cell.ok("qstat", "-s", "hd").splitlines()[2].split()[-1] == "2-200000:2"
    assert seconds(lambda: any_cell.ok("qdel", a, b)) < 3


@pytest.mark.load
def test_hundreds_of_jobs_and_tasks_run_each_once(any_cell):
    many = any_cell.array("many", "1-300")
    singles = [any_cell.array("single", "1") for _ in range(30)]
    chain = any_cell.array("chain", "1-300:7", "-hold_jid_ad", many)
    any_cell.wait_gone(many, chain, *singles, seconds=90)
    starts = any_cell.notes("start")
    assert len(starts) == 300 + 30 + len(range(1, 301, 7))
    assert len(any_cell.accounting()) == len(starts)


# ---- paths ----------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("part", ["with blanks [and] 'quotes' \u2603", "long/" * 30 + "end"], ids=["blanks", "long"])
def test_a_cell_lives_anywhere(work, make_cell, part):
    place = work / "anywhere" / part
    place.mkdir(parents=True)
    try:
        cell = make_cell(place=place, start=False)
        cell.start()
        job = cell.array("A", "1-2")
        cell.wait_gone(job)
        assert len(cell.notes("end")) == 2
        job = cell.qsub("-o", cell.files / "tmpdir", "-j", "y", "-b", "y", 'echo "$TMPDIR"')
        cell.wait_gone(job)
        assert (cell.files / "tmpdir").read_text() == f"{cell.dir}/tmp/{job}.1.all.q\n"
        assert f"tmpdir {cell.dir}/tmp" in " ".join(cell.ok("qconf", "-sq", "all.q").replace("\\\n", " ").split())
        out = cell.ok("sh", "-c", '. "$0"/common/settings.sh && qstat && echo "$SGE_ROOT"', cell.dir)
        assert out == f"{cell.root}\n"
        cell.restart_master()
        cell.destroy()
    finally:
        shutil.rmtree(work / "anywhere", ignore_errors=True)


@pytest.mark.parametrize("part", ["a:b", "a,[b]", "a, [b]", "a\nb"])
def test_a_place_that_no_path_can_name_is_refused(work, make_cell, part):
    cell = make_cell(start=False)
    place = work / "nameless" / part
    place.mkdir(parents=True)
    try:
        shutil.copytree(cell.root / "util", place / "util")
        done = cell.run(place / "util/sge_cell", "create", *cell.admin_options(), user=cell.owner, env={"SGE_ROOT": ""})
        assert done.code == 1 and "sge_cell: a cell cannot live in a directory with " in done.err
        assert [path.name for path in place.iterdir()] == ["util"]
    finally:
        shutil.rmtree(work / "nameless", ignore_errors=True)


# ---- a full disk ----------------------------------------------------------------------------------------------------

def test_a_full_disk_refuses_work_and_loses_nothing(make_cell, installed, work, pytestconfig):
    """Needs a file system of its own: a tmpfs in our private mount namespace, with 80 MB beside the installation."""
    need_users(pytestconfig)
    programs = int(subprocess.run(["du", "-sm", str(installed)], capture_output=True, text=True, check=True).stdout.split()[0])
    place = work / "small"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={80 + programs}m,mode=755", "tmpfs", str(place)], check=True)
    try:
        cell = make_cell(place=place)
        kept = [cell.held_array("A", "1-3") for _ in range(5)]
        filler = cell.files / "filler"
        with open(filler, "wb", buffering=0) as file, pytest.raises(OSError, match="No space left"):
            while True:
                file.write(bytes(1 << 16))
        refused, extra = None, []
        for _ in range(20000):
            result = cell.run("qsub", "-terse", "-h", "-b", "y", "/bin/true", timeout=30)
            if result.code != 0:
                refused = result
                break
            extra.append(int(result.out))
        assert refused is not None, "a full disk took 20,000 jobs"
        assert "job rejected: the file system of the spool" in refused.err and "MiB are free" in refused.err
        assert {number for number, _ in cell.states()} == {*kept, *extra}
        filler.unlink()
        wait(lambda: cell.run("qsub", "-h", "-b", "y", "/bin/true").code == 0, "work to be taken again", 30)
        cell.restart_master()
        assert {number for number, _ in cell.states()} >= {*kept, *extra}
    finally:
        for cell in make_cell.cells:
            cell.destroy()
        subprocess.run(["umount", "-l", str(place)], check=True)


# ---- hostile peers --------------------------------------------------------------------------------------------------

def test_garbage_on_the_socket_harms_nobody(any_cell):
    job = any_cell.held_array("A", "1-3")
    pid, dice = any_cell.pid("sge_qmaster"), random.Random(4711)
    path = any_cell.dir / "spool/qmaster/gdi.sock"
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        for number in range(200):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as peer:
                peer.connect(f"/proc/self/fd/{directory}/gdi.sock")
                head = b"" if number % 2 else dice.choice([b"\0" * 12, b"\xff" * 12, b"GDI1" + bytes(8), bytes(8) + b"\x7f\xff\xff\xff"])
                try:
                    peer.sendall(head + dice.randbytes(dice.randrange(1, 5000)))
                except (BrokenPipeError, ConnectionResetError):
                    pass
    finally:
        os.close(directory)
    assert any_cell.pid("sge_qmaster") == pid
    assert any_cell.tasks(job) == {1: "hqw", 2: "hqw", 3: "hqw"}


def test_silent_peers_stop_nobody(any_cell):
    path = any_cell.dir / "spool/qmaster/gdi.sock"
    directory, peers = os.open(path.parent, os.O_RDONLY), []
    try:
        for _ in range(500):
            peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            peer.connect(f"/proc/self/fd/{directory}/gdi.sock")
            peers.append(peer)
        assert quickest(lambda: any_cell.ok("qstat")) < 1
        assert quickest(lambda: any_cell.qsub("-h", "-b", "y", "/bin/true")) < 1
    finally:
        os.close(directory)
        for peer in peers:
            peer.close()


def test_a_client_that_is_killed_leaves_nothing_half_done(any_cell):
    for delay in range(0, 12):
        process = any_cell.start_program("qsub", "-h", "-t", "1-5", "-b", "y", "/bin/true")
        time.sleep(delay / 2000)  # the moment is what is tested
        process.kill()
        process.communicate()
    states = any_cell.states()
    for number in {number for number, _ in states}:
        assert {task for job, task in states if job == number} == {1, 2, 3, 4, 5}


@pytest.mark.load
def test_thousands_of_jobs_are_altered_and_deleted_by_one_command(any_cell):
    """In steps: each job once, whatever else is asked for meanwhile."""
    flood(any_cell, 2500)
    kept = any_cell.qsub("-h", "-N", "kept", "-b", "y", "/bin/true")
    assert len(set(any_cell.ok("qalter", "-p", -5, "true").splitlines())) == 2500
    assert any_cell.detail(2500)["priority"] == "-5"
    deleting = any_cell.start_program("qdel", "true")
    between = [any_cell.qsub("-h", "-N", "true", "-b", "y", "/bin/true") for _ in range(3)]  # not meant, if asked for later
    lines = deleting.communicate(timeout=60)[0].splitlines()
    deleted = {int(line.split()[-1]) for line in lines}
    assert deleting.returncode == 0 and len(lines) == len(deleted)
    assert deleted >= set(range(1, 2501)) and kept not in deleted
    assert {number for number, _ in any_cell.states()} == {kept, *between} - deleted


def test_a_users_own_cell_takes_nobody_elses_jobs(make_cell, pytestconfig):
    need_users(pytestconfig)
    cell = make_cell(owner="alice")
    uid = pwd.getpwnam("alice").pw_uid
    for stranger in ("bob", "root"):
        result = cell.run("qsub", "-b", "y", "/bin/true", user=stranger)
        assert (result.code, result.out) == (1, "")
        assert result.err == (f'Unable to run job: denied: "{stranger}" may not submit: this cell belongs to the user with id {uid} '
                              "and runs jobs of no other user\nExiting.\n")
    assert cell.run("qstat", "-u", "*", user="bob").out == ""


def test_a_stranger_cannot_drive_the_cell(users_cell):
    for words in (["stop"], ["destroy", "--force"]):
        assert users_cell.run("sge_cell", *words, user="bob").code == 1
    users_cell.ok("qstat")
    result = users_cell.run("sge_cell", "status", user="bob")
    assert result.code == 0 and "sge_qmaster" in result.out
    assert users_cell.run("touch", users_cell.dir / "spool/qmaster/spooldb/x", user="bob").code != 0
