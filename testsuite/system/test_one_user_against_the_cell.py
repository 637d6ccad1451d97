"""Alice, who has no rights, does her worst to root's cell. Nobody but her is refused or slowed, no daemon ends, and memory comes back.

A canary (canary.py) is bob: it reads and submits, and reports as an execd, while she is at it. SGE_TEST_LONG=1: all of it in full size."""
import itertools
import os
import pwd
import re
import signal
import subprocess

import pytest

from cell import wait
from faults import LONG, SmallDisk, Strace, flood, log_lines
from siege import ATTACKER, HONEST, attack, besieged, holding, nobody_is_hurt, running, start_bounded, without_execd

BIG_ARRAY = "1-10000000"


@pytest.fixture
def full_cell(make_cell, pytestconfig):
    return besieged(make_cell, pytestconfig)


@pytest.fixture
def cell(full_cell):
    """The same for attacks on the qmaster: the canary reports in the place of the execd."""
    return without_execd(full_cell)


# ---- memory follows the bytes that came -----------------------------------------------------------------------------

def test_a_request_that_claims_more_than_it_has(cell):
    with nobody_is_hurt(cell):
        for _ in range(3):
            attack(cell, "count", 38)


def test_a_request_of_the_cheapest_elements(cell):
    with nobody_is_hurt(cell):
        attack(cell, "fill", 25)


def test_messages_begun_and_never_ended(cell):
    with nobody_is_hurt(cell), holding(cell, "half", 40, 38):
        pass


def test_frames_of_a_stranger_s_release_that_never_says_what_they_mean(cell):
    with nobody_is_hurt(cell), holding(cell, "unsorted", 60, 38):
        pass


def test_texts_that_need_not_be_kept(cell):
    with nobody_is_hurt(cell):
        attack(cell, "strings", 60, 30)


def test_a_long_request_id(cell):
    with nobody_is_hurt(cell):
        assert attack(cell, "id", 30).startswith(("refused", "lost"))


@pytest.mark.parametrize("field, count", [("binding", 10_400_000), pytest.param("args", 10_000_000, marks=pytest.mark.long),
                                          pytest.param("path", 10_000_000, marks=pytest.mark.long), ("env", 2_000_000)])
def test_jobs_of_empty_elements(cell, field, count):
    with nobody_is_hurt(cell):
        attack(cell, "list", field, count, 3)


def test_jobs_with_long_scripts(cell):
    """What one user's jobs may take of the spool is limited; the refusal names the limit."""
    cell.configure(qmaster_params="MAX_USER_SPOOL=100M")
    said = attack(cell, "script", 15, 20)
    agreed, refused = map(int, re.match(r"(\d+) agreed, (\d+) refused", said).groups())
    assert 3 <= agreed <= 6 and agreed + refused == 20, said
    assert "MAX_USER_SPOOL" in cell.run("qsub", "-h", stdin="#" * (15 << 20), user=ATTACKER).err
    cell.qsub("-h", "-b", "y", "/bin/true")


def test_nobody_waits_for_long_scripts(cell):
    with nobody_is_hurt(cell):
        attack(cell, "script", 15, 40)


@pytest.mark.parametrize("connections", [pytest.param(1, marks=pytest.mark.long), 25])
def test_reads_whose_answers_nobody_reads(cell, connections):
    flood(cell, 3000, user="olga")
    with nobody_is_hurt(cell), holding(cell, "pipe", connections, 30000 // connections):
        pass


# ---- time follows a budget ------------------------------------------------------------------------------------------

def test_forty_thousand_words_that_mean_everybody_s_jobs(cell):
    flood(cell, 3000, user="olga")
    with nobody_is_hurt(cell):
        attack(cell, "words", 40000)


def test_a_name_of_brackets(cell):
    flood(cell, 100, user="olga")
    with nobody_is_hurt(cell):
        attack(cell, "pattern", 400_000)


def test_a_queue_of_brackets(full_cell):
    """Here the scheduler would have to match it: it is still the same afterwards, and finds a place for bob."""
    with nobody_is_hurt(full_cell, kinds=("read", "submit")):
        attack(full_cell, "queue_pattern", 450_000)
        full_cell.wait_gone(full_cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true"))


def test_names_of_nobody_for_users_of_none(cell):
    with nobody_is_hurt(cell):
        attack(cell, "users", 30000, 60000)


def test_deleting_ranges_with_a_step_of_another_s_array(cell):
    array = cell.held_array("big", BIG_ARRAY)
    with nobody_is_hurt(cell):
        assert attack(cell, "ranges", array, 40).startswith("refused")


def test_deleting_every_other_task_of_an_array(cell):
    array = cell.held_array("big", BIG_ARRAY, user=ATTACKER)
    successor = cell.held_array("next", BIG_ARRAY, "-hold_jid_ad", array, user=ATTACKER)
    with nobody_is_hurt(cell):
        cell.ok("qdel", f"{array}.2-10000000:4", user=ATTACKER)
        cell.ok("qdel", f"{array}.1-10000000:3", user=ATTACKER)
        cell.ok("qdel", array, successor, user=ATTACKER)


def test_a_context_of_sixty_thousand_names(cell):
    job = cell.qsub("-h", "-b", "y", "/bin/true", user=ATTACKER)
    with nobody_is_hurt(cell):
        attack(cell, "context", job, 60000)


def test_jobs_that_wait_for_all_others(cell):
    count = 6000 if LONG else 2000
    with nobody_is_hurt(cell):
        attack(cell, "barrier", count, timeout=600)
        cell.ok("qdel", "-u", ATTACKER, user=ATTACKER, timeout=600)
        wait(lambda: not cell.ok("qstat", "-u", ATTACKER), "her jobs to go", 300)


def predecessors(cell, job):
    """How many jobs qstat -j says that it waits for."""
    line = re.search(r"^jid_predecessor_list: +(.*)$", cell.ok("qstat", "-j", job, user=ATTACKER), re.M)
    return len(line[1].split(",")) if line else 0


def test_a_job_that_waits_for_a_hundred_thousand(cell):
    count = 100_000 if LONG else 20_000
    flood(cell, count, user=ATTACKER)
    with nobody_is_hurt(cell):
        barrier = cell.qsub("-h", "-o", "/dev/null", "-j", "y", "-b", "y", "-hold_jid", "*", "/bin/true", user=ATTACKER)
        assert predecessors(cell, barrier) == count
        cell.ok("qalter", "-hold_jid", "", barrier, user=ATTACKER)
        assert predecessors(cell, barrier) == 0
        cell.ok("qalter", "-hold_jid", "*,[a-z]*,?*", barrier, user=ATTACKER)
        assert predecessors(cell, barrier) == count
        cell.ok("qdel", "-u", ATTACKER, user=ATTACKER, timeout=600)
        wait(lambda: not cell.ok("qstat", "-u", ATTACKER), "her jobs to go", 300)


def test_a_cycle_over_millions_of_links(cell):
    count = 2000 if LONG else 1000  # each waits for all before it
    attack(cell, "barrier", count, timeout=600)
    jobs = sorted(int(line.split()[0]) for line in cell.ok("qstat", "-u", ATTACKER).splitlines()[2:])
    other = cell.qsub("-h", "-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true", user=ATTACKER)
    with nobody_is_hurt(cell):
        for _ in range(5):
            refused = cell.run("qalter", "-hold_jid", jobs[-1], jobs[0], user=ATTACKER)
            assert refused.code == 1 and "would generate a dependency cycle" in refused.out + refused.err
            cell.ok("qalter", "-hold_jid", jobs[-1], other, user=ATTACKER)


def test_an_array_that_ten_thousand_arrays_wait_for(cell):
    count = 10_000 if LONG else 4000
    array = cell.held_array("first", "1-8", user=ATTACKER)
    flood(cell, count, "-h", "-t", "1-8", "-hold_jid_ad", array, "-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true", user=ATTACKER)
    last = cell.ok("qstat", "-u", ATTACKER).splitlines()[-1].split()[0]

    def waits(task):
        return re.search(rf"(?<!\d){array}\.{task}(?!\d)", cell.ok("qstat", "-j", f"{last}.{task}", "-why", user=ATTACKER))

    assert waits(7) and waits(8)
    with nobody_is_hurt(cell):
        for task in range(1, 8):
            cell.ok("qdel", f"{array}.{task}", user=ATTACKER)
        wait(lambda: not waits(7), "the last of them to be released", 60)
        assert waits(8)
        cell.ok("qdel", array, user=ATTACKER)


def test_a_thousand_readers(cell):
    readers, jobs, seconds = (1000, 100_000, 30) if LONG else (200, 10_000, 5)
    flood(cell, jobs, user="olga")
    with nobody_is_hurt(cell), running(cell, "readers", readers, seconds):
        pass


# ---- threads that serve everybody wait for nobody -------------------------------------------------------------------

def test_names_that_take_ten_seconds(make_cell, pytestconfig):
    """64 users whom the name service takes its time for: they wait for themselves."""
    if pytestconfig.no_users:
        pytest.skip(f"impossible here: {pytestconfig.no_users}")
    cell = make_cell(owner="root", user=HONEST, start=False)
    cell.ok("sge_cell", "start", user="root", env={"LD_PRELOAD": str(cell.test_program("libslownames.so"))})
    without_execd(cell)
    crowd = ("setpriv", "--clear-groups", "--regid=70000")
    with nobody_is_hurt(cell):
        strangers = [cell.start_program(*crowd, f"--reuid={70000 + n}", cell.test_program("attack"), "idle", 1, user="root",
                                        stdin=subprocess.PIPE) for n in range(64)]
        for stranger in strangers:
            stranger.communicate(timeout=60)


# ---- fair shares ----------------------------------------------------------------------------------------------------

def called(user):
    """How the log may call somebody: by number, as long as the name service has not said who it is."""
    return rf"user ({user}|{pwd.getpwnam(user).pw_uid})\b"


def test_idle_connections_of_two_users(cell):
    count = 10_000 if LONG else 2000
    with nobody_is_hurt(cell), holding(cell, "idle", count), holding(cell, "idle", count, user="olga"):
        cell.ok("qstat", user="root")
        cell.ok("qstat")
        wait(lambda: log_lines(cell, rf"{called(ATTACKER)}.* too many connections, the limit is"), "a line in the log")


def test_one_user_s_connections_fill_the_server(make_cell, pytestconfig):
    """Where nothing limits each user but the server's own end: root works, and a manager, even one it has never heard of; others wait."""
    if pytestconfig.no_users:
        pytest.skip(f"impossible here: {pytestconfig.no_users}")
    cell = make_cell(owner="root", user=HONEST)
    cell.ok("qconf", "-am", "olga", user="root")
    cell.configure(qmaster_params="MAX_USER_CONNECTIONS=100000")
    cell.sge_cell("stop")
    cell.ok("sh", "-c", "ulimit -n 600 && exec sge_cell start", user="root")  # less 256 of its own and a quarter for the privileged
    with holding(cell, "idle", 400):
        wait(lambda: log_lines(cell, "there are too many connections, the limit is 258; only root, hosts and managers can connect"),
             "the server to be full")
        other = cell.start_program("qstat")
        wait(lambda: log_lines(cell, rf"connection of {called(HONEST)}.*: there are too many connections"),
             "somebody else to be refused")
        job = cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true", user="root")
        wait(lambda: job not in jobs_of(cell, "root"), "root's job to run")
        held = cell.qsub("-h", "-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true", user="olga")
        assert jobs_of(cell, "olga") == [held]
        assert other.poll() is None, other.communicate()
    assert other.communicate(timeout=60)[1] == "" and other.returncode == 0  # alice has gone


def jobs_of(cell, user):
    return [int(line.split()[0]) for line in cell.ok("qstat", "-u", "*", user=user).splitlines()[2:]]


def test_a_user_at_the_limit_of_connections(cell):
    with nobody_is_hurt(cell), holding(cell, "idle", 128):
        refused = cell.start_program("qstat", user=ATTACKER)
        wait(lambda: log_lines(cell, rf"connection of {called(ATTACKER)}.* its user has too many connections, the limit is 128$"), "a line in the log")
        assert refused.poll() is None, refused.communicate()
    assert refused.communicate(timeout=60)[1] == "" and refused.returncode == 0


def test_malformed_connections_leave_few_lines(cell):
    count = 100_000 if LONG else 3000
    with nobody_is_hurt(cell):
        attack(cell, "garbage", count, timeout=900)
    assert len(log_lines(cell, f"connection of user {ATTACKER}")) < (300 if LONG else 60)


# ---- proof, not guesses ---------------------------------------------------------------------------------------------

def test_every_verb_with_nothing_to_work_on(cell):
    cell.qsub("-h", "-b", "y", "/bin/true", user=ATTACKER)
    cell.qsub("-h", "-b", "y", "/bin/true")
    before = cell.ok("qconf", "-sq", "all.q"), cell.ok("qconf", "-sm"), cell.states().keys()
    with nobody_is_hurt(cell):
        said = attack(cell, "empty")
        assert "lost" not in said, [line for line in said.splitlines() if "lost" in line]
    assert (cell.ok("qconf", "-sq", "all.q"), cell.ok("qconf", "-sm")) == before[:2]


def test_every_kind_of_frame(full_cell):
    """Nobody becomes the scheduler or an execd by saying so: jobs go on being started by ours."""
    with nobody_is_hurt(full_cell, kinds=("read", "submit")):
        attack(full_cell, "kinds")
        full_cell.wait_gone(full_cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true"))


def test_script_and_environment_are_the_owner_s(cell):
    job = cell.qsub("-h", "-v", "TOKEN=secret", stdin="#!/bin/sh\necho classified\n")
    assert "secret" not in attack(cell, "leak", job) and "classified" not in attack(cell, "leak", job)
    assert "secret" not in cell.ok("qstat", "-j", job, user=ATTACKER)
    assert "secret" in attack(cell, "leak", job, user=HONEST) and "classified" in attack(cell, "leak", job, user="root")


def test_a_request_file_in_a_directory_of_everybody_s(full_cell):
    """What alice leaves in a place like /tmp does not count for bob."""
    place = full_cell.files / "shared"
    place.mkdir()
    place.chmod(0o1777)
    full_cell.ok("sh", "-c", f'echo "-N planted -h" >"{place}/.sge_request"', user=ATTACKER)
    job = full_cell.qsub("-N", "honest", "-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true", cwd=place)
    full_cell.wait_gone(job)
    assert full_cell.accounting()[-1]["job_name"] == "honest"


CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def test_what_is_printed_has_no_control_characters_of_users(cell):
    attack(cell, "inject")
    shown = "".join(cell.ok("qstat", *options) for options in (["-j", "*"], ["-u", "*", "-ext"], ["-u", "*", "-r"]))
    assert not CONTROL.search(shown), [line for line in shown.splitlines() if CONTROL.search(line)]
    assert not re.search(r"^fake_line:", shown, re.M)


# ---- execd and shepherds --------------------------------------------------------------------------------------------

LOCKER = """
import fcntl, glob, os, sys
held = {}
print("ready", flush=True)
os.set_blocking(0, False)
while True:
    try:
        if os.read(0, 1) == b"":
            break
    except BlockingIOError:
        pass
    for path in glob.glob(sys.argv[1] + "/active_jobs/*/pid") + [sys.argv[1] + "/execd.pid"]:
        try:
            fd = os.open(path, os.O_RDONLY)
        except OSError:
            continue
        inode = os.fstat(fd).st_ino
        if inode in held:
            os.close(fd)
            continue
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            held[inode] = fd
        except OSError:
            os.close(fd)
print(len(held), flush=True)
"""


def test_locks_of_the_execd_s_files_are_not_hers(full_cell):
    """She takes every lock that she can get: bob's jobs start all the same, and so does the next execd."""
    host = os.uname().nodename
    process = full_cell.start_program("/usr/bin/python3", "-c", LOCKER, full_cell.dir / "spool" / host, user=ATTACKER,
                                      stdin=subprocess.PIPE)
    try:
        assert process.stdout.readline() == "ready\n"
        for _ in range(3):
            full_cell.wait_gone(full_cell.qsub("-t", "1-8", "-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true"))
        full_cell.kill("sge_execd", signal.SIGTERM)
        start_bounded(full_cell)
        full_cell.wait_gone(full_cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true"))
    finally:
        process.communicate(timeout=30)
    assert {row["failed"] for row in full_cell.accounting()} == {"0"}


def test_a_running_task_is_found_again_whatever_she_locks(full_cell):
    """The lock on the file "pid" says that it runs: she may neither keep it from the next execd nor stand in for the shepherd."""
    host = os.uname().nodename
    job = full_cell.array("A", "1", gated=[1])
    full_cell.wait_note("start", "A", 1)
    process = full_cell.start_program("/usr/bin/python3", "-c", LOCKER, full_cell.dir / "spool" / host, user=ATTACKER,
                                      stdin=subprocess.PIPE)
    try:
        assert process.stdout.readline() == "ready\n"
        full_cell.kill("sge_execd")
        start_bounded(full_cell)
        full_cell.open("A", 1, 3)
        full_cell.wait_gone(job)
    finally:
        held, _ = process.communicate(timeout=30)
    assert int(held) <= 1, "only execd.pid is for everybody to read, and nothing is decided by its lock"
    assert [(row["failed"], row["exit_status"]) for row in full_cell.accounting()] == [("0", "3")]


def test_a_job_with_a_huge_environment(full_cell):
    """Its start is its own affair: bob's jobs start and end beside it."""
    with nobody_is_hurt(full_cell, kinds=("read", "submit")):
        attack(full_cell, "list", "env", 16000, 1)
        full_cell.ok("qrls", "-u", ATTACKER, user=ATTACKER)
        for _ in range(5):
            full_cell.wait_gone(full_cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true"), seconds=10)


REFILLER = """
import os, select, sys
os.makedirs(sys.argv[1], exist_ok=True)
directory = os.open(sys.argv[1], os.O_RDONLY)
print("ready", flush=True)
n = 0
while not select.select([0], [], [], 0)[0]:
    for n in range(n, n + 1000):
        try:
            os.close(os.open(f"{os.getpid()}.{n}", os.O_CREAT | os.O_WRONLY, dir_fd=directory))
        except OSError:
            break
"""


def test_a_tmpdir_that_is_there_before_the_job(full_cell):
    """She makes the directory that bob's next job would get, and goes on filling it: his jobs start, and the host goes on."""
    job = full_cell.qsub("-h", "-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true")
    place = full_cell.dir / "tmp" / f"{job}.1.all.q"
    crowd = [full_cell.start_program("/usr/bin/python3", "-c", REFILLER, place, user=ATTACKER, stdin=subprocess.PIPE) for _ in range(3)]
    try:
        with nobody_is_hurt(full_cell, kinds=("read", "submit")):
            full_cell.ok("qrls", job)
            full_cell.wait_gone(full_cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true"), seconds=10)
            full_cell.wait_gone(job, seconds=10)
    finally:
        for process in crowd:
            process.communicate(timeout=60)
    assert {row["failed"] for row in full_cell.accounting() if row["owner"] == HONEST} == {"0"}


def crowd_of(processes):
    """A job of so many processes that take no notice of SIGTERM."""
    return f"trap '' TERM; n=0; while [ $n -lt {processes} ]; do sleep 1000 & n=$((n+1)); done; wait"


def test_a_job_of_many_processes_is_rescheduled_and_deleted(full_cell):
    """However long they take to die, bob's jobs run; each forced start leaves one record."""
    processes = 1500 if LONG else 300
    with nobody_is_hurt(full_cell, kinds=("read", "submit")):
        job = full_cell.qsub("-r", "y", "-o", "/dev/null", "-j", "y", "-b", "y", crowd_of(processes), user=ATTACKER)
        full_cell.wait_state(job, 0, "r")
        full_cell.ok("qmod", "-f", "-rj", job, user=ATTACKER)
        full_cell.wait_gone(full_cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true"))
        wait(lambda: full_cell.tasks(job).get(0) in ("Rr", "Rt"), lambda: f"its second start: {full_cell.tasks(job)}", 60)
        full_cell.ok("qdel", job, user=ATTACKER)
        full_cell.wait_gone(job, seconds=120)
    assert len([row for row in full_cell.accounting() if row["job_number"] == str(job)]) == 2


SHORT_JOB = ["-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true"]
HOOKED = {  # what alice's job is submitted with; {files} is a directory with a library and a script that end who runs them
    "an output directory that is not there": ["-o", "/nonexistent/x", "/bin/true"],
    "an output directory that goes": ["-o", "{files}/hers/out", "/bin/sh", "-c", "chmod 0 {files}/hers"],
    "a library": ["-v", "LD_PRELOAD={files}/libbadpreload.so", "/bin/true"],
    "a start file": ["-v", "BASH_ENV={files}/exit.sh,ENV={files}/exit.sh", "/bin/true"],
}


@pytest.mark.parametrize("hook, what", [("prolog", "an output directory that is not there"), ("epilog", "an output directory that goes"),
                                        *itertools.product(["prolog", "epilog"], ["a library", "a start file"])])
def test_what_is_wrong_with_a_job_is_not_the_queue_s_fault(full_cell, hook, what):
    files = full_cell.files
    full_cell.test_program("libbadpreload.so")
    (files / "exit.sh").write_text("exit 1\n")
    (files / "hook").write_text("#!/bin/bash\n/bin/true\n")
    (files / "hook").chmod(0o755)
    full_cell.ok("mkdir", files / "hers", user=ATTACKER)
    full_cell.ok("qconf", "-rattr", "queue", hook, files / "hook", "all.q", user="root")
    job = full_cell.qsub("-b", "y", "-shell", "n", "-j", "y", *(word.format(files=files) for word in HOOKED[what]), user=ATTACKER)
    wait(lambda: full_cell.tasks(job).get(0) in (None, "Eqw", "Rq", "Rqw"), lambda: f"her job to end: {full_cell.tasks(job)}")
    assert full_cell.tasks(job).get(0) not in ("Rq", "Rqw"), "her job was put back"
    full_cell.wait_gone(full_cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true"))


@pytest.mark.parametrize("hook, failed", [("prolog", "1"), ("epilog", "100")])
def test_a_hook_that_its_owner_kills_is_not_the_queue_s_fault(full_cell, hook, failed):
    files = full_cell.files
    pid = files / "hers" / "pid"
    (files / "hook").write_text(f'#!/bin/sh\n[ "$(id -un)" = {ATTACKER} ] || exit 0\necho $$ >{pid}\nexec sleep 1000\n')
    (files / "hook").chmod(0o755)
    full_cell.ok("mkdir", files / "hers", user=ATTACKER)
    full_cell.ok("qconf", "-rattr", "queue", hook, files / "hook", "all.q", user="root")
    job = full_cell.qsub(*SHORT_JOB, user=ATTACKER)
    wait(lambda: pid.exists() and pid.read_text().endswith("\n"), "the hook to run")
    full_cell.ok("kill", "-9", pid.read_text().strip(), user=ATTACKER)
    wait(lambda: full_cell.tasks(job).get(0) in (None, "Eqw", "Rq", "Rqw"), lambda: f"her job to end: {full_cell.tasks(job)}")
    full_cell.wait_gone(full_cell.qsub(*SHORT_JOB))
    assert [row["failed"] for row in full_cell.accounting() if row["owner"] == ATTACKER] == [failed]



def test_a_tmpdir_that_fills_the_disk(make_cell, pytestconfig):
    """The disk that the whole cell lies on: her job ends, what it wrote goes, and bob can submit again."""
    if pytestconfig.no_users:
        pytest.skip(f"impossible here: {pytestconfig.no_users}")
    cell = make_cell(owner="root", user=HONEST, start=False)
    disk = SmallDisk(cell.dir, 96)
    try:
        cell.start()
        job = cell.qsub("-r", "n", "-o", "/dev/null", "-j", "y", "-b", "y", "cat /dev/zero >$TMPDIR/big", user=ATTACKER)
        wait(lambda: job not in {number for number, _ in cell.states()}, lambda: f"her job to end: {cell.states()}", 60)
        wait(lambda: cell.run("qsub", *SHORT_JOB).code == 0, "a submit to succeed", 60)
        wait(lambda: not cell.states(), lambda: f"bob's job to end: {cell.states()}", 60)
        cell.sge_cell("stop", "--jobs")
    finally:
        disk.unmount()


def test_a_host_without_processes_charges_nobody(full_cell):
    """Its execd can start nothing for a while, whoever took the processes: bob's job waits, and then runs."""
    trace = Strace(full_cell.pid("sge_execd"), full_cell.files / "trace", "-e", "inject=clone,clone3,fork,vfork:error=EAGAIN")
    try:
        job = full_cell.qsub(*SHORT_JOB)
        wait(lambda: "INJECTED" in trace.path.read_text(), "a start to fail")
    finally:
        trace.stop()
    full_cell.wait_gone(job, seconds=60)
    assert [row["failed"] for row in full_cell.accounting()] == ["0"]


def test_h_cpu_holds_for_all_processes_of_a_task(full_cell):
    burn = "for i in 1 2 3 4; do (while :; do :; done) & done; wait"
    job = full_cell.qsub("-l", "h_cpu=2", "-o", "/dev/null", "-j", "y", "-b", "y", burn, user=ATTACKER)
    try:
        full_cell.wait_gone(job, seconds=40)
    finally:
        full_cell.run("qdel", job, user=ATTACKER)
    row = full_cell.accounting()[-1]
    assert float(row["cpu"]) < 6, row


def test_a_pipeline_that_is_deleted_starts_nothing(full_cell):
    """When the jobs are gone that others wait for, these go too, and do not run."""
    flood(full_cell, 450, "-h", "-N", "first", *SHORT_JOB, user=ATTACKER)
    flood(full_cell, 450, "-N", "second", "-hold_jid", "first", *SHORT_JOB, user=ATTACKER)
    with nobody_is_hurt(full_cell, kinds=("read", "submit")):
        full_cell.ok("qdel", "-u", ATTACKER, user=ATTACKER)
        wait(lambda: not full_cell.ok("qstat", "-u", ATTACKER), "her jobs to go", 60)
    assert [row for row in full_cell.accounting() if row["owner"] == ATTACKER and row["start_time"] != "0"] == []


def test_jobs_that_ask_to_run_again_at_once(full_cell):
    """Exit status 99: each time it waits longer, so that the accounting file does not fill the disk."""
    job = full_cell.qsub("-r", "y", "-o", "/dev/null", "-j", "y", "-b", "y", "exit 99", user=ATTACKER)
    wait(lambda: [row for row in full_cell.accounting() if row["job_number"] == str(job)], "its first end")
    for _ in range(10):  # as many short jobs of bob's are the clock
        full_cell.wait_gone(full_cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "sleep 0.3"))
    again = [row for row in full_cell.accounting() if row["job_number"] == str(job)]
    full_cell.ok("qdel", job, user=ATTACKER)
    assert len(again) < 8, len(again)
