"""sge_cell(8): a cell is made, started, shown, brought back, stopped and removed without a question."""
import contextlib
import fcntl
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
from pathlib import Path

import pytest

import users
from cell import alive, descendants, wait
from conftest import IMPOSSIBLE, need_users
from faults import log_lines, shepherds

HOST = socket.gethostname()


def test_a_cell_is_made_whole_and_removed_without_trace(make_cell):
    cell = make_cell(slots=3, start=False)
    common = cell.dir / "common"
    assert {p.name for p in common.iterdir()} >= {"bootstrap", "cell_setup", "act_qmaster", "settings.sh", "settings.csh",
                                                  "sge_request", "sge_qstat", "accounting"}
    assert re.search(r"^slots +3$", (common / "cell_setup").read_text(), re.M)
    refused = cell.refused("sge_cell", "create", user=cell.owner)
    assert refused.err == f"sge_cell: {cell.dir} exists already\n"
    cell.destroy()
    assert not cell.dir.exists()
    assert not [p.name for p in cell.root.iterdir() if p.name.startswith(".")]


def test_a_line_that_is_read_leaves_the_rest(make_cell):
    """The tests' own reading of programs: readline() and then communicate() lose nothing."""
    process = make_cell(start=False).start_program("sh", "-c", "printf 'one\\ntwo\\nthree'; echo err >&2")
    process.wait()
    assert process.stdout.readline() == "one\n"
    assert process.communicate() == ("two\nthree", "err\n")


@pytest.mark.parametrize("slots, groups", [(3, "65400-65500"), (300, "100000-100300")])
def test_a_new_cell_has_a_group_id_for_each_slot(make_cell, slots, groups):
    cell = make_cell(slots=slots)
    assert re.search(rf"^gid_range +{groups}$", cell.ok("qconf", "-sconf"), re.M)


def test_a_host_that_is_short_of_group_ids_says_so_in_qhost(make_cell):
    if os.geteuid() != 0:
        pytest.skip(IMPOSSIBLE + "only root gives groups")
    cell = make_cell()
    path = cell.files / "global"
    path.write_text(re.sub(r"(?m)^(gid_range +).*$", r"\g<1>65400-65400", cell.ok("qconf", "-sconf")))
    cell.ok("qconf", "-Mconf", path)
    first, _ = (cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "sleep", "1000") for _ in range(2))
    wait(lambda: "hl:shortage=all additional group ids of gid_range 65400-65400 are in use" in cell.ok("qhost", "-F", "shortage"), "the reason")
    cell.ok("qdel", first)
    wait(lambda: "hl:shortage=none" in cell.ok("qhost", "-F", "shortage"), "the end of it")


def test_bad_arguments_are_refused_and_change_nothing(make_cell):
    cell = make_cell(start=False)
    cell.destroy()
    for options in (["--slots", "0"], ["--slots", "x"], ["--slots"], ["--slots", "12345678"], ["--queue"], ["--queue", ""], ["--queue", "a/b"],
                    ["--colour", "red"]):
        assert "sge_cell: " in cell.refused("sge_cell", "create", *options, user=cell.owner).err
        assert not cell.dir.exists()
    for name in ("../x", "bin", ".hidden", "a b", "-x"):
        cell.refused("sge_cell", "create", user=cell.owner, env={"SGE_CELL": name})
    assert cell.refused("sge_cell", "start", user=cell.owner).err == (
        f'sge_cell: there is no cell "default" in {cell.root}: sge_cell create makes one\n')
    assert cell.refused("sge_cell", "stop", user=cell.owner).err == f'sge_cell: there is no cell "default" in {cell.root}\n'
    assert cell.refused("sge_cell", "made", user=cell.owner).err.endswith('\nsge_cell: unknown command "made"\n')


def test_words_that_a_command_does_not_know_are_refused(make_cell):
    cell = make_cell(start=False)
    for words in (["start", "now"], ["status", "--all"], ["stop", "jobs"], ["stop", "--jobs", "now"], ["destroy", "--jobs"]):
        assert words[-1] in cell.refused("sge_cell", *words, user=cell.owner).err
    assert cell.dir.exists() and cell.pid("sge_qmaster") is None


def edit_bootstrap(cell, key, value):
    path = cell.dir / "common/bootstrap"
    path.write_text(re.sub(rf"(?m)^{key} .*\n", "", path.read_text()) + f"{key} {value}\n")


def test_the_places_in_bootstrap_are_obeyed(make_cell, tmp_path):
    cell = make_cell(start=False)
    (cell.dir / "spool/qmaster").rename(cell.dir / "spool/elsewhere")
    (cell.dir / "spool/qmaster").mkdir()
    there = (cell.dir / "spool/elsewhere").stat()
    os.chown(cell.dir / "spool/qmaster", there.st_uid, there.st_gid)
    (cell.root / "bin").rename(cell.root / "programs")
    (cell.root / "bin").symlink_to("/nonexistent")
    edit_bootstrap(cell, "qmaster_spool_dir", cell.dir / "spool/elsewhere")
    edit_bootstrap(cell, "spooling_params", cell.dir / "spool/elsewhere/database")
    edit_bootstrap(cell, "binary_path", cell.root / "programs")
    cell.start()
    status = cell.sge_cell("status")
    assert status.count("running") == 4, status
    qsub, = cell.root.glob("programs/*/qsub")
    assert cell.ok(qsub, "-sync", "y", "-b", "y", "-o", "/dev/null", "-j", "y", "true").endswith("exited with exit code 0.\n")
    assert (cell.dir / "spool/elsewhere/messages").exists() and (cell.dir / "spool/elsewhere/database/job.db").exists()
    cell.sge_cell("stop")
    assert not descendants() or cell.refused("sge_cell", "status", user=cell.owner).out.count("not running") == 3


@pytest.mark.parametrize("key", ["qmaster_spool_dir", "binary_path"])
def test_a_bootstrap_that_lacks_a_place_is_refused(make_cell, key):
    cell = make_cell(start=False)
    path = cell.dir / "common/bootstrap"
    whole = path.read_text()
    path.write_text("".join(line for line in whole.splitlines(True) if not line.startswith(key)))
    for command in ("start", "status", "stop", "destroy"):
        assert cell.refused("sge_cell", command, user=cell.owner).err == f"sge_cell: {path} has no {key}\n"
    path.write_text(whole)


def test_a_setting_in_bootstrap_that_nothing_obeys_is_refused(make_cell):
    cell = make_cell(start=False)
    edit_bootstrap(cell, "security_mode", "csp")
    result = cell.refused("sge_cell", "start", user=cell.owner)
    number = len((cell.dir / "common/bootstrap").read_text().splitlines())
    assert f'{cell.dir}/common/bootstrap, line {number}: security_mode: "csp" is not supported yet, only "none"' in result.err
    assert cell.pid("sge_qmaster") is None


def ids_of(pid):
    """(uids, gids, additional groups, no_new_privs) of a process."""
    lines = dict(line.split(":", 1) for line in open(f"/proc/{pid}/status").read().splitlines() if ":" in line)
    return ({int(i) for i in lines["Uid"].split()}, {int(i) for i in lines["Gid"].split()}, [int(i) for i in lines["Groups"].split()],
            int(lines["NoNewPrivs"]))


def owner_of(path):
    return pwd.getpwuid(path.lstat().st_uid).pw_name


def test_qmaster_and_scheduler_of_roots_cell_run_as_the_admin_user(users_cell):
    cell, admin = users_cell, pwd.getpwnam(users.ADMIN)
    for daemon in ("sge_qmaster", "sge_schedd"):
        assert ids_of(cell.pid(daemon)) == ({admin.pw_uid}, {admin.pw_gid}, [admin.pw_gid], 1), daemon
    assert ids_of(cell.pid("sge_execd"))[0] == {0}
    assert Path(f"/proc/{cell.pid('sge_qmaster')}/oom_score_adj").read_text() in ("-900\n", "0\n")  # where root may not say so
    assert cell.ok("qsub", "-sync", "y", "-b", "y", "-o", "/dev/null", "-j", "y", "test $(id -un) = alice").endswith("exit code 0.\n")
    assert len(cell.accounting()) == 1


def test_what_the_qmaster_writes_is_the_admin_users_and_what_root_obeys_is_roots(users_cell):
    cell = users_cell
    cell.wait_gone(cell.qsub("-b", "y", "-o", "/dev/null", "-j", "y", "true"))
    qmasters = [cell.dir / "spool/qmaster", *(cell.dir / "spool/qmaster").rglob("*"), cell.dir / "common/accounting"]
    assert [str(path) for path in qmasters if owner_of(path) != users.ADMIN] == []
    assert {p.name for p in qmasters} > {"gdi.sock", "qmaster.pid", "messages", "job.db"}
    common = [p for p in (cell.dir / "common").iterdir() if p.name not in ("accounting", "spool_made")]
    roots = [cell.dir, cell.dir / "common", *common, cell.dir / "spool", cell.dir / "spool" / HOST, cell.dir / "tmp"]
    assert [str(path) for path in roots if owner_of(path) != "root"] == []
    for name in ("bootstrap", "cell_setup", "settings.sh", "act_qmaster"):
        path = cell.dir / "common" / name
        for act in (["mv", path, f"{path}.x"], ["rm", "-f", path], ["sh", "-c", f"echo >>{path}"], ["ln", "-sf", "/dev/null", path]):
            assert cell.run(*act, user=users.ADMIN).code != 0, act
    assert (cell.dir / "common/accounting").stat().st_mode & 0o777 == 0o644
    assert cell.run("touch", cell.dir / "common/x").code != 0, "alice writes where the qmaster does"


def test_the_accounting_file_can_be_moved_away_from_the_admin_user(users_cell):
    cell = users_cell
    file = cell.dir / "common/accounting"
    file.rename(file.with_name("accounting.1"))
    cell.wait_gone(cell.qsub("-b", "y", "-o", "/dev/null", "-j", "y", "true"))
    assert owner_of(file) == users.ADMIN and len(cell.accounting()) == 1


def test_the_admin_user_is_chosen_at_create(make_cell, pytestconfig):
    need_users(pytestconfig)
    cell = make_cell(owner="root", user="alice", start=False)
    cell.destroy()
    for name, text in (("ghost", 'there is no user "ghost"'), ("", "create: --admin-user without a value")):
        assert text in cell.refused("sge_cell", "create", *["--admin-user", name][:1 + bool(name)], user="root").err
        assert not cell.dir.exists()
    cell.sge_cell("create", "--admin-user", "olga")
    cell.start()
    assert ids_of(cell.pid("sge_qmaster"))[0] == {pwd.getpwnam("olga").pw_uid}
    cell.destroy()
    cell.sge_cell("create", "--admin-user", "none")
    cell.start()
    assert ids_of(cell.pid("sge_qmaster"))[0] == {0}
    assert log_lines(cell, r"\|W\|running as root, since bootstrap has no admin_user")


def test_an_admin_user_who_cannot_reach_the_cell_or_shares_a_group_is_refused(make_cell, pytestconfig):
    need_users(pytestconfig)
    cell = make_cell(owner="root", user="alice", start=False)
    cell.destroy()
    refused = cell.refused("sge_cell", "create", "--admin-user", "daemon2", user="root")
    assert refused.err == 'sge_cell: there is no user "daemon2"\n'
    shared = 'sge_cell: user "carl" shares its group alice with others'
    with extra_user("carl:x:64900:64001:carl:/:/bin/sh\n"):
        assert cell.refused("sge_cell", "create", "--admin-user", "carl", user="root").err.startswith(shared)
    cell.root.chmod(0o700)
    refused = cell.refused("sge_cell", "create", "--admin-user", "olga", user="root")
    assert refused.err == f'sge_cell: user "olga" cannot look into {cell.root}: a directory on the way is closed\n'
    assert not cell.dir.exists()
    out = cell.ok("sge_cell", "create", user="root")  # nobody else will ever reach that socket
    assert out.startswith(f"only root can look into {cell.root}: the cell is root's alone, and the qmaster runs as root\n")
    assert "\nadmin_user             none\n" in (cell.dir / "common/bootstrap").read_text()


def test_the_admin_user_is_made_if_there_is_none(make_cell, pytestconfig):
    """In a mount namespace of its own, in which all changes to /etc go to memory."""
    need_users(pytestconfig)
    cell = make_cell(owner="root", user="alice", start=False)
    cell.destroy()
    etc = cell.files / "etc"
    own_etc = (f"mount -t tmpfs -o mode=755 etc {etc} && cp -a /etc/. {etc} && mount --move {etc} /etc && "
               f"sed -i /^{users.ADMIN}:/d /etc/passwd /etc/group")
    etc.mkdir()
    done = cell.run("unshare", "--mount", "sh", "-c",
                    f"mount --make-rprivate / && {own_etc} && sge_cell create && grep ^{users.ADMIN}: /etc/passwd", user="root")
    assert done.code == 0, str(done)
    assert done.out.startswith("system user sgeadmin made: the qmaster runs as it\ncell \"default\" made: ")
    assert re.search(r"^sgeadmin:x:\d+:\d+:Grid Engine:/nonexistent:/usr/sbin/nologin$", done.out, re.M)
    assert "\nadmin_user             sgeadmin\n" in (cell.dir / "common/bootstrap").read_text()


@contextlib.contextmanager
def extra_user(line):
    """Adds a line to the private passwd of the tests."""
    path = Path("/etc/passwd")
    before = path.read_text()
    path.write_text(before + line)
    try:
        yield
    finally:
        path.write_text(before)


def test_an_ordinary_users_cell_has_no_admin_user(make_cell, pytestconfig):
    if os.geteuid() == 0:
        need_users(pytestconfig)
    cell = make_cell(owner="alice" if os.geteuid() == 0 else None, start=False)
    cell.destroy()
    refused = cell.refused("sge_cell", "create", "--admin-user", "root", user=cell.owner)
    assert refused.err == "sge_cell: only a cell of root's can have an admin user\n" and not cell.dir.exists()
    cell.sge_cell("create")
    text = (cell.dir / "common/bootstrap").read_text()
    assert "\nadmin_user             none\n" in text and "root_jobs" not in text


def test_a_cell_from_before_starts_as_root_and_is_upgraded(make_cell, pytestconfig):
    need_users(pytestconfig)
    cell = make_cell(owner="root", user="alice", start=False)
    cell.destroy()
    cell.sge_cell("create", "--admin-user", "none")
    path = cell.dir / "common/bootstrap"
    path.write_text(path.read_text().replace("root_jobs              true\n", ""))  # such a cell knows nothing of that
    cell.start()
    held = cell.held_array("A", "1-3")
    running = cell.array("B", "1", gated=[1])
    cell.wait_note("start", "B", 1)
    assert cell.refused("sge_cell", "upgrade", user="root").err == 'sge_cell: the qmaster of cell "default" runs: stop it first\n'
    cell.sge_cell("stop")
    assert cell.refused("sge_cell", "upgrade").err == "sge_cell: only a cell of root's can have an admin user\n"
    cell.sge_cell("upgrade")
    cell.start()
    assert ids_of(cell.pid("sge_qmaster"))[0] == {pwd.getpwnam(users.ADMIN).pw_uid}
    assert cell.tasks(held) == {1: "hqw", 2: "hqw", 3: "hqw"}
    cell.open("B", 1)
    cell.wait_gone(running)
    assert [row["job_number"] for row in cell.accounting()] == [str(running)]
    assert path.read_text().endswith("admin_user             sgeadmin\nroot_jobs              true\n")
    cell.sge_cell("stop")
    assert cell.refused("sge_cell", "upgrade", user="root").err == 'sge_cell: the admin user of cell "default" is sgeadmin already\n'


def test_the_qmaster_is_roots_or_the_admin_users_to_start(users_cell):
    cell = users_cell
    cell.sge_cell("stop")
    refused = cell.refused(cell.bin / "sge_qmaster", user="bob")
    assert refused.err.splitlines()[0] == 'sge_qmaster: only root and the cell\'s admin_user "sgeadmin" can run its qmaster'
    master = cell.start_program(cell.bin / "sge_qmaster", user=users.ADMIN)
    try:
        wait(lambda: cell.run("qconf", "-sm").code == 0, "the admin user's own qmaster to answer")
        assert cell.qsub("-h", "-b", "y", "true") == 1  # everybody's jobs, as under root
    finally:
        master.terminate()
        master.communicate(timeout=60)


def test_jobs_of_root_run_unless_a_file_of_roots_says_no(make_cell, pytestconfig):
    need_users(pytestconfig)
    cell = make_cell(owner="root", user="root")
    assert cell.ok("qsub", "-sync", "y", "-b", "y", "-o", "/dev/null", "-j", "y", "true").endswith("exit code 0.\n")
    waiting = cell.held_array("A", "1")
    cell.sge_cell("stop")
    edit_bootstrap(cell, "root_jobs", "false")
    cell.start()
    denied = 'denied: this cell runs no jobs of root: "root_jobs" in bootstrap(5) is false'
    assert denied in cell.refused("qsub", "-b", "y", "true").err
    cell.ok("qrls", waiting)  # the qmaster sends it all the same: the execd does not rely on it
    cell.wait_state(waiting, 1, "Eqw")
    reason = 'user "root" is root, whose jobs do not run here: "root_jobs" in bootstrap(5) is false'
    assert reason in cell.ok("qstat", "-j", waiting)
    assert cell.ok("qsub", "-sync", "y", "-b", "y", "-o", "/dev/null", "-j", "y", "true", user="alice").endswith("exit code 0.\n")
    cell.destroy()
    cell.sge_cell("create", "--no-root-jobs")
    assert (cell.dir / "common/bootstrap").read_text().endswith("\nroot_jobs              false\n")


def test_status_names_the_daemons(cell):
    table = cell.sge_cell("status").splitlines()
    assert table[0].split() == ["daemon", "pid", "state"]
    rows = [line.split() for line in table[1:]]
    assert [(row[0], row[2]) for row in rows[:3]] == [("sge_qmaster", "running"), ("sge_schedd", "running"), ("sge_execd", "running")]
    for row in rows[:3]:
        assert open(f"/proc/{row[1]}/comm").read().strip() == row[0]
    cell.sge_cell("stop")
    result = cell.refused("sge_cell", "status", user=cell.owner)
    assert result.out.count("not running") == 3


def test_start_answers_at_once_and_twice_is_harmless(cell):
    assert cell.ok("qstat") == ""
    before = [cell.pid(d) for d in ("sge_qmaster", "sge_schedd", "sge_execd")]
    cell.start()
    assert before == [cell.pid(d) for d in ("sge_qmaster", "sge_schedd", "sge_execd")]


def test_a_start_waits_until_the_host_can_take_work(cell):
    """The execd stands still, so that the new qmaster does not know its host yet."""
    execd = cell.pid("sge_execd")
    os.kill(execd, signal.SIGSTOP)
    try:
        cell.kill("sge_qmaster")
        start = cell.start_program("sge_cell", "start", user=cell.owner)
        wait(lambda: cell.run("qconf", "-sm").code == 0, "the qmaster to answer")
        with pytest.raises(subprocess.TimeoutExpired):
            start.communicate(timeout=1)
    finally:
        os.kill(execd, signal.SIGCONT)
    assert (*start.communicate(timeout=60), start.returncode) == ("", "", 0)
    assert cell.run("qsub", "-w", "p", "-b", "y", "true").out == "verification: found suitable queue(s)\n"
    assert "load_values           load_avg=" in cell.ok("qconf", "-se", HOST)


def test_several_starts_at_once_make_one_cell(cell):
    cell.sge_cell("stop")
    starts = [cell.start_program("sge_cell", "start", user=cell.owner) for _ in range(4)]
    assert [(*start.communicate(timeout=120), start.returncode) for start in starts] == [("", "", 0)] * 4
    assert cell.sge_cell("status").count(" running") == 4


@pytest.mark.parametrize("command", ["start", "stop", "destroy"])
def test_one_at_a_time_works_on_a_cell(cell, command):
    with open(cell.dir / "spool/sge_cell.lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = cell.start_program("sge_cell", command, user=cell.owner)
        with pytest.raises(subprocess.TimeoutExpired):
            second.communicate(timeout=1)
        assert cell.sge_cell("status").count(" running") == 4
        if cell.user != cell.owner:  # who cannot start anything need not wait
            assert cell.ok("sge_cell", "start") == ""
    assert (*second.communicate(timeout=60), second.returncode) == ("", "", 0)


def test_a_destroy_and_a_start_at_once_leave_a_cell_or_none(cell):
    racers = [cell.start_program("sge_cell", command, user=cell.owner) for command in ("destroy", "start")]
    said = [(*racer.communicate(timeout=120), racer.returncode) for racer in racers]
    assert said[0] == ("", "", 0) and not cell.dir.exists()
    assert said[1] in [("", "", 0), ("", f'sge_cell: there is no cell "default" in {cell.root}: sge_cell create makes one\n', 1)]


def test_start_brings_back_what_died(cell):
    job = cell.held_array("A", "1-3")
    for daemon in ("sge_execd", "sge_qmaster"):
        old = cell.kill(daemon)
        cell.start()
        assert cell.pid(daemon) not in (None, old)
    assert cell.tasks(job) == {1: "hqw", 2: "hqw", 3: "hqw"}


def test_start_right_after_a_kill_brings_the_qmaster_back(cell):
    for _ in range(10):
        os.kill(cell.pid("sge_qmaster"), signal.SIGKILL)
        cell.start()  # the old one may still be on its way out
        assert cell.ok("qstat") == ""


def test_a_dead_schedd_comes_back_by_itself(cell):
    old = cell.kill("sge_schedd")
    wait(lambda: cell.pid("sge_schedd") not in (None, old), "another sge_schedd")
    cell.wait_gone(cell.qsub("-b", "y", "-o", "/dev/null", "-j", "y", "/bin/true"))


def test_two_cells_do_not_collide(make_cell):
    one, two = make_cell(), make_cell(name="second")
    assert one.qsub("-h", "-b", "y", "/bin/true") == 1
    assert two.qsub("-h", "-b", "y", "/bin/true") == 1
    one.sge_cell("stop")
    assert two.ok("qstat").count("hqw") == 1
    one.start()
    assert one.ok("qstat").count("hqw") == 1


def test_two_cells_share_one_installation(make_cell):
    cell = make_cell()
    other = {"SGE_CELL": "other"}
    cell.sge_cell("create", "--slots", "2", *cell.admin_options(), env=other)
    try:
        cell.sge_cell("start", env=other)
        cell.qsub("-h", "-b", "y", "/bin/true", env=other)
        assert cell.ok("qstat") == ""
        cell.sge_cell("stop")
        assert cell.ok("qstat", env=other).count("hqw") == 1
    finally:
        cell.sge_cell("destroy", "--force", env=other)


def test_cleaning_up_in_one_cell_spares_the_tasks_of_another(make_cell, pytestconfig):
    """Both give their first task the same additional group id."""
    need_users(pytestconfig)
    one, two = make_cell(owner="root", user="alice"), make_cell(owner="root", user="alice")
    for cell in (one, two):
        cell.array("A", "1", gated=[1])
        cell.wait_note("start", "A", 1)
    one.sge_cell("stop", "--jobs")  # which cleans up
    three = make_cell(owner="root", user="alice")
    job = three.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "sleep 1000 & exit 0")  # and so does this
    three.wait_gone(job)
    two.open("A", 1)
    two.wait_gone(1)
    assert [(r["failed"], r["exit_status"]) for r in two.accounting()] == [("0", "0")]


def test_a_dead_shepherd_in_one_cell_spares_the_tasks_of_another(make_cell, pytestconfig):
    need_users(pytestconfig)
    one, two = make_cell(owner="root", user="alice"), make_cell(owner="root", user="alice")
    for cell in (one, two):
        cell.array("A", "1", gated=[1])
        cell.wait_note("start", "A", 1)
    os.kill(shepherds(one)["1.1"], signal.SIGKILL)
    one.wait_gone(1)
    two.open("A", 1)
    two.wait_gone(1)
    assert [(r["failed"], r["exit_status"]) for r in two.accounting()] == [("0", "0")]


def test_stop_leaves_jobs_running_and_start_finds_them(cell):
    job = cell.array("A", "1", gated=[1])
    cell.wait_note("start", "A", 1)
    cell.sge_cell("stop")
    assert cell.refused("sge_cell", "status", user=cell.owner).out.splitlines()[-1].split()[2] == "1"
    cell.start()
    cell.wait_state(job, 1, "r")
    cell.open("A", 1)
    cell.wait_gone(job)
    assert [n[0] for n in cell.notes()] == ["start", "end"]
    assert [(r["job_number"], r["exit_status"]) for r in cell.accounting()] == [(str(job), "0")]


def test_stop_with_jobs_ends_them(cell):
    cell.array("A", "1-2", gated=[1, 2])
    cell.wait_note("start", "A", 2)
    cell.sge_cell("stop", "--jobs")
    assert cell.refused("sge_cell", "status", user=cell.owner).out.splitlines()[-1].split()[2] == "0"


def test_stop_with_jobs_starts_nothing_that_waited(any_cell):
    """More tasks wait than there are slots: ending those that run makes room, which nobody is to take."""
    cell = any_cell
    job = cell.array("A", "1-40", gated=range(1, 41))
    cell.wait_note("start", "A", 4)
    cell.sge_cell("stop", "--jobs")
    assert cell.refused("sge_cell", "status", user=cell.owner).out.splitlines()[-1].split()[2] == "0"
    assert {note[2] for note in cell.notes("start")} == {1, 2, 3, 4}
    for task in range(5, 41):
        cell.open("A", task)
    cell.start()
    cell.wait_gone(job)
    assert sorted(int(row["task_number"]) for row in cell.accounting()) == list(range(1, 41))


def test_destroy_asks_for_force_while_jobs_run(cell):
    job = cell.array("A", "1", gated=[1])
    cell.wait_note("start", "A", 1)
    assert "--force" in cell.refused("sge_cell", "destroy", user=cell.owner).err
    cell.wait_state(job, 1, "r")
    cell.destroy()
    assert not cell.dir.exists()


def test_destroy_asks_for_force_while_jobs_are_pending(cell):
    cell.held_array("A", "1-3")
    cell.held_array("B", "1")
    said = cell.refused("sge_cell", "destroy", user=cell.owner).err
    assert said == 'sge_cell: cell "default" has jobs that have not ended (2): delete them first (qdel -u \'*\'), or use --force\n'
    cell.sge_cell("stop")
    said = cell.refused("sge_cell", "destroy", user=cell.owner).err
    assert "the qmaster of cell \"default\" does not run, so pending jobs are unknown: start it first, or use --force" in said
    assert cell.dir.exists()
    cell.start()
    cell.ok("qdel", "-u", "*", user=cell.owner)
    cell.wait_gone(1, 2)
    cell.sge_cell("destroy")
    assert not cell.dir.exists()


def test_a_process_that_calls_itself_a_shepherd_is_not_believed(users_cell):
    """alice names hers so and works in the cell's directory: that neither counts as a job nor keeps the cell from going."""
    cell = users_cell
    program = cell.files / "sge_shepherd"
    shutil.copy("/bin/sleep", program)
    with subprocess.Popen([program, "1000"], **(users.as_user("alice") | {"cwd": cell.dir})) as pretender:
        try:
            assert "jobs         -        0 running" in cell.sge_cell("status")
            cell.sge_cell("stop", "--jobs")
            assert pretender.poll() is None
            cell.start()
            cell.sge_cell("destroy")
            assert not cell.dir.exists() and pretender.poll() is None
        finally:
            pretender.kill()


@pytest.mark.parametrize("listens", [True, False])
def test_a_port_that_is_taken_costs_nothing(cell, listens):
    """sge_cell sees who listens, and leaves the qmaster alone; of others, the qmaster itself finds out, and runs on without the port."""
    bootstrap = (cell.dir / "common/bootstrap").read_text()
    qmaster = cell.pid("sge_qmaster")
    job = cell.held_array("A", "1")
    with socket.socket() as taken:
        taken.bind(("", 0))
        if listens:
            taken.listen()
        port = taken.getsockname()[1]
        said = cell.refused("sge_cell", "host", "add", "guest", "--port", port, user=cell.owner).err
    assert f"port {port}" in said
    assert (cell.dir / "common/bootstrap").read_text() == bootstrap
    assert (cell.pid("sge_qmaster") == qmaster) == listens
    assert cell.tasks(job) == {1: "hqw"}


def test_daemons_end_on_sigterm(cell):
    for daemon in ("sge_execd", "sge_qmaster"):
        pid = cell.pid(daemon)
        os.kill(pid, signal.SIGTERM)
        wait(lambda: not alive(pid), f"{daemon} to end")
    assert cell.pid("sge_schedd") is None
    cell.start()


def test_settings_make_the_programs_usable(cell):
    script = f"unset SGE_ROOT SGE_CELL; PATH=/usr/bin:/bin; . {cell.dir}/common/settings.sh && qstat && echo $SGE_ROOT $SGE_CELL"
    assert cell.ok("sh", "-c", script) == f"{cell.root} default\n"


def test_without_a_running_cell_commands_say_so(cell):
    cell.sge_cell("stop")
    for command in (["qstat"], ["qsub", "-b", "y", "true"], ["qdel", "1"], ["qhost"]):
        result = cell.run(*command)
        assert result.code == 1 and result.err, str(result)
