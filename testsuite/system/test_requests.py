"""Requests (-l) for what does not run out: a job runs only where it finds what it asks for."""
import re
import socket

HOST = socket.gethostname()


def add_rows(cell, *rows):
    file = cell.files / "complex"
    file.write_text(cell.ok("qconf", "-sc") + "".join(f"{row}\n" for row in rows))
    cell.ok("qconf", "-Mc", file, user=cell.owner)


def offer(cell, offers, kind="exechost", name=HOST):
    cell.ok("qconf", "-rattr", kind, "complex_values", offers, name, user=cell.owner)


def arch(cell):
    return re.search(r"hl:arch=(\S+)", cell.ok("qhost", "-F", "arch")).group(1)


def runs(cell, *requests):
    """It ends, as it has found its place."""
    cell.wait_gone(cell.qsub("-o", "/dev/null", "-j", "y", *requests, "-b", "y", "true"))


def waits(cell, *requests):
    """Its number; a job that came after it has ended, so it could have started."""
    job = cell.qsub("-o", "/dev/null", "-j", "y", *requests, "-b", "y", "true")
    runs(cell)
    assert set(cell.tasks(job).values()) == {"qw"}
    return job


def test_a_job_runs_where_its_architecture_host_and_queue_are(cell):
    here = arch(cell)
    short = HOST.split(".")[0]
    runs(cell, "-l", f"arch={here}")
    runs(cell, "-l", "arch=*", "-l", f"h={short}")
    runs(cell, "-l", f"hostname={HOST[:3]}*,qname=all.q")
    elsewhere = waits(cell, "-l", "arch=sol-sparc64")
    waits(cell, "-l", "h=elsewhere")
    waits(cell, "-l", "q=other.q")
    why = cell.ok("qstat", "-j", elsewhere)
    assert f'(-l arch=sol-sparc64) cannot run at host "{HOST}" because it offers only hl:arch={here}' in why
    cell.ok("qalter", "-l", f"arch={here}", elsewhere)
    cell.wait_gone(elsewhere)


def test_limits_of_a_queue_take_no_longer_jobs(cell):
    cell.ok("qconf", "-rattr", "queue", "h_rt", "0:1:0", "all.q", user=cell.owner)
    runs(cell, "-l", "h_rt=60")
    job = waits(cell, "-l", "h_rt=61")
    assert '(-l h_rt=61) cannot run in queue "all.q@' in cell.ok("qstat", "-j", job)
    cell.ok("qconf", "-rattr", "queue", "h_rt", "INFINITY", "all.q", user=cell.owner)
    cell.wait_gone(job)


def test_values_that_the_administrator_gives_are_obeyed(cell):
    add_rows(cell, "rack rk INT == YES NO 0 0", "disk disk MEMORY <= YES NO 0 0", "site site CSTRING == YES NO NONE 0")
    rack, disk, site = (waits(cell, "-l", request) for request in ("rk=7", "disk=10G", "site=NORTH"))
    offer(cell, "rack=7,disk=20G,site=north")
    for job in (rack, disk, site):
        cell.wait_gone(job)
    waits(cell, "-l", "rack=8")
    waits(cell, "-l", "disk=21G")


def test_a_forced_value_is_for_those_who_ask(cell):
    add_rows(cell, "special sp BOOL == FORCED NO FALSE 0")
    offer(cell, "special=TRUE")
    job = cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "true")
    runs(cell, "-l", "special")
    assert set(cell.tasks(job).values()) == {"qw"}
    assert "because job does not request 'forced' resource \"special\"" in cell.ok("qstat", "-j", job)
    offer(cell, "NONE")
    cell.wait_gone(job)


def test_verification_says_what_is_missing(cell):
    refused = cell.run("qsub", "-w", "e", "-l", "arch=sol-sparc64", "-b", "y", "true")
    assert refused.code != 0 and "no suitable queues" in refused.err
    asked = cell.run("qsub", "-w", "v", "-l", "h=elsewhere", "-b", "y", "true")
    assert f'(-l hostname=elsewhere) cannot run in queue "all.q@{HOST}"' in asked.out + asked.err
    found = cell.run("qsub", "-w", "v", "-l", f"arch={arch(cell)}", "-b", "y", "true")
    assert "verification: found suitable queue(s)" in found.out + found.err


def test_soft_requests_choose_a_queue_and_keep_nobody_waiting(cell):
    cell.ok("qconf", "-sq", "all.q")
    file = cell.files / "big.q"
    text = cell.ok("qconf", "-sq", "all.q")
    file.write_text(re.sub(r"complex_values .*", "complex_values disk=20G", re.sub(r"^qname .*", "qname big.q", text)))
    add_rows(cell, "disk disk MEMORY <= YES NO 0 0")
    cell.ok("qconf", "-Aq", file, user=cell.owner)
    wished = cell.qsub("-o", "/dev/null", "-j", "y", "-soft", "-l", "disk=10G", "-b", "y", "true")
    elsewhere = cell.qsub("-o", "/dev/null", "-j", "y", "-soft", "-l", "disk=30G,arch=none", "-b", "y", "true")
    cell.wait_gone(wished)
    cell.wait_gone(elsewhere)
    assert [record["qname"] for record in cell.accounting() if record["job_number"] == str(wished)] == ["big.q"]


def test_a_restart_forgets_no_request(cell):
    job = waits(cell, "-l", "arch=sol-sparc64")
    cell.restart_master()
    runs(cell, "-l", f"arch={arch(cell)}")
    assert set(cell.tasks(job).values()) == {"qw"}
