"""A cell of several hosts, which share nothing but a network: tasks run there, and are told of, as on the qmaster's own."""
import subprocess

from cell import wait


def test_a_task_runs_on_another_host(cluster):
    """-q all.q@node1: the task runs there, as the user, and its end is in the accounting file once."""
    node = cluster.join("node1")
    master = cluster.master
    cluster.wait_registered("node1")
    job = master.qsub("-q", "all.q@node1", "-o", "/tmp/out", "-j", "y", "-b", "y", "-shell", "n", "/bin/sh", "-c", "uname -n; id -un")
    master.wait_gone(job)
    assert (node.place / "tmp/out").read_text() == "node1\nalice\n"
    assert not (master.place / "tmp/out").exists()
    [line] = master.accounting()
    assert (line["hostname"], line["qname"], line["exit_status"], line["failed"]) == ("node1", "all.q", "0", "0")


def test_qhost_shows_both(cluster):
    cluster.join("node1")
    cluster.wait_registered("node1")
    rows = [line.split() for line in cluster.master.ok("qhost").splitlines()]
    for name in ("master", "node1"):
        [row] = [row for row in rows if row[0] == name]
        assert row[1] != "-", row


def test_a_lying_host_changes_nothing(cluster):
    """A host with a certificate of its own registers as another: it is refused, and both logs say so."""
    cluster.join("node1", starts=False)
    liar = cluster.join("node2", starts=False)
    cluster.issue(liar, name="node1")  # node2's execd, with node1's papers
    liar.start_execd()
    wait(lambda: 'host node1 tried to register as "node2": refused' in cluster.master.messages_of("qmaster"), "the refusal")
    assert "load_values           NONE" in cluster.load_values("node2")
    wait(lambda: "connection to the qmaster lost" in liar.messages_of("node2"), "the host to hear of it")


def test_a_copied_certificate_opens_nothing_while_the_host_is_there(cluster):
    """Both sides say why, the thief once and seldom; the host itself, and its task, notice nothing."""
    node = cluster.join("node1")
    cluster.wait_registered("node1")
    task = cluster.master.qsub("-q", "all.q@node1", "-o", "/dev/null", "-j", "y", "-b", "y", "/bin/sh", "-c", "while [ ! -e /tmp/go ]; do sleep 0.05; done")
    cluster.master.wait_state(task, 0, "r")
    thief = cluster.join("node2", starts=False)
    cluster.issue(thief, name="node1")
    thief.start_execd()
    why = "it has moved, or its certificate was copied"
    wait(lambda: why in cluster.master.messages_of("qmaster"), "the qmaster's line")
    wait(lambda: "the qmaster refuses this host: node1 is already connected from " in thief.messages_of("node2"), "the thief's line")
    assert why in thief.messages_of("node2")
    (node.place / "tmp/go").touch()
    cluster.master.wait_gone(task)
    assert cluster.master.messages_of("qmaster").count("execd of node1 registered") == 1
    assert cluster.master.messages_of("qmaster").count(why) == 1
    assert "connection to the qmaster lost" not in node.messages_of("node1")


def test_a_host_that_has_moved_comes_in_when_its_old_connection_is_silent(cluster):
    node = cluster.join("node1")
    cluster.set_silence(4)
    cluster.wait_registered("node1")
    node.move()
    wait(lambda: cluster.master.messages_of("qmaster").count("execd of node1 registered") == 2, "the host at its new address", 90)
    cluster.master.wait_gone(cluster.master.qsub("-q", "all.q@node1", "-o", "/dev/null", "-j", "y", "-b", "y", "true"))


def test_an_expired_certificate_is_refused_and_a_new_one_counts_at_once(cluster):
    node = cluster.join("node1", starts=False)
    cluster.issue(node, days=0)
    node.start_execd()
    wait(lambda: "the certificate of node1 is not accepted: certificate has expired" in cluster.master.messages_of("qmaster"), "the qmaster's line")
    wait(lambda: "refused our certificate: certificate expired" in node.messages_of("node1"), "the host's line")
    assert "load_values           NONE" in cluster.load_values("node1")
    cluster.issue(node)
    cluster.wait_registered("node1")


def test_the_commands_need_no_openssl(installed):
    """People start thousands of them: linking OpenSSL alone costs a millisecond."""
    programs = [path for path in installed.glob("bin/*/*") if path.name.startswith("q")] + list(installed.glob("lib/*/libdrmaa.so*"))
    assert len(programs) > 12
    for program in programs:
        needed = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
        assert "libssl" not in needed and "libcrypto" not in needed, program
