"""What goes wrong in tests: kills at chosen system calls, slow disks, full disks, submitters that keep on through all of it."""
import collections
import os
import re
import signal
import subprocess
import threading
from contextlib import contextmanager
from pathlib import Path

from cell import alive, descendants, of_thread, threads, wait

LONG = os.environ.get("SGE_TEST_LONG") == "1"  # hours instead of minutes: every step instead of some


# ---- submitters -----------------------------------------------------------------------------------------------------

class Submitter(threading.Thread):
    """Submits one job after the other until told to stop, and keeps what was acknowledged."""

    def __init__(self, cell, number):
        super().__init__()
        self.cell, self.number = cell, number
        self.stop, self.acknowledged, self.refused = threading.Event(), {}, []

    def run(self):
        count = 0
        while not self.stop.wait(0.03):
            count += 1
            name = f"s{self.number}x{count}"
            array = ["-t", "1-3"] if count % 4 == 0 else []
            result = self.cell.run("qsub", "-terse", "-N", name, *array, "-o", "/dev/null", "-j", "y", "-v", "LOG,GATES", self.cell.script)
            if result.code == 0:
                self.acknowledged[name] = (int(result.out.split(".")[0]), 3 if array else 1)
            else:
                self.refused.append(result)


@contextmanager
def submitting(cell, submitters=4):
    """Submitters run during the block; the list of them is bound."""
    threads = [Submitter(cell, number) for number in range(submitters)]
    for thread in threads:
        thread.start()
    try:
        yield threads
    finally:
        for thread in threads:
            thread.stop.set()
        for thread in threads:
            thread.join()


def submit_while(cell, act, submitters=4):
    """Run ACT under SUBMITTERS; returns {name: (job number, tasks)} of what was acknowledged."""
    with submitting(cell, submitters) as threads:
        act()
    return acknowledged_by(threads)


def acknowledged_by(threads):
    return {name: job for thread in threads for name, job in thread.acknowledged.copy().items()}


def check_all_ran_once(cell, acknowledged, seconds=120):
    """No acknowledged job missing, none run twice, no id used twice."""
    wait(lambda: not cell.states(), lambda: f"all jobs to end: {cell.states()}", seconds)
    numbers = [number for number, _ in acknowledged.values()]
    assert len(set(numbers)) == len(numbers)
    starts = collections.Counter(note[1:3] for note in cell.notes("start"))
    assert [task for task, count in starts.items() if count != 1] == []
    records = collections.Counter((row["job_number"], row["task_number"]) for row in cell.accounting())
    assert [task for task, count in records.items() if count != 1] == []
    names = collections.defaultdict(set)
    for row in cell.accounting():
        names[row["job_number"]].add(row["job_name"])
    assert [number for number, who in names.items() if len(who) != 1] == []
    for name, (number, tasks) in acknowledged.items():
        ran = [key for key in starts if key[0] == name]
        assert len(ran) == tasks, (name, number)
        assert names[str(number)] == {name}


# ---- system calls ---------------------------------------------------------------------------------------------------

SYNCS = "fsync,fdatasync,sync_file_range,msync"


def thread_of(pid, name):
    """The thread of PID called NAME ("committer"); all daemons name theirs."""
    for thread in threads(pid):
        if of_thread(pid, thread, "comm").strip() == name:
            return int(thread)
    raise AssertionError(f"{pid} has no thread {name}")


class Strace:
    """strace on a running process, or on one THREAD of it alone; the output is read when it has been stopped."""

    def __init__(self, pid, path, *options, thread=None):
        self.path, self.pid = path, pid
        follow = [] if thread else ["-f"]
        self.process = subprocess.Popen(["strace", *follow, "-q", "-o", str(path), *options, "-p", str(thread or pid)],
                                        stderr=subprocess.PIPE, text=True)
        wait(lambda: self.is_traced([thread] if thread else threads(pid)), "strace to attach")

    def is_traced(self, followed):
        """A strace that has ended without an error was attached: a call that it waited for may come, and kill, at once."""
        if self.process.poll() is not None:
            assert self.process.returncode == 0, self.process.stderr.read()
            return True
        return all("TracerPid:\t0\n" not in of_thread(self.pid, thread, "status") for thread in followed)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.wait(10)
        self.process.stderr.close()
        return self.path.read_text()


@contextmanager
def slow_syncs(cell, milliseconds=500):
    """Every sync of the qmaster takes longer."""
    trace = Strace(cell.pid("sge_qmaster"), cell.files / "trace.slow", "-e", f"trace={SYNCS}", "-e", f"inject={SYNCS}:delay_exit={milliseconds}000")
    try:
        yield trace
    finally:
        trace.stop()


# ---- disks ----------------------------------------------------------------------------------------------------------

class SmallDisk:
    """A file system of MEGABYTES in memory, mounted over a directory that keeps what is in it. Root only; the mount is seen by
    the tests alone."""

    def __init__(self, place, megabytes):
        self.place = place
        aside = place.with_name(place.name + ".aside")
        place.rename(aside)
        place.mkdir()
        owner = aside.stat()
        options = f"size={megabytes}m,mode={owner.st_mode & 0o7777:o},uid={owner.st_uid},gid={owner.st_gid}"
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], check=True)
        subprocess.run(["cp", "-a", f"{aside}/.", str(place)], check=True)
        self.filler = place / "filler"

    def fill(self):
        """Take all that is left, to the last byte."""
        with open(self.filler, "ab", buffering=0) as out:
            for size in (1 << 20, 4096, 1):
                try:
                    while out.write(bytes(size)) == size:
                        pass
                except OSError:
                    pass

    def free_bytes(self):
        fs = os.statvfs(self.place)
        return fs.f_bavail * fs.f_frsize

    def relieve(self):
        self.filler.unlink()

    def unmount(self):
        subprocess.run(["umount", "-l", str(self.place)], check=True)


# ---- many jobs, memory, messages -------------------------------------------------------------------------------------

def flood(cell, count, *options, window=256, user=None):
    """COUNT jobs of USER, held ones if OPTIONS do not say more, as fast as they can be taken; returns the seconds that took."""
    options = options or ("-h", "-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true")
    out = cell.ok(cell.test_program("flood"), count, window, *options, user=user, timeout=600)
    assert out.startswith(f"{count} acknowledged, 0 refused"), out
    return float(out.split()[-2])


def resident_bytes(pid):
    """What a process holds in memory of its own."""
    return int(Path(f"/proc/{pid}/status").read_text().split("RssAnon:")[1].split()[0]) * 1024


def log_lines(cell, pattern, daemon="qmaster"):
    """Lines of a daemon's messages that PATTERN matches."""
    return [line for line in (cell.dir / "spool" / daemon / "messages").read_text(errors="replace").splitlines() if re.search(pattern, line)]


# ---- processes of jobs ----------------------------------------------------------------------------------------------

def shepherds(cell):
    """{"12.1": pid} of the tasks that run on this host."""
    found = {}
    for pid in descendants():
        try:
            name, place = Path(f"/proc/{pid}/comm").read_text().strip(), Path(os.readlink(f"/proc/{pid}/cwd"))
        except OSError:
            continue
        if name == "sge_shepherd" and cell.dir in place.parents:
            found[place.name] = pid
    return found


def kill_and_wait(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    for pid in pids:
        wait(lambda: not alive(pid), f"{pid} to die")
