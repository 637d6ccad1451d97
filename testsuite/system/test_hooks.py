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


def test_notify_and_limits(any_cell):
    """-notify, notify of the queue, NOTIFY_KILL; the reason of a limit, and failed 37."""
    out = any_cell.dir.parent / "out"
    any_cell.ok("mkdir", "-m", "777", out, user=any_cell.owner)
    note = script(any_cell, "note", f"""for i in USR1 USR2 TERM CONT; do trap "echo $i >>{out}/$JOB_ID" $i; done
echo up >>{out}/$JOB_ID
while :; do sleep 0.05; done
""")
    queue(any_cell, "notify", "00:00:01")

    def submit(*options):
        job = any_cell.qsub(*options, *QUIET, "-shell", "n", note)
        return job, out / str(job)

    def says(noted, text):
        wait(lambda: noted.exists() and noted.read_text() == text, lambda: f"{text!r}: {noted.exists() and noted.read_text()}")

    job, noted = submit("-notify")
    soft, soft_noted = submit("-l", "s_rt=1")
    says(noted, "up\n")
    any_cell.ok("qmod", "-sj", job)
    any_cell.wait_state(job, 0, "s")
    says(noted, "up\nUSR1\n")
    any_cell.ok("qmod", "-usj", job)
    says(noted, "up\nUSR1\nCONT\n")
    any_cell.ok("qdel", job)
    any_cell.wait_gone(job)
    says(noted, "up\nUSR1\nCONT\nUSR2\n")
    any_cell.wait_gone(soft)
    says(soft_noted, "up\nUSR1\n")
    any_cell.configure(execd_params="NOTIFY_KILL=TERM")
    queue(any_cell, "h_rt", "00:00:01")
    hard, hard_noted = submit("-notify")
    any_cell.wait_gone(hard)
    says(hard_noted, "up\nTERM\n")
    failed = {row["job_number"]: (row["failed"], row["exit_status"]) for row in any_cell.accounting()}
    assert failed == {str(job): ("100", "137"), str(soft): ("37", "137"), str(hard): ("37", "137")}
    messages = (any_cell.dir / "spool/qmaster/messages").read_text()
    assert "limit s_rt: the job may run for 1 s, and for 1 s after its signal" in messages
    assert "limit h_rt: the job may run for 1 s" in messages


def test_the_limit_that_ended_a_task_is_shown(any_cell):
    """In qstat -j, as long as the array has other tasks; in the accounting it is failed 37."""
    job = any_cell.qsub("-h", "-t", "1-2", "-l", "h_rt=1", *QUIET, "sleep 1000")
    any_cell.ok("qrls", f"{job}.1")
    line = re.compile(r"^limit         1:            .* limit h_rt: the job may run for 1 s$", re.M)
    wait(lambda: line.search(any_cell.ok("qstat", "-j", job)), lambda: f"the limit: {any_cell.ok('qstat', '-j', job)}")
    assert "error reason" not in any_cell.ok("qstat", "-j", job)
    assert [(row["task_number"], row["failed"]) for row in any_cell.accounting()] == [("1", "37")]
    any_cell.ok("qdel", job)


def test_a_finished_job_does_not_run_again_because_of_its_epilog(any_cell):
    out = any_cell.dir.parent / "out"
    any_cell.ok("mkdir", "-m", "777", out, user=any_cell.owner)
    queue(any_cell, "epilog", "/bin/false")
    job = any_cell.qsub(*QUIET, "-r", "y", f"echo run >>{out}/runs; exit 3")
    any_cell.wait_gone(job)
    assert "exit_status of epilog = 1 (/bin/false on " in explained(any_cell)
    row, = any_cell.accounting()
    assert (row["failed"], row["exit_status"]) == ("15", "3") and (out / "runs").read_text() == "run\n"


def test_commands_of_root_around_shepherds(make_cell, pytestconfig):
    """shepherd_cmd, pag_cmd and set_token_cmd, played by scripts that write down as whom and when they run."""
    need_users(pytestconfig)
    cell = make_cell(owner="root", user="alice")
    log = cell.dir.parent / "log"
    log.touch()
    log.chmod(0o666)
    names = {name: script(cell, name, f'echo {name} $(id -un) "$@" | cut -d/ -f1 >>{log}\n' + last) for name, last in (
        ("shepherd_cmd", f'exec {cell.bin}/sge_shepherd "$@"\n'), ("pag_cmd", 'exec sh "$@"\n'), ("set_token_cmd", ""))}
    for name, path in names.items():
        cell.configure(**{name: path})
        job = cell.qsub(*QUIET, "true")
        why = f'{name} "{path}" cannot be used: "hook_users" in bootstrap(5) of this host does not name user "root"'
        wait(lambda: why in explained(cell), lambda: f"the queue to say why: {explained(cell)}")
        cell.ok("qdel", job)
        cell.configure(**{name: "none"})
        cell.ok("qmod", "-cq", "all.q", user="root")
    assert log.read_text() == ""
    cell.sge_cell("stop")
    edit_bootstrap(cell, "hook_users", "root")
    cell.start()
    cell.configure(token_extend_time="24:0:0", **names)
    for number in "12":  # no shepherd, and no shell of AFS around it, is used twice
        log.write_text("")
        cell.wait_gone(cell.qsub(*QUIET, "-N", f"n{number}", f"echo the job $(id -un) >>{log}"))
        assert log.read_text().splitlines() == ["pag_cmd root -c exec \"$0\" -bg ", "shepherd_cmd root -bg", "set_token_cmd root alice 86400",
                                                "the job alice"]
