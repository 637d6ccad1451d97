"""Sessions of interactive jobs between hosts: a client on one host, its task on another."""
from cell import wait

MIB = 1 << 20


def two_hosts(cluster):
    """all.q has slots on both."""
    cluster.join("node1", slots=4)
    for name in ("master", "node1"):
        cluster.wait_registered(name)
    return cluster.master, cluster.hosts["node1"]


def shown(host, *words, **more):
    """What qrsh WORDS says on HOST: exit status, output, error output."""
    result = host.run("qrsh", *words, **more)
    return result.code, result.out, result.err


def on(name):
    return ["-l", f"h={name}"]


def test_streams_and_status_between_hosts(cluster):
    master, node = two_hosts(cluster)
    for client, task in (master, node), (node, master):
        to = on(task.hostname)
        assert shown(client, *to, "hostname; echo err >&2; exit 7") == (7, f"{task.hostname}\n", "err\n")
        assert shown(client, *to, "cat", stdin="hi\n") == (0, "hi\n", "")
        assert shown(client, *to, "wc -c", stdin="x" * 3 * MIB) == (0, f"{3 * MIB}\n", "")
        assert shown(client, *to, f"head -c {3 * MIB} /dev/zero | tr '\\0' y") == (0, "y" * 3 * MIB, "")
    wait(lambda: master.ok("qstat", "-u", "*") == "", "all jobs to go")
