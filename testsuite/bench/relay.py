"""What a command costs that goes through the relay of the execution daemon of another host."""
import socket
import time

from hosts import Hosts

HOST, SUBMITS = "bench-relay", 300


class Relay(Hosts):
    def __init__(self, bench, admin):
        super().__init__(bench, "relay", [HOST], admin)

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
        return float(self.run(*self.on(HOST, *self.submits()))) / SUBMITS
