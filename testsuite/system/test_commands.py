"""Messages, streams and exit codes that scripts rely on."""
import contextlib
import re
import signal
import socket
from pathlib import Path

import pytest

from cell import ARCH, SANITIZED, Gate, wait

HOST = socket.gethostname()
HEADER = "job-ID  prior   name       user         state submit/start at     queue                          slots ja-task-ID "


def said(result):
    return result.code, result.out, result.err


# ---- what users named ----------------------------------------------------------------------------------------------

def test_nothing_that_users_named_controls_the_terminal_of_others(cell):
    """Escape sequences and newlines in project, context, environment, arguments and paths arrive as \\xNN."""
    evil = "\x1b[2J\nowner:                     root"
    for options, what in ((["-P", evil], "the project"), (["-M", "a\x1b@b"], "the mail list"), (["-wd", "/tmp/\x1b"], "the working directory"),
                          (["-o", "/dev/null\x1b"], "the stdout path list"), (["-q", "\x1b"], "the hard queue list")):
        text = f"Control character (code 27) not allowed in {what}\n"
        assert cell.refused("qsub", *options, "-b", "y", "true").err.endswith(f"Unable to run job: {text}Exiting.\n")
    job = int(cell.ok("qsub", "-terse", "-h", "-N", "named", "-ac", f"note={evil}", "-v", f"V={evil}", "-wd", "/tmp", "-b", "y", "true", evil).strip())
    assert cell.refused("qalter", "-e", "/tmp/\x1b", job).out == "Control character (code 27) not allowed in the stderr path list\n"
    for options in (["-j", job], ["-ext"], ["-r"], ["-f"]):
        out = cell.ok("qstat", *options)
        assert not [c for c in out if ord(c) < 32 and c not in "\n\t"], out
    assert sum(line.startswith("owner:") for line in cell.ok("qstat", "-j", job).splitlines()) == 1
    assert "\\x1b[2J\\x0aowner:" in cell.ok("qstat", "-j", job)
    assert "\\x" not in cell.ok("qstat", "-j", job, "-xml")  # XML has ways of its own
    cell.ok("qdel", job)


# ---- qsub -----------------------------------------------------------------------------------------------------------

def test_qsub_says_what_it_submitted(cell):
    base = ["-h", "-b", "y"]
    assert cell.ok("qsub", *base, "/bin/true") == 'Your job 1 ("true") has been submitted\n'
    assert cell.ok("qsub", *base, "-t", "1-5:2", "-N", "arr", "true") == 'Your job-array 2.1-5:2 ("arr") has been submitted\n'
    assert cell.ok("qsub", *base, "-t", "1", "true") == 'Your job-array 3.1-1:1 ("true") has been submitted\n'
    assert cell.ok("qsub", *base, "-t", "5-1", "true") == 'Your job-array 4.1-5:1 ("true") has been submitted\n'
    assert cell.ok("qsub", *base, "-t", "1,3", "true") == 'Your job-array 5.1-3:2 ("true") has been submitted\n'
    assert cell.ok("qsub", *base, "-terse", "true") == "6\n"
    assert cell.ok("qsub", *base, "-terse", "-t", "1-10:4", "true") == "7.1-10:4\n"
    assert cell.ok("qsub", "-h", stdin="true\n") == 'Your job 8 ("STDIN") has been submitted\n'


def test_qsub_refuses_with_one_clear_line(cell):
    cases = [
        (["-zz", "-b", "y", "true"], 2, 'qsub: invalid option argument "-zz"\n'),
        (["/nonexistent.sh"], 14, "Unable to read script file because of error: error opening /nonexistent.sh: No such file or directory\n"),
        (["-t", "0-3", "-b", "y", "true"], 1, "Unable to run job: job rejected: 0 is an invalid task id\nExiting.\n"),
        (["-t", "1-3:0", "-b", "y", "true"], 7, "qsub: Negative or zero step in range is not allowed\n"),
        (["-t", "1-20000000", "-b", "y", "true"], 1,
         "Unable to run job: job rejected: you tried to submit a job with more than 10000000 tasks\nExiting.\n"),
        (["-tc", "abc", "-b", "y", "true"], 7, 'qsub: invalid task concurrency number "abc". Must be an integer greater or equal to 0.\n'),
        (["-p", "-2000", "-b", "y", "true"], 7, 'qsub: invalid priority "-2000".  Must be an integer from -1023 to 1024\n'),
        (["-N", "1abc", "-b", "y", "true"], 1,
         'Unable to run job: denied: "1abc" is not a valid object name (cannot start with a digit)\nExiting.\n'),
        (["-q", "nope.q", "-b", "y", "true"], 1, 'Unable to run job: Job was rejected because job requests unknown queue "nope.q"\nExiting.\n'),
        (["-b", "maybe", "true"], 7, 'qsub: invalid option argument "-b maybe"\n'),
        (["-j", "maybe", "-b", "y", "true"], 7, 'qsub: invalid option argument "-j maybe"\n'),
        (["-b", "y"], 2, "qsub: command required for a binary job\n"),
    ]
    for options, code, text in cases:
        assert said(cell.run("qsub", *options)) == (code, "", text), options
    assert cell.ok("qstat") == ""


def test_options_of_later_parts_are_stored_and_warned_about(any_cell):
    result = any_cell.run("qsub", "-terse", "-h", "-he", "y", "-b", "y", "true")
    assert (result.code, result.err) == (0, 'warning: option "-he" is stored with the job, but has no effect yet\n')
    result = any_cell.run("qsub", "-terse", "-h", "-js", "5", "-b", "y", "true")
    assert (result.code, result.err) == (0, "")
    assert any_cell.detail(int(result.out))["jobshare"].strip() == "5"


def test_slot_ranges_and_checkpoint_times_are_refused_as_known(any_cell):
    no_number = 'qsub: Numerical value invalid!\nThe initial portion of string "{}" contains no decimal number\n'
    zero = 'Unable to run job: "job" rejected: pe range must be greater than zero\nExiting.\n'
    for options, code, text in ((["-pe", "smp", "abc"], 7, no_number.format("abc")), (["-pe", "smp"], 7, no_number.format("b")),
                                (["-c", "z"], 2, "qsub: -c specifier invalid\n"), (["-pe", "smp", "0"], 1, zero)):
        result = any_cell.refused("qsub", *options, "-b", "y", "true", code=code)
        assert said(result) == (code, "", text)
    assert any_cell.ok("qstat") == ""


def test_requested_limits_are_in_force(any_cell):
    base = ["-N", "L", "-o", "/dev/null", "-j", "y", "-b", "y"]
    limits = "h_rt=1" if SANITIZED else "h_rt=1,h_vmem=1G"  # a sanitizer's shepherd needs more than that until the job begins
    result = any_cell.run("qsub", "-sync", "y", "-l", limits, *base, "sleep 60")
    assert said(result) == (1, 'Your job 1 ("L") has been submitted\n', "Job 1 exited because of signal SIGKILL\n")
    assert any_cell.accounting()[0]["failed"] == "37"


def test_sync_returns_the_exit_code(cell):
    quiet = ["-o", "/dev/null", "-j", "y", "-N", "named", "-b", "y"]
    assert said(cell.run("qsub", "-sync", "y", *quiet, "true")) == (
        0, 'Your job 1 ("named") has been submitted\nJob 1 exited with exit code 0.\n', "")
    assert said(cell.run("qsub", "-sync", "y", *quiet, "exit 3")) == (3, 'Your job 2 ("named") has been submitted\n', "Job 2 exited with exit code 3.\n")
    assert said(cell.run("qsub", "-sync", "y", *quiet, "kill -9 $$")) == (
        1, 'Your job 3 ("named") has been submitted\n', "Job 3 exited because of signal SIGKILL\n")
    result = cell.run("qsub", "-sync", "y", "-t", "1-3", *quiet, "exit $SGE_TASK_ID")
    assert result.out == 'Your job-array 4.1-3:1 ("named") has been submitted\n'
    assert sorted(result.err.splitlines()) == [f"Job 4.{task} exited with exit code {task}." for task in (1, 2, 3)]
    assert result.code == 1


def test_verification_is_true_of_the_queues(cell):
    manager, base = cell.owner, ["-h", "-b", "y", "true"]
    found, none = "verification: found suitable queue(s)\n", "Unable to run job: error: no suitable queues\nExiting.\n"
    assert said(cell.run("qsub", "-w", "v", *base)) == said(cell.run("qsub", "-w", "p", *base)) == (0, found, "")
    cell.ok("qmod", "-d", "all.q", user=manager)
    assert said(cell.run("qsub", "-w", "v", *base)) == (0, found, "")
    away = f'Job 1 queue instance "all.q@{HOST}" dropped because it is temporarily not available\nverification: no suitable queues\n'
    assert said(cell.run("qsub", "-w", "p", *base)) == (1, "", f"Unable to run job: {away}Exiting.\n")
    cell.ok("qconf", "-mattr", "queue", "slots", "0", "all.q", user=manager)
    assert said(cell.run("qsub", "-w", "e", *base)) == (1, "", none)
    assert cell.run("qsub", "-w", "v", *base).code == 1 and cell.ok("qstat") == ""
    assert said(cell.run("qsub", "-w", "w", *base)) == (0, 'warning: no suitable queues\nYour job 1 ("true") has been submitted\n', "")
    assert said(cell.run("qsub", "-terse", "-w", "w", *base)) == (0, "2\n", "warning: no suitable queues\n")
    assert said(cell.run("qalter", "-w", "p", 1)) == (1, away, "")
    assert said(cell.run("qalter", "-w", "e", "-p", -3, 1)) == (1, "error: no suitable queues\n", "")
    assert "priority" not in cell.detail(1)


def test_parallel_environments_are_known_by_name_or_pattern(any_cell):
    base = ["-terse", "-h", "-b", "y", "true"]
    assert any_cell.detail(int(any_cell.ok("qsub", "-pe", "m*", "2", *base)))["parallel environment"] == "m* range: 2"
    for pattern in ("nope", "x*"):
        result = any_cell.refused("qsub", "-pe", pattern, "2", *base)
        assert f'Unable to run job: job rejected: the requested parallel environment "{pattern}" does not exist\n' in result.err
    assert any_cell.refused("qalter", "-pe", "nope", "2", "1").out == 'denied: parallel environment "nope" does not exist\n'


def test_files_of_jobs_are_there_after_a_restart(cell):
    script = cell.files / "says.sh"
    script.write_text("#!/bin/sh\necho $A $B >$OUT.$JOB_ID\n")
    out = cell.files / "out"
    job = cell.qsub("-h", "-N", "J", "-o", "/dev/null", "-j", "y", "-v", f"OUT={out},A=old", script)
    cell.restart_master()
    assert cell.ok("qalter", "-v", f"OUT={out},A=new", job) == f"modified environment of job {job}\n"
    cell.restart_master()
    assert cell.ok("qresub", job) == f'Your job {job + 1} ("J") has been submitted\n'
    cell.ok("qrls", job)
    cell.wait_gone(job, job + 1)
    assert [(cell.files / f"out.{number}").read_text() for number in (job, job + 1)] == ["new\n"] * 2


def test_a_copy_with_another_environment_knows_its_submitter(any_cell):
    job = any_cell.qsub("-h", "-N", "J", "-v", "A=1", "-b", "y", "true")
    any_cell.ok("qresub", "-h", "u", "-v", "B=2", job)  # a copy takes no holds along
    old, new = any_cell.detail(job), any_cell.detail(job + 1)
    assert new["env_list"] == "B=2"
    assert {k: v for k, v in new.items() if k.startswith("sge_o")} == {k: v for k, v in old.items() if k.startswith("sge_o")}


def test_users_beside_job_numbers_narrow_what_qdel_means(users_cell):
    job = users_cell.held_array("A", "1-3")
    assert said(users_cell.run("qdel", "-u", "bob", job)) == (1, f'denied: job "{job}" does not exist\n', "")
    assert users_cell.run("qalter", "-u", "alice", "-p", "-3", job).code == 2
    assert len(users_cell.states()) == 3
    assert users_cell.ok("qdel", "-u", "al*", job) == f"alice has deleted job {job}\n"


def test_qresub_takes_whole_jobs(any_cell):
    job = any_cell.held_array("A", "1-3")
    assert said(any_cell.run("qresub", f"{job}.2")) == (1, f'denied: only the whole of job "{job}" can be submitted again, not some of its tasks\n', "")
    assert said(any_cell.run("qresub", "4711")) == (4, 'job "4711" does not exist\n', "")
    assert len(any_cell.states()) == 3


def sync_in_background(cell, *options):
    """qsub -sync y of gated tasks S.1 and S.2 that run, as a process whose first line was read."""
    for task in (1, 2):
        cell.gates["S", task] = Gate(cell.files / f"S.{task}")
    process = cell.start_program("qsub", "-sync", "y", "-N", "S", "-t", "1-2", "-o", "/dev/null", "-j", "y", "-v", "LOG,GATES", *options, cell.script)
    assert process.stdout.readline().startswith('Your job-array 1.1-2:1 ("S")')
    for task in (1, 2):
        cell.wait_note("start", "S", task)
    return process


def test_sync_says_that_a_deleted_job_did_not_run(cell):
    process = sync_in_background(cell)
    cell.ok("qdel", "1.2")
    cell.wait_state(1, 1, "r")
    wait(lambda: 2 not in cell.tasks(1), "the task to go")
    cell.open("S", 1, 0)
    assert process.communicate(timeout=20) == ("Job 1.1 exited with exit code 0.\n", "Unable to run job 1\n")
    assert process.returncode == 1
    held = cell.start_program("qsub", "-sync", "y", "-h", "-b", "y", "/bin/true")
    held.stdout.readline()
    cell.ok("qdel", "2")
    assert held.communicate(timeout=20) == ("", "Unable to run job 2\n") and held.returncode == 1


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_sync_returns_the_status_of_the_lowest_task_that_failed(cell, order):
    process = sync_in_background(cell)
    for task in order:
        cell.open("S", task, 40 + task)
        assert process.stderr.readline() == f"Job 1.{task} exited with exit code {40 + task}.\n"
    assert process.wait(20) == 41


def test_sync_says_that_a_task_is_in_error_and_goes_on_waiting(cell):
    logs = cell.files / "logs"
    process = cell.start_program("qsub", "-sync", "y", "-N", "S", "-o", logs / "out", "-j", "y", "-b", "y", "exit 5")
    process.stdout.readline()
    assert process.stderr.readline() == f'warning: -o: there is no directory "{logs}" on this host\n'
    line = process.stderr.readline()
    assert line.startswith("Job 1 is in error: ") and line.endswith(f'error: can\'t open output file "{logs}/out": No such file or directory\n'), line
    logs.mkdir()
    logs.chmod(0o777)
    cell.ok("qmod", "-cj", 1)
    assert process.communicate(timeout=20) == ("", "Job 1 exited with exit code 5.\n") and process.returncode == 5
    process = cell.start_program("qsub", "-sync", "y", "-N", "S", "-t", "1-2", "-o", "/dev/null", "-j", "y", "-b", "y", "exit 10$((SGE_TASK_ID - 1))")
    process.stdout.readline()
    error, end = sorted((process.stderr.readline() for _ in range(2)), key=lambda line: "exited with" in line)
    assert error.startswith("Job 2.1 is in error: ") and re.search(r"exit_status of job start = 100 \(the job itself, on \S+; its output: /dev/null\)\n$", error), error
    assert end == "Job 2.2 exited with exit code 101.\n"
    cell.ok("qdel", 2)
    assert process.communicate(timeout=20) == ("", "Unable to run job 2\n") and process.returncode == 101


def test_interrupting_a_sync_deletes_the_job(cell):
    process = sync_in_background(cell)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (out, process.returncode) == ("", 1)
    assert sorted(err.splitlines()) == [f"{cell.user} has registered the job-array task 1.{task} for deletion" for task in (1, 2)]
    cell.wait_gone(1)


@contextlib.contextmanager
def deaf(process):
    """It neither runs nor hears anything during the block."""
    process.send_signal(signal.SIGSTOP)
    wait(lambda: " (stopped)" in Path(f"/proc/{process.pid}/status").read_text(), "it to be stopped")
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)


def test_sync_tells_what_ended_while_the_qmaster_was_away(cell):
    process = sync_in_background(cell)
    with deaf(process):
        cell.kill("sge_qmaster")
        cell.open("S", 1, 3)
        cell.start()
        wait(lambda: 1 not in cell.tasks(1), "the task to go")
    cell.open("S", 2, 0)
    assert process.communicate(timeout=20) == ("Job 1.2 exited with exit code 0.\n", "Job 1.1 exited with exit code 3.\n")
    assert process.returncode == 3


def test_sync_tells_once_of_a_task_that_went_into_error_while_the_qmaster_was_away(cell):
    process = sync_in_background(cell)
    cell.open("S", 1, 100)
    assert process.stderr.readline().startswith("Job 1.1 is in error: ")
    with deaf(process):
        cell.kill("sge_qmaster")
        cell.open("S", 2, 100)
        cell.start()
        cell.wait_state(1, 2, "Eqw")
    assert process.stderr.readline().startswith("Job 1.2 is in error: ")
    cell.ok("qdel", 1)
    assert process.communicate(timeout=20) == ("", "Unable to run job 1\n") and process.returncode == 1


def test_sync_tells_how_a_job_ended_that_is_gone(cell):
    process = sync_in_background(cell)
    with deaf(process):
        cell.kill("sge_qmaster")
        cell.start()
        cell.open("S", 1, 3)
        cell.open("S", 2, 0)
        cell.wait_gone(1)
        cell.kill("sge_qmaster")  # once more: the job is long gone when the client hears of anything
        cell.start()
        (cell.dir / "common/accounting").rename(cell.files / "accounting")
    assert process.communicate(timeout=20) == ("Job 1.2 exited with exit code 0.\n", "Job 1.1 exited with exit code 3.\n")
    assert process.returncode == 3


def test_sync_says_that_a_job_was_deleted_while_the_qmaster_was_away(cell):
    process = sync_in_background(cell)
    cell.open("S", 1, 4)
    assert process.stderr.readline() == "Job 1.1 exited with exit code 4.\n"
    with deaf(process):
        cell.kill("sge_qmaster")
        cell.start()
        cell.ok("qdel", 1)
        cell.wait_gone(1)
    assert process.communicate(timeout=20) == ("", "Unable to run job 1\n") and process.returncode == 4


@pytest.mark.parametrize("tasks", [300, pytest.param(1000, marks=pytest.mark.long)])
def test_sync_says_each_end_once_whatever_is_killed(any_cell, tasks):
    cell = any_cell
    process = cell.start_program("qsub", "-sync", "y", "-N", "S", "-t", f"1-{tasks}", "-o", "/dev/null", "-j", "y", "-b", "y",
                                 "exit $((SGE_TASK_ID % 3))")
    heard = [process.stdout.readline()]
    for share in (0.05, 0.3, 0.6):
        while len(heard) < share * tasks / 3:
            heard.append(process.stdout.readline())
        cell.kill("sge_qmaster")
        cell.start()
    heard += process.stdout.readlines()
    said = sorted(heard[1:] + process.stderr.readlines(), key=lambda line: int(line.split()[1].split(".")[1]))
    assert said == [f"Job 1.{task} exited with exit code {task % 3}.\n" for task in range(1, tasks + 1)]
    assert process.wait(timeout=60) in (1, 2)


def test_a_queue_on_the_hosts_of_a_group(any_cell):
    job = any_cell.qsub("-q", "all.q@@all*", "-b", "y", "-o", "/dev/null", "-j", "y", "true")
    any_cell.wait_gone(job)
    assert any_cell.accounting()[0]["qname"] == "all.q"
    assert said(any_cell.run("qsub", "-q", "all.q@@nobody", "-b", "y", "true")) == (
        1, "", 'Unable to run job: Job was rejected because job requests unknown queue "all.q@@nobody"\nExiting.\n')
    assert f"all.q@{HOST}" in any_cell.ok("qstat", "-f", "-q", "*@@allhosts")
    assert any_cell.run("qstat", "-f", "-q", "*@@nobody").code == 1


# ---- qstat ----------------------------------------------------------------------------------------------------------

def test_an_empty_cell_prints_nothing(cell):
    for options in ([], ["-s", "r"], ["-u", "*"], ["-g", "d"], ["-s", "hd"]):
        assert said(cell.run("qstat", *options)) == (0, "", "")


def test_the_table(cell):
    job = cell.qsub("-h", "-N", "averylongname", "-t", "1-5:2", "-b", "y", "true")
    lines = cell.ok("qstat").splitlines()
    assert lines[0] == HEADER and lines[1] == "-" * 113
    assert re.fullmatch(rf"{job:>7} 0\.00000 averylongn {cell.user:<12} hqw   \d\d/\d\d/\d{{4}} \d\d:\d\d:\d\d" + " " * 36 + "1 1-5:2", lines[2]), lines[2]
    cell.ok("qdel", f"{job}.3")
    assert cell.ok("qstat").splitlines()[2].endswith(" 1 1,5")
    assert [line.split()[-1] for line in cell.ok("qstat", "-g", "d").splitlines()[2:]] == ["1", "5"]


def test_running_tasks_show_their_queue(cell):
    job = cell.array("A", "1-6", gated=range(1, 7))
    cell.wait_note("start", "A", 4)
    wait(lambda: sorted(cell.tasks(job).values()) == ["qw", "qw", "r", "r", "r", "r"], "four to run")
    rows = cell.ok("qstat").splitlines()[2:]
    assert [row.split()[-1] for row in rows] == ["1", "2", "3", "4", "5,6"]
    assert all(f"all.q@{HOST}" in row for row in rows[:4])
    assert len(cell.ok("qstat", "-s", "r").splitlines()) == 6
    assert len(cell.ok("qstat", "-s", "p").splitlines()) == 3


def test_unknown_jobs_are_named_on_stderr(cell):
    for job in ("4711", "nosuch"):
        assert said(cell.run("qstat", "-j", job)) == (1, "", f"Following jobs do not exist: \n{job}\n")


def test_prior_follows_the_weights_of_the_scheduler(any_cell):
    cell = any_cell
    cell.ok("qmod", "-d", "all.q", user=cell.owner)
    for priority in (-1023, -512, 0):
        cell.qsub("-p", priority, "-b", "y", "true")
    text = cell.ok("qconf", "-ssconf")
    for weight, value in (("priority", 1), ("urgency", 0), ("ticket", 0)):
        text = re.sub(rf"(?m)^(weight_{weight} +).*", rf"\g<1>{value}", text)
    (cell.files / "conf").write_text(text)
    cell.ok("qconf", "-Msconf", cell.files / "conf", user=cell.owner)
    expected = [["3", "0.50000"], ["2", "0.25000"], ["1", "0.00049"]]
    wait(lambda: [line.split()[:2] for line in cell.ok("qstat").splitlines()[2:]] == expected, "the scheduler's figures")


def test_xml_is_well_formed_even_when_empty(cell):
    for _ in range(2):
        for options in (["-xml"], ["-g", "d", "-xml"], ["-s", "hd", "-xml"]):
            text = cell.ok("qstat", *options)
            assert cell.run("xmllint", "--noout", "-", stdin=text).code == 0, text
            assert "<queue_info>" in text
        cell.qsub("-h", "-N", "a<&b", "-b", "y", "true")
    assert "<JB_name>a&lt;&amp;b</JB_name>" in cell.ok("qstat", "-xml")


def test_scheduling_info_says_why_a_job_waits(cell):
    job, held = cell.array("A", "1-2"), cell.held_array("B", "1-2")
    cell.wait_gone(job)
    cell.ok("qmod", "-d", "all.q", user=cell.owner)
    job = cell.array("A", "1-2")
    info = cell.ok("qstat", "-j", held).split("scheduling info:")[1]
    assert info.split("\n")[:2] == [12 * " " + "job dropped because of hold state or job dependencies",
                                    f"{28 * ' '}qstat -j {held}.1 -why shows what that task waits for"]
    disabled = f'queue instance "all.q@{HOST}" dropped because it is disabled'
    text = f"scheduling info:            {disabled}\n{28 * ' '}All queues dropped because of overload or full\n"
    assert text in cell.ok("qstat", "-j", job) and text in cell.ok("qstat", "-j")
    conf = cell.files / "conf"
    conf.write_text(re.sub(r"^(schedd_job_info +)true", r"\1false", cell.ok("qconf", "-ssconf"), flags=re.M))
    cell.ok("qconf", "-Msconf", conf, user=cell.owner)
    assert cell.detail(job)["scheduling info"] == "(Collecting of scheduler job information is turned off)"
    cell.ok("qmod", "-e", "all.q", user=cell.owner)
    cell.wait_gone(job)


def test_why_names_every_kind_of_cause(cell):
    def why(job):
        return cell.ok("qstat", "-j", job, "-why").splitlines()

    slots = 4
    closed = "All queues dropped because of overload or full"
    full = cell.array("F", f"1-{slots}", gated=range(1, slots + 1))
    for task in range(1, slots + 1):
        cell.wait_state(full, task, "r")
    job = cell.qsub("-N", "late", "-a", "203801010000", "-b", "y", "true")
    assert why("late") == ["start time (-a) not reached: Fri Jan  1 00:00:00 2038", f'queue instance "all.q@{HOST}" dropped because it is full', closed]
    assert why(f"{full}.1") == [f'running in queue instance "all.q@{HOST}"']
    cell.ok("qdel", full, job)
    cell.wait_gone(full)
    cell.ok("qmod", "-d", "all.q", user=cell.owner)
    job = cell.qsub("-N", "plain", "-b", "y", "true")
    assert why(job) == [f'queue instance "all.q@{HOST}" dropped because it is disabled', closed]
    cell.ok("qhold", job)
    assert why("plain")[0] == f"user hold; release with qrls {job}"
    cell.ok("qrls", job)
    cell.ok("qmod", "-e", "all.q", user=cell.owner)
    cell.wait_gone(job)
    bad = cell.qsub("-N", "bad", "-o", "/nonexistent/dir/out", "-b", "y", "true")
    wait(lambda: " Eqw " in cell.ok("qstat"), "the job to be in error")
    assert why("bad")[0].startswith(f"in error state; clear with qmod -cj {bad}: ")
    tc = cell.array("T", "1-2", "-tc", "1", gated=[1, 2])
    cell.wait_state(tc, 1, "r")
    assert why(f"{tc}.2") == ["job dropped because it has reached its limit of 1 concurrent tasks (-tc)"]
    cell.ok("qdel", bad, tc)
    cell.wait_gone(tc)


# ---- qdel, qhold, qrls, qmod ----------------------------------------------------------------------------------------

def test_qdel_says_what_it_deleted(cell):
    who, job = cell.user, cell.held_array("A", "1-9")
    assert cell.ok("qdel", f"{job}.2") == f"{who} has deleted job-array task {job}.2\n"
    assert cell.ok("qdel", job, "-t", "3-4") == f"{who} has deleted job-array tasks 3,4 of job {job}\n"
    assert cell.ok("qdel", f"{job}.5-9:2") == f"{who} has deleted job-array tasks 5-9:2 of job {job}\n"
    assert said(cell.run("qdel", f"{job}.20")) == (1, f'job "{job}" task "20" does not exist\n', "")
    assert cell.ok("qdel", job) == f"{who} has deleted job {job}\n"
    assert said(cell.run("qdel", "999999")) == (1, 'denied: job "999999" does not exist\n', "")
    assert said(cell.run("qdel", "nosuch")) == (1, f"The job nosuch of user(s) {who} does not exist\n", "")
    assert cell.run("qdel").code == 1


def test_qdel_of_a_running_job_registers_it(cell):
    job = cell.array("A", "1-2", gated=[1, 2])
    cell.wait_note("start", "A", 2)
    assert cell.ok("qdel", f"{job}.1") == f"{cell.user} has registered the job-array task {job}.1 for deletion\n"
    cell.ok("qdel", job)
    cell.wait_gone(job)
    assert {(row["failed"], row["exit_status"]) for row in cell.accounting()} == {("100", "137")}


def test_others_may_not(users_cell):
    job = users_cell.held_array("A", "1-3")
    before = users_cell.states()
    assert said(users_cell.run("qdel", job, user="bob")) == (1, f'bob - you do not have the necessary privileges to delete the job "{job}"\n', "")
    assert said(users_cell.run("qdel", "-f", job, user="bob")) == (1, f'bob - you do not have the necessary privileges to delete the job "{job}"\n', "")
    for command in ("qhold", "qrls"):
        assert said(users_cell.run(command, job, user="bob")) == (18, f'denied: "bob" must be at least owner of job {job} to change job attributes\n', "")
        assert said(users_cell.run(command, "A*", user="bob")) == (18, f'denied: "bob" must be at least owner of job {job} to change job attributes\n', "")
    assert said(users_cell.run("qhold", "-h", "o", job)) == (10, 'denied: "alice" must be operator to set operator hold\n', "")
    assert said(users_cell.run("qdel", "-u", "*")) == (1, 'denied: "alice" must be manager to modify all jobs\n', "")
    assert said(users_cell.run("qmod", "-sj", "A*", user="bob")) == (1, f'bob - you have no permission to modify job "{job}"\n', "")
    assert said(users_cell.run("qdel", "A*", user="bob")) == (1, "The job A* of user(s) bob does not exist\n", "")
    assert users_cell.states() == before
    assert users_cell.ok("qdel", job, user="root") == f"root has deleted job {job}\n"


def test_the_environment_of_a_job_is_its_owners(users_cell):
    job = users_cell.qsub("-h", "-N", "J", "-v", "TOKEN=secret", "-b", "y", "true")
    for user in ("alice", "root"):
        assert "TOKEN=secret" in users_cell.ok("qstat", "-j", job, user=user)
        assert "secret" in users_cell.ok("qstat", "-j", job, "-xml", user=user)
    for options in ((), ("-xml",)):
        shown = users_cell.ok("qstat", "-j", job, *options, user="bob")
        assert str(job) in shown and "secret" not in shown and "sge_o_" not in shown


def test_qhold_and_qrls(cell):
    job = cell.array("A", "1-3", "-h")
    assert cell.ok("qrls", f"{job}.2") == f"modified hold of job-array task {job}.2\n"
    cell.wait_note("end", "A", 2)
    assert cell.ok("qrls", job) == f"modified hold of job-array task {job}.1\nmodified hold of job-array task {job}.3\n"
    cell.wait_gone(job)
    assert said(cell.run("qhold", "999999")) == (3, 'denied: job "999999" does not exist\n', "")


def test_holding_a_million_tasks_prints_one_line(any_cell):
    job = any_cell.held_array("A", "1-1000000")
    out = any_cell.ok("qrls", job, timeout=10)
    assert out.count("\n") < 20
    any_cell.ok("qdel", job)


def test_scattered_tasks_print_lines_of_bounded_length(any_cell):
    job = any_cell.held_array("A", "1-100000")
    any_cell.ok("qdel", f"{job}.1-100000:5")
    out = any_cell.ok("qdel", f"{job}.1-100000:3")
    assert re.fullmatch(rf"{any_cell.user} has deleted job-array tasks [\d,:-]+,\.\.\. \(26667 tasks\) of job {job}\n", out) and len(out) < 1200
    assert any_cell.ok("qalter", "-h", "s", job, user=any_cell.owner).endswith(f",... (53333 tasks) of job {job}\n")
    row = any_cell.ok("qstat").splitlines()[2]
    assert row.endswith(",...") and len(row) < 4300
    tasks = re.search("<tasks>(.*)</tasks>", any_cell.ok("qstat", "-xml")).group(1)
    ranges = (re.fullmatch(r"(\d+)(?:-(\d+):(\d+))?", part).groups() for part in tasks.split(","))
    assert sum(len(range(int(a), int(b or a) + 1, int(step or 1))) for a, b, step in ranges) == 53333


def test_suspend_messages(cell):
    job = cell.array("A", "1", gated=[1])
    cell.wait_state(job, 1, "r")
    assert cell.ok("qmod", "-sj", f"{job}.1") == f"{cell.user} - suspended job-array task {job}.1\n"
    cell.wait_state(job, 1, "s")
    assert cell.ok("qmod", "-usj", f"{job}.1") == f"{cell.user} - unsuspended job-array task {job}.1\n"
    assert said(cell.run("qmod", "-sj", "nosuch")) == (1, 'invalid queue or job "nosuch"\n', "")


def test_clearing_an_error(cell):
    job = cell.array("A", "1", gated=[1])
    cell.wait_note("start", "A", 1)
    assert said(cell.run("qmod", "-cj", job))[0] == 1
    cell.open("A", 1, 100)
    cell.wait_state(job, 1, "Eqw")
    assert said(cell.run("qmod", "-cj", job)) == (0, f"{cell.user}@{HOST} cleared error state of job-array task {job}.1\n", "")
    cell.wait_note("start", "A", 1, count=2)
    cell.open("A", 1, 0)
    cell.wait_gone(job)


def test_a_disabled_queue_starts_nothing(cell):
    manager = cell.owner
    assert cell.ok("qmod", "-d", "all.q", user=manager) == f'{manager}@{HOST} changed state of "all.q@{HOST}" (disabled)\n'
    job = cell.array("A", "1")
    assert cell.tasks(job) == {1: "qw"}
    assert cell.ok("qmod", "-e", "all.q", user=manager) == f'{manager}@{HOST} changed state of "all.q@{HOST}" (enabled)\n'
    cell.wait_gone(job)


# ---- qacct, qhost, qconf --------------------------------------------------------------------------------------------

def test_qselect_names_what_scripts_work_on(cell):
    """What -l, -q, -qs and -pe leave; nothing is status 1 without a word, a mistake is one with a line."""
    [name] = cell.ok("qselect").split()
    queue, _, host = name.partition("@")
    arch = cell.ok("qhost").splitlines()[-1].split()[1]
    for words in (["-q", queue], ["-q", f"*@{host}"], ["-l", f"h={host},arch={arch}"], ["-l", "slots=1"]):
        assert cell.ok("qselect", *words).split() == [name], words
    for words in (["-q", "nope.q"], ["-l", "slots=1000000"], ["-l", "nosuch=1"], ["-qs", "E"]):
        said = cell.run("qselect", *words)
        assert (said.code, said.out, said.err) == (1, "", ""), words
    assert cell.refused("qselect", "-pe", "nope").err == "error: no such parallel environment\n"


def test_a_task_is_accounted_before_it_leaves_qstat(cell):
    for _ in range(10):
        job = cell.qsub("-N", "n", "-o", "/dev/null", "-j", "y", "-b", "y", "true")
        cell.wait_gone(job)
        lines = cell.ok("qacct", "-j", job).splitlines()
        assert lines[0] == "=" * 62
        found = {line[:13].strip(): line[13:].strip() for line in lines[1:]}
        assert (found["jobnumber"], found["taskid"], found["failed"], found["exit_status"], found["owner"]) == (str(job), "undefined", "0", "0", cell.user)


def test_qacct_of_an_unknown_job(cell):
    assert said(cell.run("qacct", "-j", "4711")) == (1, "", "error: job id 4711 not found\n")
    assert said(cell.run("qacct", "-j", "A", "B")) == (1, "no jobs running since startup\n", "B: No such file or directory\n"
        '"A" is a job and "B" an accounting file: separate jobs by commas if both are jobs\n')
    assert said(cell.run("qacct", "-f", "nofile", "-j", "1")) == (1, "no jobs running since startup\n", "nofile: No such file or directory\n")
    without_job = cell.run("qacct", "-t", "1")
    assert (without_job.code, without_job.err.splitlines()[:3]) == (
        1, ["error: -t option requires -j option with an argument", "SGE 9.0.0", "usage: qacct [options]"])


def test_qhost_shows_this_host(cell):
    def rows():
        return [line.split() for line in cell.ok("qhost").splitlines()]

    assert rows()[0][:3] == ["HOSTNAME", "ARCH", "NCPU"] and rows()[2][0] == "global"
    wait(lambda: rows()[3][:2] == [HOST, ARCH], "the execd's first load values")
    resources = [line.strip().removeprefix("hl:").split("=")[0] for line in cell.ok("qhost", "-F").splitlines()[4:]]
    assert resources == """load_avg load_short load_medium load_long arch num_proc mem_free swap_free virtual_free mem_total swap_total
        virtual_total mem_used swap_used virtual_used cpu m_topology m_topology_inuse m_socket m_core m_thread np_load_avg np_load_short
        np_load_medium np_load_long""".split()


def test_options_of_qconf_that_wait_say_so(any_cell):
    for option in ("-ar",):
        assert said(any_cell.run("qconf", option)) == (1, "", f"{option}: not supported yet\n")


def test_settings_without_effect_and_names_of_nothing_are_said_at_once(cell):
    boss = cell.owner
    idle = 'warning: attribute "qsort_args" is stored, but has no effect yet\n'
    assert cell.run("qconf", "-mattr", "pe", "qsort_args", "x", "make", user=boss).err == idle
    itself = "Cluster queue \"all.q\" can't get subordinated by itself\n"
    assert cell.refused("qconf", "-mattr", "queue", "subordinate_list", "all.q=1", "all.q", user=boss).err == itself
    for attribute, noun in (("xuser_lists", "Userset"), ("calendar", "Calendar"), ("projects", "Project"), ("pe_list", "Parallel environment")):
        assert cell.refused("qconf", "-rattr", "queue", attribute, "nosuch", "all.q", user=boss).err == f'{noun} "nosuch" does not exist\n'
    assert "nosuch" not in cell.ok("qconf", "-sq", "all.q")


def test_hosts_that_nobody_knows_and_values_that_cannot_be_are_refused(cell):
    boss, queue, conf = cell.owner, cell.files / "ho.q", cell.files / "sched"
    text = re.sub(r"^qname .*", "qname ho.q", cell.ok("qconf", "-sq", "all.q"), flags=re.M)
    queue.write_text(re.sub(r"^hostlist .*", "hostlist nohost.invalid", text, flags=re.M))
    assert said(cell.run("qconf", "-Aq", queue, user=boss)) == (1, "", 'unable to resolve host "nohost.invalid"\n')
    assert cell.ok("qconf", "-sql") == "all.q\n"
    sched = cell.ok("qconf", "-ssconf")
    for name, value in (("load_formula", "slots*"), ("policy_hierarchy", "OFX"), ("params", "FOO=1"), ("usage_weight_list", "cpu=x"),
                        ("job_load_adjustments", "np_load_avg=x")):
        conf.write_text(re.sub(rf"^{name} .*", f"{name} {value}", sched, flags=re.M))
        assert f'attribute "{name}": "{value}" is not ' in cell.refused("qconf", "-Msconf", conf, user=boss).err
    assert cell.ok("qconf", "-ssconf") == sched


def test_what_a_new_cell_has(cell):
    assert f"execd_spool_dir              {cell.dir}/spool\n" in cell.ok("qconf", "-sconf").replace(" \\\n" + 29 * " ", "")
    assert cell.ok("qconf", "-sql") == "all.q\n"
    assert cell.ok("qconf", "-spl").split() == ["make", "mpi", "smp"]
    assert cell.ok("qconf", "-sm").split() == [cell.owner]
    assert cell.ok("qconf", "-sul").split() == ["arusers", "deadlineusers", "defaultdepartment"]
    for name, kind in (("arusers", "ACL"), ("defaultdepartment", "DEPT")):
        assert cell.ok("qconf", "-su", name) == f"name    {name}\ntype    {kind}\nfshare  0\noticket 0\nentries NONE\n"
    assert cell.ok("qconf", "-shgrp_tree", "@allhosts") == f"@allhosts\n   {HOST}\n"
    for option in ("-sh", "-ss", "-sel"):
        assert cell.ok("qconf", option).split() == [HOST]
    assert re.search(r"^slots +4$", cell.ok("qconf", "-sq", "all.q"), re.M)


COMMANDS = [["qmod", "-d", "all.q"], ["qsub", "-h", "-b", "y", "true"], ["qsub", "-help"], ["qalter", "-N", "x", "1"], ["qresub", "1"],
            ["qrls", "1"], ["qhold", "1"], ["qstat"], ["qstat", "-j", "1"], ["qstat", "-xml"], ["qhost"], ["qconf", "-sql"], ["qacct"],
            ["qdel", "1"]]


def test_a_command_whose_output_is_lost_says_so(any_cell):
    """The commands do what they do; but whoever reads their output must not take it for all there is."""
    cell = any_cell
    assert cell.qsub("-h", "-b", "y", "true") == 1
    for command in COMMANDS:
        with open("/dev/full", "w") as full:
            result = cell.run(*command, user=cell.owner, stdout=full)
        assert result.code == 1 and "cannot write to standard output" in result.err, str(result)


def test_help_begins_with_product_and_version(cell):
    for program in ("qsub", "qalter", "qstat", "qdel", "qhold", "qrls", "qmod", "qacct", "qhost", "qconf", "qresub"):
        assert cell.ok(program, "-help").splitlines()[0] == "SGE 9.0.0", program


# ---- which cell -----------------------------------------------------------------------------------------------------

def test_a_variable_that_chooses_another_cell_is_refused(cell):
    """Who names another cell by its port must not submit here."""
    for argv in (["qsub", "-b", "y", "true"], ["qstat"], ["qconf", "-sql"], ["qdel", "1"], ["qhost"], ["qacct"], ["sge_cell", "status"]):
        refused = cell.run(*argv, user=cell.owner, env={"SGE_QMASTER_PORT": "7777"})
        assert refused.code != 0 and refused.out == "" and "SGE_QMASTER_PORT is \"7777\"" in refused.err and "does not listen on a port" in refused.err, str(refused)
    assert cell.ok("qstat", env={"SGE_QMASTER_PORT": ""}) == ""
    other = cell.refused("sge_cell", "status", user=cell.owner, env={"SGE_ROOT": "/nonexistent"})
    assert other.err.startswith('sge_cell: SGE_ROOT is "/nonexistent", but this sge_cell belongs to ')


def test_a_command_called_by_its_path_needs_no_root(cell):
    arguments = {"SGE_ROOT": "", "SGE_CELL": ""}
    assert cell.ok(cell.bin / "qconf", "-sql", env=arguments) == "all.q\n"


# ---- qping ----------------------------------------------------------------------------------------------------------

def test_qping_says_by_its_exit_status_whether_a_daemon_answers(cell):
    wait(lambda: HOST in cell.ok("qhost") and " - " not in cell.ok("qhost").splitlines()[3], "the execd")
    bare = cell.refused("qping")
    assert bare.err.startswith("SGE 9.0.0\nusage: qping ") and bare.err.endswith("\nERROR! no option argument\n")
    assert cell.refused("qping", HOST).err.endswith("ERROR! no option argument\n")
    wait(lambda: re.search(r"(?m)^status: +0$", cell.ok("qping", "-info")), "a scheduler")
    said_of_it = cell.ok("qping", "-info")
    assert re.search(r"(?m)^info: +core: R .*\| OK$", said_of_it) and re.search(r"(?m)^run time \[s\]: +\d+$", said_of_it)
    wrong = cell.refused("qping", "-info", HOST, "6555", "qmaster", "1")
    assert said(wrong) == (1, f"endpoint {HOST}/qmaster/1 at port 6555: can't find connection\n",
                           f'got select error: Connection refused\ngot select error: closing "{HOST}/qmaster/1"\n')
    assert said(cell.run("qping", "-info", HOST, "x", "qmaster", "1")) == (1, f"endpoint {HOST}/qmaster/1 at port 0: no valid port number\n", "")
    assert said(cell.run("qping", "-info", HOST, "6444", "qmaster", "2")) == (
        1, f"endpoint {HOST}/qmaster/2 at port 6444: can't find connection\n",
        f'access denied: local endpoint "{HOST}/qmaster/1" doesn\'t match requested endpoint "{HOST}/qmaster/2"\n')
    assert said(cell.run("qping", "-info", "nohost", "6445", "execd", "1")) == (1, "", "could not resolve hostname nohost\n")
    of_execd = cell.ok("qping", "-info", HOST, "6445", "execd", "1")
    assert re.search(r"(?m)^status: +0$", of_execd) and re.search(r"(?m)^info: +sge_execd: R .*\| OK$", of_execd)
    wait(lambda: re.search(r"(?m)^execd turns: +[1-9]", cell.ok("qping", "-info", HOST, "6445", "execd", "1")), "figures of the execd's loop")
    cell.kill("sge_execd")
    wait(lambda: cell.run("qping", "-info", HOST, "6445", "execd", "1").code == 1, "the end of the execd")


# ---- what administrators did ----------------------------------------------------------------------------------------

def test_each_change_leaves_a_line_in_the_log(cell):
    """Who, from where, of what, which attributes; and what is refused leaves none."""
    boss, log = cell.owner, cell.dir / "spool/qmaster/messages"
    who = f"{boss}@{HOST}"

    def lines():
        return [line.split("|", 3)[3] for line in log.read_text().splitlines()]

    cell.ok("qconf", "-rattr", "queue", "slots", "3", "all.q", user=boss)
    wait(lambda: f'I|{who} modified "all.q" in cluster queue list: slots' in lines(), "a line for a queue")
    cell.ok("qconf", "-mattr", "pe", "slots", "12", "smp", user=boss)
    wait(lambda: f'I|{who} modified "smp" in parallel environment list: slots' in lines(), "a line for a parallel environment")
    cell.configure(qmaster_params="MAX_DYN_EC=9,MAX_DYN_EK=9")
    wait(lambda: f'I|{who} modified "global" in configuration list: qmaster_params' in lines(), "a line for a configuration")
    assert [line for line in lines() if line.startswith(f'W|{who}: qmaster_params: "MAX_DYN_EK" is unknown')]
    cell.ok("qmod", "-d", "all.q", user=boss)
    wait(lambda: f'I|{who} changed state of "all.q@{HOST}" (disabled)' in lines(), "a line for qmod")
    had = lines()
    cell.refused("qconf", "-mattr", "queue", "slots", "x", "all.q", user=boss)
    cell.run("qconf", "-dq", "nosuch.q", user=boss)
    cell.ok("qconf", "-am", "carl", user=boss)
    wait(lambda: f'I|{who} added "carl" to manager list' in lines(), "a line for a manager")
    assert lines()[len(had):] == [f'I|{who} added "carl" to manager list']


def test_settings_that_nobody_knows_are_kept_and_named(cell):
    """Configurations of other sites load: what is not known is stored, and said."""
    boss, path = cell.owner, cell.files / "theirs"
    path.write_text(cell.ok("qconf", "-sconf") + "libjvm_path /usr/lib/libjvm.so\n")
    text = cell.configuration(execd_params="H_MEMORYLOKED=INFINITY").read_text() + "libjvm_path /usr/lib/libjvm.so\n"
    (cell.files / "global").write_text(text)
    loaded = cell.run("qconf", "-Mconf", cell.files / "global", user=boss)
    assert loaded.code == 0, str(loaded)
    assert 'warning: attribute "libjvm_path" is unknown: it is stored, but has no effect\n' in loaded.err
    assert ('warning: execd_params: "H_MEMORYLOKED" is unknown: it is stored, but has no effect; did you mean "H_MEMORYLOCKED"?\n') in loaded.err
    cell.restart_master()
    assert re.search(r"(?m)^libjvm_path +/usr/lib/libjvm.so$", cell.ok("qconf", "-sconf"))
    for word, value in (("yes", "TRUE"), ("n", "FALSE"), ("T", "TRUE"), ("0", "FALSE")):
        cell.ok("qconf", "-rattr", "queue", "rerun", word, "all.q", user=boss)
        assert re.search(rf"(?m)^rerun +{value}$", cell.ok("qconf", "-sq", "all.q"))
    assert cell.run("qsub", "-h", "-P", "", "-b", "y", "true").code == 0


def test_a_host_that_a_group_names_stays(cell):
    cell.ok("qconf", "-rattr", "queue", "hostlist", "NONE", "all.q", user=cell.owner)
    assert cell.refused("qconf", "-de", HOST, user=cell.owner).err == f'Host object "{HOST}" is still referenced in host group "@allhosts".\n'


def test_limits_of_the_site_are_those_of_tasks(cell):
    cell.configure(execd_params="S_DESCRIPTORS=100,H_DESCRIPTORS=200,H_MAXPROC=4000")
    out = cell.files / "limits"
    job = cell.qsub("-o", out, "-j", "y", "-S", "/bin/sh", "-b", "y", "ulimit -Sn; ulimit -Hn; cat /proc/self/limits")
    wait(lambda: cell.run("qstat", "-j", job).code == 1, "the end of the job")
    lines = out.read_text().splitlines()
    assert lines[:2] == ["100", "200"]
    assert [line.split()[2:4] for line in lines if line.startswith("Max processes")][0][1] == "4000"


def test_a_scheduler_works_for_its_qmaster_only(cell):
    result = cell.run("sge_schedd")
    assert (result.code, result.out) == (1, "") and result.err.endswith("sge_schedd runs only as a child of sge_qmaster, which starts it\n")


def test_daemons_name_the_option_that_they_do_not_have(cell):
    for program in ("sge_qmaster", "sge_schedd", "sge_execd", "sge_shepherd"):
        assert cell.ok(program, "-help").splitlines()[1] == f"usage: {program} [options]"
        result = cell.run(program, "-zzz")
        assert (result.code, result.out) == (1, "")
        assert result.err.splitlines()[0] == f'{program}: invalid option argument "-zzz"'
