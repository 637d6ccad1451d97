"""More hosts on this machine, each with a name of its own, in a cell of their own; and what it costs that tasks run on several."""
import subprocess
import time

from bench_cell import SLOTS, BenchCell, free_port


class Hosts(BenchCell):
    """A cell and the execution daemons of hosts NAMES. Needs root, who may name a host."""

    def __init__(self, bench, cell, names, admin):
        self.daemons = []
        super().__init__(bench, cell, admin, HOME="/")
        bench.login_shells("none", self.environment)
        port = free_port()
        for name in names:
            self.cell("host", "add", name, "--port", port)
        for name in names:
            self.start(name)

    def start(self, name):
        papers, authority = self.dir / "spool" / name / "tls", self.dir / "spool/qmaster/authority"
        papers.parent.mkdir()
        self.run(self.bench.bin / "sge_ca", "issue", authority, "host", name, papers)
        daemon = subprocess.Popen(self.on(name, self.bench.bin / "sge_execd"), env=self.environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.daemons.append(daemon)
        self.wait_for(self.dir / "spool" / name / "relay.sock", daemon)

    def on(self, name, *argv):
        """ARGV as a command of host NAME, which does not see the qmaster's socket."""
        come_there = f"hostname {name} && mount -t tmpfs none '{self.dir}/spool/qmaster' && exec \"$@\""
        return ["unshare", "--uts", "--mount", "sh", "-c", come_there, "sh", *map(str, argv)]

    @staticmethod
    def wait_for(path, daemon):
        end = time.monotonic() + 60
        while not path.exists():
            if time.monotonic() > end or daemon.poll() is not None:
                raise TimeoutError(f"{path} does not come")
            time.sleep(0.02)

    def end(self):
        for daemon in self.daemons:
            daemon.terminate()
        for daemon in self.daemons:
            daemon.wait()
        super().end()


class FourHosts(Hosts):
    """As many slots as the cell of one host has, on four."""

    NAMES = [f"bench-{number}" for number in range(1, 5)]

    def __init__(self, bench, admin):
        super().__init__(bench, "four", self.NAMES, admin)
        self.run(bench.bin / "qconf", "-rattr", "queue", "hostlist", " ".join(self.NAMES), "all.q")
        self.run(bench.bin / "qconf", "-rattr", "queue", "slots", SLOTS // len(self.NAMES), "all.q")

    def four(self):
        """array5000 over four hosts."""
        return self.bench.array_seconds(5000, environment=self.environment, accounting=self.accounting())
