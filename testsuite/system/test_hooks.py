"""Commands around the job, and how it is suspended, ended and limited: queue_conf(5), submit(1) -notify."""
import os
import pwd
import re

from cell import wait
from conftest import need_users

QUIET = ["-o", "/dev/null", "-j", "y", "-b", "y"]


def script(cell, name, text):
    """An executable file of the administrator's, which all may read."""
    path = cell.dir.parent / name
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


def queue(cell, attribute, value):
    cell.ok("qconf", "-rattr", "queue", attribute, value, "all.q", user=cell.owner)


def edit_bootstrap(cell, key, value):
    path = cell.dir / "common/bootstrap"
    path.write_text(re.sub(rf"(?m)^{key} .*\n", "", path.read_text()) + f"{key} {value}\n")


def explained(cell):
    return cell.ok("qstat", "-f", "-explain", "E")


def test_hooks_run_as_other_users_if_root_permits_it(make_cell, pytestconfig):
    need_users(pytestconfig)
    cell = make_cell(owner="root", user="alice")
    out = cell.dir.parent / "out"
    cell.ok("mkdir", "-m", "777", out, user="root")
    tell = script(cell, "tell", f'echo "$1 $(id -un) ${{MINE-}}" >>{out}/told; chmod 666 {out}/told 2>/dev/null; echo "$1 says"; shift; exec "$@"\n')
    for hook, user in ("prolog", "root"), ("epilog", "bob"), ("starter_method", "alice"):
        queue(cell, hook, f"{user}@{tell} {hook}")
    job = cell.qsub("-o", out / "$JOB_ID", "-j", "y", "-v", "MINE=x", "-b", "y", "echo", "the job")
    why = f'prolog "root@{tell} prolog" cannot be used: "hook_users" in bootstrap(5) of this host does not name user "root"'
    wait(lambda: why in explained(cell), "the queue to say why")
    assert cell.tasks(job) == {0: "qw"} and not (out / "told").exists()
    cell.sge_cell("stop")
    edit_bootstrap(cell, "hook_users", "root, bob")
    cell.start()
    cell.ok("qmod", "-cq", "all.q", user="root")
    cell.wait_gone(job)
    assert (out / "told").read_text() == "prolog root \nstarter_method alice x\nepilog bob \n"
    assert (out / str(job)).read_text() == "prolog says\nstarter_method says\nthe job\nepilog says\n"
    assert (out / str(job)).stat().st_uid == pwd.getpwnam("alice").pw_uid
    queue(cell, "prolog", f"nosuch@{tell}")
    job = cell.qsub(*QUIET, "true")
    wait(lambda: 'does not name user "nosuch"' in explained(cell), "the queue to say why")
    cell.ok("qdel", job)


def test_hooks_of_the_owner_see_what_the_job_sees(any_cell):
    """Variables of the job reach prolog, epilog and methods; those that decide how programs start do not."""
    out = any_cell.dir.parent / "out"
    any_cell.ok("mkdir", "-m", "777", out, user=any_cell.owner)
    tell = script(any_cell, "tell", f'echo "$1 ${{MINE-}} ${{PYTHONPATH-}} $2" >>{out}/told\n')
    queue(any_cell, "prolog", f"{any_cell.user}@{tell} prolog $host:$job_owner:$job_id:$job_name:$queue:$ja_task_id:$pe_slots")
    queue(any_cell, "epilog", f"{tell} epilog $processors:$stdin_path:$merge_stderr")
    job = any_cell.qsub("-N", "n", "-v", "MINE=x,PYTHONPATH=/mine", *QUIET, "true")
    any_cell.wait_gone(job)
    host = os.uname().nodename.split(".")[0]
    assert (out / "told").read_text() == (
        f"prolog x  {host}:{any_cell.user}:{job}:n:all.q:0:1\nepilog x  UNDEFINED:/dev/null:1\n")
