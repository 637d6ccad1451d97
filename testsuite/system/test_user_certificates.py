"""A machine without an execution daemon: its user has a certificate, and the commands work as they do elsewhere."""
import os
import pwd
import re
import subprocess

from cell import wait
from drmaa_python import Program, binding  # pylint: disable=unused-import

TASK = ("-o", "/dev/null", "-j", "y", "-b", "y", "-shell", "n")


def add_user(cluster, name, *options):
    """Let NAME in; the words of the command that NAME is to run on another machine."""
    said = cluster.master.sge_cell("user", "add", name, *options)
    return re.search(r"^    \S+/util/sge_cell (join --user \S+ --qmaster \S+ --authority [0-9a-f]{64} --token \S+)$", said, re.M).group(1).split()


def machine(cluster, name="node1", owner="alice"):
    """One with the programs, which OWNER has put there."""
    host = cluster.add_host(name)
    os.chown(host.root, pwd.getpwnam(owner).pw_uid, pwd.getpwnam(owner).pw_gid)
    return host


def certified(cluster, name="node1"):
    """The machine of alice, who has a certificate."""
    host = machine(cluster, name)
    host.ok("sge_cell", *add_user(cluster, "alice"))
    return host


def papers_of(host, user="alice"):
    """Where they are, as the test sees it."""
    home = pwd.getpwnam(user).pw_dir
    return host.place / "tmp" / os.path.relpath(home, "/tmp") / ".sge/default.master"


def why(host, *words, **more):
    """What a command says that is refused, on either stream."""
    result = host.refused(*words, **more)
    return result.out + result.err


def no_tunnel_is_left(host):
    wait(lambda: not host.processes("sge_tunnel"), "the tunnels to end")


def test_a_user_comes_by_two_commands(bare_cluster):
    """The cell has no other host, and its qmaster does not listen before. Afterwards nothing runs on the machine but what the user starts."""
    master = bare_cluster.master
    master.create(2)
    master.start()
    node = certified(bare_cluster)
    job = node.qsub("-N", "far", "-h", *TASK, "/bin/sh", "-c", "exit 3")
    assert " far " in node.ok("qstat") and "owner:                      alice" in node.ok("qstat", "-j", job)
    assert "sge_o_host:                 node1" in master.ok("qstat", "-j", job)
    node.ok("qalter", "-p", "-5", job)
    node.ok("qrls", job)
    master.wait_gone(job)
    assert master.accounting()[0]["owner"] == "alice" and master.accounting()[0]["exit_status"] == "3"
    assert node.run("qsub", "-sync", "y", *TASK, "/bin/sh", "-c", "exit 5").code == 5
    assert (papers_of(node) / "key.pem").stat().st_mode & 0o777 == 0o600
    assert papers_of(node).stat().st_mode & 0o777 == 0o700
    assert "user alice has joined and received a certificate" in master.messages_of("qmaster")
    no_tunnel_is_left(node)
    assert "no daemon of cell" in why(node, "sge_cell", "start")


def test_what_stays_connected_comes_again_when_the_qmaster_does(cluster, binding):
    """An event client and a DRMAA session, which reaps each task once."""
    master, node = cluster.master, certified(cluster)
    heard, ready = node.files / "heard", node.files / "ready"
    with open(heard, "w", encoding="utf-8") as out:
        ears = node.start_program("qevent", "-sm", stdout=out)
    waiting = Program(node).start("""
        s.initialize()
        jobs = s.runBulkJobs(template("/bin/true", native="-h -shell n"), 1, 20, 1)
        open(sys.argv[1], "w").write(jobs[0].split(".")[0])
        ends = [s.wait(s.JOB_IDS_SESSION_ANY, s.TIMEOUT_WAIT_FOREVER) for _ in jobs]
        print(sorted(int(end.jobId.split(".")[1]) for end in ends) == list(range(1, 21)), {end.exitStatus for end in ends})
        s.exit()
        """, ready)
    try:
        wait(lambda: "qevent" in master.ok("qconf", "-secl"), "the event client")
        wait(lambda: ready.exists() and ready.read_text(), "the jobs")
        master.kill_qmaster()
        master.start()
        wait(lambda: "qevent" in master.ok("qconf", "-secl"), "the event client to come again")
        master.ok("qrls", ready.read_text(), user="root")
        out, err = waiting.communicate(timeout=60)
        assert (out.splitlines(), err) == (["True {0}"], "")
        node.qsub("-N", "heard", "-h", *TASK, "/bin/true")
        wait(lambda: "heard" in heard.read_text(), lambda: heard.read_text())
    finally:
        ears.terminate()
        ears.wait()
    no_tunnel_is_left(node)


def test_long_questions_and_answers_come_through(cluster):
    node = certified(cluster)
    script = node.files / "long.sh"
    script.write_text("#!/bin/sh\nexit 0\n" + "# a line that nobody reads\n" * 100000)
    node.qsub("-h", "-o", "/dev/null", "-j", "y", script)
    for _ in range(30):
        node.qsub("-h", "-t", "1-50000:7", "-v", "X=" + "x" * 20000, *TASK, "/bin/true")
    assert node.ok("qstat", "-j", "*").count("x" * 20000) == 30


def test_a_certificate_makes_no_manager(cluster):
    """alice is one at the qmaster's host; with her certificate she has the rights of a user, and those over her own jobs."""
    master = cluster.master
    master.ok("qconf", "-am", "alice", user="root")
    node = certified(cluster)
    master.ok("qconf", "-am", "bob")
    assert '"alice" uses a certificate, and managers may connect only from admin hosts' in why(node, "qconf", "-dm", "bob")
    job = master.qsub("-h", *TASK, "/bin/true", user="bob")
    assert "you do not have the necessary privileges" in why(node, "qdel", job)
    own = master.qsub("-h", *TASK, "/bin/true")
    assert "has deleted job" in node.ok("qdel", own)


def test_root_comes_by_no_certificate(cluster):
    said = cluster.master.refused("sge_cell", "user", "add", "root", user="root").err
    assert "root is root or the qmaster's user, who come by no certificate" in said
    assert 'there is no user "nobody.at.all"' in cluster.master.refused("sge_cell", "user", "add", "nobody.at.all", user="root").err
    for word in ("", "-x", "a b"):
        assert cluster.master.refused("sge_cell", "user", "add", word, user="root").err.startswith("sge_cell: user add: there is no user")


def test_a_token_is_for_one_user_and_one_use(cluster):
    """Whoever has seen the command cannot use it again, nor as somebody else; nothing stays behind."""
    words, node = add_user(cluster, "alice"), machine(cluster)
    alice, bob = pwd.getpwnam("alice"), pwd.getpwnam("bob")
    as_bob = [word.replace(f"alice:{alice.pw_uid}", f"bob:{bob.pw_uid}") for word in words]
    assert "the qmaster refuses: its token is not valid" in why(node, "sge_cell", *as_bob)
    as_root = [word.replace(f"alice:{alice.pw_uid}", "root:0") for word in words]
    assert "the qmaster refuses: it does not request a certificate that can be issued" in why(node, "sge_cell", *as_root)
    assert not node.dir.exists() and not papers_of(node).exists()
    node.ok("sge_cell", *words)
    assert "the qmaster refuses: its token is not valid" in why(node, "sge_cell", *words)
    node.ok("qstat")  # what was there stays


def test_whoever_cannot_make_the_cell_is_told_so(cluster):
    node = cluster.add_host("node1")
    assert "ask the owner of" in why(node, "sge_cell", *add_user(cluster, "alice"))


def test_a_removed_user_is_refused_with_a_line_on_both_sides(cluster):
    """At once, with what is connected. A new certificate lets the user in again."""
    master, node = cluster.master, certified(cluster)
    waiting = node.start_program("qsub", "-sync", "y", "-h", *TASK, "/bin/true")
    wait(lambda: "alice" in master.ok("qstat", "-u", "*"), "the job")
    assert "1 certificate of alice revoked" in master.sge_cell("user", "remove", "alice")
    wait(lambda: "connection of user alice from fd17::2" in master.messages_of("qmaster"), lambda: master.messages_of("qmaster"))
    assert "certificate revoked" in why(node, "qstat")
    assert f'using certificate "{papers_of(node).relative_to(node.place / "tmp").as_posix()}' in why(node, "qstat").replace('"/tmp/', '"')
    waiting.kill()  # SIGTERM would have it delete the job, which it would try for a minute
    waiting.communicate()
    node.ok("sge_cell", *add_user(cluster, "alice"))
    node.ok("qstat")
    no_tunnel_is_left(node)


def issue(cluster, subject, node, days=30, side="user"):
    """Papers for alice on NODE that say SUBJECT, from the authority itself."""
    papers = cluster.master.files / "papers"
    cluster.master.ok("sge_ca", "issue", cluster.master.dir / "spool/qmaster/authority", side, subject, papers, days, user="root")
    subprocess.run(["rm", "-rf", str(papers_of(node))], check=True)
    subprocess.run(["cp", "-R", str(papers), str(papers_of(node))], check=True)
    alice = pwd.getpwnam("alice")
    subprocess.run(["chown", "-R", f"{alice.pw_uid}:{alice.pw_gid}", str(papers_of(node))], check=True)


def test_an_id_that_is_somebody_elses_now_is_refused(cluster):
    """The certificate outlives the account: whoever gets the id next is not spoken for."""
    node, alice = certified(cluster), pwd.getpwnam("alice")
    issue(cluster, f"mallory:{alice.pw_uid}:{alice.pw_gid}", node)
    text = f"the certificate of mallory is for user id {alice.pw_uid}, which belongs to alice here"
    process = node.start_program("qstat")
    wait(lambda: text in cluster.master.messages_of("qmaster"), "the qmaster to say so")
    process.terminate()
    process.communicate()
    issue(cluster, "nobody_at_all:54321:54321", node)
    process = node.start_program("qstat")
    wait(lambda: "is for user id 54321, which belongs to 54321 here" in cluster.master.messages_of("qmaster"), "the qmaster to say so")
    process.terminate()
    process.communicate()


def test_an_expired_or_foreign_certificate_is_refused(cluster):
    node = certified(cluster)
    alice = pwd.getpwnam("alice")
    issue(cluster, f"alice:{alice.pw_uid}:{alice.pw_gid}", node, days="0s")
    assert "certificate expired" in why(node, "qstat")
    issue(cluster, "master", node, side="qmaster")
    assert "unsupported certificate" in why(node, "qstat")
    (papers_of(node) / "key.pem").chmod(0o644)
    assert "only its owner may have access to a key (0600)" in why(node, "qstat")
    (papers_of(node) / "key.pem").write_text("no key\n")
    (papers_of(node) / "key.pem").chmod(0o600)
    assert "cannot use" in why(node, "qstat")


def test_a_host_with_a_users_certificate_is_no_host(cluster):
    """What is for a user registers no execution daemon."""
    alice = pwd.getpwnam("alice")
    node = cluster.join("node1", starts=False)
    papers = cluster.master.files / "papers"
    cluster.master.ok("sge_ca", "issue", cluster.master.dir / "spool/qmaster/authority", "user", f"alice:{alice.pw_uid}:{alice.pw_gid}", papers, user="root")
    to = node.dir / "spool/node1/tls"
    subprocess.run(["cp", "-R", f"{papers}/.", str(to)], check=True)
    node.start_execd()
    wait(lambda: "alice" in cluster.master.messages_of("qmaster"), lambda: cluster.master.messages_of("qmaster"))
    assert "execd of node1 registered" not in cluster.master.messages_of("qmaster")


def test_a_certificate_renews_itself(cluster):
    """When a third of its life is left, the next command has a new one made, and does not wait for it."""
    node, alice = certified(cluster), pwd.getpwnam("alice")
    issue(cluster, f"alice:{alice.pw_uid}:{alice.pw_gid}", node, days="1800s")  # begun an hour ago
    key = papers_of(node) / "key.pem"
    old = key.read_text()
    node.ok("qstat")
    wait(lambda: key.read_text() != old, "the renewal")
    wait(lambda: not node.processes("sge_ca"), "sge_ca to end")
    assert key.stat().st_mode & 0o777 == 0o600
    assert [line.split()[1] for line in cluster.master.sge_cell("certificates").splitlines() if line.startswith("alice:")] == ["user"] * 3
    node.ok("qstat")


def test_without_a_qmaster_it_is_said_at_once(cluster):
    """As on the qmaster's host: no command waits for one that does not run."""
    node = certified(cluster)
    cluster.master.kill_qmaster()
    assert "Connection refused" in why(node, "qstat", timeout=10)
    no_tunnel_is_left(node)
    cluster.master.start()
    node.ok("qstat")


def test_nothing_of_the_tunnel_holds_up_who_reads_the_output(cluster):
    """A shell that waits for the end of a pipe waits for the command alone."""
    node = certified(cluster)
    assert node.ok("sh", "-c", "qsub -terse -h -b y -o /dev/null -j y /bin/true 2>&1 | cat", timeout=20).strip().isdigit()
    no_tunnel_is_left(node)
