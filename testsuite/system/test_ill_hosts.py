"""Whose fault it is that a task does not start decides what follows: what a host cannot do puts the queue instance there into error, and the task
starts elsewhere, unharmed; what the job cannot do puts the task into error. A host on which starts fail in a row is closed for a time."""
from cell import wait

WHY = "queue all.q marked QERROR as result of job {}'s failure at host node1"


def queue_states(cluster):
    """{host: letters} of all.q"""
    lines = [line.split() for line in cluster.master.ok("qstat", "-f").splitlines() if line.startswith("all.q@")]
    return {words[0].partition("@")[2]: "".join(words[5:]) for words in lines}


def explained(cluster):
    return cluster.master.ok("qstat", "-f", "-explain", "E")


def submit(cluster, tasks="1-12", *options):
    return cluster.master.qsub("-t", tasks, "-o", "/dev/null", "-j", "y", "-b", "y", *options, "/bin/sh", "-c", "sleep 0.1")


def expect_done_elsewhere(cluster, job, tasks, failed):
    """All tasks of JOB ended well on the other host; node1 tried its slots at most, and is in error for that reason."""
    cluster.master.wait_gone(job)
    lines = cluster.master.accounting()
    good = [line["task_number"] for line in lines if line["failed"].split()[0] == "0"]
    assert sorted(map(int, good)) == list(range(1, tasks + 1))
    bad = [line for line in lines if line["failed"].split()[0] != "0"]
    assert {(line["hostname"], line["failed"].split()[0]) for line in bad} == {("node1", str(failed))}
    assert len(bad) <= 2
    assert queue_states(cluster) == {"master": "", "node1": "E"}
    assert f"\t{WHY.format(job)}: " in explained(cluster)
    assert WHY.format(job) in cluster.master.messages_of("qmaster")


def expect_open_again(cluster, node):
    """After qmod -cq the host runs tasks."""
    said = cluster.master.ok("qmod", "-cq", "all.q@node1", user="root")
    assert said == 'root@master changed state of "all.q@node1" (no error)\n'
    job = submit(cluster, "1-2", "-q", "all.q@node1")
    cluster.master.wait_gone(job)
    assert [line["failed"].split()[0] for line in cluster.master.accounting()][-2:] == ["0", "0"]
    assert queue_states(cluster)["node1"] == ""


def with_node(cluster):
    node = cluster.join("node1")
    cluster.wait_registered("node1")
    return node


def test_a_host_without_the_tmpdir_harms_no_task(cluster):
    node = with_node(cluster)
    cluster.master.ok("qconf", "-rattr", "queue", "tmpdir", "[node1=/tmp/disk/jobs]", "all.q", user="root")
    job = submit(cluster)
    expect_done_elsewhere(cluster, job, 12, 3)
    assert ": can't make the directory for temporary files \"/tmp/disk/jobs/" in explained(cluster)
    (node.place / "tmp/disk").mkdir()  # the disk is there: the directory on it is made
    expect_open_again(cluster, node)
    assert (node.place / "tmp/disk/jobs").stat().st_mode & 0o7777 == 0o1777


def test_a_host_that_does_not_know_the_owner_harms_no_task(cluster):
    node = with_node(cluster)
    known = node.place / "tmp/passwd"
    known.write_text("".join(line for line in open("/etc/passwd", encoding="utf-8") if not line.startswith("alice:")))
    node.ok("mount", "--bind", "/tmp/passwd", "/etc/passwd", user="root")
    job = submit(cluster)
    expect_done_elsewhere(cluster, job, 12, 7)
    assert ': user "alice" is not known on this host\n' in explained(cluster)
    node.ok("umount", "/etc/passwd", user="root")


def test_a_hook_without_its_interpreter_harms_no_task(cluster):
    node = with_node(cluster)
    prolog = node.place / "tmp/prolog"
    prolog.write_text("#!/nonexistent/python\n")
    prolog.chmod(0o755)
    cluster.master.ok("qconf", "-rattr", "queue", "prolog", "[node1=/tmp/prolog]", "all.q", user="root")
    job = submit(cluster)
    expect_done_elsewhere(cluster, job, 12, 8)
    assert "execvlp(/tmp/prolog, \"/tmp/prolog\") failed: No such file or directory" in explained(cluster)
    prolog.write_text("#!/bin/sh\n")
    expect_open_again(cluster, node)


def test_a_shell_of_the_queue_that_is_missing_is_the_fault_of_the_host_and_that_of_a_job_is_not(cluster):
    with_node(cluster)
    cluster.master.ok("qconf", "-rattr", "queue", "shell", "[node1=/nonexistent/sh]", "all.q", user="root")
    job = submit(cluster)
    expect_done_elsewhere(cluster, job, 12, 11)
    job = submit(cluster, "1-2", "-S", "/nonexistent/shell", "-q", "all.q@master")
    for task in (1, 2):
        cluster.master.wait_state(job, task, "Eqw")
    assert queue_states(cluster)["master"] == ""


def test_a_host_on_which_starts_fail_in_a_row_is_closed_for_a_time(cluster):
    """The directory of the jobs is missing on node1, which has the fastest answers: it gets few tasks, not all."""
    node, master = with_node(cluster), cluster.master
    master.configure(qmaster_params="START_FAILURES=3,START_FAILURE_DELAY=10")
    (master.place / "tmp/work").mkdir()
    job = submit(cluster, "1-40", "-wd", "/tmp/work")
    wait(lambda: queue_states(cluster) == {"master": "", "node1": "E"}, "node1 to be closed")
    said = explained(cluster)
    assert "\thost node1 is closed until " in said
    assert f"because task starts fail there (3 in a row), last that of task {job}." in said
    assert "can't chdir to /tmp/work" in said
    on_node = master.ok("qhost", "-h", "node1", "-q").splitlines()[-1].split()
    assert (on_node[0], on_node[-1]) == ("all.q", "E")
    (node.place / "tmp/work").mkdir()
    wait(lambda: "host node1 is open again" in master.messages_of("qmaster"), "node1 to be open")
    wait(lambda: set(master.tasks(job).values()) <= {"Eqw"}, "the others to end", 60)
    assert 3 <= len(master.tasks(job)) <= 4, "those that failed, and the other slot's"
    assert queue_states(cluster) == {"master": "", "node1": ""}
    there = submit(cluster, "1", "-wd", "/tmp/work", "-q", "all.q@node1")
    master.wait_gone(there)
    assert [(row["hostname"], row["failed"].split()[0]) for row in master.accounting() if row["job_number"] == str(there)] == [("node1", "0")]


def test_a_closed_host_stays_closed_when_the_qmaster_is_killed_and_qmod_opens_it(cluster):
    master = cluster.master
    with_node(cluster)
    master.configure(qmaster_params="START_FAILURES=3,START_FAILURE_DELAY=3600")
    (master.place / "tmp/work").mkdir()
    job = submit(cluster, "1-20", "-wd", "/tmp/work")
    wait(lambda: queue_states(cluster)["node1"] == "E", "node1 to be closed")
    wait(lambda: set(master.tasks(job).values()) <= {"Eqw"}, "the others to end", 60)
    master.kill_qmaster()
    master.start()
    wait(lambda: queue_states(cluster) == {"master": "", "node1": "E"}, "both hosts to be back", 40)
    assert "\thost node1 is closed until " in explained(cluster)
    master.ok("qmod", "-cq", "*", user="root")
    assert queue_states(cluster) == {"master": "", "node1": ""}
    job = submit(cluster, "1-2", "-q", "all.q@node1")
    master.wait_gone(job)
