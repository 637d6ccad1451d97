"""Certificates renew themselves before they end: on a host by its execd, on the qmaster's host by the qmaster, without a restart."""
import subprocess

from cell import wait


def certificates(cluster):
    """[(name, state, serial)], as sge_cell prints them."""
    rows = [line.split() for line in cluster.master.sge_cell("certificates").splitlines()[1:]]
    return [(row[0], row[3], row[4]) for row in rows]


def test_certificates_renew_themselves(cluster):
    """Both sides have short-lived ones; the host comes back with the new one when the old one counts no more."""
    master, node = cluster.master, cluster.join("node1", starts=False)
    spool = master.dir / "spool/qmaster"
    master.ok("sge_ca", "issue", spool / "authority", "qmaster", "master", spool / "tls", "600s", user="root")
    subprocess.run(["chown", "-R", f"--reference={spool}", spool / "tls"], check=True)
    cluster.issue(node, days="600s")
    old = certificates(cluster)[-1]
    assert old[:2] == ("node1", "valid")
    node.start_execd()
    wait(lambda: f"host node1 has a new certificate in place of {old[2]}" in master.messages_of("qmaster"), "the renewal")
    wait(lambda: "certificate of master renewed: valid until" in master.messages_of("qmaster"), "the qmaster's own")
    cluster.wait_registered("node1")
    assert [row[0] for row in certificates(cluster)[-3:]].count("node1") == 2
    key = node.dir / "spool/node1/tls/key.pem"
    wait(lambda: not node.run("pgrep", "-x", "sge_ca", user="root").out, "the renewal to end")
    assert key.stat().st_mode & 0o777 == 0o600
    assert (spool / "tls/key.pem").stat().st_mode & 0o777 == 0o600
    assert "1 certificate of" in master.sge_cell("revoke", old[2])
    node.kill_execd()
    registrations = master.messages_of("qmaster").count("execd of node1 registered")
    node.start_execd()
    wait(lambda: master.messages_of("qmaster").count("execd of node1 registered") > registrations, "the host to come with its new certificate")


def test_a_renewal_survives_the_death_of_a_shepherd(cluster):
    """What a dead shepherd leaves behind falls to the execution daemon, which ends it, and nothing else."""
    master, node = cluster.master, cluster.join("node1", starts=False)
    cluster.issue(node, days="600s")
    program, noted = node.bin / "sge_ca", node.place / "tmp/renewal"
    program.rename(program.with_name("sge_ca.real"))
    program.write_text('#!/bin/sh\n[ "$1" != renew ] || { echo $$ >/tmp/renewal; exec sleep 1000; }\nexec "$0.real" "$@"\n')
    program.chmod(0o755)
    node.start_execd()
    cluster.wait_registered("node1")
    wait(lambda: noted.exists() and noted.read_text().strip(), "the renewal to begin")
    job = master.qsub("-q", "all.q@node1", "-o", "/dev/null", "-j", "y", "-b", "y", "/bin/sh", "-c", "echo >/tmp/begun; exec sleep 1000")
    wait(lambda: (node.place / "tmp/begun").exists(), "the task to run")
    shepherds = node.ok("pgrep", "-x", "sge_shepherd", user="root").split()
    node.ok("kill", "-9", *shepherds, user="root")
    master.wait_gone(job)
    assert [line["failed"].split()[0] for line in master.accounting()] == ["19"]
    assert node.run("kill", "-0", noted.read_text().strip(), user="root").code == 0
