"""sge_cell host add NAME on the qmaster's host, sge_cell join on the new one, which has the programs and nothing of the cell."""
import re
import shutil

from cell import wait


def add_host(cluster, name, *options):
    """Make NAME known, and take its file there by hand."""
    master = cluster.master
    said = master.sge_cell("host", "add", name, *options, cwd=str(master.files))
    assert f"sge_cell join {name}.join" in said
    host = cluster.add_host(name)
    shutil.copy2(master.files / f"{name}.join", host.files)
    return host


def test_a_host_joins_by_two_commands(bare_cluster):
    """Before the first host the qmaster listens nowhere; then it does, and a task runs on the new host."""
    master = bare_cluster.master
    master.create(2)
    master.start()
    assert "qmaster_port" not in (master.dir / "common/bootstrap").read_text()
    node = add_host(bare_cluster, "node1", "--slots", 3)
    node.sge_cell("join", node.files / "node1.join")
    bare_cluster.wait_registered("node1")
    job = master.qsub("-q", "all.q@node1", "-o", "/tmp/out", "-j", "y", "-b", "y", "-shell", "n", "/bin/uname", "-n")
    master.wait_gone(job)
    assert (node.place / "tmp/out").read_text() == "node1\n"
    assert re.search(r"^all.q@node1 +\S+ +0/0/3 ", master.ok("qstat", "-f"), re.M)


def test_a_host_that_has_joined_runs_its_execd_alone(bare_cluster):
    master = bare_cluster.master
    master.create(2)
    master.start()
    node = add_host(bare_cluster, "node1")
    node.sge_cell("join", node.files / "node1.join")
    rows = [line.split()[0] for line in node.sge_cell("status").splitlines()]
    assert rows == ["daemon", "sge_execd", "jobs"]
    wait(lambda: "execd of node1 registered" in master.messages_of("qmaster"), "the host to come")
    node.sge_cell("stop")
    assert node.run("sge_cell", "status", user="root").code == 1
    wait(lambda: "lost the execd of node1" in master.messages_of("qmaster"), "the qmaster to notice")
    node.sge_cell("start")
    wait(lambda: master.messages_of("qmaster").count("execd of node1 registered") == 2, "the host to come back")


def test_what_is_wrong_with_a_join_is_said(bare_cluster):
    master = bare_cluster.master
    master.create(2)
    master.start()
    assert "node 1" in master.refused("sge_cell", "host", "add", "node 1", user="root").err
    assert "the qmaster's host" in master.refused("sge_cell", "host", "add", "master", user="root").err
    node = add_host(bare_cluster, "node1")
    assert (node.files / "node1.join").stat().st_mode & 0o777 == 0o600  # the key is in it
    other = bare_cluster.add_host("node2")
    shutil.copy2(node.files / "node1.join", other.files)
    assert "is for host node1, and this is node2" in other.refused("sge_cell", "join", other.files / "node1.join", user="root").err
    assert not other.dir.exists()
    (other.files / "rubbish").write_text("rubbish")
    assert "is not what sge_cell host add has written" in other.refused("sge_cell", "join", other.files / "rubbish", user="root").err
