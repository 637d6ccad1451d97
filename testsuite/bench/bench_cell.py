"""Cells of their own, for figures that would disturb those of the others."""
import os
import re
import socket
from pathlib import Path

SLOTS = 64
QUIET = ["-o", "/dev/null", "-j", "y"]


def free_port():
    with socket.socket() as any_socket:
        any_socket.bind(("127.0.0.1", 0))
        return any_socket.getsockname()[1]


class BenchCell:
    """Cell NAME with SLOTS slots, which runs. BENCH has the programs and the place; ADMIN are options of `sge_cell create`."""

    def __init__(self, bench, name, admin, slots=1, **environment):
        self.bench, self.dir, self.place = bench, bench.root / name, bench.place / name
        self.environment = bench.environment | {"SGE_CELL": name} | environment
        self.place.mkdir()
        bench.opened.append(self)
        self.cell("create", "--slots", slots, "--ignore-load", *admin)
        self.cell("start")

    def run(self, *argv):
        return self.bench.run(*argv, environment=self.environment, cwd=self.place)

    def cell(self, *words):
        self.run(self.bench.root / "util/sge_cell", *words)

    def accounting(self):
        return self.dir / "common/accounting"

    def submit(self, *options):
        """Of jobs that do nothing; returns the number of the job."""
        return self.run(self.bench.bin / "qsub", "-terse", *options, *QUIET, "-b", "y", "/bin/true").split(".")[0].strip()

    def end(self):
        self.cell("destroy", "--force")

    # ---- the qmaster and its scheduler, seen from outside
    def pid(self):
        return (self.dir / "spool/qmaster/qmaster.pid").read_text().strip()

    def process(self, file):
        return Path(f"/proc/{self.pid()}/{file}").read_text()

    def resident_bytes(self, pid=None):
        """What a process has of its own: the qmaster, or PID."""
        return int(re.search(r"RssAnon:\s+(\d+)", Path(f"/proc/{pid or self.pid()}/status").read_text())[1]) * 1024

    def schedd_pid(self):
        children = [pid for thread in Path(f"/proc/{self.pid()}/task").iterdir() for pid in (thread / "children").read_text().split()]
        return next(pid for pid in children if Path(f"/proc/{pid}/comm").read_text() == "sge_schedd\n")

    def processor_s(self):
        user, system = self.process("stat").rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
