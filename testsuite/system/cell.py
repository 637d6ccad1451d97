"""A private cell for a test: made, used and removed by the programs that users have."""
import io
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from users import as_user, has_admin

ACCOUNTING = """qname hostname group owner job_name job_number account priority submission_time start_time end_time failed
exit_status ru_wallclock ru_utime ru_stime ru_maxrss ru_ixrss ru_ismrss ru_idrss ru_isrss ru_minflt ru_majflt ru_nswap
ru_inblock ru_oublock ru_msgsnd ru_msgrcv ru_nsignals ru_nvcsw ru_nivcsw project department granted_pe slots task_number
cpu mem io category iow pe_taskid maxvmem arid ar_submission_time""".split()


ARCH = subprocess.run([Path(__file__).resolve().parents[2] / "source/dist/util/arch"], capture_output=True, text=True, check=True).stdout.strip()
TASK_COLUMN = 103  # of qstat's table: ja-task-ID
TOP = Path(__file__).resolve().parents[2]
BUILD = TOP / "-".join(filter(None, ["build", os.environ.get("AIMK_KIND")]))


@dataclass
class Result:
    argv: tuple
    code: int
    out: str
    err: str

    def __str__(self):
        return f"$ {' '.join(self.argv)}\n[exit {self.code}]\n--- stdout\n{self.out}--- stderr\n{self.err}"


def wait(claim, what, seconds=20):
    """Poll CLAIM until it is true, and return what it returned; never longer than SECONDS."""
    end, nap = time.monotonic() + seconds, 0.005
    while True:
        found = claim()
        if found:
            return found
        assert time.monotonic() < end, f"waited {seconds} s in vain: {what() if callable(what) else what}"
        time.sleep(nap)
        nap = min(nap * 1.5, 0.2)


def seconds(act):
    begin = time.monotonic()
    act()
    return time.monotonic() - begin


def quickest(act, times=3):
    """The seconds of the quickest of a few attempts: what else the machine does can only add to them."""
    return min(seconds(act) for _ in range(times))


class Output(io.TextIOWrapper):
    """What a program prints. readline() takes nothing behind its line, so that communicate(), which reads the pipe itself, gets all the rest."""

    def readline(self, size=-1):
        line = bytearray()
        while not line.endswith(b"\n") and (byte := os.read(self.fileno(), 1)):
            line += byte
        return line.decode(errors=self.errors).replace("\r\n", "\n")


class Gate:
    """A named pipe that a task reads one line from: the test decides when the task goes on and with which exit status."""

    def __init__(self, path):
        os.mkfifo(path)
        os.chmod(path, 0o666)
        self.fd = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def open(self, code=0):
        os.write(self.fd, f"{code}\n".encode())


# what gated tasks run: notes its start and end, waits at its gate, exits as the gate says
TASK = """#!/bin/sh
note() { echo "$1 $JOB_NAME $SGE_TASK_ID $(date +%s%N)" >>"$LOG"; }
note start
code=0
gate=$GATES/$JOB_NAME.$SGE_TASK_ID
[ ! -p "$gate" ] || read -r code <"$gate"
note end
exit "$code"
"""


SANITIZED = os.environ.get("AIMK_KIND") in ("asan", "tsan")
SUPPRESSIONS = TOP / "testsuite/checks/tsan.suppressions"
LEAKS = TOP / "testsuite/checks/lsan.suppressions"
SANITIZER_REPORT = re.compile(r"^.*(?:ERROR: \w+Sanitizer|WARNING: ThreadSanitizer|: runtime error: ).*$", re.M)


class Cell:
    def __init__(self, installed, place, owner, submitter, name="default"):
        self.root, self.owner, self.user, self.name = place / "root", owner, submitter, name
        self.reports = Path(tempfile.mkdtemp(prefix="reports.", dir=installed.parent))  # a path without blanks: sanitizers split at them
        self.reports.chmod(0o777)
        copy_tree(installed, self.root)
        self.files = place / "files"
        self.files.mkdir()
        self.files.chmod(0o777)
        self.gates = {}
        self.log = self.files / "log"
        self.log.touch()
        self.log.chmod(0o666)
        self.script = self.files / "task.sh"
        self.script.write_text(TASK)
        self.script.chmod(0o755)
        if os.geteuid() == 0:
            owner_ids = as_user(owner)
            os.chown(self.root, owner_ids.get("user", 0), owner_ids.get("group", 0))

    # ---- running programs
    @property
    def dir(self):
        return self.root / self.name

    def start_program(self, *argv, user=None, env=None, **more):
        """Popen a program of the installation (or of the system) as USER."""
        arguments = as_user(user or self.user)
        arguments["env"] |= {"SGE_ROOT": str(self.root), "SGE_CELL": self.name, "LOG": str(self.log),
                             "GATES": str(self.files)} | self.sanitizer_options() | (env or {})
        arguments["env"]["PATH"] = f"{self.bin}:{self.root}/util:{arguments['env']['PATH']}"
        arguments = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | arguments | more
        process = self.popen([str(a) for a in argv], self.path_of(argv[0]), text=True, errors="backslashreplace", **arguments)
        for pipe in ("stdout", "stderr"):
            if text := getattr(process, pipe):
                setattr(process, pipe, Output(text.detach(), encoding="utf-8", errors="backslashreplace"))
        return process

    @staticmethod
    def popen(argv, program, **arguments):
        """Where programs run: here."""
        return subprocess.Popen(argv, executable=program, **arguments)

    def sanitizer_options(self):
        """What a sanitizer has to say goes to files, so that it is seen whoever's daemon says it."""
        if not SANITIZED:
            return {}
        return {"ASAN_OPTIONS": f"allocator_may_return_null=1:log_path={self.reports}/asan",
                "LSAN_OPTIONS": f"print_suppressions=0:suppressions={LEAKS}",
                "UBSAN_OPTIONS": f"print_stacktrace=1:log_path={self.reports}/ubsan",
                "TSAN_OPTIONS": f"allocator_may_return_null=1:suppressions={SUPPRESSIONS}:log_path={self.reports}/tsan"}

    def sanitizer_reports(self):
        """All reports, but only the text of those; a shepherd, which has an empty environment, writes to its execd's output."""
        if not SANITIZED:
            return []
        outputs = [path.read_text(errors="replace") for path in self.dir.glob("spool/*.out")]
        reports = [path.read_text(errors="replace") for path in sorted(self.reports.iterdir())]
        return [text for text in reports + outputs if SANITIZER_REPORT.search(text)]

    def path_of(self, program):
        for directory in (self.bin, self.root / "util"):
            if (directory / program).exists():
                return str(directory / program)
        return program

    def test_program(self, name):
        """A program of the tests, copied to where all users can reach it: the build may lie in /root."""
        program = self.files / name
        if not program.exists():
            shutil.copy(BUILD / "testsuite/system" / name, program)
        return program

    @property
    def bin(self):
        return self.root / "bin" / ARCH

    def run(self, *argv, timeout=60, stdin=None, **more):
        """Run to the end; any exit status."""
        if stdin is not None:
            more["stdin"] = subprocess.PIPE
        process = self.start_program(*argv, **more)
        try:
            out, err = process.communicate(stdin, timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        return Result(tuple(str(a) for a in argv), process.returncode, out, err)

    def ok(self, *argv, **more):
        """Run, insist on exit status 0, return what it printed."""
        result = self.run(*argv, **more)
        assert result.code == 0, str(result)
        return result.out

    def refused(self, *argv, code=1, **more):
        """Run, insist on failure, return both streams."""
        result = self.run(*argv, **more)
        assert result.code == code, str(result)
        return result

    # ---- the life of the cell
    def sge_cell(self, *argv, **more):
        """A cell of a test takes jobs however busy this machine is, and in an order that does not depend on it."""
        more_of_create = ["--ignore-load"] if argv[0] == "create" else []
        return self.ok("sge_cell", *argv, *more_of_create, user=self.owner, **more)

    def create(self, slots=4):
        self.sge_cell("create", "--slots", slots, *self.admin_options())

    def admin_options(self):
        """Tests make no user on the machine itself: without sgeadmin the qmaster of root's cell is root."""
        return ["--admin-user", "none"] if os.geteuid() == 0 and self.owner == "root" and not has_admin() else []

    def start(self):
        self.sge_cell("start")

    def pid(self, daemon):
        for line in self.run("sge_cell", "status", user=self.owner).out.splitlines():
            name, pid, *_ = line.split()
            if name == daemon and pid != "-":
                return int(pid)
        return None

    def kill(self, daemon, sig=signal.SIGKILL):
        pid = self.pid(daemon)
        assert pid, f"{daemon} does not run"
        os.kill(pid, sig)
        wait(lambda: not alive(pid), f"{daemon} to end")
        return pid

    def configure(self, **values):
        """Set parameters of the global configuration."""
        self.ok("qconf", "-Mconf", self.configuration(**values), user=self.owner)

    def configuration(self, **values):
        """A file with the global configuration where these parameters are set."""
        path = self.files / "global"
        lines = [line for line in self.ok("qconf", "-sconf").splitlines() if not line.startswith(("#", *values))]
        path.write_text("\n".join([*lines, *(f"{name} {value}" for name, value in values.items())]) + "\n")
        return path

    def restart_master(self):
        """kill -9 and start again."""
        self.kill("sge_qmaster")
        self.start()

    def destroy(self):
        if (self.dir / "common/bootstrap").exists():
            self.sge_cell("destroy", "--force")

    def close_gates(self):
        for gate in self.gates.values():
            os.close(gate.fd)
        self.gates = {}

    def messages(self):
        """What the daemons, the tasks and the accounting file said, for the report of a failed test."""
        parts = []
        if (self.bin / "qstat").exists():
            try:
                detail = self.run("qstat", "-j", "*", timeout=20).out.splitlines()
                parts = [line for line in detail if line.startswith(("job_number", "error reason"))]
                parts.append(self.run("qstat", "-u", "*", "-g", "d", timeout=20).out)
            except subprocess.TimeoutExpired:
                parts = ["the qmaster does not answer"]
        papers = [*sorted(self.dir.glob("spool/**/messages")), *sorted(self.dir.glob("spool/*.out")), self.log, self.dir / "common/accounting"]
        for path in filter(Path.exists, papers):
            parts.append(f"==> {path} <==\n" + "\n".join(path.read_text(errors="replace").splitlines()[-30:]))
        return "\n".join(parts)

    # ---- jobs
    def qsub(self, *argv, **more):
        """Submit; returns the job number."""
        out = self.ok("qsub", *argv, **more)
        found = re.search(r'^Your job(?:-array)? (\d+)(?:\.\d+-\d+:\d+)? \(".*"\) has been submitted$', out, re.M)
        assert found, out
        return int(found.group(1))

    def array(self, name, tasks, *options, gated=(), **more):
        """Submit the noting script as an array; tasks in GATED wait at their gates."""
        for task in gated:
            self.gates[name, task] = Gate(self.files / f"{name}.{task}")
        return self.qsub("-N", name, "-t", tasks, "-o", "/dev/null", "-j", "y", "-v", "LOG,GATES", *options, self.script, **more)

    def held_array(self, name, tasks, *options, **more):
        """An array that stays pending: its tasks have a user hold."""
        return self.qsub("-h", "-N", name, "-t", tasks, "-o", "/dev/null", "-j", "y", "-b", "y", *options, "/bin/true", **more)

    def open(self, name, task, code=0):
        self.gates[name, task].open(code)

    def states(self, *options):
        """{(job, task): state} of what qstat -g d shows of everybody; task is 0 when the job is no array."""
        table = {}
        for line in self.ok("qstat", "-u", "*", "-g", "d", *options).splitlines()[2:]:
            words = line.split()
            table[int(words[0]), int(line[TASK_COLUMN:].strip() or 0)] = words[4]
        return table

    def tasks(self, job, *options):
        """{task: state} of one job."""
        return {task: state for (number, task), state in self.states(*options).items() if number == job}

    def array_held(self, job):
        """The tasks of JOB that an array dependency holds."""
        return set(self.tasks(job, "-s", "hd"))

    def wait_gone(self, *jobs, seconds=30):
        wait(lambda: not any(number in jobs for number, _ in self.states()),
             lambda: f"jobs {jobs} to end: {self.states()}", seconds)

    def wait_state(self, job, task, state, seconds=20):
        wait(lambda: self.tasks(job).get(task) == state, lambda: f"{job}.{task} to be {state}: {self.tasks(job)}", seconds)

    def notes(self, kind=None):
        """What the tasks wrote themselves: [(start|end, job name, task, nanoseconds)] in order of time."""
        rows = [line.split() for line in self.log.read_text().splitlines()]
        found = [(row[0], row[1], int(row[2]) if row[2] != "undefined" else 0, int(row[3])) for row in rows]
        return sorted((r for r in found if kind in (None, r[0])), key=lambda r: r[3])

    def wait_note(self, kind, name, task, count=1, seconds=20):
        wait(lambda: [r[:3] for r in self.notes()].count((kind, name, task)) >= count,
             lambda: f"{kind} of {name}.{task}: {self.notes()}", seconds)

    def detail(self, job):
        """The lines of qstat -j as {label: value}."""
        pairs = (re.match(r"(.+?):(?:\s+(.*))?$", line) for line in self.ok("qstat", "-j", job).splitlines())
        return {p.group(1): p.group(2) or "" for p in pairs if p}

    def accounting(self):
        """The accounting file as a list of dicts."""
        rows = []
        for line in (self.dir / "common/accounting").read_text().splitlines():
            if not line.startswith("#"):
                fields = line.split(":")
                assert len(fields) in (len(ACCOUNTING), len(ACCOUNTING) + 1), line
                rows.append(dict(zip([*ACCOUNTING, "devices"], fields)))
        return rows


def copy_tree(installed, root):
    """Hard links where that is possible: cells of many tests share one installation."""
    if subprocess.run(["cp", "-al", str(installed), str(root)], capture_output=True).returncode != 0:
        subprocess.run(["rm", "-rf", str(root)], check=True)
        subprocess.run(["cp", "-a", str(installed), str(root)], check=True)


# ---- processes
def alive(pid):
    """A process that has ended but whose threads are not all gone yet counts as alive: it still holds its locks."""
    try:
        is_zombie = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
        return not is_zombie or len(threads(pid)) > 1
    except (FileNotFoundError, ProcessLookupError):
        return False


def threads(pid):
    """[task id] of the threads of PID; none when it is gone."""
    try:
        return os.listdir(f"/proc/{pid}/task")
    except (FileNotFoundError, ProcessLookupError):
        return []


def of_thread(pid, thread, file):
    """What FILE of a THREAD of PID says; nothing when it has ended: it may do so at any moment while it is looked at."""
    try:
        return Path(f"/proc/{pid}/task/{thread}/{file}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def children(pid):
    """Those of its threads that are there when they are looked at."""
    for thread in threads(pid):
        yield from map(int, of_thread(pid, thread, "children").split())


def descendants(pid="self"):
    """All processes below PID that are not zombies."""
    found = []
    for child in children(pid):
        found += ([child] if alive(child) else []) + descendants(child)
    return found


def command_of(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return "gone"
