"""Hosts for the demo: network namespaces on this machine, each with a host name and an execution daemon of its own. They share the
processor, the installation and the directory of the pictures, as the hosts of a render farm share a file server.

Everything happens in namespaces of the demo's own, which enter() makes: the network and the processes outside see nothing of it, and
whatever is left of it ends with the demo. Needs root."""
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

MASTER, PORT, NET = "master", 6444, "10.117.0."
INSIDE = "SGE_DEMO_INSIDE"
ATTRIBUTES = "load_scaling complex_values user_lists xuser_lists projects xprojects usage_scaling report_variables".split()


class NoHosts(Exception):
    """There can be no hosts here; the text says why."""


def enter():
    """Go on as the first host: this program again, in namespaces of its own. Returns there, and only there."""
    if INSIDE in os.environ:
        return
    if os.geteuid() != 0:
        raise NoHosts("hosts need root, who can make network namespaces")
    for program in ("unshare", "nsenter", "setpriv", "ip"):
        if not shutil.which(program):
            raise NoHosts(f"hosts need {program}")
    words = ["unshare", "--net", "--uts", "--mount", "--pid", "--ipc", "--fork"]
    if subprocess.run([*words, "true"], stderr=subprocess.DEVNULL).returncode != 0:
        raise NoHosts("hosts need network namespaces, and this machine allows none")
    sys.exit(stand_before([*words, "--kill-child", "--mount-proc", sys.executable, "-B", *sys.argv]))


def stand_before(argv):
    """Run ARGV to its end; signals go on to what it has started, as unshare keeps them to itself. Returns the status."""
    first = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *argv], env=os.environ | {INSIDE: "yes"})

    def pass_on(number, _):
        for child in Path(f"/proc/{first.pid}/task/{first.pid}/children").read_text().split():
            os.kill(int(child), number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, pass_on)
    return first.wait()


class Hosts:
    """COUNT hosts, node1 and so on, beside the master; RUN runs a program in ENVIRONMENT, that of the cell in directory CELL."""

    def __init__(self, count, run, environment, cell):
        self.names = [f"node{number}" for number in range(1, count + 1)]
        self.run, self.environment, self.cell = run, environment, Path(cell)
        self.spaces, self.execds = {}, []

    def digit(self, host):
        """A host as one letter of a row: its number."""
        return str(self.names.index(host) + 1) if host in self.names else "?"

    # ---- the network
    def wire(self, place):
        """A bridge that the master is on, and a cable from it to each host. PLACE gets the names."""
        addresses = {MASTER: f"{NET}1"} | {name: f"{NET}{number}" for number, name in enumerate(self.names, 2)}
        known = place / "hosts"
        known.write_text("127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in addresses.items()))
        self.run("hostname", MASTER)
        self.run("mount", "--bind", str(known), "/etc/hosts")
        self.run("ip", "link", "set", "lo", "up")
        self.run("ip", "link", "add", "farm", "type", "bridge")
        self.run("ip", "address", "add", f"{addresses[MASTER]}/24", "dev", "farm")
        self.run("ip", "link", "set", "farm", "up")
        for name in self.names:
            self.plug(name, addresses[name])

    def plug(self, name, address):
        space = subprocess.Popen(["unshare", "--net", "--uts", "sh", "-c", f"hostname {name}; echo ready; exec sleep infinity"],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, start_new_session=True)
        space.stdout.readline()
        self.spaces[name] = space
        self.run("ip", "link", "add", f"to-{name}", "type", "veth", "peer", "name", "eth0", "netns", str(space.pid))
        self.run("ip", "link", "set", f"to-{name}", "master", "farm", "up")
        for words in (["link", "set", "lo", "up"], ["address", "add", f"{address}/24", "dev", "eth0"], ["link", "set", "eth0", "up"]):
            self.run(*self.inside(name), "ip", *words)

    def inside(self, name):
        """What stands before a command that runs on host NAME."""
        return ["nsenter", "--target", str(self.spaces[name].pid), "--net", "--uts"]

    # ---- the cell
    def prepare(self):
        """Before the cell starts: an authority, papers for the qmaster and each host, and a port. The master runs no jobs."""
        spool = self.cell / "spool"
        owner = f"--reference={spool / 'qmaster'}"
        self.run("sge_ca", "make", str(spool / "qmaster/authority"))
        self.run("sge_ca", "issue", str(spool / "qmaster/authority"), "qmaster", MASTER, str(spool / "qmaster/tls"))
        for name in self.names:
            self.run("sge_ca", "issue", str(spool / "qmaster/authority"), "host", name, str(spool / name / "tls"))
        self.run("chown", "-R", owner, str(spool / "qmaster/authority"), str(spool / "qmaster/tls"))
        with open(self.cell / "common/bootstrap", "a", encoding="utf-8") as bootstrap:
            bootstrap.write(f"qmaster_port {PORT}\n")

    def join(self, place, slots):
        """After it has started: the hosts become known, and theirs are all slots of the queue."""
        for name in self.names:
            record = place / name
            record.write_text(f"hostname {name}\n" + "".join(f"{attribute} NONE\n" for attribute in ATTRIBUTES))
            self.run("qconf", "-Ae", str(record))
            record.unlink()
        self.run("qconf", "-rattr", "queue", "hostlist", " ".join(self.names), "all.q")
        self.run("qconf", "-mattr", "queue", "slots", str(slots), "all.q")
        for name in self.names:
            self.execds.append(subprocess.Popen([*self.inside(name), "sge_execd"], env=self.environment, stdin=subprocess.DEVNULL,
                                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True))
        self.await_hosts()

    def await_hosts(self):
        deadline = time.monotonic() + 30
        while any("load_values           NONE" in self.run("qconf", "-se", name) for name in self.names):
            if time.monotonic() > deadline:
                raise NoHosts(f"the hosts do not reach the qmaster; see {self.cell}/spool/*/messages")
            time.sleep(0.1)

    def leave(self):
        """The hosts go, before their cell does."""
        for execd in self.execds:
            execd.terminate()
        for execd in self.execds:
            execd.wait()
        for space in self.spaces.values():
            space.kill()
            space.wait()
            space.stdout.close()
