"""Jobs that save their state: each interface, when it is saved, and migration to another queue instance, whatever goes wrong meanwhile."""
import os
import re
import shutil
import signal
import subprocess

import pytest

from cell import Gate, alive, wait
from conftest import IMPOSSIBLE
from faults import shepherds
from test_parallel import add_pe

# a job: says how it was started, saves itself on USR2, ends at its gate
JOB = """#!/bin/sh
echo "start $QUEUE $RESTARTED $SGE_CKPT_ENV $SGE_CKPT_DIR" >>"$OUT"
trap 'echo saved >>"$OUT"; trap - USR2; kill -USR2 $$' USR2
until [ -e "$OUT.go" ]; do sleep 0.02; done
echo end >>"$OUT"
"""
# a command: notes its arguments, and does what the file beside it says
COMMAND = """#!/bin/sh
echo "$@" >>"$0.log"
echo "$SGE_CKPT_ENV $SGE_CKPT_DIR $RESTARTED" >"$0.env"
. "$0.does"
"""


class Lab:
    """A cell with a second queue, where checkpointing environments are offered, and what is noted in it."""

    def __init__(self, cell):
        self.cell, self.host = cell, cell.ok("qconf", "-sel").split()[0]
        self.out = cell.files / "out"
        self.job = cell.files / "job.sh"
        self.job.write_text(JOB)
        self.job.chmod(0o755)
        text = cell.ok("qconf", "-sq", "all.q").replace("all.q", "other.q")
        (cell.files / "other.q").write_text(text)
        cell.ok("qconf", "-Aq", cell.files / "other.q", user=cell.owner)

    def command(self, name, does="true"):
        path = self.cell.files / name
        path.write_text(COMMAND)
        path.chmod(0o755)
        log = self.cell.files / f"{name}.log"
        log.write_text("")
        log.chmod(0o666)
        (self.cell.files / f"{name}.env").touch()
        (self.cell.files / f"{name}.env").chmod(0o666)
        (self.cell.files / f"{name}.does").write_text(does + "\n")
        return path

    def log(self, name):
        return (self.cell.files / f"{name}.log").read_text().splitlines()

    def environment(self, name, **attributes):
        known = {"interface": "userdefined", "ckpt_command": "none", "migr_command": "none", "restart_command": "none",
                 "clean_command": "none", "ckpt_dir": "/tmp", "signal": "none", "when": "sx"}
        file = self.cell.files / f"{name}.ckpt"
        file.write_text("".join(f"{key} {value}\n" for key, value in ({"ckpt_name": name} | known | attributes).items()))
        self.cell.ok("qconf", "-Ackpt", file, user=self.cell.owner)
        for queue in "all.q", "other.q":
            self.cell.ok("qconf", "-aattr", "queue", "ckpt_list", name, queue, user=self.cell.owner)

    def submit(self, *options):
        for path in (self.out, self.out.with_name("out.go")):
            path.unlink(missing_ok=True)
        self.out.touch()
        self.out.chmod(0o666)
        return self.cell.qsub("-N", "ck", "-o", "/dev/null", "-j", "y", "-v", f"OUT={self.out}", *options, self.job)

    def noted(self):
        return self.out.read_text().splitlines()

    def wait_noted(self, *lines):
        wait(lambda: self.noted() == list(lines), lambda: f"{lines}: {self.noted()}")

    def go(self):
        self.out.with_name("out.go").touch()

    def finish(self, job):
        self.go()
        self.cell.wait_gone(job)

    def ends(self, job):
        return [(line["qname"], line["failed"], line["exit_status"]) for line in self.cell.accounting() if line["job_number"] == str(job)]

    def started_on_all_q(self, *options):
        """A job that runs in all.q, which takes no other from then on."""
        self.cell.ok("qmod", "-d", "other.q", user=self.cell.owner)
        job = self.submit(*options)
        wait(lambda: len(self.noted()) == 1, "the job to run")
        self.cell.wait_state(job, 0, "r")
        self.cell.ok("qmod", "-e", "other.q", user=self.cell.owner)
        self.cell.ok("qmod", "-d", "all.q", user=self.cell.owner)
        return job

    def reset(self):
        self.cell.ok("qmod", "-e", "all.q", user=self.cell.owner)


@pytest.fixture
def lab(any_cell):
    return Lab(any_cell)


# ---- migration ------------------------------------------------------------------------------------------------------

def test_jobs_without_commands_migrate(lab):
    """userdefined and transparent: the job gets its signal, ends and starts in the other queue; its array dependants are still held."""
    cell = lab.cell
    lab.environment("own", signal="USR2", when="x", clean_command=lab.command("clean"))
    lab.environment("lib", interface="transparent", signal="USR2", when="m")
    job = lab.started_on_all_q("-ckpt", "own")
    after = cell.qsub("-hold_jid", job, "-o", "/dev/null", "-j", "y", "-b", "y", "true")
    assert cell.detail(job)["checkpoint_object"] == "own" and cell.detail(job)["checkpoint_attr"].strip() == "x"
    assert cell.run("qmod", "-rj", job).out.strip() == f"{job} requests ckpt object own. Therefore this job is not restartable."
    cell.ok("qmod", "-sj", job)
    lab.wait_noted("start all.q 0 own /tmp", "saved", "start other.q 1 own /tmp")
    cell.wait_state(job, 0, "Rr")
    assert cell.tasks(after) == {0: "hqw"}
    lab.finish(job)
    cell.wait_gone(after)
    assert lab.noted()[-1] == "end" and lab.log("clean") == []
    assert lab.ends(job) == [("all.q", "24", "140"), ("other.q", "0", "0")]
    lab.reset()
    # -c goes before the environment; qmod -sq is a suspension, too
    job = lab.started_on_all_q("-ckpt", "lib", "-c", "sx", "-v", "SGE_CKPT_DIR=/own")
    cell.ok("qmod", "-sq", "all.q", user=cell.owner)
    lab.wait_noted("start all.q 0 lib /own", "saved", "start other.q 1 lib /own")
    lab.finish(job)
    cell.ok("qmod", "-usq", "all.q", user=cell.owner)
    lab.reset()
    # without x a suspended job is stopped, and goes on
    job = lab.started_on_all_q("-ckpt", "own", "-c", "s")
    cell.ok("qmod", "-sj", job)
    cell.wait_state(job, 0, "s")
    cell.ok("qmod", "-usj", job)
    cell.wait_state(job, 0, "r")
    lab.finish(job)
    assert lab.noted() == ["start all.q 0 own /tmp", "end"]


def test_jobs_with_commands_migrate(lab):
    """application-level: all variables of the commands, RESTARTED 2, clean_command once; cpr: restart_command in place of the job."""
    cell = lab.cell
    words = "$host $ja_task_id $job_owner $job_id $job_name $queue $job_pid $ckpt_dir $ckpt_signal $sge_cell $sge_root"
    migr = lab.command("migr", "kill -9 -$7")
    commands = {"migr_command": f"{migr} {words}", "clean_command": f"{lab.command('clean')} $job_id",
                "restart_command": f"{lab.command('restart')} $job_id $queue", "ckpt_dir": "/var/tmp", "signal": "USR1"}
    lab.environment("app", interface="application-level", **commands)
    lab.environment("sys", interface="cpr", **commands)
    job = lab.started_on_all_q("-ckpt", "app")
    cell.ok("qmod", "-sj", job)
    lab.wait_noted("start all.q 0 app /var/tmp", "start other.q 2 app /var/tmp")
    said = lab.log("migr")[0].split()
    assert said.pop(6).isdigit()
    assert said == [lab.host, "0", cell.user, str(job), "ck", "all.q", "/var/tmp", "USR1", cell.name, str(cell.root)]
    assert lab.log("clean") == []
    lab.finish(job)
    assert lab.log("clean") == [str(job)] and lab.log("restart") == []
    assert [(cell.files / f"{name}.env").read_text() for name in ("migr", "clean")] == ["app /var/tmp 0\n", "app /var/tmp 2\n"]
    assert lab.ends(job) == [("all.q", "24", "137"), ("other.q", "0", "0")]
    lab.reset()
    job = lab.started_on_all_q("-ckpt", "sys")
    cell.ok("qmod", "-sj", job)
    cell.wait_gone(job)
    assert lab.log("restart") == [f"{job} other.q"] and lab.log("clean")[1:] == [str(job)]
    assert lab.noted() == ["start all.q 0 sys /var/tmp"]
    lab.reset()
    # a job that is deleted is cleaned up after; one that is rescheduled is not
    job = lab.started_on_all_q("-ckpt", "app")
    cell.ok("qmod", "-f", "-rj", job, user=cell.owner)
    wait(lambda: lab.noted()[1:] == ["start other.q 1 app /var/tmp"], lab.noted)
    assert lab.log("clean")[2:] == []
    cell.ok("qdel", job)
    cell.wait_gone(job)
    assert lab.log("clean")[2:] == [str(job)]


def test_tasks_of_arrays_and_of_parallel_jobs_migrate(lab):
    """One task of an array migrates while the other ends: its array dependants stay held. Tasks in a parallel environment do so, too."""
    cell = lab.cell
    migr = lab.command("migr", "kill -9 -$1")
    lab.environment("app", interface="application-level", when="x", migr_command=f"{migr} $job_pid $ja_task_id")
    add_pe(cell, "smp2")
    cell.ok("qconf", "-aattr", "queue", "pe_list", "smp2", "other.q", user=cell.owner)
    array = cell.array("A", "1-2", "-ckpt", "app", "-pe", "smp2", "1", gated=(1, 2))
    after = cell.array("B", "1-2", "-hold_jid_ad", array)
    for task in 1, 2:
        cell.wait_note("start", "A", task)
        cell.wait_state(array, task, "r")
    cell.ok("qmod", "-sj", f"{array}.2")
    cell.wait_note("start", "A", 2, count=2)
    assert lab.log("migr")[0].split()[1] == "2" and len(lab.log("migr")) == 1
    assert cell.array_held(after) == {1, 2}
    cell.open("A", 1)
    cell.wait_note("end", "B", 1)
    assert cell.array_held(after) == {2}
    cell.open("A", 2)
    cell.wait_gone(array, after)
    assert sorted((line["task_number"], line["failed"], line["slots"]) for line in cell.accounting() if line["job_name"] == "A") == [
        ("1", "0", "1"), ("2", "0", "1"), ("2", "24", "1")]


def test_migrations_that_fail_leave_the_job_where_it_is(lab):
    """A command that fails or hangs: the job is suspended instead, and goes on; the log says why."""
    cell = lab.cell
    cell.configure(execd_params="SCRIPT_TIMEOUT=1")
    migr = lab.command("migr", "exit 3")
    lab.environment("sys", interface="hibernator", migr_command=f"{migr} $job_pid")
    job = lab.started_on_all_q("-ckpt", "sys")
    for does, why in (("exit 3", "exit_status of migr_command = 3"), ("exec sleep 1000", "migr_command took longer than script_timeout"),
                      ("kill -9 $$", "migr_command was ended by signal 9")):
        (cell.files / "migr.does").write_text(does + "\n")
        cell.ok("qmod", "-sj", job)
        wait(lambda: f"task {job}.1 stays on host {lab.host}: its migration has failed: {why}" in cell.messages(), "the qmaster's line")
        cell.wait_state(job, 0, "s")
        cell.ok("qmod", "-usj", job)
        cell.wait_state(job, 0, "r")
    lab.finish(job)
    assert lab.noted() == ["start all.q 0 sys /tmp", "end"]
    assert lab.ends(job) == [("all.q", "0", "0")] and len(lab.log("migr")) == 3


def test_whatever_dies_during_a_migration_it_ends_once(lab):
    """kill -9 of the qmaster, and of the execd, and qdel, while migr_command runs: no task is lost, none runs twice."""
    cell = lab.cell
    migr = lab.command("migr", 'read -r go <"$0.gate"; kill -9 -$1')
    lab.environment("app", interface="application-level", migr_command=f"{migr} $job_pid", clean_command=f"{lab.command('clean')} $job_id")
    gate = Gate(cell.files / "migr.gate")
    for number, daemon in enumerate(("sge_qmaster", "sge_execd"), 1):
        job = lab.started_on_all_q("-ckpt", "app")
        after = cell.qsub("-hold_jid", job, "-o", "/dev/null", "-j", "y", "-b", "y", "true")
        cell.ok("qmod", "-sj", job)
        wait(lambda: len(lab.log("migr")) == number, "the command to run")
        cell.kill(daemon)
        cell.start()
        assert cell.tasks(job) and cell.tasks(after) == {0: "hqw"}
        gate.open()
        lab.wait_noted("start all.q 0 app /tmp", "start other.q 2 app /tmp")
        assert cell.tasks(after) == {0: "hqw"}
        lab.finish(job)
        cell.wait_gone(after)
        assert lab.ends(job) == [("all.q", "24", "137"), ("other.q", "0", "0")]
        assert len(lab.log("clean")) == number and len(lab.log("migr")) == number
        lab.reset()
    job = lab.started_on_all_q("-ckpt", "app")
    cell.ok("qmod", "-sj", job)
    wait(lambda: len(lab.log("migr")) == 3, "the command to run")
    pid = shepherds(cell)[f"{job}.1"]
    cell.ok("qdel", job)
    cell.wait_gone(job)
    assert lab.ends(job) == [("all.q", "100", "137")] and len(lab.log("clean")) == 3 and not alive(pid)
    os.close(gate.fd)


# ---- the end of the execd -------------------------------------------------------------------------------------------

def test_jobs_are_saved_when_their_execd_ends(lab):
    """qconf -ke and SIGTERM, with s: the job is saved and ended, waits, and starts when there is an execd; without s it runs on."""
    cell = lab.cell
    migr = lab.command("migr", "kill -9 -$1")
    lab.environment("app", interface="application-level", when="s", migr_command=f"{migr} $job_pid")
    for number, act in enumerate((lambda: cell.ok("qconf", "-ke", lab.host, user=cell.owner), lambda: os.kill(cell.pid("sge_execd"), signal.SIGTERM)), 1):
        stays = cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "sleep 1000")
        cell.wait_state(stays, 0, "r")
        job = lab.submit("-ckpt", "app")
        wait(lambda: len(lab.noted()) == 1, "the job to run")
        cell.wait_state(job, 0, "r")
        pid = cell.pid("sge_execd")
        act()
        wait(lambda: not alive(pid), "the execd to end")
        assert len(lab.log("migr")) == number
        assert cell.tasks(job) == {0: "Rq"} and cell.tasks(stays) == {0: "r"}
        assert [end[1:] for end in lab.ends(job)] == [("24", "137")]
        cell.start()
        wait(lambda: len(lab.noted()) == 2, "the job to start again")
        assert lab.noted()[1].split()[2] == "2" and cell.tasks(stays) == {0: "r"}
        cell.ok("qdel", stays)
        lab.finish(job)
        cell.wait_gone(stays)
        assert len(lab.ends(job)) == 2


def test_jobs_that_are_to_end_with_their_execd_are_saved_first(lab):
    """qconf -kej, with s: the job is saved, ended and starts again when there is an execd; one whose migration fails is killed, as others."""
    cell = lab.cell
    migr = lab.command("migr", 'kill -9 -$1')
    lab.environment("app", interface="application-level", when="s", migr_command=f"{migr} $job_pid")
    lab.environment("bad", interface="cpr", when="s", migr_command="/bin/false")
    others = [cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", *options, "sleep 1000") for options in ((), ("-ckpt", "bad"))]
    job = lab.submit("-ckpt", "app")
    wait(lambda: len(lab.noted()) == 1, "the job to run")
    for number in (*others, job):
        cell.wait_state(number, 0, "r")
    pid = cell.pid("sge_execd")
    cell.ok("qconf", "-kej", lab.host, user=cell.owner)
    wait(lambda: not alive(pid), "the execd to end")
    assert len(lab.log("migr")) == 1 and cell.states() == {(job, 0): "Rq"}
    cell.start()
    wait(lambda: len(lab.noted()) == 2, "the job to start again")
    lab.finish(job)
    assert [end[1:] for end in lab.ends(job)] == [("24", "137"), ("0", "0")]


def test_what_a_deleted_task_has_saved_is_removed_once(lab):
    """qdel of a migrated task that waits: clean_command runs alone, on the host of the last start, whatever is killed meanwhile."""
    cell = lab.cell
    clean = lab.command("clean", 'read -r go <"$0.gate"')
    gate = Gate(cell.files / "clean.gate")
    lab.environment("app", interface="application-level", migr_command="/bin/kill -9 -- -$job_pid", clean_command=f"{clean} $job_id $host")

    def migrated():
        job = lab.started_on_all_q("-ckpt", "app")
        cell.ok("qmod", "-d", "other.q", user=cell.owner)
        cell.ok("qmod", "-sj", job)
        cell.wait_state(job, 0, "Rq")
        return job

    after = None
    for number, daemon in enumerate(("sge_qmaster", "sge_execd"), 1):
        job = migrated()
        after = cell.qsub("-hold_jid", job, "-o", "/dev/null", "-j", "y", "-b", "y", "true")
        assert lab.log("clean")[number - 1:] == []
        assert "has deleted job" in cell.ok("qdel", job)
        wait(lambda: len(lab.log("clean")) == number, "the command to run")
        cell.kill(daemon)
        cell.start()
        wait(lambda: cell.tasks(job) == {0: "dr"}, lambda: cell.states())
        assert cell.tasks(after) == {0: "hqw"}
        assert "already in deletion" in cell.run("qdel", job).out
        gate.open()
        cell.wait_gone(job)
        assert lab.log("clean")[number - 1:] == [f"{job} {lab.host}"] and len(lab.noted()) == 1
        assert lab.ends(job) == [("all.q", "24", "137")]
        lab.reset()
        cell.wait_gone(after)
    # there is no slot left, and the task is held: it is cleaned up after all the same
    job = migrated()
    cell.ok("qhold", job)
    cell.ok("qconf", "-mattr", "queue", "slots", "1", "all.q", user=cell.owner)
    lab.reset()
    other = cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "sleep 1000")
    cell.wait_state(other, 0, "r")
    cell.ok("qdel", job)
    wait(lambda: cell.tasks(job) == {0: "dhr"}, lambda: cell.states())
    assert re.search(r"^all.q@\S+ +\S+ +0/2/1 ", cell.ok("qstat", "-f"), re.M), cell.ok("qstat", "-f")
    pending = cell.qsub("-q", "all.q", "-o", "/dev/null", "-j", "y", "-b", "y", "true")
    cell.ok("qdel", other)
    cell.wait_gone(other)
    assert cell.tasks(pending) == {0: "qw"}
    gate.open()
    cell.wait_gone(job, pending)
    job = migrated()
    cell.ok("qdel", "-f", job, user=cell.owner)
    cell.wait_gone(job)
    assert len(lab.log("clean")) == 3
    os.close(gate.fd)


# ---- periodic checkpoints -------------------------------------------------------------------------------------------

def test_checkpoints_are_made_at_intervals(lab):
    """m: at min_cpu_interval; -c with a time: not more often than that. A job whose shepherd dies goes on from its last checkpoint."""
    cell = lab.cell
    ckpt = lab.command("ckpt")
    cell.ok("qconf", "-mattr", "queue", "min_cpu_interval", "00:00:01", "all.q", user=cell.owner)
    lab.environment("sys", interface="cpr", when="m", ckpt_command=f"{ckpt} $job_pid $job_id", restart_command=f"{lab.command('restart')} $job_id")
    lab.environment("lib", interface="transparent", signal="USR1", when="r")
    job = lab.started_on_all_q("-ckpt", "sys")
    wait(lambda: len(lab.log("ckpt")) >= 2, "two checkpoints")
    assert lab.log("ckpt")[0].split()[1] == str(job)
    assert (cell.dir / f"spool/{lab.host}/active_jobs/{job}.1/checkpointed").read_text() == "1\n"
    os.kill(shepherds(cell)[f"{job}.1"], signal.SIGKILL)
    cell.wait_gone(job)
    assert lab.log("restart") == [str(job)] and lab.noted() == ["start all.q 0 sys /tmp"]
    assert [(queue, failed) for queue, failed, _ in lab.ends(job)] == [("all.q", "19"), ("other.q", "0")]
    lab.reset()
    lab.job.write_text('#!/bin/sh\necho "start" >>"$OUT"\ntrap \'n=x$n\' USR1\nuntil [ "$n" = xx ]; do sleep 0.02; done\necho "$n" >>"$OUT"\n')
    job = lab.started_on_all_q("-ckpt", "lib", "-c", "1")
    assert cell.detail(job)["checkpoint_attr"].strip() == "mr" and cell.detail(job)["checkpoint_interval"] == "1 seconds"
    cell.wait_gone(job)
    assert lab.noted() == ["start", "xx"]


# ---- where, and what is refused -------------------------------------------------------------------------------------

def test_jobs_run_where_their_environment_is_offered(lab):
    """ckpt_list; -w and scheduling info say which queue lacks it; -c needs -ckpt."""
    cell = lab.cell
    lab.environment("own")
    cell.ok("qconf", "-dattr", "queue", "ckpt_list", "own", "all.q", user=cell.owner)
    why = 'cannot run in queue instance "{}" because it is not of type checkpointing'
    result = cell.run("qsub", "-w", "v", "-q", "all.q", "-ckpt", "own", "-b", "y", "true")
    assert why.format(f"all.q@{lab.host}") in result.out + result.err
    job = lab.submit("-ckpt", "own", "-q", "all.q")
    other = cell.qsub("-ckpt", "own", "-o", "/dev/null", "-j", "y", "-b", "y", "true")
    cell.wait_gone(other)
    assert lab.ends(other) == [("other.q", "0", "0")]
    assert cell.tasks(job) == {0: "qw"}
    wait(lambda: why.format(f"all.q@{lab.host}") in cell.ok("qstat", "-j", job), lambda: cell.ok("qstat", "-j", job))
    cell.ok("qconf", "-aattr", "queue", "ckpt_list", "own", "all.q", user=cell.owner)
    wait(lambda: len(lab.noted()) == 1, "the job to run")
    lab.finish(job)
    for options, code, text in ((["-c", "s"], 1, "Unable to run job: checkpointing denied\nExiting.\n"),
                                (["-c", "4"], 1, "Unable to run job: checkpointing denied\nExiting.\n"),
                                (["-ckpt", "own", "-c", "n"], 1, 'Unable to run job: job rejected: checkpointing with "-c n" requested\nExiting.\n'),
                                (["-ckpt", "own", "-c", "0"], 2, "qsub: -c argument invalid\n"),
                                (["-ckpt", "own", "-c", ""], 2, "qsub: -c argument invalid\n"),
                                (["-ckpt", "own", "-c", "-1"], 2, "qsub: -c specifier invalid\n")):
        result = cell.refused("qsub", *options, "-b", "y", "true", code=code)
        assert (result.out, result.err) == ("", text), options
    held = cell.qsub("-h", "-b", "y", "true")
    for options, text in (["-c", "s"], "checkpointing denied\n"), (["-c", "4"], "checkpointing denied\n"), \
                         (["-ckpt", "own", "-c", "n"], 'job rejected: checkpointing with "-c n" requested\n'):
        result = cell.refused("qalter", *options, held)
        assert text in (result.out, result.err) and "checkpoint_attr" not in cell.detail(held), str(result)
    cell.ok("qalter", "-ckpt", "own", "-c", "s", held)
    assert cell.detail(held)["checkpoint_object"] == "own"
    cell.ok("qalter", "-c", "sx", held)


# ---- templates ------------------------------------------------------------------------------------------------------

CRIU = """#!/bin/sh
echo "$@" >>"$LOG"
[ ! -e "$LOG.fails" ] || exit 1
while [ $# -gt 1 ]; do
    [ "$1" != --images-dir ] || echo "$$" >"$2/image"
    shift
done
"""


def test_templates_are_installed_and_can_be_added(lab):
    """ckpt/: each is a checkpointing environment; the scripts of CRIU replace images as a whole, and keep those there are when a dump fails."""
    cell, place = lab.cell, lab.cell.root / "ckpt"
    assert {path.name for path in place.iterdir()} == {"README", "povray", "signal", "criu", "criu_save", "criu_restore", "criu_clean"}
    for name in "povray", "signal", "criu":
        cell.ok("qconf", "-Ackpt", place / name, user=cell.owner)
        assert cell.ok("qconf", "-sckpt", name).split()[1] == name
    fake, images = cell.files / "fake", cell.files / "images"
    fake.mkdir()
    (fake / "criu").write_text(CRIU)
    (fake / "criu").chmod(0o755)
    run = {"env": {"LOG": str(cell.files / "criu.log")}, "user": cell.owner}

    def script(name, *words):
        return cell.run("sh", "-c", f'PATH={fake}:$PATH exec "$0" "$@"', place / name, images, 5, 0, *words, **run)

    assert script("criu_save", 4711, "leave-running").code == 0
    first = (images / "5.0/image").read_text()
    (cell.files / "criu.log.fails").touch()
    assert script("criu_save", 4711).code == 1 and (images / "5.0/image").read_text() == first
    (cell.files / "criu.log.fails").unlink()
    assert script("criu_save", 4711).code == 0 and (images / "5.0/image").read_text() != first
    (images / "5.0").rename(images / "5.0.old")  # it was killed between its last steps
    assert script("criu_restore").code == 0
    said = (cell.files / "criu.log").read_text().splitlines()
    assert [line.split()[0] for line in said] == ["dump", "dump", "dump", "restore"] and f"{images}/5.0.old" in said[-1]
    assert "--leave-running" in said[0] and "--leave-running" not in said[1] and "--tree 4711" in said[0]
    assert script("criu_clean").code == 0 and list(images.iterdir()) == []


def why_no_criu():
    if os.geteuid() != 0 or not shutil.which("criu"):
        return "there is no criu(8) that root may use"
    checked = subprocess.run(["criu", "check"], capture_output=True, text=True, check=False)
    return None if checked.returncode == 0 else f"criu check: {(checked.stderr or checked.stdout).strip().splitlines()[-1:]}"


def test_criu_moves_a_program_that_knows_nothing_of_it(make_cell):
    """Where "criu check" passes: a program that counts goes on counting in another queue."""
    if why_no_criu():
        pytest.skip(IMPOSSIBLE + why_no_criu())
    cell = make_cell(owner="root", user="root")
    lab, place, images = Lab(cell), cell.root / "ckpt", cell.files / "images"
    lab.environment("criu", interface="cpr", when="x", ckpt_dir=images, migr_command=f"{place}/criu_save $ckpt_dir $job_id $ja_task_id $job_pid",
                    restart_command=f"{place}/criu_restore $ckpt_dir $job_id $ja_task_id", clean_command=f"{place}/criu_clean $ckpt_dir $job_id $ja_task_id")
    lab.job.write_text('#!/bin/sh\nn=0\nuntil [ -e "$OUT.go" ]; do n=$((n + 1)); echo $n >>"$OUT"; sleep 0.05; done\n')
    cell.ok("qmod", "-d", "other.q")
    job = lab.submit("-ckpt", "criu")
    wait(lambda: len(lab.noted()) > 5, "the program to count")
    cell.ok("qmod", "-e", "other.q")
    cell.ok("qmod", "-d", "all.q")
    cell.ok("qmod", "-sj", job)
    cell.wait_state(job, 0, "Rr")
    saved = len(lab.noted())
    wait(lambda: len(lab.noted()) > saved + 5, "the program to go on")
    lab.finish(job)
    assert lab.noted() == [str(n) for n in range(1, len(lab.noted()) + 1)] and not list(images.iterdir())
