"""One host, however its name is written: case, domain and aliases count nowhere. host_aliases(5), bootstrap(5) ignore_fqdn."""
import pytest
from cell import wait

ALIASES = """# one line for a host: its own name, then the others

big.cluster.test   node1,NODE1-eth
"""


@pytest.fixture
def named(cluster):
    """A cluster with a host that calls itself node1, which is an alias: its own name is big."""
    (cluster.master.dir / "common/host_aliases").write_text(ALIASES)
    cluster.master.kill_qmaster()
    cluster.master.start()
    cluster.join("node1")
    wait(lambda: "load_values           NONE" not in cluster.load_values("big"), lambda: cluster.load_values("big"))
    return cluster.master


def test_whatever_is_stored_has_the_unique_name(named):
    assert named.ok("qconf", "-sel").split() == ["big", "master"]
    for option in ("-sh", "-ss"):
        assert set(named.ok("qconf", option).split()) == {"master", "big"}
    assert "hostlist master big\n" in named.ok("qconf", "-shgrp", "@allhosts")
    assert named.ok("qconf", "-se", "BIG.elsewhere.test").splitlines()[0].split() == ["hostname", "big"]
    assert named.ok("qconf", "-sq", "all.q@BIG").splitlines()[1].split() == ["hostname", "big"]
    again = named.run("qconf", "-ah", "Node1", user="root")
    assert again.err.splitlines() == ['adminhost "big" already exists']


def test_changes_meet_the_host_by_any_name(named):
    named.ok("qconf", "-mattr", "queue", "slots", "7", "all.q@Node1", user="root")
    assert "[big=7]" in named.ok("qconf", "-sq", "all.q")
    named.ok("qconf", "-mattr", "queue", "slots", "[node1-eth.cluster.test=6]", "all.q", user="root")
    assert "[big=6]" in named.ok("qconf", "-sq", "all.q") and "=7" not in named.ok("qconf", "-sq", "all.q")
    named.ok("qconf", "-purge", "queue", "slots", "all.q@Big", user="root")
    assert "big" not in named.ok("qconf", "-sq", "all.q")
    named.ok("qconf", "-dattr", "hostgroup", "hostlist", "NODE1-ETH", "@allhosts", user="root")
    assert "big" not in named.ok("qconf", "-shgrp", "@allhosts")
    named.ok("qconf", "-aattr", "hostgroup", "hostlist", "Node1.cluster.test", "@allhosts", user="root")
    assert "hostlist master big\n" in named.ok("qconf", "-shgrp", "@allhosts")


@pytest.mark.parametrize("where", ["-q all.q@Node1", "-q *@BIG.other.test", "-q *@B[IO]G", "-l h=Node1-eth", "-l hostname=Node1.cluster.test"])
def test_jobs_go_where_they_are_sent_by_any_name(named, where):
    job = named.qsub(*where.split(), "-w", "e", "-o", "/dev/null", "-j", "y", "-b", "y", "true")
    named.wait_gone(job)
    [line] = named.accounting()
    assert (line["hostname"], line["qname"]) == ("big", "all.q")


def test_what_is_shown_is_found_by_any_name(named):
    for command in (["qselect", "-q", "all.q@Node1"], ["qselect", "-l", "h=NODE1-eth"], ["qselect", "-q", "*@BIG*"]):
        assert named.ok(*command) == "all.q@big\n", command
    assert "big" in named.ok("qhost", "-h", "NODE1-eth").splitlines()[-1]
    assert "all.q@big" in named.ok("qstat", "-f", "-q", "*@Node1")
    named.ok("qmod", "-d", "all.q@Node1", user="root")
    assert named.ok("qselect", "-qs", "d") == "all.q@big\n"


@pytest.mark.parametrize("text, why", [
    ("node1 node1-ib\nnode2 NODE1-IB\n", 'line 2: the name "node1-ib" stands for two hosts: node1 and node2'),
    ("node1 @ib\n", 'line 1: "@ib" is not a valid host name'),
])
def test_a_qmaster_does_not_start_with_aliases_that_contradict_each_other(any_cell, text, why):
    aliases = any_cell.dir / "common/host_aliases"
    any_cell.sge_cell("stop")
    aliases.write_text(text)
    refused = any_cell.refused("sge_cell", "start", user=any_cell.owner)
    assert f"{aliases}, {why}" in refused.err
    aliases.unlink()
    any_cell.sge_cell("start")
