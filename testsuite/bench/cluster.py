"""Ten thousand hosts that are not there, those of sge_simhost(8), in a cell of their own: what a cluster of that size costs its qmaster."""
import re
import statistics
import subprocess
import time

from bench_cell import BenchCell, free_port

HOSTS, SLOTS, TASKS = 10_000, 4, 40_000
STAGES, WIDTH, PARTS = 3, 333_340, 10  # a million tasks, measured in ten parts
LOAD_EVERY, LOAD_FOR = 40, 20  # seconds: what a host lets pass between two reports, and how long is measured
HOST = """hostname {}
load_scaling NONE
complex_values NONE
user_lists NONE
xuser_lists NONE
projects NONE
xprojects NONE
usage_scaling NONE
report_variables NONE
"""


class Cluster(BenchCell):
    """Made by the first figure that asks for it."""

    hosts = None

    def __init__(self, bench, admin):
        super().__init__(bench, "cluster", admin)
        self.bytes_alone, self.bytes_of_host, self.tenths = 0, 0, None
        self.cell("host", "add", "sim", "--port", free_port())  # an authority and a port
        self.make_hosts()

    def make_hosts(self):
        names = self.run(self.bench.bin / "sge_simhost", "-hosts", HOSTS, "-issue").split()
        records, group = self.place / "hosts", self.place / "group"
        records.mkdir()
        for name in names:
            (records / name).write_text(HOST.format(name))
        group.write_text(f"group_name @sim\nhostlist {' '.join(names)}\n")
        self.run(self.bench.bin / "qconf", "-Ae", records)
        self.run(self.bench.bin / "qconf", "-Ahgrp", group)
        self.run(self.bench.bin / "qconf", "-rattr", "queue", "hostlist", "@sim", "all.q")
        self.run(self.bench.bin / "qconf", "-mattr", "queue", "slots", SLOTS, "all.q")

    # ---- its hosts
    def leave(self):
        if self.hosts:
            self.hosts.terminate()
            self.hosts.communicate()
        self.hosts = None

    def join(self):
        """All hosts at once; returns the seconds until the last is registered."""
        self.leave()
        self.bytes_alone = self.bytes_alone or self.resident_bytes()
        self.hosts = subprocess.Popen([self.bench.bin / "sge_simhost", "-hosts", str(HOSTS), "-load", str(LOAD_EVERY)], env=self.environment,
                                      cwd=self.place, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                      start_new_session=True)
        said = self.hosts.stdout.readline()
        return float(re.fullmatch(r"\d+ hosts registered after ([0-9.]+) s\n", said)[1])

    def ready(self):
        if not self.hosts:
            self.join()
        return self

    def wait_for_all(self, at, tasks):
        self.bench.wait_records(tasks, at, self.accounting())
        return self

    # ---- figures
    def bytes(self):
        """Of the qmaster's memory, for each host that is connected: of the first that join, as later the cache of the database is in it."""
        self.bytes_of_host = self.bytes_of_host or (self.ready().resident_bytes() - self.bytes_alone) / HOSTS
        return self.bytes_of_host

    def load(self):
        """The part of one processor that the load reports of all hosts take."""
        before = self.ready().processor_s()
        time.sleep(LOAD_FOR)
        return (self.processor_s() - before) / LOAD_FOR

    def task(self):
        """From the submit to the last record, for each task; tasks end as they start."""
        at, start = self.ready().accounting().stat().st_size, time.monotonic()
        self.submit("-t", f"1-{TASKS}")
        self.wait_for_all(at, TASKS)
        return (time.monotonic() - start) / TASKS

    def stages(self):
        """A million tasks in three stages, task by task: returns the seconds that each tenth of them took."""
        at, last, beyond, took = self.ready().accounting().stat().st_size, time.monotonic(), 0, []
        before = self.submit("-t", f"1-{WIDTH}")
        for _ in range(STAGES - 1):
            before = self.submit("-t", f"1-{WIDTH}", "-hold_jid_ad", before)
        with open(self.accounting(), "rb") as file:
            file.seek(at)
            for _ in range(PARTS):
                beyond = self.bench.wait_lines(file, STAGES * WIDTH // PARTS - beyond)
                took.append(time.monotonic() - last)
                last += took[-1]
        return took

    def million(self):
        """From the submit to the last record, for each task of them."""
        self.tenths = self.stages()
        return sum(self.tenths) / (STAGES * WIDTH)

    def flat(self):
        """How much longer the last tenth took than the median tenth."""
        tenths, self.tenths = self.tenths or self.stages(), None
        return tenths[-1] / statistics.median(tenths)

    def end(self):
        self.leave()
        super().end()
