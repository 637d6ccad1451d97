"""Parallel jobs over several hosts that share nothing but a network: qrsh -inherit between them, MPI, GNU parallel, and what reaches them."""
import collections
import re
import shutil
import tempfile
from pathlib import Path

import pytest

from cell import wait
from conftest import IMPOSSIBLE
from test_parallel import add_pe

PATHS = "PATH=$SGE_BINARY_PATH:$PATH; export PATH\n"


def hosts_of(cluster, count, slots=2):
    """COUNT hosts, the qmaster's among them, and a PE with 2 slots on each."""
    names = ["master", "node1", "node2", "node3"][:count]
    for name in names[1:]:
        cluster.join(name, slots=slots)
    for name in names:
        cluster.wait_registered(name)
    add_pe(cluster.master, "tight", allocation_rule=slots, job_is_first_task="FALSE", accounting_summary="FALSE")
    return names


def submit(cluster, slots, text, *options):
    master = cluster.master
    return master.qsub("-N", "pt", "-o", "/tmp/pt.$JOB_ID", "-j", "y", "-pe", "tight", slots, *options, stdin=f"#!/bin/sh\n{PATHS}{text}\n")


def said(cluster, job):
    """What the job has written, on whichever host it runs."""
    for host in cluster.hosts.values():
        path = host.place / f"tmp/pt.{job}"
        if path.exists():
            return path.read_text()
    return ""


def run(cluster, slots, text, *options):
    job = submit(cluster, slots, text, *options)
    cluster.master.wait_gone(job)
    return job, said(cluster, job)


def records(cluster, job):
    """[(host, name of the task or NONE, failed, exit status)] of the accounting file."""
    return sorted((line["hostname"], line["pe_taskid"], line["failed"], line["exit_status"])
                  for line in cluster.master.accounting() if line["job_number"] == str(job))


def test_tasks_on_all_hosts_of_a_job(cluster):
    names = hosts_of(cluster, 2)
    job, text = run(cluster, 4, "cat $PE_HOSTFILE", "-binding", "pe", "linear:1")
    assert sorted(line.split()[0::3] for line in text.splitlines()) == [[name, "0,0"] for name in sorted(names)]
    wait(lambda: not re.search(r"m_topology_inuse=\w*c", cluster.master.ok("qhost", "-F", "m_topology_inuse")), "all cores to be released")
    job, text = run(cluster, 4, """
for h in $(cut -d' ' -f1 $PE_HOSTFILE | sort); do
    qrsh -inherit $h 'echo on $(hostname) $NSLOTS $JOB_ID; cat; exit 3' <<-END
	input
	END
    echo rc=$?
done
for h in $(cut -d' ' -f1 $PE_HOSTFILE | sort); do head -c 3000000 /dev/zero | qrsh -inherit $h wc -c; done
other=$(cut -d' ' -f1 $PE_HOSTFILE | tail -1); me=$(hostname)
qrsh -inherit $other 'PATH=$SGE_BINARY_PATH:$PATH; qrsh -inherit '$me' hostname' | sed "s/^$me$/back/"
""")
    lines = text.splitlines()
    assert lines[-3:] == ["3000000", "3000000", "back"], text
    for name in names:
        at = lines.index(next(line for line in lines if line.startswith(f"on {name} ")))
        assert lines[at].split()[2] in ("2", "4") and lines[at].split()[3] == str(job) and lines[at + 1:at + 3] == ["input", "rc=3"], text
    wait(lambda: len(records(cluster, job)) == 7, lambda: records(cluster, job))
    found = collections.Counter((host, code) for host, task, failed, code in records(cluster, job) if task != "NONE" and failed == "0")
    assert sum(found.values()) == 6 and all(found[name, "3"] == 1 for name in names), found
    see_what_reaches_all_hosts(cluster)
    see_an_execd_restarted(cluster)


def states_of(hosts, name):
    """The states of the processes that have written their numbers into /tmp/NAME; of those that are gone none."""
    return [state for host in hosts
            for state in host.run("sh", "-c", f"for p in $(cat /tmp/{name}); do cut -d' ' -f3 /proc/$p/stat 2>/dev/null; done").out.split()]


def see_what_reaches_all_hosts(cluster):
    """qmod -sj, -usj, -sq, -usq, qdel."""
    job = submit(cluster, 4, "for h in $(cut -d' ' -f1 $PE_HOSTFILE); do qrsh -inherit $h 'echo $$ >/tmp/pid; exec sleep 1000' & done; wait")
    hosts = list(cluster.hosts.values())
    wait(lambda: all((host.place / "tmp/pid").exists() for host in hosts), lambda: said(cluster, job))


    def states():
        return states_of(hosts, "pid")

    wait(lambda: states() == ["S", "S"], lambda: states())
    for name in "master", "node1":  # a process that is not of the job, on a host that is
        refused = cluster.master.run("env", f"JOB_ID={job}", "qrsh", "-inherit", name, "true")
        assert refused.code == 1 and refused.err.endswith("didn't accept task: qrsh -inherit is for processes of the job\n"), refused
    cluster.master.ok("qmod", "-sj", job, user="root")
    wait(lambda: states() == ["T", "T"], lambda: states())
    cluster.master.ok("qmod", "-usj", job, user="root")
    wait(lambda: states() == ["S", "S"], lambda: states())
    for name in "master", "node1":  # the job runs in one of these queue instances, and has slots in both
        cluster.master.ok("qmod", "-sq", f"all.q@{name}", user="root")
        wait(lambda: states() == ["T", "T"], lambda: states())
        wait(lambda: " S " in cluster.master.ok("qstat", "-u", "*"), "its state")
        cluster.master.ok("qmod", "-usq", f"all.q@{name}", user="root")
        wait(lambda: states() == ["S", "S"], lambda: states())
    cluster.master.ok("qdel", job)
    cluster.master.wait_gone(job)
    assert states() == []
    wait(lambda: len(records(cluster, job)) == 3, lambda: records(cluster, job))
    for host in hosts:
        wait(lambda at=host: not any((at.dir / "spool" / at.hostname / "active_jobs").glob("[0-9]*")), "the directories to go")


def see_an_execd_restarted(cluster):
    """A host of a job whose execd was killed starts tasks of it again, and one that runs there goes on with its streams."""
    job = submit(cluster, 4, """
(echo begun; while [ ! -e /tmp/go ]; do sleep 0.05; done; echo input) | qrsh -inherit node1 'read a; echo $a; read b; echo $b; exit 4' | {
    read begun; echo $begun >/tmp/begun; cat; }
for h in $(cut -d' ' -f1 $PE_HOSTFILE); do qrsh -inherit $h hostname; done""", "-q", "*", "-masterq", "all.q@master")
    begun = cluster.master.place / "tmp/begun"
    wait(begun.exists, "the job to begin")
    node = cluster.hosts["node1"]
    node.kill_execd()
    node.start_execd()
    wait(lambda: (node.dir / "spool/node1/messages").read_text().count("connected to the qmaster") == 2, "the execd")
    (cluster.master.place / "tmp/go").touch()
    cluster.master.wait_gone(job)
    assert said(cluster, job) == "input\nmaster\nnode1\n"
    wait(lambda: ("node1", "0", "4") in [(host, failed, code) for host, task, failed, code in records(cluster, job)], lambda: records(cluster, job))


def program(name):
    if not shutil.which(name):
        pytest.skip(f"{IMPOSSIBLE}{name} is not installed: ./aimk deps -tools")
    return name


def see_what_reaches_ranks(cluster, command):
    """All processes of COMMAND stop, go on, and end with one of them, or with the job."""
    hosts = list(cluster.hosts.values())
    for way in "rank", "job":
        for host in hosts:
            (host.place / "tmp/ranks").unlink(missing_ok=True)
        job = submit(cluster, 8, f"{command} sh -c 'echo $$ >>/tmp/ranks; exec sleep 1000'")

        def states():
            return states_of(hosts, "ranks")

        wait(lambda at=states: at() == ["S"] * 8, lambda: said(cluster, job))
        cluster.master.ok("qmod", "-sj", job, user="root")
        wait(lambda at=states: at() == ["T"] * 8, states)
        cluster.master.ok("qmod", "-usj", job, user="root")
        wait(lambda at=states: at() == ["S"] * 8, states)
        if way == "rank":
            hosts[-1].ok("sh", "-c", "kill -9 $(head -1 /tmp/ranks)")
        else:
            cluster.master.ok("qdel", job)
        cluster.master.wait_gone(job)
        assert states() == []


BURN = "t=0; while [ $t -lt 50 ]; do i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; t=$(($(cut -d\" \" -f14 /proc/$$/stat))); done; times"


def see_usage_summed(cluster, mpirun, summary):
    """Four ranks on two hosts, each of which uses half a second of a processor: the records together have what they have used."""
    master = cluster.master
    master.ok("qconf", "-mattr", "pe", "accounting_summary", summary, "tight", user="root")
    (master.place / "tmp/burn.sh").write_text(BURN)
    for host in cluster.hosts.values():
        (host.place / "tmp/burn.sh").write_text(BURN)
    job, text = run(cluster, 4, f"{mpirun} sh /tmp/burn.sh")
    used = sum(60 * float(minutes) + float(seconds) for minutes, seconds in re.findall(r"(\d+)m([\d.]+)s", text))
    assert used >= 2, text
    rows = [row for row in master.accounting() if row["job_number"] == str(job)]
    assert (len(rows) == 1) == (summary == "TRUE") and rows[-1]["pe_taskid"] == "NONE", rows
    summed = sum(float(row["cpu"]) for row in rows)
    assert used - 0.1 <= summed <= used + 3, (used, rows)
    master.ok("qconf", "-mattr", "pe", "accounting_summary", "FALSE", "tight", user="root")


def test_mpi_and_parallel_over_four_hosts(cluster):
    """Programs as Debian has them."""
    mpirun, hydra, parallel = program("mpirun.openmpi"), program("mpiexec.hydra"), program("parallel")
    names = hosts_of(cluster, 4)
    for count in 2, 4:
        for command in (mpirun, hydra, "$SGE_ROOT/mpi/openmpi.sh", "$SGE_ROOT/mpi/mpich.sh")[:count]:
            job, text = run(cluster, 2 * count, f"{command} hostname")
            lines = collections.Counter(line for line in text.splitlines() if "setpgid(" not in line)  # Open MPI warns when exec() is before its setpgid()
            assert sum(lines.values()) == 2 * count and len(lines) == count and set(lines.values()) == {2}, (command, text)
            wait(lambda number=job: len(records(cluster, number)) >= count, lambda number=job: records(cluster, number))
    for summary in "FALSE", "TRUE":
        see_usage_summed(cluster, mpirun, summary)
    see_what_reaches_ranks(cluster, mpirun)
    see_what_reaches_ranks(cluster, hydra)
    job, text = run(cluster, 4, f"""
cut -d' ' -f1 $PE_HOSTFILE >$TMPDIR/hosts
seq 8 | {parallel} --jobs 2 --ssh 'qrsh -inherit' --sshloginfile $TMPDIR/hosts 'echo {{}} on $(hostname)' """)
    lines = [line.split() for line in text.splitlines() if " on " in line]
    assert sorted(int(line[0]) for line in lines) == list(range(1, 9)) and len({line[2] for line in lines}) == 2, text
    assert names


MAKEFILE = """
CFLAGS = -O1
SOURCES = $(wildcard part*.c)
program: $(SOURCES:.c=.o) main.o sub/libsub.a
	$(CC) -o $@ $^ && echo linked
main.o: version.h
version.h:
	echo '#define VERSION "'$(shell echo 9)'"' >$@
%.o: %.c
	@hostname >>hosts.$@; test "$$JOB_ID" = "$(JOB)"
	$(CC) $(CFLAGS) -c -o $@ $<
sub/libsub.a:
	$(MAKE) -C sub libsub.a
"""
SUB = "libsub.a: one.o two.o\n\tar rc $@ $^\n%.o: %.c\n\t@hostname >>../hosts.$@\n\t$(CC) -c -o $@ $<\n"


def make_tree(place, cluster):
    """A program of twelve files and a library that a make of its own builds, where all hosts of a cluster see it."""
    (place / "sub").mkdir()
    for number in range(12):
        (place / f"part{number}.c").write_text(f"int part{number}(void) {{ return {number}; }}\n")
    calls = " + ".join(f"part{number}()" for number in range(12))
    declared = "".join(f"int part{number}(void);\n" for number in range(12))
    (place / "main.c").write_text('#include <stdio.h>\n#include "version.h"\nint one(void), two(void);\n' + declared +
                                  f'int main(void) {{ printf("%d %d " VERSION "\\n", {calls}, one() + two()); return 0; }}\n')
    for name in "one", "two":
        (place / f"sub/{name}.c").write_text(f"int {name}(void) {{ return 1; }}\n")
    (place / "Makefile").write_text(MAKEFILE)
    (place / "sub/Makefile").write_text(SUB)
    for path in (place, *place.rglob("*")):
        shutil.chown(path, cluster.master.user)


def built_on(place):
    """The hosts on which commands ran."""
    return {path.read_text().strip() for path in place.glob("hosts.*")}


def test_qmake_builds_a_tree_on_two_hosts(cluster):
    program("make")
    hosts_of(cluster, 2)
    master = cluster.master
    with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="sge-test.") as name:
        place = Path(name)
        make_tree(place, cluster)
        job, text = run(cluster, 4, f"cd {place} && qmake -inherit -- -j 4 JOB=$JOB_ID && ./program", "-wd", "/tmp")
        assert "linked" in text and text.splitlines()[-1] == "66 2 9", text
        assert built_on(place) == {"master", "node1"}
        wait(lambda: len({line[0] for line in records(cluster, job)}) == 2, lambda: records(cluster, job))
        # a command that fails ends it, with its status
        (place / "part1.c").write_text("no C\n")
        job, text = run(cluster, 4, f"cd {place} && qmake -inherit -- -j 4 JOB=$JOB_ID >/dev/null 2>&1; echo rc=$?", "-wd", "/tmp")
        assert text == "rc=2\n", text
        # without a job each command is one, and with -pe one job is made for all
        small = place / "small"
        small.mkdir()
        (small / "Makefile").write_text("all: a b\na b:\n\t@echo making $@ JOB=$$JOB_ID\n")
        shutil.chown(small, master.user)
        result = master.run("qmake", "-cwd", "--", "all", cwd=small)
        assert result.code == 0 and len(set(re.findall(r"making [ab] JOB=\d+", result.out))) == 2, result
        assert result.err == 2 * "dynamic mode\n" and len(set(re.findall(r"JOB=(\d+)", result.out))) == 2, result
        result = master.run("qmake", "-cwd", "-pe", "tight", "2", "--", "-j", "2", "all", cwd=small)
        assert result.code == 0 and len(set(re.findall(r"JOB=(\d+)", result.out))) == 1, result
