"""What is known of petasks: records, usage and lines of parallel jobs over two hosts, whatever dies meanwhile."""
import re

from cell import wait
from test_parallel import add_pe

NAMES = ["master", "node1"]
# a petask on each host, which uses its processor until its host has /tmp/go.JOB
PETASKS = """#!/bin/sh
PATH=$SGE_BINARY_PATH:$PATH; export PATH
for h in $(cut -d' ' -f1 $PE_HOSTFILE); do
    qrsh -inherit $h 'while [ ! -e /tmp/go.$JOB_ID ]; do :; done; exit 3' &
done
wait
echo over >/tmp/over.$JOB_ID
while [ ! -e /tmp/end.$JOB_ID ]; do sleep 0.1; done
rm /tmp/over.$JOB_ID
exit 4
"""


def two_hosts(cluster):
    """PEs with one slot on each host, and a record for each petask or for all of them."""
    cluster.join("node1")
    for name in NAMES:
        cluster.wait_registered(name)
    for name, is_summed in ("each", "FALSE"), ("sum", "TRUE"):
        add_pe(cluster.master, name, allocation_rule="1", job_is_first_task="FALSE", accounting_summary=is_summed)
    return cluster.master


def submit(cluster, pe, text=PETASKS):
    master = cluster.master
    return master.qsub("-N", "pt", "-o", "/dev/null", "-j", "y", "-pe", pe, "2", "-q", "all.q@master,all.q@node1", "-masterq", "all.q@master", stdin=text)


def touch(cluster, what, job, *names):
    for name in names:
        (cluster.hosts[name].place / f"tmp/{what}.{job}").touch()


def is_over(cluster, job):
    return (cluster.master.place / f"tmp/over.{job}").exists()


def records(cluster, job):
    """[(host, petask, failed, exit status)] in the order of the file."""
    return [(row["hostname"], row["pe_taskid"], row["failed"], row["exit_status"]) for row in cluster.master.accounting()
            if row["job_number"] == str(job)]


def cpu_of(cluster, job):
    return [float(row["cpu"]) for row in cluster.master.accounting() if row["job_number"] == str(job)]


def shown_cpu(master, job):
    found = re.search(r"(?m)^usage +1: +cpu=(\d+):(\d+):(\d+)", master.ok("qstat", "-j", job))
    hours, minutes, seconds = map(int, found.groups()) if found else (0, 0, 0)
    return 3600 * hours + 60 * minutes + seconds


def petask_lines(master):
    """{petask or MASTER: (queue instance, CPU as text)} of qstat -t."""
    rows = [line[66:].split() for line in master.ok("qstat", "-t").splitlines()[2:]]
    return {(row[2] if row[1] == "SLAVE" else row[1]): (row[0], row[-3]) for row in rows if len(row) >= 6}


def restart_qmaster(master):
    master.kill_qmaster()
    master.start()


def test_records_and_usage_of_petasks(cluster):
    master = two_hosts(cluster)
    job = submit(cluster, "each")
    wait(lambda: set(petask_lines(master)) == {"MASTER", "1.master", "1.node1"}, lambda: master.ok("qstat", "-t"))
    assert {name: queue for name, (queue, _) in petask_lines(master).items()} == {
        "MASTER": "all.q@master", "1.master": "all.q@master", "1.node1": "all.q@node1"}
    wait(lambda: shown_cpu(master, job) >= 2, lambda: master.ok("qstat", "-j", job))
    assert all(re.fullmatch(r"\d\d:\d\d:\d\d", cpu) for _, cpu in petask_lines(master).values())
    assert re.findall(r"<pe_task_id>(.+)</pe_task_id>", master.ok("qstat", "-t", "-xml")) == ["1.master", "1.node1"]
    assert '"pe_task_id": "1.node1"' in master.ok("qstat", "-t", "-json")
    lines = [line[66:].split() for line in master.ok("qstat", "-g", "t").splitlines()[2:]]
    assert lines == [["all.q@master", "MASTER"], ["all.q@master", "SLAVE"], ["all.q@node1", "SLAVE"]]
    restart_qmaster(master)
    wait(lambda: set(petask_lines(master)) == {"MASTER", "1.master", "1.node1"}, lambda: master.ok("qstat", "-t"))
    touch(cluster, "go", job, "node1")
    wait(lambda: len(records(cluster, job)) == 1, lambda: records(cluster, job))
    touch(cluster, "go", job, "master")
    wait(lambda: is_over(cluster, job), "the petasks to end")
    touch(cluster, "end", job, "master")
    master.wait_gone(job)
    assert records(cluster, job) == [("node1", "1.node1", "0", "3"), ("master", "1.master", "0", "3"), ("master", "NONE", "0", "4")]
    assert min(cpu_of(cluster, job)[:2]) >= 1
    text = master.ok("qacct", "-j", job)
    assert re.findall(r"(?m)^exit_status +(\d+)", text) == ["3", "3", "4"]
    see_a_summary(cluster)
    see_ends_without_a_qmaster(cluster)
    see_a_petask_that_a_signal_ends(cluster)
    see_a_lost_host(cluster)


def see_a_summary(cluster):
    """One record, also if the qmaster is killed after the petasks."""
    master = cluster.master
    job = submit(cluster, "sum")
    wait(lambda: shown_cpu(master, job) >= 2, lambda: master.ok("qstat", "-j", job))
    touch(cluster, "go", job, *NAMES)
    wait(lambda: is_over(cluster, job), "the petasks to end")
    wait(lambda: set(petask_lines(master)) == {"MASTER"}, lambda: master.ok("qstat", "-t"))
    restart_qmaster(master)
    touch(cluster, "end", job, "master")
    master.wait_gone(job)
    assert records(cluster, job) == [("master", "NONE", "0", "4")]
    assert cpu_of(cluster, job)[0] >= 2


def see_ends_without_a_qmaster(cluster):
    """All of it ends while there is no qmaster: what the hosts report later is recorded once."""
    master = cluster.master
    job = submit(cluster, "each")
    wait(lambda: set(petask_lines(master)) == {"MASTER", "1.master", "1.node1"}, lambda: master.ok("qstat", "-t"))
    master.kill_qmaster()
    touch(cluster, "go", job, *NAMES)
    wait(lambda: is_over(cluster, job), "the petasks to end")
    touch(cluster, "end", job, "master")
    wait(lambda: not is_over(cluster, job), "the job to end")
    master.start()
    master.wait_gone(job)
    restart_qmaster(master)
    master.wait_gone(job)
    found = records(cluster, job)
    assert sorted(found[:2]) == [("master", "1.master", "0", "3"), ("node1", "1.node1", "0", "3")] and found[2:] == [("master", "NONE", "0", "4")]


def see_a_petask_that_a_signal_ends(cluster):
    master = cluster.master
    job = submit(cluster, "each", PETASKS.replace("exit 3", "kill -9 $$"))
    wait(lambda: set(petask_lines(master)) == {"MASTER", "1.master", "1.node1"}, lambda: master.ok("qstat", "-t"))
    touch(cluster, "go", job, "node1")
    master.wait_gone(job)
    found = records(cluster, job)
    assert found[0] == ("node1", "1.node1", "100", "137") and found[-1] == ("master", "NONE", "100", "137") and len(found) == 3, found
    assert f"tightly integrated parallel task {job}.1 task 1.node1 failed - killing job" in master.messages_of("qmaster")


def see_a_lost_host(cluster):
    """A job that has ended does not wait for a host that is away for longer than max_unheard."""
    master = cluster.master
    master.configure(max_unheard="00:00:02", load_report_time="00:00:01")
    job = submit(cluster, "each", PETASKS.replace("wait\n", ""))
    wait(lambda: set(petask_lines(master)) == {"MASTER", "1.master", "1.node1"}, lambda: master.ok("qstat", "-t"))
    cluster.hosts["node1"].kill_execd()
    touch(cluster, "end", job, "master")
    master.wait_gone(job)
    found = records(cluster, job)
    assert ("node1", "1.node1", "21", "0") in found and found[-1] == ("master", "NONE", "0", "4") and len(found) == 3, found
    touch(cluster, "go", job, "node1")
