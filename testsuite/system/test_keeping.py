"""What starts a daemon again that failed: sge_cell start -keep, and the systemd units."""
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from cell import alive, wait

DAEMONS = ["sge_qmaster", "sge_execd"]


def keeper(cell):
    """The keeper's pid, as status shows it."""
    found = re.search(r"^keeper +(\d+) +running$", cell.run("sge_cell", "status", user=cell.owner).out, re.M)
    return int(found.group(1)) if found else None


def said(cell):
    return (cell.dir / "spool/keeper.out").read_text()


def parent_of(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


@pytest.fixture(params=["root", "user"])
def kept(request, make_cell, pytestconfig):
    """A cell with a keeper: once root's, once an ordinary user's."""
    from conftest import need_users
    if request.param == "root" or os.geteuid() == 0:
        need_users(pytestconfig)
        cell = make_cell(owner="root" if request.param == "root" else "alice", user="alice", start=False)
    else:
        cell = make_cell(start=False)
    cell.sge_cell("start", "-keep")
    return cell


def test_the_keeper_starts_again_what_failed(kept):
    waiting = kept.held_array("A", "1-3")
    for daemon in DAEMONS:
        old = kept.kill(daemon)
        wait(lambda: kept.pid(daemon) not in (None, old), f"another {daemon}")
        assert f"|E|{daemon} ended with exit status 137; it starts again in 1 s\n" in said(kept)
    wait(lambda: kept.run("qstat").code == 0, "the qmaster to answer")
    assert kept.tasks(waiting) == {1: "hqw", 2: "hqw", 3: "hqw"}
    kept.sge_cell("start")  # until the host has registered
    kept.wait_gone(kept.qsub("-b", "y", "-o", "/dev/null", "-j", "y", "true"))


def test_stop_ends_the_keeper_first(kept):
    pids = [keeper(kept), *map(kept.pid, DAEMONS)]
    assert all(pids)
    kept.sge_cell("stop")
    assert not any(map(alive, pids))
    assert keeper(kept) is None
    kept.start()
    assert keeper(kept) is None, "a plain start keeps nothing"


def test_no_terminal_can_hang_it_up(kept):
    fields = Path(f"/proc/{keeper(kept)}/stat").read_text().rsplit(")", 1)[1].split()
    session, terminal = int(fields[3]), int(fields[4])
    assert (session, terminal) == (keeper(kept), 0)


def test_what_was_stopped_stays_down_until_start(kept):
    for daemon in DAEMONS:
        kept.kill(daemon, signal.SIGTERM)
        wait(lambda: f"|W|{daemon} was stopped; sge_cell start starts it\n" in said(kept), "the keeper to see it")
        assert kept.pid(daemon) is None
    kept.start()
    for daemon in DAEMONS:
        assert parent_of(parent_of(kept.pid(daemon))) == keeper(kept)
    assert kept.ok("qstat") == ""


def test_there_is_one_keeper(kept):
    first = keeper(kept)
    kept.sge_cell("start", "--keep")
    kept.sge_cell("start")
    assert keeper(kept) == first and alive(first)


def test_what_cannot_start_is_tried_ever_more_slowly(kept):
    bootstrap = kept.dir / "common/bootstrap"
    good = bootstrap.read_text()
    bootstrap.write_text(good + "security_mode csp\n")
    kept.kill("sge_qmaster")
    wait(lambda: re.findall(r"sge_qmaster ended with exit status (\d+); it starts again in (\d) s", said(kept))[:3]
         == [("137", "1"), ("1", "2"), ("1", "4")], lambda: said(kept))
    bootstrap.write_text(good)
    kept.start()  # which does not wait for the 4 seconds
    assert kept.ok("qstat") == ""


def test_a_keeper_takes_over_what_runs(any_cell):
    before = [any_cell.pid(daemon) for daemon in DAEMONS]
    any_cell.sge_cell("start", "-keep")
    assert [any_cell.pid(daemon) for daemon in DAEMONS] == before
    any_cell.kill("sge_execd")
    wait(lambda: any_cell.pid("sge_execd") not in (None, before[1]), "another sge_execd")


def test_destroy_ends_it_too(kept):
    pid = keeper(kept)
    kept.destroy()
    assert not alive(pid) and not kept.dir.exists()


# ---- systemd

def unit_lines(path):
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def test_units_are_written_for_the_cell(any_cell, tmp_path):
    cell = any_cell
    out = cell.sge_cell("install-units", tmp_path)
    assert out == "start the cell, now and at each boot, with: systemctl enable --now sge_qmaster.service sge_execd.service\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["sge_execd.service", "sge_qmaster.service"]
    assert not [path for path in tmp_path.iterdir() if re.search(r"@[A-Z_]+@", path.read_text())]
    master, host = unit_lines(tmp_path / "sge_qmaster.service"), unit_lines(tmp_path / "sge_execd.service")
    admin = re.search(r"^admin_user +(\S+)$", (cell.dir / "common/bootstrap").read_text(), re.M).group(1)
    assert f"User={cell.owner if admin == 'none' else admin}" in master
    assert f"ReadWritePaths={cell.dir}/common {cell.dir}/spool/qmaster" in master
    for unit, program in ((master, "sge_qmaster"), (host, "sge_execd")):
        assert f"ExecStart={cell.bin}/{program}" in unit and "Restart=on-failure" in unit
        assert f"Environment=SGE_ROOT={cell.root} SGE_CELL=default" in unit
    assert {"KillMode=process", "Delegate=yes", "OOMPolicy=continue"} <= set(host)
    cell.sge_cell("install-units", tmp_path)  # again, after an update


def test_what_jobs_inherit_takes_nothing_from_them(installed):
    """A unit's sandbox and its limits are inherited by all its processes: the one that starts jobs has none."""
    keys = {line.split("=")[0] for line in unit_lines(installed / "util/systemd/sge_execd.service") if "=" in line}
    assert not [key for key in keys if re.match(r"Protect|Private|Restrict[A-Z]|SystemCall|NoNew|Capability|Limit|Memory|ReadOnly|Lock|User|OOMScore", key)]


def test_units_of_another_cell_are_left_alone(any_cell, tmp_path):
    any_cell.sge_cell("install-units", tmp_path)
    path = tmp_path / "sge_execd.service"
    path.write_text(path.read_text().replace("SGE_CELL=default", "SGE_CELL=other"))
    before = path.read_text()
    refused = any_cell.refused("sge_cell", "install-units", tmp_path, user=any_cell.owner)
    assert refused.err == f"sge_cell: {path} is another cell's\n" and path.read_text() == before
    assert any_cell.refused("sge_cell", "install-units", tmp_path / "x", user=any_cell.owner).err.endswith(f"cannot write into {tmp_path}/x\n")


def test_a_second_cell_has_units_of_its_own(make_cell, tmp_path):
    cell = make_cell(name="blue", start=False)
    assert "sge_qmaster-blue.service sge_execd-blue.service\n" in cell.sge_cell("install-units", tmp_path)
    assert "After=network.target nss-user-lookup.target remote-fs.target sge_qmaster-blue.service" in unit_lines(tmp_path / "sge_execd-blue.service")


def test_systemd_understands_the_units(any_cell, tmp_path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("impossible here: systemd-analyze is not installed")
    any_cell.sge_cell("install-units", tmp_path)
    done = subprocess.run(["systemd-analyze", "verify", *sorted(tmp_path.iterdir())], capture_output=True, text=True, timeout=60)
    ours = [line for line in (done.stdout + done.stderr).splitlines() if "sge_" in line and "man " not in line]
    assert ours == []


def test_the_qmaster_works_with_what_its_unit_leaves_it(make_cell, tmp_path):
    """No capability, no new privileges, everything but its own places read-only: as bubblewrap-less as setpriv and mount can do it."""
    cell = make_cell(start=False)
    if os.geteuid() != 0:
        pytest.skip("impossible here: only root can take rights away")
    cell.sge_cell("install-units", tmp_path)
    unit = dict(line.split("=", 1) for line in unit_lines(tmp_path / "sge_qmaster.service") if "=" in line)
    writes = " ".join(f"'{place}'" for place in sorted(set(unit["ReadWritePaths"].split())))
    script = (f"mount --make-rprivate / && for d in {writes}; do mount --bind $d $d || exit; done; mount -o remount,ro,bind / 2>/dev/null; "
              f"mount --bind {cell.root} {cell.root} && mount -o remount,ro,bind {cell.root} && "
              f"for d in {writes}; do mount --bind $d $d && mount -o remount,rw,bind $d || exit; done; "
              f"exec setpriv --reuid {unit['User']} --regid $(id -g {unit['User']}) --init-groups --no-new-privs --bounding-set -all {unit['ExecStart']}")
    master = cell.start_program("unshare", "--mount", "sh", "-c", script, user=cell.owner)
    try:
        wait(lambda: cell.run("qconf", "-sm").code == 0 or master.poll() is not None, "the qmaster to answer")
        assert master.poll() is None, master.communicate()
        assert cell.qsub("-h", "-b", "y", "true") == 1
    finally:
        if master.poll() is None:
            master.terminate()
        master.communicate(timeout=60)
