"""A second host on this machine, with a name of its own: what a command costs that goes through the relay of the execution daemon there."""
import socket
import subprocess
import time

from cluster import free_port

HOST, SUBMITS = "bench-relay", 300


class Relay:
    """Made by the first figure that asks for it; BENCH has the programs and the place. Needs root, who may name a host."""

    def __init__(self, bench, admin):
        self.bench, self.dir = bench, bench.root / "relay"
        self.environment = bench.environment | {"SGE_CELL": "relay", "HOME": "/"}
        self.cell("create", "--slots", 1, "--ignore-load", *admin)
        self.cell("start")
        self.cell("host", "add", HOST, "--port", free_port())
        papers = self.dir / "spool" / HOST / "tls"
        papers.parent.mkdir()
        self.run(bench.bin / "sge_ca", "issue", self.dir / "spool/qmaster/authority", "host", HOST, papers)
        self.execd = subprocess.Popen(self.there(bench.bin / "sge_execd"), env=self.environment, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for(self.dir / "spool" / HOST / "relay.sock")

    def there(self, *argv):
        """ARGV as a command of the other host, which does not see the qmaster's socket."""
        come_there = f"hostname {HOST} && mount -t tmpfs none '{self.dir}/spool/qmaster' && exec \"$@\""
        return ["unshare", "--uts", "--mount", "sh", "-c", come_there, "sh", *map(str, argv)]

    def wait_for(self, path):
        end = time.monotonic() + 60
        while not path.exists():
            if time.monotonic() > end or self.execd.poll() is not None:
                raise TimeoutError(f"{HOST} does not come")
            time.sleep(0.02)

    def run(self, *argv):
        return self.bench.run(*argv, environment=self.environment)

    def cell(self, *words):
        self.run(self.bench.root / "util/sge_cell", *words)

    def submits(self):
        nobody = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]  # root of another host is not let in
        return [*nobody, self.bench.limits, "spawn", SUBMITS, self.bench.bin / "qsub", "-h", "-o", "/dev/null", "-j", "y", "-b", "y", "/bin/true"]

    # ---- figures
    @staticmethod
    def trip():
        """A round trip between the hosts, which are one machine: what it takes to connect."""
        with socket.create_server(("127.0.0.1", 0), backlog=SUBMITS) as server:
            start = time.monotonic()
            for _ in range(SUBMITS):
                socket.create_connection(server.getsockname()).close()
            return (time.monotonic() - start) / SUBMITS

    def local(self):
        """qsub on the qmaster's host, one after the other."""
        return float(self.run(*self.submits())) / SUBMITS

    def qsub(self):
        """The same on the other host."""
        return float(self.run(*self.there(*self.submits()))) / SUBMITS

    def end(self):
        self.execd.terminate()
        self.execd.wait()
        self.cell("destroy", "--force")
