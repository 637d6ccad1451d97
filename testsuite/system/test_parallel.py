"""Parallel environments: -pe from qsub to accounting, and what people see of it."""
import re

import pytest

from cell import SANITIZED, wait

SHOW = ('echo NSLOTS=$NSLOTS NHOSTS=$NHOSTS NQUEUES=$NQUEUES PE=$PE; '
        "sed 's/@[^ ]*/@HOST/; s/^[^ ]*/HOST/' $PE_HOSTFILE")


def add_pe(cell, name, **attributes):
    """A parallel environment with these attributes, offered by all.q."""
    known = {"slots": 99999, "user_lists": "NONE", "xuser_lists": "NONE", "start_proc_args": "NONE", "stop_proc_args": "NONE",
             "allocation_rule": "$pe_slots", "control_slaves": "TRUE", "job_is_first_task": "TRUE", "urgency_slots": "min",
             "accounting_summary": "TRUE", "qsort_args": "NONE"}
    file = cell.files / f"{name}.pe"
    file.write_text("".join(f"{key} {value}\n" for key, value in ({"pe_name": name} | known | attributes).items()))
    cell.ok("qconf", "-Ap", file, user=cell.owner)
    cell.ok("qconf", "-aattr", "queue", "pe_list", name, "all.q", user=cell.owner)


def shown(cell, *options):
    """What a parallel job sees of its slots."""
    out = cell.files / "pe.out"
    cell.ok("qsub", "-sync", "y", "-N", "shown", "-o", out, "-j", "y", *options, stdin=f"#!/bin/sh\n{SHOW}\n")
    text = out.read_text()
    out.unlink()
    return text


def slots_shown(cell):
    """resv/used/tot. of the one queue in qstat -f."""
    line, = (line for line in cell.ok("qstat", "-f").splitlines() if line.startswith("all.q@"))
    return line.split()[2]


def state_of_queue(cell):
    line, = (line for line in cell.ok("qstat", "-f").splitlines() if line.startswith("all.q@"))
    return "".join(line.split()[5:])


def test_a_parallel_job_has_its_slots_from_qsub_to_accounting(cell):
    assert shown(cell, "-pe", "smp", "4") == "NSLOTS=4 NHOSTS=1 NQUEUES=1 PE=smp\nHOST 4 all.q@HOST UNDEFINED\n"
    assert shown(cell, "-pe", "mpi", "2-200") == "NSLOTS=4 NHOSTS=1 NQUEUES=1 PE=mpi\nHOST 4 all.q@HOST UNDEFINED\n"
    assert shown(cell, "-pe", "*p*", "-3").startswith("NSLOTS=3 NHOSTS=1 NQUEUES=1 PE=mpi\n")
    assert [(r["granted_pe"], r["slots"]) for r in cell.accounting()] == [("smp", "4"), ("mpi", "4"), ("mpi", "3")]


def test_slots_are_taken_shown_and_given_back(cell):
    array = cell.array("wide", "1-2", "-pe", "smp", "3", gated=[1, 2])
    cell.wait_state(array, 1, "r")
    assert cell.tasks(array)[2] == "qw"
    assert slots_shown(cell) == "0/3/4"
    one = cell.qsub("-o", "/dev/null", "-j", "y", "-b", "y", "true")
    cell.wait_gone(one)
    cell.restart_master()
    cell.open("wide", 1)
    cell.wait_state(array, 2, "r")
    cell.open("wide", 2)
    cell.wait_gone(array)
    assert slots_shown(cell) == "0/0/4"


def test_a_changed_environment_counts_from_the_next_run_on(cell):
    add_pe(cell, "few", slots=2)
    first = cell.array("first", "1", "-pe", "few", "2", gated=[1])
    cell.wait_state(first, 1, "r")
    second = cell.qsub("-N", "second", "-pe", "few", "1", "-o", "/dev/null", "-j", "y", "-b", "y", "true")
    assert cell.tasks(second)[0] == "qw"
    result = cell.refused("qconf", "-dp", "few", user=cell.owner)
    assert re.search(r"few", result.out + result.err)
    cell.ok("qconf", "-mattr", "pe", "slots", "3", "few", user=cell.owner)
    cell.wait_gone(second)
    cell.open("first", 1)
    cell.wait_gone(first)
    wait(lambda: len(cell.accounting()) == 2, "two lines")


def test_what_an_environment_runs_around_its_tasks(cell):
    """start_proc_args and stop_proc_args run beside the master, once for each task, with what they ask for; a change counts from the
    next start on, whatever is restarted meanwhile."""
    procedure = cell.files / "procedure"
    procedure.write_text('#!/bin/sh\necho "$@" NSLOTS=$NSLOTS\n')
    procedure.chmod(0o755)
    add_pe(cell, "set", start_proc_args=f"{procedure} begin $pe $pe_slots $job_id $job_owner",
           stop_proc_args=f"{procedure} end $pe_hostfile $queue")
    job = cell.array("around", "1-2", "-pe", "set", "2", "-tc", "1", "-o", cell.files, gated=[1])
    cell.wait_state(job, 1, "r")
    cell.ok("qconf", "-mattr", "pe", "stop_proc_args", "NONE", "set", user=cell.owner)
    cell.restart_master()
    cell.kill("sge_execd")
    cell.start()
    cell.open("around", 1)
    cell.wait_gone(job)
    begin = f"begin set 2 {job} {cell.user} NSLOTS=2\n"
    first, second = ((cell.files / f"around.po{job}.{task}").read_text() for task in (1, 2))
    assert first.startswith(begin + "end /") and first.endswith(f"/active_jobs/{job}.1/pe_hostfile all.q NSLOTS=2\n")
    assert second == begin


def test_a_start_procedure_that_fails_puts_the_queue_into_error(cell):
    add_pe(cell, "broken", start_proc_args="/bin/false")
    job = cell.qsub("-N", "broken", "-pe", "broken", "1", "-o", "/dev/null", "-j", "y", "-b", "y", "true")
    wait(lambda: "E" in state_of_queue(cell), "the queue in error")
    assert "exit_status of pe_start = 1" in cell.ok("qstat", "-f", "-explain", "E")
    cell.wait_state(job, 0, "qw")
    wait(cell.accounting, "its record")
    record, = cell.accounting()
    assert (record["failed"], record["granted_pe"]) == ("10", "broken")
    cell.ok("qconf", "-mattr", "pe", "start_proc_args", "NONE", "broken", user=cell.owner)
    cell.ok("qmod", "-cq", "*", user=cell.owner)
    cell.wait_gone(job)


LIMITS = "h_vmem=300M,h_data=200M,h_stack=8M,h_cpu=10"
# as much address space in each of four processes, for longer than two looks at their sum take; untouched: 600 MB of page faults take half a minute
# on a busy host
FOUR = "for i in 1 2 3 4; do /usr/bin/python3 -c 'import mmap, time; x = mmap.mmap(-1, 150000000); time.sleep(3)' & done; wait"
no_sanitizer = pytest.mark.skipif(SANITIZED, reason="a sanitizer's shepherd needs more than these limits until the job begins")


def limits_seen(cell, *options):
    out = cell.files / "limits.out"
    cell.ok("qsub", "-sync", "y", "-o", out, "-j", "y", *options, stdin="#!/bin/sh\nfor i in v d s t; do ulimit -$i; done\n")
    values = out.read_text().split()
    out.unlink()
    return values


@no_sanitizer
def test_a_limit_is_for_each_slot(any_cell):
    """Of the request and of the queue; what the job is charged for once however many slots it has, it may use once."""
    assert limits_seen(any_cell, "-pe", "smp", "4", "-l", LIMITS) == ["1228800", "819200", "32768", "40"]
    assert limits_seen(any_cell, "-l", LIMITS) == ["307200", "204800", "8192", "10"]
    any_cell.ok("qconf", "-rattr", "queue", "h_vmem", "400M", "all.q", user=any_cell.owner)
    assert limits_seen(any_cell, "-pe", "smp", "2")[0] == "819200"
    assert limits_seen(any_cell, "-pe", "smp", "2", "-l", LIMITS)[0] == "614400"
    file = any_cell.files / "complex"
    rows = any_cell.ok("qconf", "-sc")
    file.write_text(re.sub(r"(?m)^(h_vmem +\S+ +\S+ +\S+ +\S+ +)\S+", r"\1JOB", rows))
    any_cell.ok("qconf", "-Mc", file, user=any_cell.owner)
    any_cell.ok("qconf", "-rattr", "queue", "complex_values", "h_vmem=400M", "all.q", user=any_cell.owner)
    assert limits_seen(any_cell, "-pe", "smp", "4", "-l", LIMITS)[:2] == ["307200", "819200"]


@no_sanitizer
def test_all_processes_together_may_use_what_their_slots_may(any_cell):
    options = ["-o", "/dev/null", "-j", "y", "-l", "h_vmem=250M", "-b", "y", FOUR]
    enough, little = any_cell.qsub("-pe", "smp", "4", *options), any_cell.qsub(*options)
    any_cell.wait_gone(enough, little)
    rows = {int(row["job_number"]): row for row in any_cell.accounting()}
    assert rows[enough]["failed"] == "0"
    assert rows[little]["failed"] == "37"
    assert float(rows[little]["maxvmem"]) > 250 << 20, "the sum that it was ended for"
