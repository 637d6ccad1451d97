"""Sessions of interactive jobs between hosts: a client on one host, its task on another."""
import os
import pwd
import signal
import subprocess

from cell import wait
from cluster import NET4, NET6
from test_interactive import Terminal, frame
from test_user_certificates import certified

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


def on(host):
    return ["-l", f"h={host.hostname}"]


def no_job_is_left(master):
    wait(lambda: master.ok("qstat", "-u", "*") == "", lambda: master.ok("qstat", "-u", "*"))


def test_sessions_between_hosts(cluster):
    master, node = two_hosts(cluster)
    for client, task in (master, node), (node, master):
        assert shown(client, *on(task), "hostname; echo err >&2; exit 7") == (7, f"{task.hostname}\n", "err\n")
        assert shown(client, *on(task), "cat", stdin="hi\n") == (0, "hi\n", "")
        # more than any buffer on the way, in each direction and through both
        assert shown(client, *on(task), "wc -c", stdin="x" * 3 * MIB) == (0, f"{3 * MIB}\n", "")
        assert shown(client, *on(task), f"head -c {3 * MIB} /dev/zero | tr '\\0' y") == (0, "y" * 3 * MIB, "")
        assert shown(client, *on(task), "cat", stdin="z" * MIB) == (0, "z" * MIB, "")
        see_a_terminal(client, task)
        see_a_client_killed(master, client, task)
    see_others_refused(master, node)
    see_execds_come_and_go(master, node)
    see_a_carrier_end(master, node)
    assert shown(master, *on(node), "exit 3")[0] == 3
    no_job_is_left(master)


def see_a_terminal(client, task):
    """The window's size, a change of it, and Control-C."""
    terminal = Terminal(client, "qrsh", "-pty", "y", *on(task), "trap 'echo interrupted' INT; stty size; while :; do sleep 0.1; stty size; done")
    terminal.expect("40 100")
    terminal.resize(33, 77)
    terminal.process.send_signal(signal.SIGWINCH)
    terminal.expect("33 77")
    terminal.type("\x03")
    terminal.expect("interrupted")
    terminal.process.send_signal(signal.SIGTERM)
    assert terminal.finish() == 128 + signal.SIGTERM


def see_a_client_killed(master, client, task):
    """Its job ends, also one that reads nothing and was sent more than all buffers hold."""
    silent = client.start_program("qrsh", *on(task), "echo here; exec sleep 1000", stdin=open("/dev/zero", "rb"))
    assert silent.stdout.readline() == "here\n"
    silent.kill()
    silent.wait()
    no_job_is_left(master)


def ask(host, data, user):
    """A process of USER that prints what the execution daemon of HOST answers to a first frame."""
    code = ("import socket, sys; s = socket.socket(socket.AF_UNIX); s.settimeout(50); s.connect(sys.argv[1]); "
            "s.sendall(bytes.fromhex(sys.argv[2])); print('asked', flush=True); print(s.recv(2000)[5:].decode())")
    short = f"/tmp/{host.hostname}.sock"
    host.ok("ln", "-sf", host.dir / "spool" / host.hostname / "session.sock", short, user="root")
    asking = host.start_program("python3", "-c", code, short, data.hex(), user=user)
    assert asking.stdout.readline() == "asked\n"
    return asking


def see_others_refused(master, node):
    """A job's host knows its client by user and secret, whichever host they come from."""
    job = int(master.qsub("-h", "-b", "y", "true"))
    master.ok("qdel", job)
    early = [ask(node, frame(1, "master", f"{job + 1}.1", "guess"), user) for user in ("alice", "bob")]
    assert shown(node, *on(master), "read line; echo $line $JOB_ID", stdin="done\n") == (0, f"done {job + 1}\n", "")
    for asking in early:  # the second answer if the frame, which travels, comes when the job is over
        assert asking.communicate()[0].startswith(("denied: the job is not yours", "the job has ended", "no such job"))
    assert "cannot reach the execution daemon of nowhere" in ask(node, frame(1, "nowhere", "1.1", "x"), "alice").communicate()[0]
    assert "this is no request" in ask(node, frame(10, "0"), "alice").communicate()[0]


def see_execds_come_and_go(master, node):
    """Sessions go on while the execution daemon of either end is killed and started again, and new ones are possible then."""
    clients = [node.start_program("qrsh", *on(master), "cat; exit 5", stdin=subprocess.PIPE),
               master.start_program("qrsh", *on(node), "cat; exit 5", stdin=subprocess.PIPE)]
    for turn in range(2):
        for client in clients:
            see_an_echo(client, f"turn {turn}")
        before = carriers(node)
        node.kill_execd()
        for client in clients:
            see_an_echo(client, f"without {turn}")
        node.start_execd()
        wait(lambda: [pid for pid in carriers(node) if pid not in before], "the carrier of the new one")
        cluster_is_whole(master)
    for client in clients:
        see_an_echo(client, "x" * 20000)
        client.stdin.close()
        assert client.wait(30) == 5
        client.stdout.close()
        client.stderr.close()
    wait(lambda: len(carriers(node)) == 1, "the earlier carriers to end")


def carriers(host):
    """Their numbers, in the namespace of HOST."""
    rows = [line.split() for line in host.ok("ps", "-eo", "pid,stat,comm").splitlines()]
    return [pid for pid, state, program in (row[:3] for row in rows) if program == "sge_carrier" and "Z" not in state]


def see_an_echo(client, text):
    client.stdin.write(text + "\n")
    client.stdin.flush()
    assert client.stdout.readline() == text + "\n"


def see_a_carrier_end(master, node):
    """A carrier that is killed ends the sessions that it carries: their clients say so, the jobs end, and another one starts."""
    client = node.start_program("qrsh", *on(master), "echo here; exec sleep 1000")
    assert client.stdout.readline() == "here\n"
    node.ok("kill", "-9", *carriers(node), user="root")
    assert client.stderr.read() == "error: the connection to the job was lost before its end\n"
    assert client.wait() == 1
    no_job_is_left(master)
    cluster_is_whole(master)
    assert "sge_carrier has ended, with all sessions that it carried" in node.messages_of("node1")


def cluster_is_whole(master):
    wait(lambda: master.run("qrsh", "-l", "h=node1", "true").code == 0, "sessions to be possible again")


def test_a_host_that_is_cut_off_loses_its_sessions(cluster):
    """Both ends notice within HOST_SILENCE, and the job ends; with the cable back, all is as before."""
    master, node = two_hosts(cluster)
    cluster.set_silence(5)
    assert shown(node, *on(master), "true")[0] == 0  # the setting has come
    far, near = node.start_program("qrsh", *on(master), "echo here; exec sleep 1000"), master.start_program("qrsh", *on(node), "echo here; exec sleep 1000")
    assert far.stdout.readline() == near.stdout.readline() == "here\n"
    node.link("down")
    lost = "error: the connection to the job was lost before its end\n"
    assert near.stderr.readline() == lost
    assert far.stderr.readline() == lost
    assert far.wait(30) == near.wait(30) == 1
    wait(lambda: not node.processes("sge_shepherd"), "the task to end on the host that is cut off")
    node.link("up")
    no_job_is_left(master)
    assert shown(node, *on(master), "echo back") == (0, "back\n", "")


def test_a_client_that_does_not_read_costs_little(cluster):
    """Its job stops when the buffers on the way are full; both execution daemons stay small and serve others; what was written then comes whole."""
    master, node = two_hosts(cluster)
    before = {host.hostname: memory_kib(host) for host in (master, node)}
    unread = master.start_program("qrsh", *on(node), "head -c 10000000000 /dev/zero")
    # others are served meanwhile, and each more often than the buffers would take to fill
    for _ in range(10):
        assert shown(master, "-now", "n", *on(node), "echo served") == (0, "served\n", "")
    for host in (master, node):
        assert memory_kib(host) - before[host.hostname] < 16 * 1024, host.hostname
    came = 0
    while came < 64 * MIB:  # it goes on where it was stopped
        part = len(os.read(unread.stdout.fileno(), MIB))
        assert part > 0, f"the end after {came} bytes"
        came += part
    unread.kill()
    unread.communicate()
    no_job_is_left(master)


def memory_kib(host):
    """What the execution daemon of HOST and its carrier have of the memory."""
    rows = [line.split() for line in host.ok("ps", "-eo", "rss,comm").splitlines()]
    return sum(int(row[0]) for row in rows if row[1] in ("sge_execd", "sge_carrier"))


def test_a_user_with_a_certificate_has_sessions_until_it_is_revoked(cluster):
    """Without an execution daemon where the user is; what was revoked is refused by the task's host, and the session that goes on ends."""
    master, node = two_hosts(cluster)
    user = certified(cluster, "node2")
    for task in master, node:
        assert shown(user, *on(task), "hostname; exit 5") == (5, f"{task.hostname}\n", "")
    assert shown(user, *on(node), "wc -c", stdin="x" * 3 * MIB) == (0, f"{3 * MIB}\n", "")
    # a guess at the job of somebody else, and a user whom the certificate does not name
    session = tunnel(user, "node1", frame(1, "node1", "999.1", "guess"))
    assert "this is no request" in tunnel(user, "node1", frame(10, "0") + frame(1, "node1", "1.1", "x")).communicate()[0]
    goes_on = user.start_program("qrsh", *on(node), "echo here; exec sleep 1000")
    assert goes_on.stdout.readline() == "here\n"
    assert session.poll() is None
    master.sge_cell("user", "remove", "alice")
    assert goes_on.stderr.readline() == "error: the connection to the job was lost before its end\n"
    wait(lambda: "certificate revoked" in tunnel(user, "node1", frame(1, "node1", "1.1", "x")).communicate()[0], "the refusal")
    assert "the certificate of alice" in node.messages_of("node1")
    assert tunnel(user, "master", frame(1, "master", "1.1", "x")).communicate()[0].endswith("certificate revoked")
    node.kill_execd()  # no restart forgets it, though the qmaster is away
    master.kill_qmaster()
    node.start_execd()
    wait(lambda: "certificate revoked" in tunnel(user, "node1", frame(1, "node1", "1.1", "x")).communicate()[0], "the refusal after a restart")


def tunnel(host, to, data):
    """A process of the user that goes to the execution daemon of TO by sge_tunnel, sends DATA, and prints what comes back."""
    code = ("import os, socket, subprocess, sys; a, b = socket.socketpair(); a.settimeout(50); "
            "p = subprocess.Popen(['sge_tunnel', sys.argv[1], sys.argv[2], '6445', 'session'], stdin=b); b.close()\n"
            "first = a.recv(1); a.sendall(bytes.fromhex(sys.argv[3])) if first == b'+' else None\n"
            "print(b''.join(iter(lambda: a.recv(2000), b''))[5 if first == b'+' else 0:].decode(), end='')")
    papers = f"{pwd.getpwnam('alice').pw_dir}/.sge/default.master"
    return host.start_program("python3", "-c", code, papers, to, data.hex())


def test_peers_without_a_certificate_delay_nobody(cluster):
    """Silent connections, bytes that are no TLS, hosts of another authority: sessions go on, and the log says who it was."""
    master, node = two_hosts(cluster)
    attacker = cluster.add_host("node2")
    silent = attacker.start_program("python3", "-c", "import socket, sys\nall = [socket.create_connection(('node1', 6445)) for _ in range(600)]\n"
                                    "print('there', flush=True); sys.stdin.read()", stdin=subprocess.PIPE)
    assert silent.stdout.readline() == "there\n"
    assert shown(master, *on(node), "echo served") == (0, "served\n", "")
    said = attacker.ok("python3", "-c", "import socket\ns = socket.create_connection(('node1', 6445)); s.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n' * 9); "
                       "print(len(s.recv(100)) < 100)")
    assert said == "True\n"
    assert shown(master, *on(node), "echo served") == (0, "served\n", "")
    silent.communicate()
    log = node.messages_of("node1")
    assert "for a session ended: too many unauthenticated connections, the limit is 256" in log and "it does not use TLS 1.3" in log
    no_port_without_hosts(master)


def no_port_without_hosts(master):
    """A cell whose qmaster has no port has none for sessions either."""
    assert "6445" in listeners(master)
    bootstrap = master.dir / "common/bootstrap"
    bootstrap.write_text("".join(line for line in bootstrap.read_text().splitlines(True) if "qmaster_port" not in line))
    master.sge_cell("stop")
    master.start()
    assert shown(master, *on(master), "echo here") == (0, "here\n", "")
    assert "6445" not in listeners(master)


def listeners(host):
    """The TCP ports at which something listens there."""
    rows = [line.split() for kind in ("tcp", "tcp6") for line in host.ok("cat", f"/proc/net/{kind}").splitlines()[1:]]
    return {str(int(row[1].split(":")[1], 16)) for row in rows if row[3] == "0A"}


def test_sessions_through_a_gateway(bare_cluster):
    """The port for sessions opens with the first user or host that is let in. A host that others cannot reach is reached through the qmaster's."""
    master = bare_cluster.master
    master.create(2)
    master.start()
    master.ok("qconf", "-mattr", "queue", "tmpdir", "/tmp", "all.q", user="root")
    assert "6445" not in listeners(master)
    user = certified(bare_cluster, "node2")
    assert shown(user, "echo here") == (0, "here\n", "")
    node = bare_cluster.join("node1")
    bare_cluster.wait_registered("node1")
    for kind, net, bits in ("-4", NET4, 32), ("-6", NET6, 128):
        user.ok("ip", kind, "route", "add", "unreachable", f"{net}2/{bits}", user="root")
    assert "cannot reach the execution daemon at node1:6445" in shown(user, *on(node), "true")[2]
    for host in user, master:
        with open(host.dir / "common/bootstrap", "a", encoding="utf-8") as bootstrap:
            bootstrap.write("session_gateway master\n")
    master.sge_cell("stop")
    master.start()
    bare_cluster.wait_registered("node1")
    assert shown(user, "-now", "n", *on(node), "cat; exit 4", stdin="through\n") == (4, "through\n", "")
    # the gateway alone passes on what came from another host
    for kind, net, bits in ("-4", NET4, 32), ("-6", NET6, 128):
        user.ok("ip", kind, "route", "del", "unreachable", f"{net}2/{bits}", user="root")
    assert "the job runs on master, and no session can be carried from node1" in tunnel(user, "node1", frame(1, "master", "1.1", "x")).communicate()[0]
