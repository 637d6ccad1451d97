#!/usr/bin/python3 -B
"""bench.py BUILD [--dir DIR] [--rounds N] [NAME...] - submit, run, release: beside the machine's own limits.

Every round measures all baselines and all figures once, so that a noisy minute hits both. Printed are the medians with the
spread, then the same as JSON lines. The spool lies on the file system on which `sync` is measured; a tmpfs is refused, since
there a sync costs nothing. Shells of tasks are no login shells (but in array5000_login), as in the baselines."""
import argparse
import contextlib
import getpass
import json
import os
import pwd
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from bench_cell import QUIET, SLOTS
from cluster import Cluster
from holes import Holes
from hosts import FourHosts
from jobs import Jobs
from relay import Relay

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
STOP_S = 10  # that a program has to end when a signal has come
WAITED = 10_000  # tasks that one session waits for
SPAWN = 0.0008  # where limits of plain times and rates were set; what is mostly starts of programs is held against the spawn of the same run


class Signals:
    """A signal becomes an exit, so that what was started is ended; but for those that the caller has us ignore (nohup, a shell's `&`)."""

    def __init__(self):
        self.is_held, self.waiting = False, None
        for number in ENDING:
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self.end)

    def end(self, number, _):
        if self.is_held:
            self.waiting = number
            return
        for each in ENDING:
            signal.signal(each, lambda *_: None)  # a second one must not interrupt the end
        sys.exit(128 + number)

    @contextlib.contextmanager
    def held(self):
        """They wait until a program that starts within is known, since it could not be ended before; or until the end is complete."""
        if threading.current_thread() is not threading.main_thread():  # which has no signals
            yield
            return
        was_held, self.is_held = self.is_held, True
        try:
            yield
        finally:
            self.is_held = was_held
        if self.waiting is not None and not was_held:
            self.end(self.waiting, None)


def end_group(process):
    """PROCESS and all that it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_S)


class Bench:
    def __init__(self, build, place, signals):
        self.signals = signals
        self.place, self.root = place, place / "root"
        self.limits, self.parent = build / "testsuite/bench/limits", build / "testsuite/bench/parent"
        self.sched_ends = build / "testsuite/bench/sched_ends"
        self.sched_consumables = build / "testsuite/bench/sched_consumables"
        self.sched_scale, self.scales = build / "testsuite/bench/sched_scale", {}
        self.brackets = build / "testsuite/bench/brackets"
        self.drmaa_rate = build / "testsuite/bench/drmaa_rate"
        self.session_scale = build / "testsuite/bench/session_scale"
        self.flood = build / "testsuite/system/flood"
        self.config_scale, self.scaled = build / "testsuite/bench/config_scale", {}
        subprocess.run(["meson", "install", "-C", str(build), "--no-rebuild", "--quiet"], check=True,
                       env=os.environ | {"DESTDIR": str(self.root)})
        arch = subprocess.run([self.root / "util/arch"], capture_output=True, text=True, check=True).stdout.strip()
        self.bin = self.root / "bin" / arch
        self.environment = os.environ | {"SGE_ROOT": str(self.root), "SGE_CELL": "default", "PATH": f"{self.bin}:{os.environ['PATH']}"}
        self.accounting = self.root / "default/common/accounting"
        self.longest = 0.0  # of the rows of sched_scale in this round
        self.cells, self.slowest_release = {}, None
        self.opened = []  # cells of their own, from before they are made

    def run(self, *argv, timeout=600, environment=None, cwd=None):
        """The output of ARGV. It is out of reach of the terminal's signals: what it started is ended with it here."""
        process = None
        try:
            with self.signals.held():
                process = subprocess.Popen([str(a) for a in argv], env=environment or self.environment, cwd=cwd or self.place, text=True,
                                           start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
            out, err = process.communicate(timeout=timeout)
        except BaseException:
            if Path(argv[0]).name == "sge_cell" and process is not None:  # its daemons are known when it has ended
                process.communicate(timeout=timeout)
            elif process is not None:
                end_group(process)
            raise
        if process.returncode != 0:
            raise subprocess.CalledProcessError(process.returncode, process.args, out, err)
        return out

    def cell(self, *words):
        self.run(self.root / "util/sge_cell", *words)

    def limit(self, mode, count, *more):
        """Seconds for each of COUNT repetitions of a baseline."""
        return float(self.run(self.limits, mode, count, *more)) / count

    def submit(self, *options, environment=None):
        return self.run(self.bin / "qsub", "-terse", *options, environment=environment).split(".")[0].strip()

    def wait_records(self, count, start, accounting=None):
        """Until the accounting file has COUNT records more than at START bytes; returns nothing."""
        with open(accounting or self.accounting, "rb") as file:
            file.seek(start)
            self.wait_lines(file, count)

    @staticmethod
    def wait_lines(file, count):
        """Until FILE has COUNT lines more; returns how many there are beyond them."""
        end = time.monotonic() + 600
        while count > 0:
            found = file.read().count(b"\n")
            count -= found
            if not found:
                if time.monotonic() > end:
                    raise TimeoutError(f"{count} accounting records are missing")
                time.sleep(0.002)
        return -count

    def login_shells(self, which, environment=None):
        """Which shells of jobs read the site's profiles. The baselines' `sh -c` reads none, so neither do the tasks compared with them."""
        lines = [f"login_shells {which}" if line.startswith("login_shells") else line
                 for line in self.run(self.bin / "qconf", "-sconf", environment=environment).splitlines() if not line.startswith("#")]
        (self.place / "global").write_text("\n".join(lines) + "\n")
        self.run(self.bin / "qconf", "-Mconf", self.place / "global", environment=environment)

    def seconds_for(self, records, act, accounting=None):
        """From before ACT until its tasks have all their accounting records."""
        at, start = (accounting or self.accounting).stat().st_size, time.monotonic()
        act()
        self.wait_records(records, at, accounting)
        return time.monotonic() - start

    def array_seconds(self, tasks, *options, environment=None, accounting=None):
        """Of each task of an array that does nothing, in this cell or another."""
        def act():
            self.submit("-t", f"1-{tasks}", *options, *QUIET, "-b", "y", "/bin/true", environment=environment)
        return self.seconds_for(tasks, act, accounting) / tasks

    # ---- baselines
    def spawn(self):
        return self.limit("spawn", 1000, "/bin/true")

    def spawn64(self):
        return self.limit("spawn64", 3000)

    def login64(self):
        return self.limit("login64", 2000)

    def chain64(self):
        with tempfile.TemporaryDirectory(dir=self.place) as scratch:
            return self.limit("chain64", 3000, scratch, self.parent)

    def handover(self):
        """What `release` measures, without a workload manager: a plain parent starts the same shells."""
        return statistics.median(self.handovers(lambda notes: self.run(self.limits, "handover", 100, notes)))

    def handovers(self, act):
        """Seconds from the last act of A.i to the first of B.i, ascending, as the programs of ACT stamp them into the file that it gets."""
        notes = self.place / "stamps"
        notes.write_text("")
        notes.chmod(0o666)
        act(notes)
        at = {(word, task): int(when) for word, task, when in map(str.split, notes.read_text().splitlines())}
        return sorted((at["start", task] - at["end", task]) / 1e9 for word, task in at if word == "end")

    def sync(self):
        return self.limit("sync", 500, self.place)

    # ---- figures
    def qsub1000(self):
        """1,000 qsub processes in a row; the jobs are held, so that only submitting is measured."""
        each = self.limit("spawn", 1000, self.bin / "qsub", "-h", *QUIET, "-b", "y", "/bin/true")
        self.run(self.bin / "qdel", "-u", getpass.getuser())
        return each

    def qsub_at_once(self, clients):
        """The same from several shells at a time."""
        each = self.limit("spawn_at_once", 2000, clients, self.bin / "qsub", "-h", *QUIET, "-b", "y", "/bin/true")
        self.run(self.bin / "qdel", "-u", getpass.getuser())
        return each

    def qsub4(self):
        return self.qsub_at_once(4)

    def qsub16(self):
        return self.qsub_at_once(16)

    def qsub_sync(self):
        """`qsub -sync y` of a program that does nothing: from the start of qsub to its end."""
        return self.limit("spawn", 100, self.bin / "qsub", "-sync", "y", *QUIET, "-b", "y", "/bin/true")

    def restart(self):
        """A killed qmaster with 10,000 pending jobs: from its start until the scheduler and the execution daemon are connected. All have tried
        in vain for 1.5 s before."""
        self.run(self.limits, "spawn_at_once", 10_000, 16, self.bin / "qsub", "-h", *QUIET, "-b", "y", "/bin/true")
        os.kill(int((self.root / "default/spool/qmaster/qmaster.pid").read_text().split()[0]), signal.SIGKILL)
        time.sleep(1.5)
        start = time.monotonic()
        self.cell("start")
        took = time.monotonic() - start
        self.run(self.bin / "qdel", "-u", getpass.getuser())
        return took

    def array5000(self):
        return self.array_seconds(5000)

    def array5000_program(self):
        """The same without a shell."""
        return self.array_seconds(5000, "-shell", "n")

    def daemons_task(self):
        """Processor time of the qmaster, the scheduler and the execution daemon for a task of such an array."""
        before = self.daemons_seconds()
        self.array_seconds(5000, "-shell", "n")
        return (self.daemons_seconds() - before) / 5000

    def daemons_seconds(self):
        """Of processor time that the daemons of the cell have had; the first number of schedstat is in ns, and a thread's."""
        pids = [path.read_text().split()[0] for path in (self.root / "default/spool").glob("*/*.pid")]
        threads = [thread for pid in pids for thread in Path(f"/proc/{pid}/task").iterdir()]
        children = {child for thread in threads for child in (thread / "children").read_text().split()}
        threads += [thread for pid in children if Path(f"/proc/{pid}/comm").read_text() == "sge_schedd\n" for thread in Path(f"/proc/{pid}/task").iterdir()]
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9

    def array5000_login(self):
        """The same as cells are made: the shell of each task is a login shell, which reads /etc/profile."""
        self.login_shells("sh,bash,ksh,csh,tcsh")
        try:
            return self.array5000()
        finally:
            self.login_shells("none")

    def three(self, *dependency, program=("/bin/true",)):
        def act():
            last = None
            for _ in range(3):
                after = [*dependency, last] if dependency and last else []
                last = self.submit("-t", "1-500", *after, *QUIET, "-b", "y", *program)
        return self.seconds_for(1500, act)

    def chain3x500(self):
        return self.three("-hold_jid_ad")

    def sleep3x500(self):
        """1,500 shells that sleep 0.1 s, 64 at a time, without a workload manager: 2.34 s where processes start in no time."""
        return self.limit("spawn_at_once", 1500, SLOTS, "sh", "-c", "/bin/sleep 0.1") * 1500

    def chain3x500_long(self):
        """The chain with tasks of 0.1 s."""
        return self.three("-hold_jid_ad", program=("/bin/sleep", "0.1"))

    def free3x500(self):
        return self.three()

    def release(self):
        """From the last act of A.i to the first of B.i, with slots free; the median of 100."""
        def submit(notes):
            a = self.submit("-t", "1-100", "-tc", "1", *QUIET, "-b", "y", self.limits, "stamp", notes, "end", 30)
            self.submit("-t", "1-100", "-hold_jid_ad", a, *QUIET, "-b", "y", self.limits, "stamp", notes, "start", 0)
        took = self.handovers(lambda notes: self.seconds_for(200, lambda: submit(notes)))
        self.slowest_release = took[-2]
        return statistics.median(took)

    def release_slow(self):
        """The slowest but one of the 100 that were measured last."""
        if self.slowest_release is None:
            self.release()
        slowest, self.slowest_release = self.slowest_release, None
        return slowest

    def sched_end(self):
        """In the scheduler alone: the end of a task and the start of the next, while 100,000 jobs wait, each of a category of its own."""
        return float(self.run(self.sched_ends, 100000, 2000)) / 2000

    def sched_end_one(self):
        """The same with one category."""
        return float(self.run(self.sched_ends, 1, 20000)) / 20000

    def sched_consumables_1000(self):
        """CPU of the scheduler for 1,000 jobs that ask for 20 consumables each, in amounts of their own, over 1,000 hosts."""
        return float(self.run(self.sched_consumables, 1000, 1000, 0))

    def sched_consumables_crowded(self):
        """The same while half of the hosts, those with the most slots, have nothing left of one of them."""
        return float(self.run(self.sched_consumables, 1000, 1000, 1))

    def scale(self, row, figure):
        """FIGURE of a ROW of sched_scale, which measures its figures together, once in a round."""
        if figure not in self.scales.get(row, {}):
            self.scales[row] = {name: float(value) for name, value in map(str.split, self.run(self.sched_scale, row).splitlines())}
            self.longest = max(self.longest, self.scales[row]["longest"])
        return self.scales[row].pop(figure)

    def sched_flat(self):
        """What a task that starts costs while a million jobs wait, against a thousand."""
        few = self.scale("flat", "flat_1000")
        return self.scale("flat", "flat_1000000") / few

    def sched_array(self):
        """An array of 100,000 tasks with a share tree, against the same without."""
        without = self.scale("array", "array")
        return self.scale("array", "array_tree") / without

    def sched_longest(self):
        """The longest time in which the scheduler took no event, in the rows before."""
        longest, self.longest = self.longest, 0.0
        return longest

    def brackets_10000(self):
        """A pattern of 10,000 words with brackets, against one name."""
        return float(self.run(self.brackets, 10000))

    def brackets_20000(self):
        """Of twice as many: it may take twice as long."""
        return float(self.run(self.brackets, 20000))

    def submit_single(self):
        return self.limit("spawn", 50, self.bin / "qsub", "-h", *QUIET, "-b", "y", "/bin/true")

    def submit_10m(self):
        """Arrays of ten million tasks, each dependent on such an array."""
        a = self.submit("-h", "-t", "1-10000000", *QUIET, "-b", "y", "/bin/true")
        each = self.limit("spawn", 50, self.bin / "qsub", "-t", "1-10000000", "-hold_jid_ad", a, *QUIET, "-b", "y", "/bin/true")
        self.run(self.bin / "qdel", "-u", getpass.getuser())
        return each

    def drmaa_run(self):
        """drmaa_run_job, one after the other."""
        return float(self.run(self.drmaa_rate, "run", 1, 1000)) / 1000

    def drmaa_run8(self):
        """The same from 8 threads of one session."""
        return float(self.run(self.drmaa_rate, "run", 8, 8000)) / 8000

    def drmaa_wait(self):
        """A bulk job whose tasks are waited for one by one."""
        return float(self.run(self.drmaa_rate, "wait", WAITED)) / WAITED

    def drmaa_tasks(self):
        """The same tasks, and nobody waits: what is missing to drmaa_wait is what a session costs."""
        return self.seconds_for(WAITED, lambda: self.submit("-t", f"1-{WAITED}", *QUIET, "-b", "y", "-shell", "n", "/bin/true")) / WAITED

    def drmaa_sessions(self):
        """What 1,000 sessions that are watched add to a task's end, in the qmaster's core alone."""
        took = dict(line.split() for line in self.run(self.session_scale).splitlines())
        return max(0.0, float(took["sessions"]) - float(took["jobs"]))

    def config(self, name):
        """10,000 hosts in 20 nested host groups, 10 queues on all of them: in the qmaster's core alone. One run gives all the figures of a round."""
        if name not in self.scaled:
            rows = [line.split() for line in self.run(self.config_scale).splitlines()]
            self.scaled = {what: float(whole) for what, whole, _ in rows} | {"slice": max(float(longest) for _, _, longest in rows)}
        return self.scaled.pop(name)

    def of_cell(self, group, figure):
        """A figure of a cell of its own, which the first one makes."""
        if group not in self.cells:
            self.cells[group] = CELLS[group](self, admin_options())
        return getattr(self.cells[group], figure)()

    def __getattr__(self, name):
        """config_X: figure X of config_scale; GROUP_X: figure X of a class of CELLS."""
        group, _, figure = name.partition("_")
        if name in SCALES:
            return lambda: self.scale(*SCALES[name])
        if group == "config":
            return lambda: self.config(figure)
        if group in CELLS:
            return lambda: self.of_cell(group, figure)
        raise AttributeError(name)

    def end(self):
        for destroy in (*(cell.end for cell in self.opened), lambda: self.cell("destroy", "--force")):
            try:
                destroy()
            except subprocess.SubprocessError as failure:
                print(f"bench: a cell stays: {failure}: {getattr(failure, 'stderr', '')}", file=sys.stderr)


SCALES = {  # figure: (the row of sched_scale, what it is called there)
    "sched_full": ("full", "full"),
    "sched_full_end": ("full", "after_end"),
    "sched_full_second": ("full", "second"),
    "sched_mixed": ("full_mixed", "full_mixed"),
    "sched_mixed_end": ("full_mixed", "mixed_after_end"),
    "sched_mixed_second": ("full_mixed", "mixed_second"),
    "sched_million": ("million", "million"),
    "sched_million_bytes": ("million", "million_bytes"),
    "sched_quotas": ("quotas", "quotas"),
    "sched_tree": ("tree", "tree"),
    "sched_tree_sent": ("tree", "tree_sent"),
    "sched_reserved": ("reservations", "reservations"),
    "sched_reserved_anew": ("reservations", "reservations_anew"),
}
CELLS = {"jobs": Jobs, "holes": Holes, "cluster": Cluster, "relay": Relay, "hosts": FourHosts}
BASELINES = ["spawn", "spawn64", "login64", "chain64", "handover", "sync"]


def at_spawn(seconds):
    """What took SECONDS where spawn took SPAWN may take as many spawns here."""
    return lambda m: seconds / SPAWN * m["spawn"]


TARGETS = {  # figure: (the limit in words, the limit in seconds from the medians)
    "qsub1000": ("1.6 spawn + sync", lambda m: 1.6 * m["spawn"] + m["sync"]),
    "qsub4": ("0.83 spawn (1,500/s)", at_spawn(1 / 1500)),
    "qsub16": ("0.63 spawn (2,000/s)", at_spawn(1 / 2000)),
    "qsub_sync": ("6.3 spawn (5 ms)", at_spawn(0.005)),
    "restart": ("0.3 s", lambda m: 0.3),
    "array5000": ("1.2 spawn64", lambda m: 1.2 * m["spawn64"]),
    "array5000_program": ("0.8 spawn64", lambda m: 0.8 * m["spawn64"]),
    "array5000_login": ("1.15 login64", lambda m: 1.15 * m["login64"]),
    "daemons_task": ("0.2 ms", lambda m: 0.0002),
    "free3x500": ("", None),
    "chain3x500": ("1.3 free3x500", lambda m: 1.3 * m["free3x500"]),
    "sleep3x500": ("", None),
    "chain3x500_long": ("1.2 sleep3x500 (2.8 s)", lambda m: 1.2 * m["sleep3x500"]),
    "release": ("3.1 spawn + 2 sync", lambda m: at_spawn(0.0025)(m) + 2 * m["sync"]),
    "release_slow": ("7.5 spawn + 2 sync", lambda m: at_spawn(0.006)(m) + 2 * m["sync"]),
    "sched_end": ("0.2 ms", lambda m: 0.0002),
    "sched_end_one": ("", None),
    "sched_consumables_1000": ("0.3 s", lambda m: 0.3),
    "sched_consumables_crowded": ("0.3 s", lambda m: 0.3),
    "sched_full": ("0.3 s", lambda m: 0.3),
    "sched_full_end": ("2 ms", lambda m: 0.002),
    "sched_full_second": ("", None),
    "sched_mixed": ("0.3 s", lambda m: 0.3),
    "sched_mixed_end": ("2 ms", lambda m: 0.002),
    "sched_mixed_second": ("", None),
    "sched_million": ("3 s", lambda m: 3.0),
    "sched_million_bytes": ("2 GiB", lambda m: 2 << 30),
    "sched_flat": ("1.2", lambda m: 1.2),
    "sched_array": ("1.2", lambda m: 1.2),
    "sched_quotas": ("0.1 s", lambda m: 0.1),
    "sched_tree": ("20 ms", lambda m: 0.020),
    "sched_tree_sent": ("0", lambda m: 0),
    "sched_reserved": ("0.1 s", lambda m: 0.1),
    "sched_reserved_anew": ("0.1 s", lambda m: 0.1),
    "sched_longest": ("50 ms", lambda m: 0.050),
    "brackets_10000": ("", None),
    "brackets_20000": ("2.5 brackets_10000", lambda m: 2.5 * m["brackets_10000"]),
    "submit_single": ("", None),
    "submit_10m": ("as submit_single (1.2)", lambda m: 1.2 * m["submit_single"]),
    "drmaa_run": ("2 sync + 0.2 ms", lambda m: 2 * m["sync"] + 0.0002),
    "drmaa_run8": ("0.2 ms", lambda m: 0.0002),
    "drmaa_wait": ("", None),
    "drmaa_tasks": ("", None),
    "drmaa_sessions": ("1 % of the core each 1,000 ends a second", lambda m: 0.00001),
    "config_host_add": ("5 ms", lambda m: 0.005),
    "config_host_change": ("5 ms", lambda m: 0.005),
    "config_host_move": ("5 ms", lambda m: 0.005),
    "config_group_change": ("", None),
    "config_queue_change": ("", None),
    "config_setting_change": ("", None),
    "config_conf_change": ("", None),
    "config_settings_of_all": ("", None),
    "config_names_of_all": ("", None),
    "config_large_group": ("", None),
    "config_large_tree": ("", None),
    "config_queue_remove": ("20 ms", lambda m: 0.020),
    "config_read_instances": ("", None),
    "config_read_states": ("", None),
    "config_read_hosts": ("", None),
    "config_scheduler": ("", None),
    "config_slice": ("50 ms", lambda m: 0.050),
    "config_start": ("2 s", lambda m: 2.0),
    "config_bytes": ("600 bytes", lambda m: 600),
    "jobs_bytes_fresh": ("1.2 KiB", lambda m: 1.2 * 1024),
    "jobs_bytes": ("1.2 KiB", lambda m: 1.2 * 1024),
    "jobs_list_running": ("20 ms", lambda m: 0.020),
    "jobs_list_nobody": ("20 ms", lambda m: 0.020),
    "jobs_list_all": ("1.5 s", lambda m: 1.5),
    "jobs_list_bytes": ("16 MB", lambda m: 16e6),
    "jobs_kept_bytes": ("a tenth of what they took", lambda m: m["jobs_bytes"] * 100_000),
    "holes_delete": ("0.1 s", lambda m: 0.1),
    "holes_list_all": ("0.1 s", lambda m: 0.1),
    "holes_list_xml": ("0.1 s", lambda m: 0.1),
    "holes_list_held": ("0.1 s", lambda m: 0.1),
    "holes_turn": ("50 ms", lambda m: 0.050),
    "cluster_join": ("20 s", lambda m: 20.0),
    "cluster_bytes": ("30 KiB", lambda m: 30 * 1024),
    "cluster_load": ("5 % of a processor", lambda m: 0.05),
    "cluster_task": ("0.1 ms", lambda m: 0.0001),
    "cluster_million": ("0.1 ms", lambda m: 0.0001),
    "cluster_flat": ("1.2", lambda m: 1.2),
    "relay_local": ("", None),
    "relay_trip": ("", None),
    "relay_qsub": ("_local + _trip + 0.3 ms", lambda m: m["relay_local"] + m["relay_trip"] + 0.0003),
    "hosts_four": ("1.1 array5000", lambda m: 1.1 * m["array5000"]),
}
GROUPS = {group: [name for name in TARGETS if name.startswith(group + "_")] for group in ("config", "drmaa", "sched", *CELLS)}
NEED_ROOT = GROUPS["relay"] + GROUPS["hosts"]
UNITS = {"config_bytes": (1, "B "), "cluster_bytes": (1, "B "), "jobs_bytes_fresh": (1, "B "), "jobs_bytes": (1, "B "), "jobs_list_bytes": (1e-6, "MB"),
         "jobs_kept_bytes": (1e-6, "MB"), "cluster_load": (100, "% "), "cluster_flat": (1, "  "), "sched_million_bytes": (1e-6, "MB"), "sched_flat": (1, "  "), "sched_array": (1, "  "), "sched_tree_sent": (1, "  ")}  # all others are times


def refuse_tmpfs(place):
    kind = subprocess.run(["stat", "-f", "-c", "%T", str(place)], capture_output=True, text=True, check=True).stdout.strip()
    if kind in ("tmpfs", "ramfs"):
        sys.exit(f"bench: {place} is a {kind}: a sync costs nothing there; name another place with --dir")


def show_progress(text):
    """On a terminal, in one line that comes and goes."""
    if sys.stderr.isatty():
        print(f"{text:<40}", end="\r", file=sys.stderr, flush=True)


def report(taken):
    medians = {name: statistics.median(values) for name, values in taken.items()}
    print(f"{'figure':<21} {'median':>10} {'lowest':>10} {'highest':>10}   {'limit':>10}  {'':<24} per second")
    rows = []
    for name, values in taken.items():
        words, limit = TARGETS.get(name, ("", None))
        bound = None
        with contextlib.suppress(KeyError):  # not asked for
            bound = limit(medians) if limit else None
        met = None if bound is None else medians[name] <= bound
        scale, unit = UNITS.get(name, (1e3, "ms"))
        verdict = "" if met is None else f"{bound * scale:8.3f}{unit}  {words:<24}" + (" met" if met else " MISSED")
        spread = " ".join(f"{value * scale:8.3f}{unit}" for value in (medians[name], min(values), max(values)))
        print(f"{name:<21} {spread}   {verdict:<44} " + (f"{1 / medians[name]:.4g}" if unit == "ms" else ""))
        rows.append({"figure": name, "median_s": medians[name], "min_s": min(values), "max_s": max(values), "limit_s": bound, "met": met})
    print(f"\nLimits of plain times are for a machine where spawn takes {SPAWN * 1e3:.1f} ms, not {medians['spawn'] * 1e3:.1f} ms.\n")
    for row in rows:
        print(json.dumps(row))


def admin_options():
    """Measuring makes no user on the machine: without sgeadmin the qmaster of root's cell is root."""
    try:
        pwd.getpwnam("sgeadmin")
        return []
    except KeyError:
        return ["--admin-user", "none"] if os.geteuid() == 0 else []


@contextlib.contextmanager
def opened(build, directory, prefix):
    """A bench with its cell, which runs, in a directory below DIRECTORY; all of it is gone at the end, whatever ends it."""
    signals = Signals()
    place, bench = Path(tempfile.mkdtemp(prefix=prefix, dir=directory)), None
    place.chmod(0o755)
    with contextlib.ExitStack() as end:
        try:
            bench = Bench(build.resolve(), place, signals)
            bench.cell("create", "--slots", str(SLOTS), "--ignore-load", *admin_options())
            bench.cell("start")
            bench.login_shells("none")
            yield bench
        finally:
            try:
                end.enter_context(signals.held())
            finally:  # also if one came just before: then others are ignored
                if bench:
                    bench.end()
                shutil.rmtree(place, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(prog="aimk bench")
    parser.add_argument("--dir", type=Path, default=Path("/var/tmp"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("names", nargs="*", metavar="NAME", help=" ".join([*TARGETS, *GROUPS]))
    build, options = Path(sys.argv[1]), parser.parse_intermixed_args(sys.argv[2:])
    options.names = [name for word in options.names for name in GROUPS.get(word, [word])]
    if unknown := set(options.names) - {*BASELINES, *TARGETS}:
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {' '.join([*BASELINES, *TARGETS, *GROUPS])}")
    refuse_tmpfs(options.dir)
    names = BASELINES + [n for n in TARGETS if n in options.names or not options.names and (n not in NEED_ROOT or os.geteuid() == 0)]
    taken = {name: [] for name in names}
    try:
        with opened(build, options.dir, "sge-bench.") as bench:
            for number in range(options.rounds):
                for name in names:
                    show_progress(f"round {number + 1} of {options.rounds}: {name}")
                    taken[name].append(getattr(bench, name)())
            show_progress("")
            report(taken)
    except subprocess.CalledProcessError as failure:
        sys.exit(f"bench: {' '.join(map(str, failure.cmd))}: {failure.stderr}")


if __name__ == "__main__":
    main()
