"""Clusters of a few hosts on this machine. A host is a set of namespaces: a network, a host name, processes, mounts, /tmp, /var and
/etc/hosts of its own, and an $SGE_ROOT of its own, so that hosts share nothing but the network. To end the first process of its namespace
of processes is to cut its power. Only the test sees the directories of all hosts. Needs root."""
import os
import shutil
import signal
import subprocess
from contextlib import suppress

from cell import Cell, alive, children, descendants, of_thread, wait
from faults import kill_and_wait

NET4, NET6, PORT = "10.117.0.", "fd17::", 6444
NAMES = ["master", "node1", "node2", "node3", "node4"]
KINDS = ["--net", "--uts", "--mount", "--pid", "--ipc"]

# what the first process of a host does: $1 is its name, $2 its directory below /tmp, $3 where users have their homes, $4 where sanitizers report,
# $5 a directory of another host that it shares, if any: as over NFS, files are the same, and sockets in it lead nowhere
FIRST = """
set -e
hostname "$1"
mount --make-rprivate /
mkdir -p "$2/tmp/${2#/tmp/}" "$2/tmp/${3#/tmp/}" "$2/tmp/${4#/tmp/}" "$2/var/tmp"
cp -a "$3/." "$2/tmp/${3#/tmp/}"
chmod -R go+rX "$2/tmp"
chmod 1777 "$2/tmp" "$2/var/tmp"
mount --bind "$2" "$2/tmp/${2#/tmp/}"
mount --bind "$4" "$2/tmp/${4#/tmp/}"
if [ -n "$5" ]; then
    mkdir -p "$2/tmp/${5#/tmp/}"
    mount --bind "$5" "$2/tmp/${5#/tmp/}"
    for socket in $(find "$2/tmp/${5#/tmp/}" -type s); do
        mount --bind "$2/hosts" "$socket"
    done
fi
mount --bind "$2/hosts" /etc/hosts
mount --bind "$2/var" /var
mount --rbind "$2/tmp" /tmp
mount -t proc proc /proc
cat /proc/sys/kernel/random/uuid >"$2/boot_id"
mount --bind "$2/boot_id" /proc/sys/kernel/random/boot_id
ip link set lo up
echo ready
exec sleep infinity
"""


def why_not():
    """None, or why there can be no hosts here."""
    if os.geteuid() != 0:
        return "only root can make network namespaces"
    if not shutil.which("ip"):
        return "there is no ip(8)"
    tried = subprocess.run(["unshare", *KINDS, "--fork", "true"], capture_output=True, text=True)
    return None if tried.returncode == 0 else f"no namespaces: {tried.stderr.strip()}"


class Namespaces:
    """Those of one process, which lasts until they end."""

    def __init__(self, kinds, *argv):
        self.parent = subprocess.Popen(["unshare", *kinds, "--fork", "--kill-child", *argv], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, text=True)
        said = self.parent.stdout.readline()
        assert said == "ready\n", said
        self.first = next(children(self.parent.pid))

    def inside(self, *kinds):
        """What stands before a command that runs there."""
        return ["nsenter", "--target", str(self.first), *kinds]

    def ip(self, *words):
        subprocess.run([*self.inside("--net"), "ip", *words], check=True)

    def end(self):
        self.parent.kill()
        self.parent.wait()
        wait(lambda: not alive(self.first), "the first process of a namespace to end")
        self.parent.stdout.close()


class Entered(subprocess.Popen):
    """A program in the namespaces of a host. Signals are for it, not for nsenter, which waits for it and ends as it did: were nsenter to go first,
    nobody would take the program's end, and its namespace of processes would never be empty."""

    def send_signal(self, sig):
        for pid in list(children(self.pid)) or [self.pid]:
            with suppress(ProcessLookupError):
                os.kill(pid, sig)


class Host(Cell):
    """One host of a cluster, with a cell's programs and files of its own; what it runs, it runs in its namespaces."""

    def __init__(self, cluster, name, shares=None):
        self.shares = shares
        self.cluster, self.hostname, self.number = cluster, name, NAMES.index(name) + 1
        self.place = cluster.place / name
        self.place.mkdir()
        super().__init__(cluster.installed, self.place, "root", "alice")
        self.place.joinpath("hosts").write_text(cluster.hosts_file())
        self.execd = None
        if shares:
            self.root = shares.root
        self.boot()

    def boot(self):
        self.spaces = Namespaces(KINDS, "sh", "-c", FIRST, "sh", self.hostname, str(self.place), str(self.cluster.homes), str(self.reports),
                                 str(self.shares.root) if self.shares else "")
        self.cluster.plug(self)

    def power_off(self):
        self.spaces.end()
        self.execd = None

    def popen(self, argv, program, **arguments):
        user, group = arguments.pop("user", 0), arguments.pop("group", 0)
        arguments.pop("extra_groups", None)
        become = ["setpriv", "--reuid", str(user), "--regid", str(group), "--clear-groups"] if user else []
        where = [f"--wdns={arguments.pop('cwd')}"]
        return Entered([*self.spaces.inside(*KINDS, *where), *become, program, *argv[1:]], **arguments)

    def start_execd(self):
        with open(self.place / "execd.out", "a", encoding="utf-8") as out:
            self.execd = self.start_program("sge_execd", user="root", stdout=out, stderr=out)

    def kill_execd(self):
        """kill -9"""
        self.execd.kill()
        self.execd.wait()

    def processes(self, program):
        """[pid] of those that run PROGRAM there, as the test sees them: they have other numbers in their namespace."""
        return [pid for pid in descendants(self.spaces.first) if of_thread(pid, pid, "comm").strip() == program]

    def kill_qmaster(self):
        """kill -9; afterwards it is gone, with its locks."""
        kill_and_wait(self.processes("sge_qmaster"))

    def messages_of(self, daemon):
        return (self.dir / "spool" / daemon / "messages").read_text(errors="replace")

    def link(self, state):
        """The host's cable: up or down."""
        self.cluster.switch.ip("link", "set", f"port{self.number}", state)


    def move(self):
        """The host has other addresses from now on, without a word to those at the old ones."""
        number = self.number + len(NAMES)
        for old, new, bits in ((f"{NET4}{self.number}", f"{NET4}{number}", 24), (f"{NET6}{self.number}", f"{NET6}{number}", 64)):
            self.spaces.ip("address", "del", f"{old}/{bits}", "dev", "eth0")
            self.spaces.ip("address", "add", f"{new}/{bits}", "dev", "eth0", *(["nodad"] if bits == 64 else []))


class Cluster:
    """A switch, and hosts on it. The first is the qmaster's."""

    def __init__(self, installed, place, homes):
        self.installed, self.place, self.homes = installed, place, homes
        self.hosts = {}
        self.switch = Namespaces(["--net"], "sh", "-c", "ip link add bridge type bridge && ip link set bridge up && echo ready && exec sleep infinity")
        self.master = self.add_host("master")

    @staticmethod
    def hosts_file():
        lines = [f"{NET4}{number} {name}\n{NET6}{number} {name}\n" for number, name in enumerate(NAMES, 1)]
        return "127.0.0.1 localhost\n" + "".join(lines)

    def add_host(self, name, shares=None):
        """A host with nothing of a cell; SHARES: another one, whose $SGE_ROOT it has."""
        self.hosts[name] = Host(self, name, shares)
        return self.hosts[name]

    def plug(self, host):
        port, number = f"port{host.number}", host.number
        self.switch.ip("link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", str(host.spaces.first))
        self.switch.ip("link", "set", port, "master", "bridge", "up")
        host.spaces.ip("address", "add", f"{NET4}{number}/24", "dev", "eth0")
        host.spaces.ip("address", "add", f"{NET6}{number}/64", "dev", "eth0", "nodad")
        host.spaces.ip("link", "set", "eth0", "up")

    def start(self, slots=2):
        """The qmaster's host, with an authority and a port."""
        master = self.master
        master.create(slots)
        spool = master.dir / "spool/qmaster"
        master.ok("sge_ca", "make", spool / "authority", user="root")
        master.ok("sge_ca", "issue", spool / "authority", "qmaster", "master", spool / "tls", user="root")
        subprocess.run(["chown", "-R", f"--reference={spool}", spool / "authority", spool / "tls"], check=True)
        self.know_port(master)
        master.start()
        master.ok("qconf", "-mattr", "queue", "tmpdir", "/tmp", "all.q", user="root")

    @staticmethod
    def know_port(host):
        with open(host.dir / "common/bootstrap", "a", encoding="utf-8") as bootstrap:
            bootstrap.write(f"qmaster_port {PORT}\n")

    def join(self, name, slots=2, starts=True):
        """One more host, which the administrator has made known and given a certificate."""
        host, master = self.add_host(name), self.master
        host.create(slots)
        self.know_port(host)
        (host.dir / "common/act_qmaster").write_text("master\n")
        self.issue(host)
        described = master.files / name
        attributes = "load_scaling complex_values user_lists xuser_lists projects xprojects usage_scaling report_variables".split()
        described.write_text(f"hostname {name}\n" + "".join(f"{attribute} NONE\n" for attribute in attributes))
        for words in (["-ah", name], ["-as", name], ["-Ae", described], ["-aattr", "hostgroup", "hostlist", name, "@allhosts"]):
            master.ok("qconf", *words, user="root")
        if starts:
            host.start_execd()
        return host

    def set_silence(self, seconds):
        self.master.configure(qmaster_params=f"HOST_SILENCE={seconds}")

    def issue(self, host, days=30, name=None):
        """A certificate for HOST in the name NAME, which may be another's."""
        papers = self.master.files / f"papers.{host.hostname}"
        self.master.ok("sge_ca", "issue", self.master.dir / "spool/qmaster/authority", "host", name or host.hostname, papers, days, user="root")
        to = host.dir / "spool" / host.hostname / "tls"
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(papers, to)

    def end(self):
        for host in self.hosts.values():
            if alive(host.spaces.first):
                host.power_off()
            host.close_gates()
        self.switch.end()

    def load_values(self, name):
        """What the qmaster has heard of a host."""
        return self.master.ok("qconf", "-se", name)

    def wait_registered(self, name, seconds=20):
        wait(lambda: "load_values           NONE" not in self.load_values(name), lambda: self.load_values(name), seconds)
