"""What jobs that wait cost, up to a million of them: memory, and lists of them."""
import time

from bench_cell import QUIET, BenchCell

FRESH, MANY, AT_ONCE = 10_000, 1_000_000, 256


class Jobs(BenchCell):
    """Each round begins with a qmaster that has just been started and has no job."""

    def __init__(self, bench, admin):
        super().__init__(bench, "jobs", admin)
        self.jobs, self.bytes_empty = None, 0

    def both_bytes(self):
        """Of the qmaster and the scheduler."""
        return self.resident_bytes() + self.resident_bytes(self.schedd_pid())

    def with_jobs(self, count):
        """COUNT jobs wait, which are held; no fewer than there are."""
        if self.jobs is None:
            self.begin()
        if self.jobs < count:
            self.run(self.bench.flood, count - self.jobs, AT_ONCE, "-h", *QUIET, "-b", "y", "/bin/true")
            self.jobs = count
        return self

    def begin(self):
        self.delete_all()
        self.cell("stop")
        self.cell("start")
        self.jobs, self.bytes_empty = 0, self.both_bytes()

    def delete_all(self):
        """Until none is left and the scheduler has heard of it: the daemons sleep."""
        if self.jobs:
            self.run(self.bench.bin / "qdel", "-u", "*")
            before = None
            while before != (before := self.processor_s()):
                time.sleep(0.2)
        self.jobs = None

    def list_s(self, *options):
        """Seconds of one qstat, on average of five."""
        return float(self.run(self.bench.limits, "spawn", 5, self.bench.bin / "qstat", *options)) / 5

    # ---- figures, in the order in which they are measured
    def bytes_fresh(self):
        """What each of the first jobs takes; begins a round."""
        self.begin()
        return (self.with_jobs(FRESH).both_bytes() - self.bytes_empty) / FRESH

    def bytes(self):
        return (self.with_jobs(MANY).both_bytes() - self.bytes_empty) / MANY

    def list_running(self):
        """None runs."""
        return self.with_jobs(MANY).list_s("-s", "r")

    def list_nobody(self):
        return self.with_jobs(MANY).list_s("-u", "nobody")

    def list_all(self):
        return self.with_jobs(MANY).list_s("-u", "*")

    def list_bytes(self):
        """What qstat itself takes for the list of all."""
        return int(self.with_jobs(MANY).run(self.bench.limits, "peak", self.bench.bin / "qstat", "-u", "*")) * 1024

    def kept_bytes(self):
        """What the daemons keep after all have been deleted, beyond what they had before."""
        self.with_jobs(MANY).delete_all()
        return self.both_bytes() - self.bytes_empty
