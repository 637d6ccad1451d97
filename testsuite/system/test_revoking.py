"""Who has a certificate, until when; that it is taken back at once, whatever its owner does; and hosts that leave the cell for good."""
import json

from cell import wait


def certificates(cluster):
    """[(name, kind, state, serial)], as sge_cell prints them."""
    head, *rows = [line.split() for line in cluster.master.sge_cell("certificates").splitlines()]
    assert head == ["name", "kind", "until", "state", "serial"]
    return [(name, kind, state, serial) for name, kind, _, state, serial in rows]


def run_gated(cluster, name):
    """A task that runs on host NAME until there is a file /tmp/go."""
    cluster.wait_registered(name)
    job = cluster.master.qsub("-q", f"all.q@{name}", "-o", "/dev/null", "-j", "y", "-b", "y", "-shell", "n",
                              "/bin/sh", "-c", "until [ -e /tmp/go ]; do sleep 0.05; done")
    cluster.master.wait_state(job, 0, "r")
    return job


def test_a_revoked_host_is_out_at_once_and_its_task_runs_on(cluster):
    """Its open connection ends, both sides say why, and with a new certificate it is back, its task is found and told of once."""
    master, node = cluster.master, cluster.join("node1")
    job = run_gated(cluster, "node1")
    assert [row[:3] for row in certificates(cluster)] == [("master", "qmaster", "valid"), ("node1", "host", "valid")]
    assert "tasks run on node1 (1)" in master.refused("sge_cell", "host", "remove", "node1", user="root").err
    assert "1 certificate of node1 revoked" in master.sge_cell("revoke", "node1")
    wait(lambda: "lost the execd of node1" in master.messages_of("qmaster"), "the connection to end")
    wait(lambda: "refused our certificate: certificate revoked" in node.messages_of("node1"), "the host's line")
    assert "the certificate of node1 is not accepted: certificate revoked" in master.messages_of("qmaster")
    master.kill_qmaster()  # no restart forgets it
    master.start()
    wait(lambda: master.messages_of("qmaster").count("the certificate of node1 is not accepted: certificate revoked") > 1, "the host to try again")
    assert "was revoked already" in master.sge_cell("revoke", certificates(cluster)[1][3])
    cluster.issue(node)
    (node.place / "tmp/go").touch()
    master.wait_gone(job)
    [line] = master.accounting()
    assert (line["hostname"], line["exit_status"], line["failed"]) == ("node1", "0", "0")
    shown = json.loads(master.sge_cell("certificates", "-json"))["certificates"]
    assert [(entry["name"], entry["state"]) for entry in shown] == [("master", "valid"), ("node1", "revoked"), ("node1", "valid")]


def test_a_host_that_is_removed_is_no_host_any_more(cluster):
    """Refused while somebody names it; then its queues, its registration and its certificates end."""
    master, node = cluster.master, cluster.join("node1")
    cluster.wait_registered("node1")
    master.ok("qconf", "-aattr", "queue", "priority", "[node1=5]", "all.q", user="root")
    assert "node1 is named by all.q" in master.refused("sge_cell", "host", "remove", "node1", user="root").err
    master.ok("qconf", "-purge", "queue", "priority", "all.q@node1", user="root")
    assert master.sge_cell("host", "remove", "node1") == "host node1 removed\n"
    assert master.ok("qconf", "-sel").split() == ["master"]
    assert "node1" not in master.ok("qstat", "-f") + master.ok("qconf", "-shgrp", "@allhosts") + master.ok("qconf", "-ss")
    assert ("node1", "host", "revoked") in [row[:3] for row in certificates(cluster)]
    wait(lambda: "refused our certificate: certificate revoked" in node.messages_of("node1"), "the host's line")


def test_a_host_that_is_gone_for_good_is_removed_with_what_ran_there(cluster):
    """--force, also of what the qmaster cannot reach: its tasks end, and whoever names it does not any more."""
    master, node = cluster.master, cluster.join("node1")
    job = run_gated(cluster, "node1")
    master.ok("qconf", "-aattr", "queue", "hostlist", "node1", "all.q", user="root")
    node.power_off()
    assert master.sge_cell("host", "remove", "node1", "--force") == "host node1 removed\n"
    master.wait_gone(job)
    assert master.ok("qconf", "-sel").split() == ["master"]
    assert master.sge_cell("host", "remove", "node1") == "host node1 removed\n"  # twice is fine


def test_what_is_wrong_with_a_revocation_is_said(cluster):
    master = cluster.master
    for words, why in ((["revoke", "node9"], '"node9" is not a host, user or serial number'), (["revoke", "../x"], 'not "../x"'), (["revoke"], "is needed"),
                       (["revoke", certificates(cluster)[0][3]], "belongs to the qmaster"), (["host", "remove", "master"], "is the qmaster's host"),
                       (["host", "remove", "a/b"], "is not a valid host name")):
        assert why in master.refused("sge_cell", *words, user="root").err
    assert [row[:3] for row in certificates(cluster)] == [("master", "qmaster", "valid")]
