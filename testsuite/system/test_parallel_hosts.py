"""Parallel tasks over three hosts: where their slots are by each allocation rule, what is shown of them, and that a task has its slots on
all hosts or on none, whatever dies between two steps."""
import collections

from cell import wait
from faults import kill_and_wait
from test_parallel import add_pe

NAMES = ["master", "node1", "node2"]


def three_hosts(cluster):
    """all.q has 2 slots on each; each host writes to a /tmp of its own."""
    for name in NAMES[1:]:
        cluster.join(name)
    for name in NAMES:
        cluster.wait_registered(name)
    return cluster.master


def submit_gated(cluster, name, *options):
    """Tasks that append to /tmp/NAME where they run, show their slots, and go on when /tmp/go.NAME is there."""
    text = (f'cat $PE_HOSTFILE >/tmp/slots.$JOB_ID.$SGE_TASK_ID; echo $SGE_TASK_ID >>/tmp/{name}; '
            f'while [ ! -e /tmp/go.{name} ]; do sleep 0.05; done')
    return cluster.master.qsub("-N", name, "-o", "/dev/null", "-j", "y", *options, "-b", "y", "-shell", "n", "/bin/sh", "-c", text)


def let_go(cluster, name):
    for host in cluster.hosts.values():
        (host.place / f"tmp/go.{name}").touch()


def slots_of(cluster, job, task="undefined"):
    """[(host, slots, queue instance)] as the task sees them, the master's first; the one host that wrote them is the first."""
    written = {name: host.place / f"tmp/slots.{job}.{task}" for name, host in cluster.hosts.items()}
    wait(lambda: any(path.exists() and path.read_text().endswith("\n") for path in written.values()), "the task to begin")
    name, = (name for name, path in written.items() if path.exists())
    rows = [line.split() for line in written[name].read_text().splitlines()]
    assert rows[0][0] == name and all(row[3] == "UNDEFINED" for row in rows), rows
    return [(host, int(slots), queue) for host, slots, queue, _ in rows]


def used_slots(master):
    """{host: used slots} of all.q."""
    rows = [line.split() for line in master.ok("qstat", "-f").splitlines() if line.startswith("all.q@")]
    return {row[0].split("@")[1]: int(row[2].split("/")[1]) for row in rows}


def test_slots_over_hosts_by_each_rule(cluster):
    master = three_hosts(cluster)
    for name, rule in ("fill", "$fill_up"), ("turns", "$round_robin"), ("one", "1"), ("here", "$pe_slots"):
        add_pe(master, name, allocation_rule=rule)
    expected = {("fill", "5"): [2, 2, 1], ("turns", "4"): [2, 1, 1], ("one", "3"): [1, 1, 1], ("here", "1-9"): [2],
                ("turns", "1-9"): [2, 2, 2], ("one", "1-9:2"): [1, 1, 1], ("fill", "2,6-9"): [2, 2, 2]}
    for (pe, wanted), slots in expected.items():
        job = submit_gated(cluster, "each", "-pe", pe, wanted)
        rows = slots_of(cluster, job)
        assert [row[1] for row in rows] == slots, (pe, wanted, rows)
        assert len({row[0] for row in rows}) == len(rows) and all(row[2] == f"all.q@{row[0]}" for row in rows), rows
        let_go(cluster, "each")
        master.wait_gone(job)
        for host in cluster.hosts.values():
            (host.place / "tmp/go.each").unlink()
    refused = master.run("qsub", "-w", "e", "-pe", "one", "4", "-b", "y", "true")
    assert refused.code == 1 and "no suitable queues" in refused.err
    assert 'cannot run in PE "one" because it only offers 3 slots' in master.run("qsub", "-w", "v", "-pe", "one", "4", "-b", "y", "true").err
    assert [(row["granted_pe"], row["slots"]) for row in master.accounting()] == [(pe, str(sum(slots))) for (pe, _), slots in expected.items()]
    assert used_slots(master) == dict.fromkeys(NAMES, 0)
    see_a_task_on_three_hosts(cluster)


def see_a_task_on_three_hosts(cluster):
    """Shown wherever it has slots; what is restarted meanwhile changes nothing."""
    master = cluster.master
    job = submit_gated(cluster, "wide", "-pe", "fill", "5")
    rows = slots_of(cluster, job)
    master.wait_state(job, 0, "r")
    kinds = [(line[66:96].strip(), line[97:103].strip()) for line in master.ok("qstat", "-g", "t").splitlines()[2:]]
    assert kinds[0] == (rows[0][2], "MASTER")
    assert collections.Counter(kinds[1:]) == collections.Counter({(queue, "SLAVE"): slots - (queue == rows[0][2]) for _, slots, queue in rows})
    blocks = [block.splitlines() for block in master.ok("qstat", "-f").split("-" * 81 + "\n")[1:]]
    assert {block[0].split()[0]: int(block[1].split()[-1]) for block in blocks} == {queue: slots for _, slots, queue in rows}
    shown = master.ok("qhost", "-q", "-j")
    assert shown.count("MASTER") == 1 and shown.count("SLAVE") == 4
    for _, _, queue in rows:
        assert str(job) in master.ok("qstat", "-q", queue)
    slave = cluster.hosts[next(host for host, _, _ in reversed(rows) if host != "master")]
    slave.kill_execd()
    wait(lambda: f"lost the execd of {slave.hostname}" in master.messages_of("qmaster"), "the qmaster to notice")
    master.kill_qmaster()
    master.start()
    slave.start_execd()
    for name in NAMES:
        cluster.wait_registered(name)
    assert used_slots(master) == {host: slots for host, slots, _ in rows}
    let_go(cluster, "wide")
    master.wait_gone(job)
    assert used_slots(master) == dict.fromkeys(NAMES, 0)


def test_parallel_pipelines_survive_kills(cluster):
    """B.i follows A.i, each with 3 slots over hosts, while qmaster, schedd and an execd are killed: each task runs once."""
    master = three_hosts(cluster)
    add_pe(master, "turns", allocation_rule="$round_robin")
    a = submit_gated(cluster, "A", "-t", "1-3", "-pe", "turns", "3")
    b = submit_gated(cluster, "B", "-t", "1-3", "-pe", "turns", "3", "-hold_jid_ad", a)
    wait(lambda: sorted(master.tasks(a).values()) == ["qw", "r", "r"], lambda: f"two tasks to run: {master.tasks(a)}")
    assert used_slots(master) == dict.fromkeys(NAMES, 2)
    master.kill_qmaster()
    master.start()
    node = cluster.hosts["node1"]
    node.kill_execd()
    let_go(cluster, "A")
    kill_and_wait(master.processes("sge_schedd"))
    node.start_execd()
    wait(lambda: "r" in master.tasks(b).values(), lambda: f"a task of B to run: {master.states()}", 40)
    let_go(cluster, "B")
    master.wait_gone(a, b)
    began = [line for host in cluster.hosts.values() for name in "AB" if (host.place / f"tmp/{name}").exists()
             for line in (f"{name}.{task}" for task in (host.place / f"tmp/{name}").read_text().split())]
    assert sorted(began) == [f"{name}.{task}" for name in "AB" for task in (1, 2, 3)]
    ends = {(row["job_name"], row["task_number"]): (row["slots"], row["failed"], row["granted_pe"]) for row in master.accounting()}
    assert len(master.accounting()) == 6 and set(ends.values()) == {("3", "0", "turns")}
    assert used_slots(master) == dict.fromkeys(NAMES, 0)
