"""Arrays of ten million tasks, of which every other one is deleted."""
import re

from bench_cell import BenchCell

TASKS = 10_000_000


class Holes(BenchCell):
    """A, and B that depends on it task by task."""

    def __init__(self, bench, admin):
        super().__init__(bench, "holes", admin)
        self.are_there = False

    def seconds(self, command, *options):
        return float(self.run(self.bench.limits, "spawn", 1, self.bench.bin / command, *options))

    def with_holes(self):
        if not self.are_there:
            self.delete()
        return self

    # ---- figures
    def delete(self):
        """Begins a round."""
        if self.are_there:
            self.run(self.bench.bin / "qdel", "-u", "*")
        a = self.submit("-h", "-t", f"1-{TASKS}")
        self.submit("-t", f"1-{TASKS}", "-hold_jid_ad", a)
        self.are_there = True
        return self.seconds("qdel", a, "-t", f"1-{TASKS}:2")

    def list_all(self):
        return self.with_holes().seconds("qstat")

    def list_xml(self):
        return self.with_holes().seconds("qstat", "-xml")

    def list_held(self):
        return self.with_holes().seconds("qstat", "-s", "hd")

    def turn(self):
        """The longest that the core of the qmaster has worked so far without a look at what else there is to do."""
        said = self.with_holes().run(self.bench.bin / "qping", "-info")
        return int(re.search(r"longest turn \[us\]:\s+(\d+)", said)[1]) / 1e6
