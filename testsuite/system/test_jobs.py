"""What a task finds when it starts, and what it leaves when it ends: submit(1), queue_conf(5)."""
import os
import re
import signal
import socket
from pathlib import Path

from cell import ARCH, Gate, alive, wait

HOST = socket.gethostname()


def output(cell, job, name="out"):
    """What a job with -o FILES/name -j y printed."""
    cell.wait_gone(job)
    return (cell.files / name).read_text()


def run(cell, *words, options=()):
    """Submit WORDS as a binary job and return its output."""
    path = cell.files / "out"
    path.unlink(missing_ok=True)
    return output(cell, cell.qsub("-o", path, "-j", "y", *options, "-b", "y", *words))


def environment_of(text):
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


def test_a_single_job_finds_its_environment(cell):
    script = cell.files / "env.sh"
    script.write_text("#!/bin/sh\nenv\npwd\nid -un\necho args: \"$@\"\n")
    job = cell.qsub("-o", cell.files / "out", "-j", "y", "-v", "MINE=a b,OTHER=2", script, "one", "two three")
    text = output(cell, job)
    found = environment_of(text)
    home = os.path.expanduser(f"~{cell.user}")
    expected = {"JOB_ID": str(job), "JOB_NAME": "env.sh", "REQUEST": "env.sh", "SGE_TASK_ID": "undefined", "SGE_TASK_FIRST": "undefined",
                "SGE_TASK_LAST": "undefined", "SGE_TASK_STEPSIZE": "undefined", "NSLOTS": "1", "NHOSTS": "1", "NQUEUES": "1", "QUEUE": "all.q",
                "HOSTNAME": HOST, "ENVIRONMENT": "BATCH", "RESTARTED": "0", "ARC": ARCH, "SGE_ARCH": ARCH, "SGE_ROOT": str(cell.root),
                "SGE_CELL": "default", "SGE_CLUSTER_NAME": "default", "SGE_ACCOUNT": "sge", "HOME": home, "USER": cell.user, "LOGNAME": cell.user, "SHELL": "/bin/sh",
                "SGE_O_LOGNAME": cell.user, "SGE_O_HOME": home, "SGE_O_HOST": HOST, "SGE_O_WORKDIR": home,
                "SGE_STDOUT_PATH": str(cell.files / "out"), "SGE_STDIN_PATH": "/dev/null", "MINE": "a b", "OTHER": "2"}
    assert {key: found.get(key) for key in expected} == expected
    assert found["TMPDIR"] == found["TMP"] == f"{cell.dir}/tmp/{job}.1.all.q"
    assert found["PATH"].startswith(found["TMPDIR"] + ":")
    assert not os.path.exists(found["TMPDIR"])
    assert text.splitlines()[-3:] == [home, cell.user, "args: one two three"]
    assert "GATES" not in found and "SGE_QMASTER_PORT" not in found


def test_the_additional_group_of_a_job_stands_in_its_spool(cell):
    """Twice: the directory of a task is used again for a later one."""
    for _ in range(2):
        text = run(cell, "id -G; cat $SGE_JOB_SPOOL_DIR/addgrpid 2>&1")
        groups, noted = text.splitlines()
        if cell.owner == "root":
            assert noted in groups.split()[1:] and 65400 <= int(noted) <= 65500
        else:
            assert "No such file" in noted


def test_an_array_task_knows_its_place(cell):
    job = cell.qsub("-t", "2-9:3", "-o", f"{cell.files}/o.$TASK_ID", "-j", "y", "-b", "y",
                    "echo $SGE_TASK_ID $SGE_TASK_FIRST $SGE_TASK_LAST $SGE_TASK_STEPSIZE")
    cell.wait_gone(job)
    assert [(cell.files / f"o.{task}").read_text() for task in (2, 5, 8)] == [f"{task} 2 9 3\n" for task in (2, 5, 8)]


def test_output_files_are_named_after_job_and_task(cell):
    home = cell.files / "home"
    home.mkdir()
    home.chmod(0o777)
    single = cell.qsub("-wd", home, "-N", "one", "-b", "y", "echo out; echo err >&2")
    array = cell.qsub("-wd", home, "-N", "many", "-t", "1-2", "-b", "y", "echo out; echo err >&2")
    cell.wait_gone(single, array)
    names = [f"one.%s{single}"] + [f"many.%s{array}.{task}" for task in (1, 2)]
    assert sorted(p.name for p in home.iterdir()) == sorted(name % kind for name in names for kind in "oe")
    assert (home / f"one.o{single}").read_text() == "out\n" and (home / f"one.e{single}").read_text() == "err\n"


def test_pseudo_variables_in_paths(cell):
    job = cell.qsub("-N", "named", "-t", "3-3", "-o", f"{cell.files}/$USER.$JOB_NAME.$JOB_ID.$TASK_ID.$HOSTNAME", "-j", "y", "-b", "y", "echo x")
    cell.wait_gone(job)
    assert (cell.files / f"{cell.user}.named.{job}.3.{HOST}").read_text() == "x\n"
    folder = cell.files / "folder"
    folder.mkdir()
    folder.chmod(0o777)
    job = cell.qsub("-N", "n", "-o", folder, "-e", f":{folder}/err", "-b", "y", "echo x; echo y >&2")
    cell.wait_gone(job)
    assert (folder / f"n.o{job}").read_text() == "x\n" and (folder / "err").read_text() == "y\n"


def test_binary_arguments(cell):
    """One alone goes to the shell as it is; several are quoted each, `$` left to expand."""
    assert run(cell, "echo a; echo $((1 + 1))") == "a\n2\n"
    assert run(cell, "echo", "a;b", "c  d", "it's", '"q"', "*") == "a;b c  d it's \"q\" *\n"
    assert run(cell, "echo", "$SGE_TASK_ID") == "undefined\n"
    assert run(cell, "sh", "-c", "exit 3") == ""
    assert cell.accounting()[-1]["exit_status"] == "3"


def test_scripts_choose_their_shell(cell):
    script = cell.files / "s.py"
    script.write_text("#!/usr/bin/python3\nprint(6 * 7)\n")
    assert output(cell, cell.qsub("-o", cell.files / "out", "-j", "y", script)) == "42\n"
    (cell.files / "out").unlink()
    script.write_text("print(6 * 9)\n")
    assert output(cell, cell.qsub("-o", cell.files / "out", "-j", "y", "-S", "/usr/bin/python3", script)) == "54\n"
    (cell.files / "python-named-1").symlink_to("/usr/bin/python3")
    (cell.files / "out").unlink()
    job = cell.qsub("-N", "named", "-t", "1-1", "-o", cell.files / "out", "-j", "y", "-S", f"{cell.files}/python-$JOB_NAME-$TASK_ID", script)
    assert output(cell, job) == "54\n"


def test_a_script_from_stdin(cell):
    out = cell.ok("qsub", "-o", cell.files / "out", "-j", "y", stdin="#!/bin/sh\n#$ -N fromstdin\necho $JOB_NAME\n")
    assert '("fromstdin") has been submitted' in out
    assert output(cell, int(out.split()[2])) == "fromstdin\n"


def test_exit_status_and_signal_are_accounted(cell):
    for command in ("exit 7", "kill -SEGV $$", "true"):
        cell.wait_gone(cell.qsub("-N", "n", "-wd", cell.files, "-o", "/dev/null", "-j", "y", "-b", "y", command))
    assert [(row["failed"], row["exit_status"]) for row in cell.accounting()] == [("0", "7"), ("100", "139"), ("0", "0")]
    row = cell.accounting()[0]
    assert (row["qname"], row["hostname"], row["owner"], row["job_name"], row["account"], row["slots"], row["task_number"]) == (
        "all.q", HOST, cell.user, "n", "sge", "1", "0")
    assert int(row["submission_time"]) <= int(row["start_time"]) <= int(row["end_time"])


def test_cpu_time_is_accounted(cell):
    cell.wait_gone(cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done"))
    row = cell.accounting()[0]
    assert float(row["cpu"]) > 0.02 and float(row["ru_utime"]) > 0.01 and float(row["ru_maxrss"]) > 100


USAGE = r"usage {task:9}:            cpu=00:00:0[1-9], mem=\d+\.\d{{5}} GB s, io=\d+\.\d{{5}} GB, vmem=[\d.]+[KMG], maxvmem=[\d.]+[KMG]"


def test_what_running_tasks_have_used_is_shown_while_they_run(any_cell):
    """qstat -j and -ext, for each task of an array, from what the host reports; another qmaster has it from the host."""
    job = any_cell.qsub("-t", "1-2", "-o", "/dev/null", "-j", "y", "-b", "y", "while :; do :; done")

    def is_shown():
        lines = any_cell.ok("qstat", "-j", job)
        return all(re.search("(?m)^" + USAGE.format(task=task) + "$", lines) for task in (1, 2))

    def columns():
        rows = [line.split() for line in any_cell.ok("qstat", "-ext", "-u", "*").splitlines()[2:]]
        return [row[8:11] for row in rows]

    wait(is_shown, lambda: any_cell.ok("qstat", "-j", job))
    assert all(re.fullmatch(r"0:00:00:0\d", cpu) and float(mem) >= 0 and float(io) >= 0 for cpu, mem, io in columns())
    any_cell.restart_master()
    wait(is_shown, lambda: any_cell.ok("qstat", "-j", job))
    any_cell.ok("qdel", job)


def test_a_missing_output_directory_parks_the_task(cell):
    job = cell.qsub("-o", "/nonexistent/dir/out", "-j", "y", "-b", "y", "true")
    cell.wait_state(job, 0, "Eqw")
    assert "error reason" in cell.ok("qstat", "-j", job)


def test_tasks_that_start_after_an_alter_start_as_altered(cell):
    """Also on a host that knows the job from earlier tasks."""
    script = cell.files / "says.sh"
    script.write_text("#!/bin/sh\nread line <$GATE\necho $SGE_TASK_ID $WHAT $line\n")
    script.chmod(0o755)
    gate = Gate(cell.files / "gate")
    old, new = cell.files / "old", cell.files / "new"
    job = cell.qsub("-t", "1-3", "-tc", "1", "-j", "y", "-o", old, "-v", f"GATE={cell.files}/gate,WHAT=before", script)
    cell.wait_state(job, 1, "r")
    cell.ok("qalter", "-o", new, "-v", f"GATE={cell.files}/gate,WHAT=after", job)
    for task in (1, 2, 3):
        cell.wait_state(job, task, "r")
        gate.open(task)
        wait(lambda: task not in cell.tasks(job), f"the end of {task}")
    os.close(gate.fd)
    assert old.read_text() == "1 before 1\n"
    assert new.read_text() == "2 after 2\n3 after 3\n"


def test_an_altered_path_cures_a_task_in_error(cell):
    job = cell.qsub("-o", "/nonexistent/dir/out", "-j", "y", "-b", "y", "true")
    cell.wait_state(job, 0, "Eqw")
    cell.ok("qalter", "-o", "/dev/null", job)
    assert "cleared error state" in cell.ok("qmod", "-cj", job)
    cell.wait_gone(job)


def test_limits_on_parallel_tasks_and_start_times(cell):
    job = cell.array("A", "1-4", "-tc", "2", gated=range(1, 5))
    wait(lambda: sorted(cell.tasks(job).values()) == ["qw", "qw", "r", "r"], lambda: f"two to run: {cell.tasks(job)}")
    cell.open("A", 1)
    cell.wait_note("start", "A", 3)
    later = cell.qsub("-a", "203801010000", "-b", "y", "true")
    assert cell.tasks(later) == {0: "qw"}
    assert cell.tasks(later, "-s", "ha") == {0: "qw"}
    for task in (2, 3, 4):
        cell.open("A", task)
    cell.wait_gone(job)
    cell.ok("qdel", later)


def test_priority_orders_what_waits(make_cell, pytestconfig):
    cell = make_cell(slots=1, **({} if pytestconfig.no_users else {"owner": "root", "user": "alice"}))
    first = cell.array("first", "1", gated=[1])
    cell.wait_note("start", "first", 1)
    jobs = [cell.array(name, "1", "-p", priority) for name, priority in (("low", "-500"), ("plain", "0"), ("lower", "-1000"))]
    cell.open("first", 1)
    cell.wait_gone(first, *jobs)
    assert [n[1] for n in cell.notes("start")] == ["first", "plain", "low", "lower"]


# ---- suspend, delete, clean up --------------------------------------------------------------------------------------

def pids_in(path):
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def state_of(pid):
    return open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0]


def test_suspend_and_resume_stop_the_whole_tree(cell):
    pids = cell.files / "pids"
    os.mkfifo(cell.files / "never")
    job = cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", f"echo $$ >>{pids}; sh -c 'echo $$ >>{pids}; read x <{cell.files}/never' & wait")
    wait(lambda: len(pids_in(pids)) == 2, "the job to start")
    cell.ok("qmod", "-sj", job)
    wait(lambda: [state_of(pid) for pid in pids_in(pids)] == ["T", "T"], "both to stop")
    cell.wait_state(job, 0, "s")
    cell.ok("qmod", "-usj", job)
    wait(lambda: "T" not in [state_of(pid) for pid in pids_in(pids)], "both to go on")
    cell.wait_state(job, 0, "r")
    cell.ok("qdel", job)
    cell.wait_gone(job)
    assert not any(alive(pid) for pid in pids_in(pids))


ESCAPE = """#!/usr/bin/python3
import os, sys, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        with open(sys.argv[1], "a") as file:
            print(os.getpid(), file=file)
        signal.pause()
    os._exit(0)
os.wait()
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
if sys.argv[2] == "stay":
    signal.pause()
"""


def test_a_double_fork_does_not_outlive_its_job(cell):
    script = cell.files / "escape.py"
    script.write_text(ESCAPE)
    for how in ("leave", "stay"):
        pids = cell.files / how
        job = cell.qsub("-o", "/dev/null", "-j", "y", script, pids, how)
        wait(lambda: pids_in(pids), "the process to escape")
        if how == "stay":
            cell.ok("qdel", job)
        cell.wait_gone(job)
        wait(lambda: not any(alive(pid) for pid in pids_in(pids)), "the escaped process to be ended")


def test_a_job_that_is_deleted_at_once_leaves_nothing(cell):
    for _ in range(20):
        cell.ok("qdel", cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "sleep 100"))
    wait(lambda: not cell.states(), "all jobs to go")
    left = (cell.dir / f"spool/{HOST}/active_jobs").iterdir()
    assert not [d for d in left if not d.name.startswith("spare.")]  # execd keeps a few to use again


def test_a_job_goes_before_its_execd_when_memory_is_short(users_cell):
    out = users_cell.files / "out"
    users_cell.wait_gone(users_cell.qsub("-o", out, "-j", "y", "-b", "y", "cat /proc/self/oom_score_adj"))
    own, execd = Path("/proc/self/oom_score_adj"), Path(f"/proc/{users_cell.pid('sge_execd')}/oom_score_adj")
    assert out.read_text() == "0\n"
    assert int(execd.read_text()) in (-900, int(own.read_text()))  # its own where nobody may lower it


def test_a_forced_reschedule_makes_one_start_and_one_record(any_cell):
    """However long the processes of the older start take to die; the newer begins when they have."""
    job = any_cell.array("A", "1", gated=[1])
    any_cell.wait_note("start", "A", 1)
    names = (any_cell.dir / "spool" / os.uname().nodename / "active_jobs" / f"{job}.1" / "pid").read_text()
    shepherd = int(names.split()[0])
    os.kill(shepherd, signal.SIGSTOP)
    try:
        any_cell.ok("qmod", "-f", "-rj", job, user=any_cell.owner)
        wait(lambda: any_cell.tasks(job).get(1) in ("t", "Rt"), lambda: f"the next start: {any_cell.tasks(job)}")
        any_cell.ok("qstat", "-f")
        assert len(any_cell.notes("start")) == 1
        assert len(any_cell.accounting()) == 1
    finally:
        os.kill(shepherd, signal.SIGCONT)
    any_cell.wait_note("start", "A", 1, count=2)
    any_cell.open("A", 1)
    any_cell.wait_gone(job)
    assert [row["failed"] for row in any_cell.accounting()] == ["25", "0"]
    assert len(any_cell.notes("start")) == 2


def test_exit_99_without_end_waits_longer_each_time(any_cell):
    job = any_cell.qsub("-o", "/dev/null", "-j", "y", stdin="exit 99\n")
    wait(lambda: len(any_cell.accounting()) >= 4, lambda: f"four starts: {any_cell.accounting()}")
    ends = [int(row["end_time"]) for row in any_cell.accounting()]
    assert ends[3] - ends[1] >= 2  # 1 s and 2 s, each cut to whole seconds
    wait(lambda: "rescheduled; earliest start: " in any_cell.ok("qstat", "-j", job, "-why"), "it to be put back")
    any_cell.ok("qdel", job)
    any_cell.wait_gone(job)


def test_nothing_of_the_daemons_leaks_into_a_job(cell):
    open_ones = run(cell, "cd /proc/$$/fd && echo *").split()  # without a pipe, whose ends would count; the shell reads a directory
    assert open_ones[:3] == ["0", "1", "2"] and len(open_ones) <= 4
    status = run(cell, "grep -E 'Sig(Blk|Ign)' /proc/self/status").split()
    library_own = 3 << 31  # signals 32 and 33 are the C library's: no program can set them
    assert int(status[1], 16) == 0 and int(status[3], 16) & ~library_own == 0


WRITES_TO_THE_SPOOL = """#!/bin/sh
echo job >>"$LOG"
cat "$JOB_SCRIPT" >/dev/null && echo reads its script >>"$LOG"
(echo more >>"$JOB_SCRIPT") 2>/dev/null && echo enlarges its script >>"$LOG"
chmod u+w "$JOB_SCRIPT" 2>/dev/null && echo changes who may write >>"$LOG"
ln "$JOB_SCRIPT" "$SGE_JOB_SPOOL_DIR/link" 2>/dev/null && echo makes a link >>"$LOG"
find "$(dirname "$(dirname "$SGE_JOB_SPOOL_DIR")")" ! -type s -writable >>"$LOG" 2>/dev/null
for fd in /proc/self/fd/*; do case $(readlink $fd) in */spool/*) [ -w $fd ] && echo inherits $fd >>"$LOG";; esac; done
echo end >>"$LOG"
"""


def test_a_job_cannot_write_to_the_spool_of_its_host(users_cell):
    """Not to its script, which it reads, nor to anything else, so that no job fills the disk that all others need; nobody else reads the script."""
    job = users_cell.qsub("-o", "/dev/null", "-j", "y", "-v", "LOG", stdin=WRITES_TO_THE_SPOOL)
    users_cell.wait_gone(job)
    assert users_cell.log.read_text() == "job\nreads its script\nend\n"
    users_cell.log.write_text("")
    job = users_cell.array("S", "1", gated=[1])
    users_cell.wait_note("start", "S", 1)
    script = users_cell.dir / "spool" / HOST / "job_scripts" / str(job)
    assert users_cell.ok("cat", script) == users_cell.script.read_text()
    assert "Permission denied" in users_cell.refused("cat", script, user="bob").err
    users_cell.open("S", 1)
    users_cell.wait_gone(job)
