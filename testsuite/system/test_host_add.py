"""sge_cell host add NAME on the qmaster's host prints the command for the new one, which has the programs and nothing of the cell."""
import re

from cell import wait


def add_host(cluster, name, *options):
    """Make NAME known; the words of the command that it is to run."""
    said = cluster.master.sge_cell("host", "add", name, *options)
    return re.search(r"^    \S+/util/sge_cell (join --qmaster \S+ --authority [0-9a-f]{64} --token \S+)$", said, re.M).group(1).split()


def start_cell(cluster):
    cluster.master.create(2)
    cluster.master.start()
    return cluster.master


def said_when_refused(host, words, **how):
    """What sge_cell join says; nothing of a cell stays behind."""
    said = host.refused("sge_cell", *words, user="root", **how).err
    assert not host.dir.exists()
    assert not list(host.dir.parent.glob(f".{host.dir.name}.*"))
    return said


def test_a_host_joins_by_two_commands(bare_cluster):
    """Before the first host the qmaster listens nowhere; then it does, and a task runs on the new host."""
    master = bare_cluster.master
    master.create(2)
    master.start()
    assert "qmaster_port" not in (master.dir / "common/bootstrap").read_text()
    words = add_host(bare_cluster, "node1", "--slots", 3)
    node = bare_cluster.add_host("node1")
    node.sge_cell(*words)
    bare_cluster.wait_registered("node1")
    job = master.qsub("-q", "all.q@node1", "-o", "/tmp/out", "-j", "y", "-b", "y", "-shell", "n", "/bin/uname", "-n")
    master.wait_gone(job)
    assert (node.place / "tmp/out").read_text() == "node1\n"
    assert re.search(r"^all.q@node1 +\S+ +0/0/3 ", master.ok("qstat", "-f"), re.M)


def test_a_host_that_has_joined_runs_its_execd_alone(bare_cluster):
    master = bare_cluster.master
    master.create(2)
    master.start()
    words = add_host(bare_cluster, "node1")
    node = bare_cluster.add_host("node1")
    node.sge_cell(*words)
    rows = [line.split()[0] for line in node.sge_cell("status").splitlines()]
    assert rows == ["daemon", "sge_execd", "jobs"]
    wait(lambda: "execd of node1 registered" in master.messages_of("qmaster"), "the host to come")
    node.sge_cell("stop")
    assert node.run("sge_cell", "status", user="root").code == 1
    wait(lambda: "lost the execd of node1" in master.messages_of("qmaster"), "the qmaster to notice")
    node.sge_cell("start")
    wait(lambda: master.messages_of("qmaster").count("execd of node1 registered") == 2, "the host to come back")


def test_a_token_is_for_one_host_and_one_use(bare_cluster):
    """Whoever has seen the command cannot use it elsewhere, or again; both sides say so. A restart forgets no token."""
    master = start_cell(bare_cluster)
    words = add_host(bare_cluster, "node1")
    node, other = bare_cluster.add_host("node1"), bare_cluster.add_host("node2")
    assert "the qmaster refuses: its token is not valid" in said_when_refused(other, words)
    master.kill_qmaster()
    master.start()
    node.sge_cell(*words)
    assert (node.dir / "spool/node1/tls/key.pem").stat().st_mode & 0o777 == 0o600
    node.sge_cell("stop")
    master.kill_qmaster()
    master.start()
    node.sge_cell("destroy")
    assert "the qmaster refuses: its token is not valid" in said_when_refused(node, words)
    assert "node2 may not join: its token is not valid" in master.messages_of("qmaster")
    assert "host node1 has joined" in master.messages_of("qmaster")
    node.sge_cell(*add_host(bare_cluster, "node1"))


def test_a_host_joins_the_authority_that_it_was_told_of(bare_cluster):
    """Somebody in the middle, with an authority of their own, gets no token."""
    start_cell(bare_cluster)
    words = add_host(bare_cluster, "node1")
    node = bare_cluster.add_host("node1")
    print_at = words.index("--authority") + 1
    lies = [*words[:print_at], "0" * 64, *words[print_at + 1:]]
    assert "has a certificate of another authority" in said_when_refused(node, lies)
    node.sge_cell(*words)


def test_what_is_wrong_with_a_join_is_said(bare_cluster):
    master = start_cell(bare_cluster)
    assert "node 1" in master.refused("sge_cell", "host", "add", "node 1", user="root").err
    assert "the qmaster's host" in master.refused("sge_cell", "host", "add", "master", user="root").err
    words = add_host(bare_cluster, "node1")
    node = bare_cluster.add_host("node1")
    assert "are needed; sge_cell host add, or user add, prints them" in said_when_refused(node, ["join"])
    assert "--token without a value" in said_when_refused(node, words[:-1])
    assert "no token on standard input" in said_when_refused(node, [*words[:-1], "-"])
    assert "cannot reach the qmaster at master:1" in said_when_refused(node, ["join", "--qmaster", "master:1", *words[3:]])


# ---- a shared $SGE_ROOT ---------------------------------------------------------------------------------------------

def share_root(cluster):
    """The qmaster's host and node1 with one $SGE_ROOT: node1 has joined, and its execd runs."""
    master = start_cell(cluster)
    words = add_host(cluster, "node1")
    node = cluster.add_host("node1", shares=master)
    said = node.sge_cell(*words)
    assert 'host node1 is one of cell "default", whose qmaster runs on master' in said
    cluster.wait_registered("node1")
    return master, node


def rows_of_status(host):
    return [line.split()[0] for line in host.sge_cell("status").splitlines()]


def test_hosts_may_share_sge_root(bare_cluster):
    """One directory on all hosts, as users know it: each host runs its own daemons, commands and qacct work everywhere."""
    master, node = share_root(bare_cluster)
    assert rows_of_status(node) == ["daemon", "sge_execd", "jobs"]
    assert rows_of_status(master) == ["daemon", "sge_qmaster", "sge_schedd", "sge_execd", "jobs"]
    out = master.dir / "tmp/out"
    job = node.qsub("-q", "all.q@node1", "-o", out, "-j", "y", "-b", "y", "-shell", "n", "/bin/uname", "-n")
    master.wait_gone(job)
    assert out.read_text() == "node1\n"
    assert re.search(r"^hostname +node1\b", node.ok("qacct", "-j", job), re.M)
    back = node.qsub("-q", "all.q@master", "-o", out, "-j", "y", "-b", "y", "-shell", "n", "/bin/uname", "-n")
    master.wait_gone(back)
    assert out.read_text() == "node1\nmaster\n"


def test_daemons_of_hosts_that_share_a_directory_are_their_own(bare_cluster):
    """stop, start and destroy on one host leave those of the other alone, and with them the cell."""
    master, node = share_root(bare_cluster)
    node.sge_cell("stop")
    wait(lambda: "lost the execd of node1" in master.messages_of("qmaster"), "the qmaster to notice")
    assert rows_of_status(master) == ["daemon", "sge_qmaster", "sge_schedd", "sge_execd", "jobs"]
    node.sge_cell("start", "-keep")
    wait(lambda: master.messages_of("qmaster").count("execd of node1 registered") == 2, "the host to come back")
    assert rows_of_status(node) == ["daemon", "sge_execd", "keeper", "jobs"]
    assert "keeper" not in rows_of_status(master)
    for words in (["host", "add", "node2"], ["upgrade", "--admin-user", "bob"]):
        assert ": only on master, where the qmaster runs" in node.refused("sge_cell", *words, user="root").err
    node.sge_cell("destroy", "--force")
    assert not (master.dir / "spool/node1").exists()
    master.wait_gone(master.qsub("-q", "all.q@master", "-o", "/dev/null", "-j", "y", "-b", "y", "true"))


def test_a_cell_that_is_there_already_is_joined_once_and_by_its_own_hosts(bare_cluster):
    master, node = share_root(bare_cluster)
    words = add_host(bare_cluster, "node1")
    assert f"{master.dir} exists already" in node.refused("sge_cell", *words, user="root").err
    assert f"{master.dir} exists already" in master.refused("sge_cell", *words, user="root").err
    other = [word.replace("master:", "elsewhere:") for word in add_host(bare_cluster, "node2")]
    node2 = bare_cluster.add_host("node2", shares=master)
    assert f"{master.dir} exists already" in node2.refused("sge_cell", *other, user="root").err
    assert not (master.dir / "spool/node2").exists()
