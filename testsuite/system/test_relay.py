"""Commands on another host than the qmaster's: the execution daemon there relays them, as the users whom the kernel there names."""
from cell import wait

TASK = ("-o", "/dev/null", "-j", "y", "-b", "y", "-shell", "n")


def joined(cluster, name="node1"):
    """A host whose users can reach the qmaster."""
    node = cluster.join(name)
    cluster.wait_registered(name)
    wait(lambda: (node.dir / "spool" / name / "relay.sock").exists(), "the relay")
    return node


def refusal_of(node, *words, **more):
    """What is said, on either stream."""
    result = node.refused(*words, **more)
    return result.out + result.err


def test_the_commands_work_on_another_host(cluster):
    """A job is submitted, seen, held, changed, let go, waited for and deleted there; it belongs to who submitted it."""
    node = joined(cluster)
    job = node.qsub("-N", "far", "-h", *TASK, "/bin/sleep", "0")
    assert " far " in node.ok("qstat") and "owner:                      alice" in node.ok("qstat", "-j", job)
    assert "sge_o_host:                 node1" in cluster.master.ok("qstat", "-j", job)
    node.ok("qalter", "-p", "-5", job)
    node.ok("qrls", job)
    cluster.master.wait_gone(job)
    assert cluster.master.accounting()[0]["owner"] == "alice"
    assert node.run("qsub", "-sync", "y", *TASK, "/bin/sh", "-c", "exit 3").code == 3
    long = node.qsub("-h", *TASK, "/bin/sleep", "1")
    assert "has deleted job" in node.ok("qdel", long)
    assert "node1" in node.ok("qhost") and "hostname              node1" in node.ok("qconf", "-se", "node1")


def test_qevent_hears_on_another_host(cluster):
    """What its user may hear of, as it happens."""
    node = joined(cluster)
    heard = node.files / "heard"
    with open(heard, "w", encoding="utf-8") as out:
        ears = node.start_program("qevent", "-sm", stdout=out)
    try:
        wait(lambda: "qevent" in cluster.master.ok("qconf", "-secl"), "the event client")
        node.qsub("-N", "heard", "-h", *TASK, "/bin/true")
        wait(lambda: "heard" in heard.read_text(), lambda: heard.read_text())
    finally:
        ears.terminate()
        ears.wait()


def test_a_long_script_and_long_answers_come_through(cluster):
    """More than a line may have on its way: it goes on as the other end reads."""
    node = joined(cluster)
    script = node.files / "long.sh"
    script.write_text("#!/bin/sh\nexit 0\n" + "# a line that nobody reads\n" * 100000)
    job = node.qsub("-h", "-o", "/dev/null", "-j", "y", script)
    for _ in range(30):
        node.qsub("-h", "-t", "1-50000:7", "-v", "X=" + "x" * 20000, *TASK, "/bin/true")
    assert node.ok("qstat", "-j", "*").count("x" * 20000) == 30
    assert str(job) in node.ok("qstat")


def test_qacct_asks_the_qmaster_where_there_is_no_file(cluster):
    """It says there what it says at the qmaster, and no more than its user may read; thousands of lines come in parts."""
    master, node = cluster.master, joined(cluster)
    file = master.dir / "common/accounting"
    jobs = [node.qsub("-N", name, *TASK, "/bin/true") for name in ("near", "far")]
    master.wait_gone(*jobs)
    (node.dir / "common/accounting").unlink()  # a host that joins by a token has none
    line = file.read_text().splitlines()[-1]
    with open(file, "a", encoding="ascii") as out:
        out.write(f"{line}\n" * 5000)
    for words in (["-j", jobs[0]], ["-j", "far"], ["-o"], ["-j", jobs[0], "-json"]):
        assert node.ok("qacct", *words) == master.ok("qacct", *words)
    assert node.refused("qacct", "-j", 77).err == master.refused("qacct", "-j", 77).err
    file.chmod(0o600)
    assert "the qmaster cannot read the accounting file for you: Permission denied" in refusal_of(node, "qacct", "-j", jobs[0])


def test_who_may_ask_from_another_host(cluster):
    """Users of submit hosts submit, managers administer from admin hosts, and root of a host is nobody here unless the cell says so."""
    master, node = cluster.master, joined(cluster)
    refusal = 'denied: "root" (user id 0) of host "node1" is refused'
    assert refusal in refusal_of(node, "qstat", user="root")
    assert refusal in refusal_of(node, "qsub", *TASK, "/bin/true", user="root")
    assert refusal in refusal_of(node, "qconf", "-as", "node2", user="root")
    master.ok("qconf", "-am", "alice", user="root")
    node.ok("qconf", "-ao", "bob")
    master.ok("qconf", "-dh", "node1", user="root")
    assert 'denied: host "node1" is not an admin host' in refusal_of(node, "qconf", "-ao", "carol")
    job = node.qsub("-h", *TASK, "/bin/true")
    master.ok("qconf", "-ds", "node1", user="root")
    assert 'denied: host "node1" is neither a submit host nor an admin host' in refusal_of(node, "qdel", job)
    master.ok("qconf", "-ah", "node1", user="root")
    assert 'denied: host "node1" is not a submit host' in refusal_of(node, "qsub", *TASK, "/bin/true")
    assert str(job) in node.ok("qstat")
    master.configure(qmaster_params="HOST_ROOT=true")
    node.ok("qconf", "-as", "node1", user="root")
    master.configure(min_uid=4000000)
    assert "; min_uid is 4000000" in refusal_of(node, "qstat")
