"""What goes wrong with a host or the way to it: its execd dies, its power goes, the link is cut for longer or shorter than the time-outs,
the qmaster dies. A task runs on, is found again, and its end is recorded once."""
from cell import wait


def run_gated(cluster, node, *options):
    """A task that runs on NODE until its gate opens."""
    cluster.wait_registered(node.hostname)
    job = cluster.master.qsub("-N", "far", "-q", f"all.q@{node.hostname}", "-o", "/dev/null", "-j", "y", "-b", "y", "-shell", "n",
                              *options, "/bin/sh", "-c", "echo begun >>/tmp/runs; while [ ! -e /tmp/go ]; do sleep 0.05; done")
    wait(lambda: (node.place / "tmp/runs").exists(), "the task to begin")
    cluster.master.wait_state(job, 0, "r")
    return job


def shepherds(node):
    return node.run("pgrep", "-x", "sge_shepherd", user="root").out


def let_go(node):
    (node.place / "tmp/go").touch()


def expect_one_end(cluster, node, job):
    """JOB ran once, on NODE, and ended well."""
    cluster.master.wait_gone(job)
    assert (node.place / "tmp/runs").read_text() == "begun\n"
    [line] = cluster.master.accounting()
    assert (line["hostname"], line["exit_status"], line["failed"]) == (node.hostname, "0", "0")


def lost(cluster, name, times=1):
    return cluster.master.messages_of("qmaster").count(f"lost the execd of {name}") >= times


def registered(cluster, name, times):
    return cluster.master.messages_of("qmaster").count(f"execd of {name} registered") >= times


def test_an_execd_that_dies_finds_its_task_again(cluster):
    node = cluster.join("node1")
    job = run_gated(cluster, node)
    node.kill_execd()
    wait(lambda: lost(cluster, "node1"), "the qmaster to notice")
    let_go(node)  # it ends while nobody looks
    node.start_execd()
    expect_one_end(cluster, node, job)


def test_a_qmaster_that_dies_is_found_again(cluster):
    node = cluster.join("node1")
    job = run_gated(cluster, node)
    cluster.master.kill_qmaster()
    wait(lambda: "connection to the qmaster lost" in node.messages_of("node1"), "the host to notice")
    let_go(node)
    cluster.master.start()
    expect_one_end(cluster, node, job)


def test_a_short_cut_is_noticed_by_nobody(cluster):
    node = cluster.join("node1")
    job = run_gated(cluster, node)
    node.link("down")
    let_go(node)
    wait(lambda: not shepherds(node), "the task to end behind the cut")
    node.link("up")
    expect_one_end(cluster, node, job)
    assert not lost(cluster, "node1")


def test_a_long_cut_is_noticed_on_both_sides_and_heals(cluster):
    node = cluster.join("node1")
    cluster.set_silence(4)
    job = run_gated(cluster, node)
    node.link("down")
    wait(lambda: lost(cluster, "node1"), "the qmaster to notice", 60)
    wait(lambda: "connection to the qmaster lost" in node.messages_of("node1"), "the host to notice", 60)
    let_go(node)
    node.link("up")
    wait(lambda: registered(cluster, "node1", 2), "the host to come back", 60)
    expect_one_end(cluster, node, job)


def test_a_host_that_moves_brings_its_task_along(cluster):
    """It comes back with other addresses: the task runs on, and its end is recorded once."""
    node = cluster.join("node1")
    cluster.set_silence(4)
    job = run_gated(cluster, node)
    node.move()
    wait(lambda: registered(cluster, "node1", 2), "the host at its new address", 90)
    let_go(node)
    expect_one_end(cluster, node, job)


def test_a_host_that_loses_its_power_is_noticed(cluster):
    """What ran there is gone when it comes back: the task (-r y) is put back, and runs again from its beginning."""
    node = cluster.join("node1")
    cluster.set_silence(4)
    job = run_gated(cluster, node, "-r", "y")
    node.power_off()
    wait(lambda: lost(cluster, "node1"), "the qmaster to notice", 60)
    node.boot()
    node.start_execd()
    wait(lambda: registered(cluster, "node1", 2), "the host to come back", 60)
    wait(lambda: (node.place / "tmp/runs").read_text() == "begun\nbegun\n", "the second run", 60)
    let_go(node)
    cluster.master.wait_gone(job, seconds=60)
    assert [line["failed"].split()[0] for line in cluster.master.accounting()][-1] == "0"


def test_a_task_that_is_given_away_is_not_in_two_places_when_its_host_comes_back(cluster):
    """The host is cut off for longer than reschedule_unknown, and the qmaster is killed meanwhile."""
    node, master = cluster.join("node1"), cluster.master
    cluster.set_silence(4)
    master.configure(reschedule_unknown="00:00:02")
    job = run_gated(cluster, node, "-r", "y")
    node.link("down")
    wait(lambda: "1 of its tasks start again elsewhere" in master.messages_of("qmaster"), "the qmaster to give it away", 60)
    master.wait_state(job, 0, "Rq")
    master.kill_qmaster()
    master.start()
    master.ok("qalter", "-q", "all.q@master", job, user="root")
    wait(lambda: (master.place / "tmp/runs").exists(), "the second start", 60)
    assert shepherds(node)
    node.link("up")
    wait(lambda: not shepherds(node), "the first start to end", 60)
    let_go(master)
    master.wait_gone(job)
    assert [(place.place / "tmp/runs").read_text() for place in (node, master)] == ["begun\n", "begun\n"]
    assert [(line["hostname"], line["failed"].split()[0]) for line in master.accounting()] == [("node1", "25"), ("master", "0")]
